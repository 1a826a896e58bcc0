import { randomUUID } from 'node:crypto'
import { rowsPerStatement } from '../../db/copy-in.ts'
import type { Db, Store } from '../../db/database.ts'
import type { NamedRecord } from '../resellers.queries.ts'
import { listRejected } from '../staging/row-report.ts'
import type { ImportFile, ImportOptions, ImportSteps, RunStep } from '../staging/run-import.ts'
import { type StagedRecords, stageRecords } from '../staging/stage-records.ts'
import { noteUsage, takeRecordId } from '../undo/note-import.queries.ts'
import { dayAhead, NOTHING_UNUSUAL, type UnusualUsage } from '../unusual-usage.rules.ts'
import { countRecords, countUsage, deleteUsage, recordsInRange, spanOf } from '../../usage-store/count-usage.queries.ts'
import { ensureMonths, hasMonths } from '../../usage-store/usage-months.queries.ts'
import { toRejectedRow } from './fault-messages.rules.ts'
import { createLineStager, type LoadSummary } from './staging-rows.ts'
import { type LoadedLines, noteChangedRecords, notedRecords, rejectChangedRecords } from './usage-corrections.queries.ts'
import { countBlocks, countUnusualLines, hasPeriodsFrom, insertRecords, listGoodMonths, lockReseller } from './usage-records.queries.ts'
import { USAGE_SHAPE } from './usage.rules.ts'
import {
  allowFewLookups,
  countFaults,
  createStagingTables,
  hasFaultyReference,
  rejectContradictions,
  rejectLines,
  rejectUnknownReferences,
  resolveReferences,
  stagedFaults,
  stagingTarget,
} from './usage-staging.queries.ts'

export interface UsageOptions extends ImportOptions {
  /** Take the rows that repeat a stored record with other values, in its place; else they are bad. */
  readonly correct?: boolean
}

interface UsageLoad {
  readonly store: Store
  readonly reseller: NamedRecord
  readonly source: ImportFile
  readonly now: Date
  readonly options: UsageOptions
}

interface InsertedUsage {
  readonly imported: number
  /** The new records have ids after this one. */
  readonly firstId: number
  /** Whether fewer records are new than lines are good: the others are stored already, perhaps with other values. */
  readonly mayHaveChanged: boolean
}

interface LoadedUsage {
  /** The number of new records, and of those that took the place of a record with other values. */
  readonly imported: number
  readonly corrected: number
  /** The number of records that are stored or earlier in the file already, with the same values. */
  readonly repeated: number
  readonly unusual: UnusualUsage
}

/** The steps of an import of usage (docs/decisions/0023). Each load has staging tables of its own, for speed. */
export const usageSteps = ({
  store,
  reseller,
  source,
  now,
  options,
}: UsageLoad): ImportSteps<StagedRecords, InsertedUsage & { readonly reseller: NamedRecord }, LoadedUsage> => {
  const loadId = randomUUID()
  const as = { role: 'counterfoil_reseller', resellerId: reseller.id } as const
  const { summary, toStagingRow } = createLineStager()
  const inputOf = ({ rows: lines }: StagedRecords): InsertInput => ({
    loadId,
    resellerId: reseller.id,
    months: [...summary.months],
    lines,
    rowsPerStatement: rowsPerStatement(store),
    options,
  })
  return {
    kind: 'usage',
    importId: loadId,
    as,
    open: (db) => createStagingTables(db, loadId),
    stage: async (runStep) => {
      const staged = await stageRecords({ store, as, target: stagingTarget(loadId) }, source, USAGE_SHAPE, toStagingRow, options)
      await runStep((db) => resolveReferences(db, loadId, summary.references))
      if (summary.hasBadLines) await runStep((db) => rejectLines(db, loadId))
      if (await runStep((db) => hasFaultyReference(db, loadId))) await runStep((db) => rejectUnknownReferences(db, loadId))
      if (summary.hasRepeats) await runStep((db) => rejectContradictions(db, loadId, staged.rows))
      const { rejected } = await runStep((db) => countFaults(db, loadId))
      if (rejected < staged.rows && (rejected === 0 || options.skipBad)) {
        options.progress('Making usage records …')
        await makeMonths(store, runStep, loadId, [...summary.months])
      }
      return staged
    },
    check: async (db, staged) => ({ reseller, ...(await insertUsage(db, inputOf(staged))) }),
    report: async (db, { rows }) => ({
      rows,
      ...(await countFaults(db, loadId)),
      firstRejected: await listRejected((after, limit) => stagedFaults(db, loadId, after, limit), toRejectedRow, options.reject),
    }),
    commit: async (db, noteId, { staged, checked, report }) => {
      const { imported, firstId, mayHaveChanged } = checked
      const input = inputOf(staged)
      const corrected = mayHaveChanged && options.correct === true ? await correctRecords(db, input, checked, noteId) : 0
      const records = imported + corrected
      if (records > 0) {
        const range = { firstId, lastId: await takeRecordId(db), ...spanOf(input.months) }
        await countUsage(db, reseller.id, recordsInRange(reseller.id, range), 1)
        await noteUsage(db, noteId, records, range)
      }
      const repeated = staged.rows - report.rejected - records
      return { imported, corrected, repeated, unusual: await countUnusual(db, input, summary, now) }
    },
    auditText: ({ imported, corrected }, { rows }) => `${rows} rows, ${imported} new${corrected > 0 ? `, ${corrected} corrected` : ''}`,
  }
}

/**
 * Makes partitions for the months of the good lines that have none.
 * @param months the first days of the months of all lines; nearly always all partitions exist
 */
const makeMonths = async (store: Store, runStep: RunStep, loadId: string, months: readonly string[]): Promise<void> => {
  if (await runStep((db) => hasMonths(db, months))) return
  const missing = await runStep((db) => listGoodMonths(db, loadId))
  await store.transact({ role: 'owner' }, (db) => ensureMonths(db, missing), { pool: 'background' })
}

interface InsertInput extends LoadedLines {
  readonly resellerId: number
  /** Approximate number of lines in one statement. */
  readonly rowsPerStatement: number
  readonly options: UsageOptions
}

/**
 * Inserts the good lines as usage records, unless bad ones are to refuse the file. Lines that repeat a stored record with other values are
 * looked for only where fewer records are new than lines are good, and become bad.
 */
const insertUsage = async (db: Db, input: InsertInput): Promise<InsertedUsage> => {
  const { skipBad, correct = false } = input.options
  const { rejected } = await countFaults(db, input.loadId)
  const isRefused = rejected > 0 && !skipBad
  let [imported, firstId] = [0, 0]
  if (!isRefused && rejected < input.lines) {
    await lockReseller(db, input.resellerId)
    firstId = await takeRecordId(db)
    await insertGoodLines(db, input)
    imported = await countNew(db, input, firstId)
  }
  const mayHaveChanged = imported < input.lines - rejected
  if (mayHaveChanged && !correct) await rejectChangedRecords(db, input)
  return { imported, firstId, mayHaveChanged }
}

/** Inserts the good lines whose records are not stored yet, in statements of about `rowsPerStatement`. */
const insertGoodLines = async (db: Db, { loadId, resellerId, lines, rowsPerStatement }: InsertInput): Promise<void> => {
  const blocks = await countBlocks(db, loadId)
  const step = Math.max(1, Math.ceil((blocks * Math.min(rowsPerStatement, lines)) / lines))
  for (let from = 0; from < blocks; from += step) await insertRecords(db, { loadId, resellerId }, { from, to: from + step }, lines)
}

/** Counts the records that this load has inserted so far. */
const countNew = async (db: Db, { resellerId, months }: InsertInput, firstId: number): Promise<number> =>
  countRecords(db, recordsInRange(resellerId, { firstId, lastId: await takeRecordId(db), ...spanOf(months) }))

/** Deletes the records that lines repeat with other values, noting them for an undo, and inserts those lines. @returns how many */
const correctRecords = async (db: Db, input: InsertInput, { imported, firstId }: InsertedUsage, importId: number): Promise<number> => {
  const count = await noteChangedRecords(db, input, importId)
  if (count === 0) return 0
  await allowFewLookups(db, count)
  const changed = notedRecords(importId, spanOf(input.months))
  await countUsage(db, input.resellerId, changed, -1)
  await deleteUsage(db, changed)
  await insertGoodLines(db, input)
  return (await countNew(db, input, firstId)) - imported
}

/** Counts the good lines that may be a mistake, unless what was seen of the file shows that there is none. */
const countUnusual = async (db: Db, { loadId, lines }: InsertInput, summary: LoadSummary, now: Date): Promise<UnusualUsage> => {
  const isPlain = !summary.hasNegativePrices && summary.latest <= dayAhead(now)
  return isPlain && !(await hasPeriodsFrom(db, summary.earliest.slice(0, 10))) ? NOTHING_UNUSUAL : countUnusualLines(db, loadId, now, lines)
}
