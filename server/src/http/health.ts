import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Store } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'

/** Whether load balancers may send requests here. Becomes false when the process begins to stop. */
export interface Readiness {
  isReady: boolean
}

/** How long an answer about the database serves all who ask. */
const CHECK_CACHE_MS = 1_000

/** `/healthz` answers as long as the process lives, `/readyz` only while it can serve requests. */
export const registerHealthRoutes = (app: FastifyInstance, store: Store, clock: Clock, readiness: Readiness): void => {
  const routeOptions = { logLevel: 'silent' as const }
  let check = { at: Number.NEGATIVE_INFINITY, isReachable: Promise.resolve(false) }
  const isDatabaseReachable = (): Promise<boolean> => {
    const now = clock().getTime()
    if (now - check.at >= CHECK_CACHE_MS) check = { at: now, isReachable: canQuery(store) }
    return check.isReachable
  }
  app.get('/healthz', routeOptions, async () => ({ status: 'alive' }))
  app.get('/readyz', routeOptions, async (_, reply) => {
    if (!readiness.isReady) return reply.code(503).send({ status: 'stopping' })
    return (await isDatabaseReachable()) ? { status: 'ready' } : reply.code(503).send({ status: 'the database does not answer' })
  })
}

const canQuery = (store: Store): Promise<boolean> =>
  store
    .transact({ role: 'counterfoil_system' }, (db) => sql`select`.execute(db), { pipelined: true })
    .then(
      () => true,
      () => false,
    )
