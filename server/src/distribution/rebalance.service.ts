import type { Store } from '../db/database.ts'
import { isMarkedDistributed } from '../db/server/distributed-mark.ts'
import { OperatorError } from '../kit/api-error.ts'
import { DISTRIBUTED_TABLES } from '../usage-store/distributed-tables.data.ts'
import { forceRowSecurity, listDistributed } from './distributed-tables.queries.ts'
import { asOwner, forceRowSecurityAgain, thenPutBack, withoutLimitOnWorkers } from './owner-limits.service.ts'
import { letRolesIn } from './roles-on-nodes.service.ts'
import { countOldShards, hasUnlimitedWorker, listForced, moveShardGroup, planShardMoves, type ShardMove } from './shard-moves.queries.ts'
import { assertSameSums, sumResellers, vacuumTables, withUsageLocked } from './usage-lock.service.ts'

/** What rebalancing would do. */
export interface RebalancePlan {
  readonly moves: readonly ShardMove[]
  /** Whether an interrupted command left the owner without row-level security or time limit, which is put back. */
  readonly isLifted: boolean
}

/**
 * Finds what rebalancing would do. Changes nothing. Not on the background connections: those to the workers that they keep would still have
 * the limit that `rebalanceUsage` lifts.
 * @throws OperatorError where usage is not distributed
 */
export const planRebalance = async (store: Store): Promise<RebalancePlan> => {
  const distributed = await store.transact({ role: 'owner' }, listDistributed)
  if (!DISTRIBUTED_TABLES.every((table) => distributed.has(table)) || !(await isMarkedDistributed(store.pools.interactive)))
    throw new OperatorError('Usage is not distributed, or not all of it: run counterfoil distribute first.')
  return store.transact({ role: 'owner' }, async (db) => ({
    moves: await planShardMoves(db),
    isLifted: (await listForced(db)).length < DISTRIBUTED_TABLES.length || (await hasUnlimitedWorker(db)),
  }))
}

/**
 * Moves shard groups, one after the other, until the nodes have about as many as each other, and one that is to have none is empty. Readers
 * go on, loads of usage wait. Each move is a transaction, so that this can be begun again after any interruption.
 * @param store one that speaks as to a distributed database
 * @param report tells how far the work is, after each step; throwing ends the work there
 * @throws OperatorError with what stands in the way, or when sums differ afterwards
 */
export const rebalanceUsage = async (store: Store, report: (words: string) => void): Promise<void> => {
  await withUsageLocked(store, async (assertLocked) => {
    const { moves, isLifted } = await planRebalance(store)
    await withoutLimitOnWorkers(store, async () => {
      await letRolesIn(store)
      report('The roles may sign in on every node.')
      const before = await sumResellers(store)
      report('Noted the sums of every reseller.')
      await moveShardGroups(store, moves, assertLocked, report)
      await assertSameSums(store, before)
      if (moves.length > 0 || isLifted) await vacuumTables(store) // a killed run may have moved all, and not come to this
      await dropOldShards(store, report)
    })
  })
  report('Usage is spread evenly; the sums of every reseller are as before.')
}

/** Moves them with row-level security lifted for the owner, whom it hides the rows from, and forces it again where a killed run did not. */
const moveShardGroups = async (
  store: Store,
  moves: readonly ShardMove[],
  assertLocked: () => Promise<void>,
  report: (words: string) => void,
): Promise<void> =>
  thenPutBack(
    async () => {
      if (moves.length > 0) for (const table of DISTRIBUTED_TABLES) await asOwner(store, (db) => forceRowSecurity(db, table, false))
      for (const [at, move] of moves.entries()) {
        await assertLocked()
        await asOwner(store, (db) => moveShardGroup(db, move))
        report(`Shard group ${move.shardId} was moved from ${move.from} to ${move.to}; ${moves.length - at - 1} left.`)
      }
    },
    () => forceRowSecurityAgain(store, DISTRIBUTED_TABLES),
  )

/** Has Citus drop the shards that were moved away, and those of interrupted moves. It drops later what is being read. */
const dropOldShards = async (store: Store, report: (words: string) => void): Promise<void> => {
  const client = await store.pools.background.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('call citus_cleanup_orphaned_resources()') // not in a transaction
  } finally {
    client.release(true) // its settings are its own
  }
  const left = await asOwner(store, countOldShards)
  report(left === 0 ? 'Freed the space of what was moved.' : `${left} old shards are still being read; Citus drops them by itself.`)
}
