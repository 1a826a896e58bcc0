import type { Db, Store } from '../../kit/db.ts'
import { type LoadRow, loadRows, rowsPerStatement } from '../../kit/load-rows.ts'
import { OperatorError } from '../../kit/refusal.ts'
import type { RejectedRow } from '../bad-row.ts'
import type { Progress } from '../progress.ts'
import { unpacked } from '../unpacked.ts'
import { rejectedRow } from './usage-faults.rules.ts'
import { ensureMonths, insertRecords, lastPlace, takeTurn } from './usage-records.queries.ts'
import { type UsageLine, usageRows } from './usage-rows.ts'
import {
  closeLoad,
  goOnWith,
  measure,
  openLoad,
  rejectContradictions,
  resolveLines,
  type StagedCounts,
  stagedCounts,
  stagedFaults,
  stagingTarget,
} from './usage-staging.queries.ts'

/** Bad rows that are read at once, and those that an answer names. */
const FAULT_PAGE = 10_000
const FIRST_REJECTED = 100

export interface Staged extends StagedCounts {
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
  try {
    return await work({
      stage: async (bytes, progress, reject) => {
        let read = 0
        const row = () => {
          read += 1
          progress.row()
        }
        const lines = usageRows(unpacked(progress.watch(bytes)))
        await loadRows(store, as, stagingTarget(loadId), stagingRows(lines, row))
        progress.done()
        await step((db) => measure(db, loadId, 'line'))
        await step((db) => resolveLines(db, loadId, read))
        await step((db) => measure(db, loadId, 'row'))
        await step(rejectContradictions)
        const firstRejected: RejectedRow[] = []
        for await (const row of rejectedRows((after) => step((db) => stagedFaults(db, loadId, after, FAULT_PAGE)))) {
          if (firstRejected.length < FIRST_REJECTED) firstRejected.push(row)
          await reject(row)
        }
        return { ...(await step(stagedCounts)), firstRejected }
      },
      insert: async () => {
        await step(ensureMonths)
        return step((db) => insertAll(db, { resellerId, loadId, atOnce: rowsPerStatement(store) }))
      },
    })
  } finally {
    // What came of the load is what there is to tell; tables that stay behind are unseen, and a later load removes them.
    await store.transact(as, (db) => closeLoad(db, loadId), 'background').catch(() => undefined)
  }
}

async function* stagingRows(batches: AsyncIterable<readonly UsageLine[]>, row: () => void): AsyncGenerator<LoadRow[]> {
  for await (const batch of batches)
    yield batch.map((found) => {
      row()
      return 'row' in found ? [String(found.line), null, ...found.row] : [String(found.line), found.reason, ...NO_FIELDS]
    })
}

const NO_FIELDS = stagingTarget('')
  .columns.slice(2)
  .map(() => null)

async function* rejectedRows(page: (after: number) => ReturnType<typeof stagedFaults>): AsyncGenerator<RejectedRow> {
  let faults = await page(0)
  while (faults.length > 0) {
    for (const fault of faults) yield rejectedRow(fault)
    faults = await page(faults.at(-1)?.line ?? 0)
  }
}

const insertAll = async (
  db: Db,
  { resellerId, loadId, atOnce }: { readonly resellerId: number; readonly loadId: string; readonly atOnce: number },
): Promise<number> => {
  await takeTurn(db, resellerId)
  const last = await lastPlace(db, loadId)
  let inserted = 0
  for (let from = 1; from <= last; from += atOnce) inserted += await insertRecords(db, loadId, from, Math.min(last, from + atOnce - 1))
  return inserted
}
