import type { Store } from '../database.ts'
import { OperatorError } from '../../kit/api-error.ts'

/** What stands between this program and the database: nothing that shows, a pooler that will do, or one that will not. */
export type Pooler = 'none' | 'fit' | 'unfit'

export const UNFIT_POOLER =
  'A connection pooler stands before the database and loses prepared statements. PgBouncer works from version 1.21 on with pool_mode = transaction and max_prepared_statements = 1000; an older one, or a smaller number, works with pool_mode = session only.'

/** No such statement, a statement of that name already, a transaction that the pooler does not allow, and one that it ended. */
const LOST_STATEMENT: ReadonlySet<string> = new Set(['26000', '42P05', '08P01'])
const PROBE = { name: 'counterfoil_pooler', text: 'select pg_backend_pid() as pid' }

/** Finds out by a statement that is prepared, and executed again while another transaction keeps its session. */
export const findPooler = async ({ pools }: Store): Promise<Pooler> => {
  const asking = await pools.interactive.connect()
  const holding = await pools.background.connect().catch((error: unknown) => {
    asking.release()
    throw error
  })
  const release = (isBroken: boolean): void => [asking, holding].forEach((client) => client.release(isBroken))
  try {
    const before = await asking.query<{ pid: number }>(PROBE)
    await holding.query('begin')
    const after = await asking.query<{ pid: number }>(PROBE)
    await holding.query('rollback')
    release(false)
    return before.rows[0]?.pid === after.rows[0]?.pid ? 'none' : 'fit'
  } catch (error) {
    release(true)
    if (!LOST_STATEMENT.has((error as { code?: string }).code ?? '')) throw error
    return 'unfit'
  }
}

/** @throws OperatorError when a pooler would lose prepared statements */
export const assertFitPooler = async (store: Store): Promise<void> => {
  if ((await findPooler(store)) === 'unfit') throw new OperatorError(UNFIT_POOLER)
}
