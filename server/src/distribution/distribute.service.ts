import { setTimeout } from 'node:timers/promises'
import type { Store } from '../db/database.ts'
import { changeRights, openForBackup } from '../db/roles.ts'
import { MARK_TTL_MS } from '../db/server/distributed-mark.ts'
import { DISTRIBUTED_TABLES } from '../usage-store/distributed-tables.data.ts'
import {
  ageOfMark,
  type DistributedTable,
  estimateRows,
  forceRowSecurity,
  freeLocalCopy,
  giveWayToReaders,
  listDistributed,
  moveTable,
  removeMark,
  setMark,
} from './distributed-tables.queries.ts'
import { distributionTroubles } from './distribution-troubles.service.ts'
import { limitConnecting } from './nodes.queries.ts'
import { asOwner, forceRowSecurityAgain, isLockFailure, thenPutBack, withoutLimitOnWorkers } from './owner-limits.service.ts'
import { letRolesIn, setLogin } from './roles-on-nodes.service.ts'
import { assertNoTroubles } from './troubles/trouble.ts'
import { assertSameSums, sumResellers, vacuumTables, withUsageLocked } from './usage-lock.service.ts'

/** The tables in the order in which they move: the others stand with the first one; the records last, because they take longest. */
const IN_ORDER: readonly DistributedTable[] = [
  'usage_version',
  ...DISTRIBUTED_TABLES.filter((table) => table !== 'usage_version' && table !== 'usage_record'),
  'usage_record',
]

/** How often, and after which pause, all tables are asked for. */
const MAX_TRIES = 100
const PAUSE_MS = 1_000

/** Tells how far the work is, after each step. Throwing ends the work there; it goes on from there when it is begun again. */
type Report = (words: string) => void

/**
 * Distributes usage over the workers that Citus knows. Readers go on, loads of usage wait. Each step is a transaction of its own, and is
 * left out where it was done before, so that this can be begun again after any interruption.
 * @param store one that speaks as to a distributed database
 * @throws OperatorError with what stands in the way; then nothing is changed. Error when sums differ afterwards
 */
export const distributeUsage = async (store: Store, report: Report): Promise<void> => {
  assertNoTroubles(await distributionTroubles(store, 'to the workers'))
  await openTablesForBackup(store)
  await withUsageLocked(store, (assertLocked) => withoutLimitOnWorkers(store, () => moveToWorkers(store, assertLocked, report)))
  report('Usage is distributed; the sums of every reseller are as before.')
}

/**
 * Does now what a backup would do first: once distributed, it takes seconds, and imports beside it would fail. It needs all tables at once, and
 * gives way to who reads them. Not on a background connection, which would keep its connections to the workers with the limit that is lifted next.
 */
const openTablesForBackup = async (store: Store): Promise<void> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await store.transact({ role: 'owner' }, async (db) => {
        await giveWayToReaders(db)
        await openForBackup(db)
      })
    } catch (error) {
      if (!isLockFailure(error) || tries === MAX_TRIES) throw error
      await setTimeout(PAUSE_MS)
    }
}

const moveToWorkers = async (store: Store, assertLocked: () => Promise<void>, report: Report): Promise<void> => {
  await letRolesIn(store)
  await changeRights(store, (db) => limitConnecting(db, true))
  report('The roles may sign in on every node.')
  await store.transact({ role: 'owner' }, setMark)
  await waitForPrograms(store)
  report('Programs at work know that usage is being distributed.')
  const before = await sumResellers(store)
  report('Noted the sums of every reseller.')
  for (const table of IN_ORDER) {
    await assertLocked()
    await moveUnlessMoved(store, table, 'to the workers', report)
  }
  await assertSameSums(store, before) // while the coordinator still has the rows as they were
  for (const table of IN_ORDER) await asOwner(store, (db) => freeLocalCopy(db, table))
  await vacuumTables(store)
  report('Freed the space on the coordinator.')
}

/** Brings usage back to the one server, which is a plain PostgreSQL then. @throws as `distributeUsage` */
export const undistributeUsage = async (store: Store, report: Report): Promise<void> => {
  await withUsageLocked(store, (assertLocked) => withoutLimitOnWorkers(store, () => moveBack(store, assertLocked, report)))
  report('Usage is on this server alone; the sums of every reseller are as before.')
}

const moveBack = async (store: Store, assertLocked: () => Promise<void>, report: Report): Promise<void> => {
  const before = await sumResellers(store)
  report('Noted the sums of every reseller.')
  for (const table of IN_ORDER.toReversed()) {
    await assertLocked()
    await moveUnlessMoved(store, table, 'back', report)
  }
  await assertSameSums(store, before)
  await vacuumTables(store)
  await store.transact({ role: 'owner' }, removeMark)
  await changeRights(store, (db) => limitConnecting(db, false))
  await setLogin(store, false)
}

/** Waits until every program at work has read the mark. */
const waitForPrograms = async (store: Store): Promise<void> => {
  await setTimeout(Math.max(0, MARK_TTL_MS + 1_000 - (await store.transact({ role: 'owner' }, ageOfMark))))
}

/** Moves a table, unless it stands there already. */
const moveUnlessMoved = async (store: Store, table: DistributedTable, where: 'to the workers' | 'back', report: Report): Promise<void> => {
  const isThere = (await asOwner(store, listDistributed)).has(table) === (where === 'to the workers')
  const rows = await asOwner(store, (db) => estimateRows(db, table))
  await thenPutBack(
    async () => {
      if (isThere) return
      await asOwner(store, (db) => forceRowSecurity(db, table, false))
      await asOwner(store, (db) => moveTable(db, table, where))
    },
    () => forceRowSecurityAgain(store, [table]),
  )
  const left = where === 'to the workers' ? IN_ORDER.slice(IN_ORDER.indexOf(table) + 1) : IN_ORDER.slice(0, IN_ORDER.indexOf(table))
  report(
    `${table} (some ${rows.toLocaleString('en')} rows) ${isThere ? 'stood there already' : `was moved ${where}`}; ${left.length} tables left.`,
  )
}
