import type { Db, Store } from '../../db/database.ts'
import { type LoadRow, loadRows, rowsPerStatement } from '../../db/copy-in.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { RejectedRow } from '../bad-row.ts'
import type { Progress } from '../progress.ts'
import { decompress } from '../decompress.ts'
import { toRejectedRow } from './fault-messages.rules.ts'
import { beginImport, noteUsage, takeRecordId } from '../undo/note-import.queries.ts'
import { type LineStager, createLineStager } from './staging-rows.ts'
import { countBlocks, ensureMonths, insertRecords, lockReseller } from './usage-records.queries.ts'
import type { FileNotes } from '../record-lines.ts'
import { usageRows } from './usage-rows.ts'
import {
  closeLoad,
  countFaults,
  renewLoad,
  hasFaultyReference,
  openLoad,
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

export interface Staged {
  /** The number of rows, and of bad ones among them. */
  readonly rows: number
  readonly rejected: number
  /** The first of the bad rows. */
  readonly firstRejected: readonly RejectedRow[]
  /** The numbers of the file that were rounded to 18 decimals. */
  readonly rounded: number
}

interface InsertedUsage {
  /** The number of new records. */
  readonly records: number
  /** By which they are taken out again; null when none is new. */
  readonly importId: number | null
}

/** A load of one usage file with its own staging tables. */
export interface UsageLoad {
  /** Reads the file into the staging table and checks every row. @throws OperatorError when it cannot be read */
  stage(bytes: AsyncIterable<Uint8Array>, progress: Progress, reject: (row: RejectedRow) => Promise<void>): Promise<Staged>
  /** Inserts the good rows as usage records, all or none. */
  insert(): Promise<InsertedUsage>
}

/** Runs the work with its own staging tables, and drops them at the end. */
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
        if (!(await renewLoad(db, loadId)))
          throw new OperatorError(
            'Another import took this one for dead, because it stood still for hours. Nothing was imported; run it again.',
          )
        return run(db, loadId)
      },
      { pool: 'background' },
    )
  await store.transact(as, (db) => openLoad(db, loadId), { pool: 'background' })
  const stager = createLineStager()
  const { summary: found } = stager
  const checkLines = async (): Promise<void> => {
    await step((db) => resolveReferences(db, loadId, found.references))
    if (found.hasBadLines) await step(rejectLines)
    if (await step(hasFaultyReference)) await step(rejectUnknownReferences)
    if (found.hasRepeats) await step((db) => rejectContradictions(db, loadId, found.lines))
  }
  try {
    return await work({
      stage: async (bytes, progress, reject) => {
        const notes: FileNotes = { rounded: 0 }
        await loadRows(store, as, stagingTarget(loadId), toStagingRows(decompress(progress.countBytes(bytes)), stager, progress, notes))
        progress.done()
        await checkLines()
        const firstRejected: RejectedRow[] = []
        for await (const row of rejectedRows((after) => step((db) => stagedFaults(db, loadId, after, FAULT_PAGE_ROWS)))) {
          if (firstRejected.length < MAX_FIRST_REJECTED) firstRejected.push(row)
          await reject(row)
        }
        return { rows: found.lines, rejected: await step(countFaults), firstRejected, ...notes }
      },
      insert: async () => {
        await step((db) => ensureMonths(db, loadId, [...found.months]))
        return step((db) =>
          insertUsage(db, {
            resellerId,
            loadId,
            now,
            months: [...found.months],
            lines: found.lines,
            rowsPerStatement: rowsPerStatement(store),
          }),
        )
      },
    })
  } finally {
    // Report the outcome of the load. Tables that cannot be dropped now are dropped by a later load.
    await store.transact(as, (db) => closeLoad(db, loadId), { pool: 'background' }).catch(() => undefined)
  }
}

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

async function* rejectedRows(page: (after: number) => ReturnType<typeof stagedFaults>): AsyncGenerator<RejectedRow> {
  let faults = await page(0)
  while (faults.length > 0) {
    for (const fault of faults) yield toRejectedRow(fault)
    faults = await page(faults.at(-1)?.line ?? 0)
  }
}

interface InsertInput {
  readonly resellerId: number
  readonly loadId: string
  readonly now: Date
  readonly months: readonly string[]
  readonly lines: number
  /** Approximate number of lines in one statement. */
  readonly rowsPerStatement: number
}

const insertUsage = async (db: Db, { resellerId, loadId, now, months, lines, rowsPerStatement }: InsertInput): Promise<InsertedUsage> => {
  await lockReseller(db, resellerId)
  const firstId = await takeRecordId(db)
  const blocks = await countBlocks(db, loadId)
  const step = Math.max(1, Math.ceil((blocks * Math.min(rowsPerStatement, lines)) / lines))
  let inserted = 0
  for (let from = 0; from < blocks; from += step) inserted += await insertRecords(db, loadId, { from, to: from + step }, lines)
  if (inserted === 0) return { records: 0, importId: null }
  const importId = await beginImport(db, { resellerId, kind: 'usage', now })
  await noteUsage(db, importId, { records: inserted, firstId, lastId: await takeRecordId(db), months })
  return { records: inserted, importId }
}
