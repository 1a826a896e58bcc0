import type { Store } from '../db/database.ts'
import { migrationState } from '../db/migrate.ts'
import { DISTRIBUTED_TABLES } from '../usage-store/distributed-tables.data.ts'
import { keepDistributionAway } from './distributed-tables.queries.ts'
import { reportNodes } from './troubles/node-reports.service.ts'
import { nodeTroubles, roleTroubles, settingTroubles } from './troubles/node-troubles.rules.ts'
import { hasCitus, listNodes } from './nodes.queries.ts'
import { readingTroubles } from './troubles/reading-troubles.service.ts'
import { shardTroubles } from './troubles/shard-troubles.rules.ts'
import { tableTroubles } from './troubles/table-troubles.service.ts'
import { hasMark, listCitusTables, listPlacements, readLocalBytes } from './troubles/tables.queries.ts'
import { fault, type Trouble, warning } from './troubles/trouble.ts'

/** From where on something is a trouble. */
export interface TroubleLimits {
  /** The age of a prepared transaction. */
  readonly oldTransactionMs: number
  /** Below how many bytes in all it does not matter how they are spread over the workers. */
  readonly minUnevenBytes: number
  /** How much room a worker needs at least. */
  readonly minFreeBytes: number
}

const OLD_TRANSACTION_MS = 300_000
const LIMITS: TroubleLimits = { oldTransactionMs: OLD_TRANSACTION_MS, minUnevenBytes: 2 ** 30, minFreeBytes: 2 ** 30 }

const AT_WORK = warning(
  'usage',
  'counterfoil distribute is at work: what it changes for the time being was not examined.',
  'Run counterfoil doctor again when it is done.',
)

/** What stands in the way of moving usage to the workers, or back. Changes nothing. */
export const distributionTroubles = async (store: Store, where: 'to the workers' | 'back'): Promise<Trouble[]> => {
  if ((await migrationState(store)).pending.length > 0)
    return [fault('usage', 'The schema is not up to date.', 'Run counterfoil migrate first.')]
  if (!(await store.transact({ role: 'owner' }, hasCitus)))
    return [fault('nodes', 'This database has no Citus.', 'Have an administrator run "create extension citus" in it, on every node.')]
  const freeBytes = where === 'back' ? 0 : await freeBytesNeeded(store, LIMITS)
  return nodeTroubles(await reportNodes(store, OLD_TRANSACTION_MS), freeBytes)
}

/** What keeps the roles from reaching a node. Changes nothing. */
export const signInTroubles = async (store: Store): Promise<Trouble[]> =>
  roleTroubles(await reportNodes(store, OLD_TRANSACTION_MS)).filter(({ isWarning }) => !isWarning)

/** Everything that is wrong with a database whose usage is distributed; null for one whose usage is not. Changes nothing. */
export const distributedTroubles = async (store: Store, limits: Partial<TroubleLimits> = {}): Promise<Trouble[] | null> => {
  const asked = { ...LIMITS, ...limits }
  if (store.kind === 'embedded' || (await migrationState(store)).pending.length > 0) return null
  const { isMarked, isCitus, tables } = await store.transact({ role: 'owner' }, async (db) => {
    const isCitus = await hasCitus(db)
    return { isMarked: await hasMark(db), isCitus, tables: isCitus ? await listCitusTables(db) : [] }
  })
  if (!isMarked && !tables.some(({ isOfUsage }) => isOfUsage)) return null
  if (!isCitus)
    return [
      fault(
        'usage',
        'The mark says that usage is distributed, and this database has no Citus.',
        "Have an administrator set Citus up (docs/scaling.md); where usage is to stay on this server, run as the owner: delete from migration where name = 'distributed';",
      ),
    ]
  const wasAtWork = await isCommandAtWork(store)
  const before = await store.transact({ role: 'owner' }, listPlacements)
  const reports = await reportNodes(store, asked.oldTransactionMs)
  const after = await store.transact({ role: 'owner' }, listPlacements)
  const isAtWork = wasAtWork || (await isCommandAtWork(store))
  const troubles = [
    ...(isAtWork ? [AT_WORK] : []),
    ...nodeTroubles(reports, await freeBytesNeeded(store, asked)),
    ...roleTroubles(reports),
    ...settingTroubles(reports, isAtWork),
    ...(await store.transact({ role: 'owner' }, (db) => tableTroubles(db, isMarked, isAtWork))),
    ...shardTroubles(reports, [before, after], asked, isAtWork),
  ]
  const isWhole =
    reports.every(({ facts }) => typeof facts !== 'string') &&
    DISTRIBUTED_TABLES.every((name) => tables.some((table) => table.name === name))
  return isWhole ? [...troubles, ...(await triedReadingTroubles(store))] : troubles // else reading fails, or waits, and the troubles say why
}

/** Whether a command moves usage. */
const isCommandAtWork = async (store: Store): Promise<boolean> => !(await store.transact({ role: 'owner' }, keepDistributionAway))

/** The troubles of reading; that it fails is one. */
const triedReadingTroubles = (store: Store): Promise<Trouble[]> =>
  readingTroubles(store).catch((error: Error) => [
    fault('usage', `Usage cannot be read: ${error.message}.`, 'Mend what else is said of the nodes; else look into their logs.'),
  ])

/** How much room each worker needs: for its part of what is still on the coordinator. */
const freeBytesNeeded = async (store: Store, { minFreeBytes }: TroubleLimits): Promise<number> => {
  const { bytes, workers } = await store.transact({ role: 'owner' }, async (db) => ({
    bytes: await readLocalBytes(db),
    workers: (await listNodes(db)).filter(({ holdsUsage }) => holdsUsage).length,
  }))
  return Math.max(minFreeBytes, bytes / Math.max(1, workers))
}
