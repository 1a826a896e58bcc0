import type { Store } from '../db/database.ts'
import { OperatorError } from '../kit/api-error.ts'
import { DISTRIBUTED_TABLES } from '../usage-store/distributed-tables.data.ts'
import { listResellerIds } from '../usage-store/resellers.queries.ts'
import { askNothing, lockAllUsage, lockDistribution, sumReseller, waitForStep } from './distributed-tables.queries.ts'

/**
 * Runs work while no usage is loaded, undone or merged, and no other command moves it.
 * @param work gets a function that throws when the lock was lost with its connection
 * @throws OperatorError when another one is at work
 */
export const withUsageLocked = (store: Store, work: (assertLocked: () => Promise<void>) => Promise<void>): Promise<void> =>
  store.transact(
    { role: 'counterfoil_system' },
    async (db) => {
      if (!(await lockDistribution(db)))
        throw new OperatorError('A backup of this database is being made, or another counterfoil distribute is at work.')
      await lockAllUsage(db)
      await store.transact({ role: 'owner' }, waitForStep, { pool: 'background' })
      await work(() => askNothing(db))
    },
    { pool: 'background' },
  )

/** The sums of every reseller's usage, by its id. */
export const sumResellers = async (store: Store): Promise<ReadonlyMap<number, string>> => {
  const sums = new Map<number, string>()
  for (const resellerId of await store.transact({ role: 'counterfoil_system' }, listResellerIds))
    sums.set(resellerId, await store.transact({ role: 'counterfoil_reseller', resellerId }, sumReseller, { pool: 'background' }))
  return sums
}

/** @throws OperatorError with every reseller whose usage does not have these sums */
export const assertSameSums = async (store: Store, before: ReadonlyMap<number, string>): Promise<void> => {
  const after = await sumResellers(store)
  const differing = [...before].filter(([resellerId, sums]) => sums !== after.get(resellerId))
  if (differing.length === 0) return
  const lines = differing.map(([resellerId, sums]) => `Reseller ${resellerId} had the sums ${sums}, and has ${after.get(resellerId)}.`)
  throw new OperatorError(
    `Usage was lost or doubled while it moved. Load and undo nothing, and restore the backup that was made before.\n${lines.join('\n')}`,
  )
}

/** Vacuums the tables on every node, however long it takes: index-only scans need it after rows were copied. */
export const vacuumTables = async (store: Store): Promise<void> => {
  const client = await store.pools.background.connect()
  try {
    await client.query('set statement_timeout = 0')
    for (const table of DISTRIBUTED_TABLES) await client.query(`vacuum analyze ${table}`)
  } finally {
    client.release(true) // its settings are its own
  }
}
