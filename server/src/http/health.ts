import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Store } from '../db/database.ts'

/** Whether load balancers may send requests here. Becomes false when the process begins to stop. */
export interface Readiness {
  isReady: boolean
}

/** `/healthz` answers as long as the process lives, `/readyz` only while it can serve requests. */
export const registerHealthRoutes = (app: FastifyInstance, store: Store, readiness: Readiness): void => {
  const routeOptions = { logLevel: 'silent' as const }
  app.get('/healthz', routeOptions, async () => ({ status: 'alive' }))
  app.get('/readyz', routeOptions, async (_, reply) => {
    if (!readiness.isReady) return reply.code(503).send({ status: 'stopping' })
    try {
      await store.transact({ role: 'counterfoil_system' }, (db) => sql`select`.execute(db))
      return { status: 'ready' }
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' })
    }
  })
}
