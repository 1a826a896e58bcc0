import { setTimeout } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { Store } from '../database.ts'
import { OperatorError } from '../../kit/api-error.ts'

/** What stands between this program and the database: nothing that shows, a pooler that will do, or one that will not, and why not. */
export type Pooler = 'none' | 'fit' | 'unfit' | 'full'

export const UNFIT_POOLER =
  'A connection pooler stands before the database and loses prepared statements. PgBouncer works from version 1.21 on with pool_mode = transaction and max_prepared_statements = 1000; an older one, or a smaller number, works with pool_mode = session only.'
export const FULL_POOLER =
  'A connection pooler stands before the database and has no second connection to it while one is at work: it may open one only, or all are in use. Set default_pool_size = 30 in PgBouncer, or try again.'

/** No such statement, a statement of that name already, a transaction that the pooler does not allow, and one that it ended. */
const LOST_STATEMENT: ReadonlySet<string> = new Set(['26000', '42P05', '08P01'])
/** What PgBouncer says, with a code of the above, to a client that has waited for a connection for as long as it may. */
const WAITED_TOO_LONG = /query_wait_timeout/
const MAX_WAIT_MS = 5_000
const PROBE = { name: 'counterfoil_pooler', text: 'select pg_backend_pid() as pid' }

/**
 * Whether a connection pooler stands before the server, and keeps prepared statements.
 * Prepares a statement, and executes it again while another transaction keeps its session.
 */
export const findPooler = async ({ pools }: Store): Promise<Pooler> => {
  const asking = await pools.interactive.connect()
  const holding = await pools.background.connect().catch((error: unknown) => {
    asking.release()
    throw error
  })
  const release = (isBroken: boolean): void => [asking, holding].forEach((client) => client.release(isBroken))
  try {
    const found = await Promise.race([probe(asking, holding), setTimeout(MAX_WAIT_MS, 'full' as const, { ref: false })])
    release(found === 'full')
    return found
  } catch (error) {
    release(true)
    const { code = '', message } = error as Error & { code?: string }
    if (!LOST_STATEMENT.has(code)) throw error
    return WAITED_TOO_LONG.test(message) ? 'full' : 'unfit'
  }
}

/** Whether both executions came from one server process: `none`, else `fit`. Fails where the pooler has lost the statement. */
const probe = async (asking: PoolClient, holding: PoolClient): Promise<'none' | 'fit'> => {
  const before = await asking.query<{ pid: number }>(PROBE)
  await holding.query('begin')
  const after = await asking.query<{ pid: number }>(PROBE)
  await holding.query('rollback')
  return before.rows[0]?.pid === after.rows[0]?.pid ? 'none' : 'fit'
}

/** The sentences on what is wrong with a pooler; null when it will do, or there is none. */
export const poolerTrouble = (pooler: Pooler): string | null => ({ none: null, fit: null, unfit: UNFIT_POOLER, full: FULL_POOLER })[pooler]

/** @throws OperatorError when a pooler stands before the server and loses prepared statements, or has no second connection */
export const assertFitPooler = async (store: Store): Promise<void> => {
  const trouble = poolerTrouble(await findPooler(store))
  if (trouble !== null) throw new OperatorError(trouble)
}
