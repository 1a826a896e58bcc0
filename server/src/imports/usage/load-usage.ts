import type { Db, Store } from '../../db/database.ts'
import { type LoadRow, loadRows, rowsPerStatement } from '../../db/copy-in.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { RejectedRow } from '../bad-row.ts'
import type { Progress } from '../progress.ts'
import { unpacked } from '../unpacked.ts'
import { rejectedRow } from './usage-faults.rules.ts'
import { type StagedLines, stagedLines } from './staged-lines.ts'
import { blocksOf, ensureMonths, insertRecords, takeTurn } from './usage-records.queries.ts'
import { usageRows } from './usage-rows.ts'
import {
  closeLoad,
  faultCount,
  goOnWith,
  hasFaultyReference,
  openLoad,
  rejectContradictions,
  rejectLines,
  rejectStrays,
  resolveReferences,
  stagedFaults,
  stagingTarget,
} from './usage-staging.queries.ts'

/** Bad rows that are read at once, and those that an answer names. */
const FAULT_PAGE = 10_000
const FIRST_REJECTED = 100

export interface Staged {
  /** How many rows the file has, and how many of them are bad. */
  readonly rows: number
  readonly rejected: number
  /** The first of the bad rows. */
  readonly firstRejected: readonly RejectedRow[]
}

/** A load of usage: its own staging, from the file's first byte to the last record. */
export interface UsageLoad {
  /** Reads the file into the staging and judges every row. @throws OperatorError when it cannot be read */
  stage(bytes: AsyncIterable<Uint8Array>, progress: Progress, reject: (row: RejectedRow) => Promise<void>): Promise<Staged>
  /** Makes usage records of the good rows, all of them or none. @returns how many were not there before */
  insert(): Promise<number>
}

/** Gives the work a load of its own, and takes its staging away in the end. */
export const inUsageLoad = async <T>(
  store: Store,
  { resellerId, loadId }: { readonly resellerId: number; readonly loadId: string },
  work: (load: UsageLoad) => Promise<T>,
): Promise<T> => {
  const as = { role: 'counterfoil_loader', resellerId } as const
  const step = <Result>(run: (db: Db, loadId: string) => Promise<Result>): Promise<Result> =>
    store.transact(
      as,
      async (db) => {
        if (!(await goOnWith(db, loadId)))
          throw new OperatorError(
            'Another import took this one for dead, because it stood still for hours. Nothing was imported; run it again.',
          )
        return run(db, loadId)
      },
      'background',
    )
  await store.transact(as, (db) => openLoad(db, loadId), 'background')
  const lines = stagedLines()
  const { found } = lines
  const judge = async (): Promise<void> => {
    await step((db) => resolveReferences(db, loadId, found.references))
    if (found.hasBadLines) await step(rejectLines)
    if (await step(hasFaultyReference)) await step(rejectStrays)
    if (found.hasRepeats) await step((db) => rejectContradictions(db, loadId, found.lines))
  }
  try {
    return await work({
      stage: async (bytes, progress, reject) => {
        await loadRows(store, as, stagingTarget(loadId), stagingRows(unpacked(progress.watch(bytes)), lines, progress))
        progress.done()
        await judge()
        const firstRejected: RejectedRow[] = []
        for await (const row of rejectedRows((after) => step((db) => stagedFaults(db, loadId, after, FAULT_PAGE)))) {
          if (firstRejected.length < FIRST_REJECTED) firstRejected.push(row)
          await reject(row)
        }
        return { rows: found.lines, rejected: await step(faultCount), firstRejected }
      },
      insert: async () => {
        await step((db) => ensureMonths(db, loadId, [...found.months]))
        return step((db) => insertAll(db, { resellerId, loadId, lines: found.lines, atOnce: rowsPerStatement(store) }))
      },
    })
  } finally {
    // What came of the load is what there is to tell; tables that stay behind are unseen, and a later load removes them.
    await store.transact(as, (db) => closeLoad(db, loadId), 'background').catch(() => undefined)
  }
}

async function* stagingRows(bytes: AsyncIterable<Uint8Array>, lines: StagedLines, progress: Progress): AsyncGenerator<LoadRow[]> {
  for await (const batch of usageRows(bytes)) {
    for (let at = 0; at < batch.length; at += 1) progress.row()
    yield lines.rows(batch)
  }
}

async function* rejectedRows(page: (after: number) => ReturnType<typeof stagedFaults>): AsyncGenerator<RejectedRow> {
  let faults = await page(0)
  while (faults.length > 0) {
    for (const fault of faults) yield rejectedRow(fault)
    faults = await page(faults.at(-1)?.line ?? 0)
  }
}

interface Insertion {
  readonly resellerId: number
  readonly loadId: string
  readonly lines: number
  /** About so many lines in one statement. */
  readonly atOnce: number
}

const insertAll = async (db: Db, { resellerId, loadId, lines, atOnce }: Insertion): Promise<number> => {
  await takeTurn(db, resellerId)
  const blocks = await blocksOf(db, loadId)
  const step = Math.max(1, Math.ceil((blocks * Math.min(atOnce, lines)) / lines))
  let inserted = 0
  for (let from = 0; from < blocks; from += step) inserted += await insertRecords(db, loadId, { from, to: from + step }, lines)
  return inserted
}
