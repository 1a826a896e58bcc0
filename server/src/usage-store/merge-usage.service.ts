import type { Store } from '../db/database.ts'
import { mergeDeltas, resellersWithDeltas } from './merge-usage.queries.ts'

/**
 * Merges the deltas that loads have appended into the counters of usage, of all resellers, in short transactions, until nothing is left or
 * `stopping` is aborted. What another process is merging at the same time is left to it.
 */
export const mergeUsage = async (store: Store, stopping: AbortSignal): Promise<void> => {
  for (const resellerId of await store.transact({ role: 'counterfoil_system' }, resellersWithDeltas, {
    pool: 'background',
    usage: 'primary',
  }))
    for (let merged = 1; merged > 0 && !stopping.aborted; )
      merged = await store.transact({ role: 'counterfoil_loader', resellerId }, (db) => mergeDeltas(db, resellerId), {
        pool: 'background',
        usage: 'primary',
      })
}
