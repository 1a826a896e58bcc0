import type { Db, Store } from '../../db/database.ts'
import { type LoadRow, loadRows, rowsPerStatement } from '../../db/copy-in.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { RejectedRow } from '../bad-row.ts'
import type { Progress } from '../progress.ts'
import { decompress } from '../decompress.ts'
import { toRejectedRow } from './fault-messages.rules.ts'
import { beginImport, forgetImport, type ImportOrigin, noteUsage, takeRecordId } from '../undo/note-import.queries.ts'
import { type LineStager, createLineStager } from './staging-rows.ts'
import { dayAhead, NOTHING_UNUSUAL, type UnusualUsage } from '../unusual-usage.rules.ts'
import { countUsage, deleteUsage, recordsInRange, spanOf } from '../../usage-store/count-usage.queries.ts'
import { countBlocks, countUnusualLines, hasPeriodsFrom, insertRecords, listGoodMonths, lockReseller } from './usage-records.queries.ts'
import { ensureMonths, hasMonths } from '../../usage-store/usage-months.queries.ts'
import type { FileNotes } from '../record-lines.ts'
import { type LoadedLines, noteChangedRecords, notedRecords, rejectChangedRecords } from './usage-corrections.queries.ts'
import { closeStaging, openStaging, renewStaging } from '../staging/staging.queries.ts'
import { usageRows } from './usage-rows.ts'
import {
  countFaults,
  createStagingTables,
  type FaultCounts,
  hasFaultyReference,
  rejectContradictions,
  rejectLines,
  rejectUnknownReferences,
  resolveReferences,
  stagedFaults,
  stagingTarget,
} from './usage-staging.queries.ts'

/** Bad rows that are read in one query, and bad rows that a result lists. */
const FAULT_PAGE_ROWS = 10_000
const MAX_FIRST_REJECTED = 100

/** The rows of a file. */
interface Staged {
  /** All, and the bad ones among them so far. */
  readonly rows: number
  readonly rejected: number
  /** The numbers of the file that were rounded to 18 decimals. */
  readonly rounded: number
}

/** The bad rows of a file. */
export interface Rejected extends FaultCounts {
  readonly firstRejected: readonly RejectedRow[]
}

interface InsertedUsage {
  /** The number of new records, and of those that took the place of a record with other values. */
  readonly imported: number
  readonly corrected: number
  /** By which they are taken out again; null when none is new. */
  readonly importId: number | null
}

interface InsertOptions {
  /** Removes the records that a row repeats with other values, and takes the row. */
  readonly correct: boolean
  readonly skipBad: boolean
  readonly origin: ImportOrigin | undefined
}

/** A load of one usage file with its own staging tables. */
export interface UsageLoad {
  /** Reads the file into the staging table and checks every row. @throws OperatorError when it cannot be read */
  stage(bytes: AsyncIterable<Uint8Array>, progress: Progress): Promise<Staged>
  /** Inserts the good rows as usage records, all or none. @returns null when rows repeat records with other values, which is not allowed */
  insert(options: InsertOptions): Promise<InsertedUsage | null>
  /** Marks the rows as bad that repeat records with other values. */
  rejectChanged(): Promise<void>
  /** Counts the good rows that may be a mistake. */
  countUnusual(): Promise<UnusualUsage>
  /** Counts the bad rows and passes on each of them, in the order of lines. */
  listRejected(reject: (row: RejectedRow) => Promise<void>): Promise<Rejected>
}

/** Thrown to roll back an insertion: rows repeat records with other values. */
class ChangedRecords extends Error {}

/**
 * Opens a load with staging tables of its own, runs the work, and drops the tables at the end, whatever the outcome. The file is read by
 * the work's `stage`.
 */
export const withUsageLoad = async <T>(
  store: Store,
  { resellerId, loadId, now }: { readonly resellerId: number; readonly loadId: string; readonly now: Date },
  work: (load: UsageLoad) => Promise<T>,
): Promise<T> => {
  const as = { role: 'counterfoil_loader', resellerId } as const
  const step = <Result>(run: (db: Db, loadId: string) => Promise<Result>): Promise<Result> =>
    store.transact(
      as,
      async (db) => {
        if (!(await renewStaging(db, loadId)))
          throw new OperatorError(
            'Another import took this one for dead, because it stood still for hours. Nothing was imported; run it again.',
          )
        return run(db, loadId)
      },
      { pool: 'background' },
    )
  await store.transact(as, (db) => openStaging(db, loadId).then(() => createStagingTables(db, loadId)), { pool: 'background' })
  const stager = createLineStager()
  const { summary: found } = stager
  const loaded = (): LoadedLines => ({ loadId, months: [...found.months], lines: found.lines })
  const checkLines = async (): Promise<void> => {
    await step((db) => resolveReferences(db, loadId, found.references))
    if (found.hasBadLines) await step(rejectLines)
    if (await step(hasFaultyReference)) await step(rejectUnknownReferences)
    if (found.hasRepeats) await step((db) => rejectContradictions(db, loadId, found.lines))
  }
  try {
    return await work({
      stage: async (bytes, progress) => {
        const notes: FileNotes = { rounded: 0 }
        await loadRows(store, as, stagingTarget(loadId), toStagingRows(decompress(progress.countBytes(bytes)), stager, progress, notes))
        progress.done()
        await checkLines()
        const { rejected } = await step(countFaults)
        return { rows: found.lines, rejected, ...notes }
      },
      insert: async (options) => {
        if (!(await step((db) => hasMonths(db, [...found.months])))) {
          const months = await step((db) => listGoodMonths(db, loadId))
          await store.transact({ role: 'owner' }, (db) => ensureMonths(db, months), { pool: 'background' })
        }
        const input = { resellerId, now, ...loaded(), rowsPerStatement: rowsPerStatement(store), ...options }
        return step((db) => insertUsage(db, input)).catch((error: unknown) => {
          if (error instanceof ChangedRecords) return null
          throw error
        })
      },
      rejectChanged: async () => {
        await step((db) => rejectChangedRecords(db, loaded()))
      },
      countUnusual: () =>
        step(async (db) => {
          const isPlain = !found.hasNegativePrices && found.latest <= dayAhead(now)
          return isPlain && !(await hasPeriodsFrom(db, found.earliest.slice(0, 10)))
            ? NOTHING_UNUSUAL
            : countUnusualLines(db, loadId, now, found.lines)
        }),
      listRejected: async (reject) => {
        const firstRejected: RejectedRow[] = []
        for await (const row of rejectedRows((after) => step((db) => stagedFaults(db, loadId, after, FAULT_PAGE_ROWS)))) {
          if (firstRejected.length < MAX_FIRST_REJECTED) firstRejected.push(row)
          await reject(row)
        }
        return { ...(await step(countFaults)), firstRejected }
      },
    })
  } finally {
    // Report the outcome of the load. Tables that cannot be dropped now are dropped by a later load.
    await store.transact(as, (db) => closeStaging(db, loadId), { pool: 'background' }).catch(() => undefined)
  }
}

/** Reads the file's records in batches as rows of the staging table, bad ones with their reasons, and counts them in `progress`. */
async function* toStagingRows(
  bytes: AsyncIterable<Uint8Array>,
  lines: LineStager,
  progress: Progress,
  notes: FileNotes,
): AsyncGenerator<LoadRow[]> {
  for await (const batch of usageRows(bytes, notes)) {
    for (let at = 0; at < batch.length; at += 1) progress.row()
    yield lines.rows(batch)
  }
}

/** Reads the bad rows page by page, in the order of lines. */
async function* rejectedRows(page: (after: number) => ReturnType<typeof stagedFaults>): AsyncGenerator<RejectedRow> {
  let faults = await page(0)
  while (faults.length > 0) {
    for (const fault of faults) yield toRejectedRow(fault)
    faults = await page(faults.at(-1)?.line ?? 0)
  }
}

interface InsertInput extends LoadedLines, InsertOptions {
  readonly resellerId: number
  readonly now: Date
  /** Approximate number of lines in one statement. */
  readonly rowsPerStatement: number
}

/**
 * Inserts the good lines as usage records and notes them for undoing, in the caller's transaction.
 * @throws ChangedRecords when lines repeat records with other values, and neither `correct` nor `skipBad` is on
 */
const insertUsage = async (db: Db, input: InsertInput): Promise<InsertedUsage> => {
  const { resellerId, now, months } = input
  await lockReseller(db, resellerId)
  const firstId = await takeRecordId(db)
  const imported = await insertGoodLines(db, input)
  const { rejected } = await countFaults(db, input.loadId)
  const mayHaveChanged = imported < input.lines - rejected
  if (mayHaveChanged && !input.correct && (await rejectChangedRecords(db, input)) > 0 && !input.skipBad) throw new ChangedRecords()
  const importId = await beginImport(db, { resellerId, kind: 'usage', now, origin: input.origin, rows: input.lines })
  const corrected = mayHaveChanged && input.correct ? await correctRecords(db, input, importId) : 0
  if (imported + corrected === 0) {
    await forgetImport(db, importId)
    return { imported, corrected, importId: null }
  }
  const range = { firstId, lastId: await takeRecordId(db), ...spanOf(months) }
  await countUsage(db, resellerId, recordsInRange(resellerId, range), 1)
  await noteUsage(db, importId, imported + corrected, range)
  return { imported, corrected, importId }
}

/** Inserts the good lines whose records are not stored yet, in statements of about `rowsPerStatement`. @returns how many */
const insertGoodLines = async (db: Db, { loadId, resellerId, lines, rowsPerStatement }: InsertInput): Promise<number> => {
  const blocks = await countBlocks(db, loadId)
  const step = Math.max(1, Math.ceil((blocks * Math.min(rowsPerStatement, lines)) / lines))
  let inserted = 0
  for (let from = 0; from < blocks; from += step)
    inserted += await insertRecords(db, { loadId, resellerId }, { from, to: from + step }, lines)
  return inserted
}

/** Deletes the records that lines repeat with other values, noting them for an undo, and inserts those lines. @returns how many */
const correctRecords = async (db: Db, input: InsertInput, importId: number): Promise<number> => {
  if ((await noteChangedRecords(db, input, importId)) === 0) return 0
  const changed = notedRecords(importId, spanOf(input.months))
  await countUsage(db, input.resellerId, changed, -1)
  await deleteUsage(db, changed)
  return insertGoodLines(db, input)
}
