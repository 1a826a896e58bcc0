import type { FastifyInstance } from 'fastify'
import type { Store } from '../db/database.ts'
import { migrationNames, schemaMismatch } from '../db/migrate.ts'

/** Whether load balancers may send requests here. Becomes false when the process begins to stop. */
export interface Readiness {
  isReady: boolean
}

/** How long an answer about the database serves all who ask. */
const CHECK_CACHE_MS = 1_000

/**
 * Registers two routes without a rate limit, because a balancer that is refused takes the server for dead. `/healthz` answers 200 as long
 * as the process lives. `/readyz` answers 200 while the database answers and has a schema that this program can serve, and 503 else, or
 * when the process stops. All who ask cost one query in `CHECK_CACHE_MS`.
 */
export const registerHealthRoutes = (app: FastifyInstance, store: Store, readiness: Readiness): void => {
  const routeOptions = { logLevel: 'silent', config: { isProbe: true } } as const
  const names = migrationNames()
  let check: { at: number; problem: Promise<string | null> } = { at: Number.NEGATIVE_INFINITY, problem: Promise.resolve(null) }
  const findProblem = (): Promise<string | null> => {
    const now = performance.now() // the database's clock may step back
    if (now - check.at >= CHECK_CACHE_MS) check = { at: now, problem: databaseProblem(store, names) }
    return check.problem
  }
  app.get('/healthz', routeOptions, async () => ({ status: 'alive' }))
  app.get('/readyz', routeOptions, async (_, reply) => {
    if (!readiness.isReady) return reply.code(503).send({ status: 'stopping' })
    const problem = await findProblem()
    return problem === null ? { status: 'ready' } : reply.code(503).send({ status: problem })
  })
}

/** Why this program cannot serve requests from the database (unreachable, or with another schema), as a text; null when it can. */
const databaseProblem = async (store: Store, names: Promise<string[]>): Promise<string | null> => {
  try {
    const known = await names
    return await store.transact({ role: 'owner' }, (db) => schemaMismatch(db, known))
  } catch {
    return 'the database does not answer'
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a balancer asks. */
    isProbe?: boolean
  }
}
