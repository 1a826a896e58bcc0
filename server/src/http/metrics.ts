import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AppContext } from '../context.ts'
import { notFound } from '../kit/api-error.ts'
import type { ServerLoad } from './load/server-load.ts'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/** `GET /metrics` for Prometheus. Only this machine may read it unless METRICS=open. @returns where further figures are registered */
export const registerMetricsRoute = (app: FastifyInstance, { config, store, passwords }: AppContext, load: ServerLoad): Registry => {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const seconds = new Histogram({
    name: 'counterfoil_request_seconds',
    help: 'How long calls took, by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [register],
  })
  const connections = new Gauge({
    name: 'counterfoil_database_connections',
    help: 'Connections of the pools, by lane and state',
    labelNames: ['lane', 'state'] as const,
    registers: [],
    collect() {
      const replicaPools =
        store.replica === null ? {} : { reading: store.replica.pools.interactive, 'long reading': store.replica.pools.background }
      for (const [lane, pool] of Object.entries({ ...store.pools, ...replicaPools })) {
        this.set({ lane, state: 'open' }, pool.totalCount)
        this.set({ lane, state: 'idle' }, pool.idleCount)
        this.set({ lane, state: 'waited for' }, pool.waitingCount)
      }
    },
  })
  const signIns = new Gauge({
    name: 'counterfoil_sign_ins_waiting',
    help: 'Sign-ins that wait for a core to check their password',
    registers: [],
    collect() {
      this.set(passwords.queueLength())
    },
  })
  const refused = new Counter({
    name: 'counterfoil_requests_refused_total',
    help: 'Requests answered 503 because the server was full, by class',
    labelNames: ['class'] as const,
    registers: [],
    collect() {
      this.reset()
      for (const [loadClass, count] of Object.entries(load.refused)) this.inc({ class: loadClass }, count)
    },
  })
  const inHand = new Gauge({
    name: 'counterfoil_requests_in_hand',
    help: 'Requests that are worked on, by class',
    labelNames: ['class'] as const,
    registers: [],
    collect() {
      for (const [loadClass, count] of Object.entries(load.inHand)) this.set({ class: loadClass }, count)
    },
  })
  register.registerMetric(refused)
  register.registerMetric(inHand)
  register.registerMetric(connections)
  register.registerMetric(signIns)
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    seconds.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1_000)
  })
  app.get('/metrics', { logLevel: 'silent' }, async (request, reply) => {
    const isForwarded = request.headers['x-forwarded-for'] !== undefined
    if (!config.metricsOpen && (isForwarded || !LOOPBACK.test(request.socket.remoteAddress ?? ''))) throw notFound()
    return reply.type(register.contentType).send(await register.metrics())
  })
  return register
}
