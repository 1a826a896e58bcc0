import { setTimeout } from 'node:timers/promises'
import type { Db, Store } from '../db/database.ts'
import { changeRights, ROLES } from '../db/roles.ts'
import { MARK_TTL_MS } from '../db/server/distributed-mark.ts'
import { OperatorError } from '../kit/api-error.ts'
import { listResellerIds } from '../usage-store/resellers.queries.ts'
import { DISTRIBUTED_TABLES } from '../usage-store/distributed-tables.data.ts'
import {
  ageOfMark,
  allowLogin,
  askNothing,
  type DistributedTable,
  estimateRows,
  forceRowSecurity,
  freeLocalCopy,
  listDistributed,
  lockAllUsage,
  lockDistribution,
  moveTable,
  removeMark,
  rolesToChange,
  setMark,
  sumReseller,
} from './distributed-tables.queries.ts'
import { distributionTroubles } from './distribution-troubles.service.ts'
import { askNodes, createProbe, dropProbe, limitConnecting, readProbe } from './nodes.queries.ts'

/** The tables in the order in which they move: the others stand with the first one; the records last, because they take longest. */
const IN_ORDER: readonly DistributedTable[] = [
  'usage_version',
  ...DISTRIBUTED_TABLES.filter((table) => table !== 'usage_version' && table !== 'usage_record'),
  'usage_record',
]

/** Tells how far the work is, after each step. Throwing ends the work there; it goes on from there when it is begun again. */
type Report = (words: string) => void

/**
 * Distributes usage over the workers that Citus knows. Readers go on, loads of usage wait. Each step is a transaction of its own, and is
 * left out where it was done before, so that this can be begun again after any interruption.
 * @param store one that speaks as to a distributed database
 * @throws OperatorError with what stands in the way; then nothing is changed. Error when sums differ afterwards
 */
export const distributeUsage = async (store: Store, report: Report): Promise<void> => {
  const troubles = await distributionTroubles(store)
  if (troubles.length > 0) throw new OperatorError(troubles.join('\n'))
  await withUsageLocked(store, async (assertLocked) => {
    await setLogin(store, true)
    await grantRolesOnNodes(store)
    await changeRights(store, (db) => limitConnecting(db, true))
    report('The roles may sign in on every node.')
    await assertRolesReach(store)
    await store.transact({ role: 'owner' }, setMark)
    await waitForPrograms(store)
    report('Programs at work know that usage is being distributed.')
    const before = await sumResellers(store)
    report('Noted the sums of every reseller.')
    for (const table of IN_ORDER) {
      await assertLocked()
      await moveUnlessMoved(store, table, 'to the workers', report)
    }
    for (const table of IN_ORDER) await store.transact({ role: 'owner' }, (db) => freeLocalCopy(db, table), { pool: 'background' })
    await vacuumTables(store)
    report('Freed the space on the coordinator.')
    await assertSameSums(store, before)
  })
  report('Usage is distributed; the sums of every reseller are as before.')
}

/** Brings usage back to the one server, which is a plain PostgreSQL then. @throws as `distributeUsage` */
export const undistributeUsage = async (store: Store, report: Report): Promise<void> => {
  await withUsageLocked(store, async (assertLocked) => {
    const before = await sumResellers(store)
    report('Noted the sums of every reseller.')
    for (const table of IN_ORDER.toReversed()) {
      await assertLocked()
      await moveUnlessMoved(store, table, 'back', report)
    }
    await vacuumTables(store)
    await assertSameSums(store, before)
    await store.transact({ role: 'owner' }, removeMark)
    await changeRights(store, (db) => limitConnecting(db, false))
    await setLogin(store, false)
  })
  report('Usage is on this server alone; the sums of every reseller are as before.')
}

/** Lets the roles sign in, or not. @throws OperatorError where the connected user may not say so */
const setLogin = async (store: Store, isAllowed: boolean): Promise<void> => {
  const roles = await store.transact({ role: 'owner' }, (db) => rolesToChange(db, ROLES, isAllowed))
  if (roles.length === 0) return
  await changeRights(store, (db) => allowLogin(db, roles, isAllowed)).catch((error: unknown) => {
    if ((error as { code?: string }).code !== '42501') throw error
    const statements = roles.map((role) => `alter role ${role} ${isAllowed ? 'login' : 'nologin'};`)
    throw new OperatorError(`Have an administrator run on the coordinator, then begin again:\n${statements.join('\n')}`, { cause: error })
  })
}

/** Vacuums the tables on every node, however long it takes: index-only scans need it after rows were copied. */
const vacuumTables = async (store: Store): Promise<void> => {
  const client = await store.pools.background.connect()
  try {
    await client.query('set statement_timeout = 0')
    for (const table of IN_ORDER) await client.query(`vacuum analyze ${table}`)
  } finally {
    client.release(true) // its settings are its own
  }
}

/** Gives the connected user the roles on every node, where some grants of the coordinator do not arrive. */
const grantRolesOnNodes = async (store: Store): Promise<void> => {
  const answers = await store.transact({ role: 'owner' }, (db) =>
    askNodes(db, `grant ${ROLES.join(', ')} to current_user with inherit false, set true`),
  )
  const failed = answers.find(({ isDone }) => !isDone)
  if (failed !== undefined) throw new OperatorError(`${failed.node} does not grant the roles to the user of DATABASE_URL: ${failed.text}`)
}

/** @throws OperatorError when a node does not let one of the roles in */
const assertRolesReach = async (store: Store): Promise<void> => {
  const asOwner = (work: (db: Db) => Promise<void>): Promise<void> => store.transact({ role: 'owner' }, work, { pool: 'background' })
  await asOwner((db) => createProbe(db, ROLES))
  try {
    for (const role of ROLES) await asOwner((db) => readProbe(db, role))
  } catch (error) {
    throw new OperatorError(
      `A node does not let the roles in: ${error instanceof Error ? error.message : String(error)}. Admit them in its pg_hba.conf, from the other nodes alone.`,
      { cause: error },
    )
  } finally {
    await asOwner(dropProbe)
  }
}

/** Waits until every program at work has read the mark. */
const waitForPrograms = async (store: Store): Promise<void> => {
  await setTimeout(Math.max(0, MARK_TTL_MS + 1_000 - (await store.transact({ role: 'owner' }, ageOfMark))))
}

/**
 * Runs work while no usage is loaded, undone or merged, and no other command moves it.
 * @param work gets a function that throws when the lock was lost with its connection
 * @throws OperatorError when another one is at work
 */
const withUsageLocked = (store: Store, work: (assertLocked: () => Promise<void>) => Promise<void>): Promise<void> =>
  store.transact(
    { role: 'counterfoil_system' },
    async (db) => {
      if (!(await lockDistribution(db))) throw new OperatorError('Another counterfoil distribute is at work on this database.')
      await lockAllUsage(db)
      await work(() => askNothing(db))
    },
    { pool: 'background' },
  )

/** Moves a table, unless it stands there already. */
const moveUnlessMoved = async (store: Store, table: DistributedTable, where: 'to the workers' | 'back', report: Report): Promise<void> => {
  const asOwner = <T>(work: (db: Db) => Promise<T>): Promise<T> => store.transact({ role: 'owner' }, work, { pool: 'background' })
  const isThere = (await asOwner(listDistributed)).has(table) === (where === 'to the workers')
  const rows = await asOwner((db) => estimateRows(db, table))
  try {
    if (!isThere) {
      await asOwner((db) => forceRowSecurity(db, table, false))
      await asOwner((db) => moveTable(db, table, where))
    }
  } finally {
    await asOwner((db) => forceRowSecurity(db, table, true))
  }
  const left = where === 'to the workers' ? IN_ORDER.slice(IN_ORDER.indexOf(table) + 1) : IN_ORDER.slice(0, IN_ORDER.indexOf(table))
  report(
    `${table} (some ${rows.toLocaleString('en')} rows) ${isThere ? 'stood there already' : `was moved ${where}`}; ${left.length} tables left.`,
  )
}

/** The sums of every reseller's usage, by its id. */
const sumResellers = async (store: Store): Promise<ReadonlyMap<number, string>> => {
  const sums = new Map<number, string>()
  for (const resellerId of await store.transact({ role: 'counterfoil_system' }, listResellerIds))
    sums.set(resellerId, await store.transact({ role: 'counterfoil_reseller', resellerId }, sumReseller, { pool: 'background' }))
  return sums
}

/** @throws Error when the usage of a reseller does not have these sums */
const assertSameSums = async (store: Store, before: ReadonlyMap<number, string>): Promise<void> => {
  const after = await sumResellers(store)
  for (const [resellerId, sums] of before)
    if (sums !== after.get(resellerId))
      throw new Error(`the usage of reseller ${resellerId} had the sums ${sums}, and has ${after.get(resellerId)}`)
}
