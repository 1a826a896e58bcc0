import { setTimeout } from 'node:timers/promises'
import type { Db, Store } from '../db/database.ts'
import { STATEMENT_TIMEOUT } from '../db/server/login-settings.ts'
import { OperatorError } from '../kit/api-error.ts'
import { type DistributedTable, forceRowSecurity } from './distributed-tables.queries.ts'
import { limitOwnerOnWorkers } from './shard-moves.queries.ts'

/** Whether a lock was not to be had in time, or two waited for each other. */
export const isLockFailure = (error: unknown): boolean => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')

const FORCE_LIMIT_MS = 600_000
/** Readers who came behind a try get through meanwhile. */
const PAUSE_MS = 3_000

export const asOwner = <T>(store: Store, work: (db: Db) => Promise<T>): Promise<T> =>
  store.transact({ role: 'owner' }, work, { pool: 'background' })

/** Runs work, then puts back what it has changed, also where it failed. @throws what failed first, followed by what failed afterwards */
export const thenPutBack = async (work: () => Promise<void>, putBack: () => Promise<void>): Promise<void> => {
  const failures: Error[] = []
  for (const step of [work, putBack]) await step().catch((error: Error) => void failures.push(error))
  const [first, second] = failures
  if (first !== undefined && second !== undefined && second.message !== first.message)
    throw new OperatorError(`${first.message}\n${second.message}`, { cause: first })
  if (first !== undefined) throw first
}

/**
 * Runs work while statements of the owner may take any time on the workers. Before the first background connection to a worker: those are
 * kept, with the limit that they began with.
 */
export const withoutLimitOnWorkers = (store: Store, work: () => Promise<void>): Promise<void> =>
  thenPutBack(
    async () => {
      await limitOwner(store, '0')
      await work()
    },
    () => limitOwner(store, STATEMENT_TIMEOUT),
  )

/** Sets how long a statement of the owner may take on the workers. @throws OperatorError when one refuses it */
const limitOwner = async (store: Store, statementTimeout: string): Promise<void> => {
  const [refused] = await asOwner(store, (db) => limitOwnerOnWorkers(db, statementTimeout))
  if (refused !== undefined) throw new OperatorError(`The time limit of the user of DATABASE_URL cannot be set on ${refused}`)
}

/**
 * Forces row-level security on tables again. One that somebody reads for long, as a download does, is tried again and again, shortly each
 * time, so that other readers hardly wait; the other tables do not wait for it.
 * @throws OperatorError with the tables for which it is still not forced
 */
export const forceRowSecurityAgain = async (
  store: Store,
  tables: readonly DistributedTable[],
  limitMs: number = FORCE_LIMIT_MS,
): Promise<void> => {
  const end = performance.now() + limitMs
  const failed = new Map<DistributedTable, Error>()
  let busy = tables
  while (busy.length > 0) {
    const tried = busy
    busy = []
    for (const table of tried)
      await asOwner(store, (db) => forceRowSecurity(db, table, true)).catch((error: Error) => {
        if (isLockFailure(error) && performance.now() < end) busy = [...busy, table]
        else failed.set(table, error)
      })
    if (busy.length > 0) await setTimeout(PAUSE_MS)
  }
  if (failed.size === 0) return
  const reasons = [...failed].map(([table, { message }]) => `${table}: ${message}`)
  throw new OperatorError(`Row-level security is not forced yet; begin it again.\n${reasons.join('\n')}`)
}
