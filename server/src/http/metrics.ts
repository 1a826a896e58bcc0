import { hash, timingSafeEqual } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyRequest, type RouteHandlerMethod } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AppContext } from '../context.ts'
import type { Config } from '../config.ts'
import { notFound } from '../kit/api-error.ts'
import { startListening } from './start-listening.ts'
import type { ServerLoad } from './load/server-load.ts'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
/** Headers by which a proxy says that somebody else asks. */
const PROXY_HEADER = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/

/** Whether two texts are equal, compared in constant time. */
const isSame = (given: string, token: string): boolean => timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))

/**
 * Whether the request comes from this machine itself, and not through a proxy on it. nginx with proxy_pass alone names the loopback as host
 * and sends none of those headers, but speaks HTTP/1.0.
 */
const isLocal = ({ headers, socket, raw }: FastifyRequest): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '') &&
  raw.httpVersion !== '1.0' &&
  LOOPBACK_HOST.test(headers.host ?? '') &&
  !Object.keys(headers).some((name) => PROXY_HEADER.test(name))

/**
 * Whether a request may read the metrics: with METRICS_TOKEN set, who sends it as a bearer; without, this machine or, with METRICS=open,
 * anybody.
 */
const mayRead = (request: FastifyRequest, { metricsOpen, metricsToken }: Config): boolean => {
  if (metricsToken !== null) return isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`)
  return metricsOpen || isLocal(request)
}

/**
 * `GET /metrics` for Prometheus, at the server's port or at METRICS_PORT of the loopback. Whoever sends METRICS_TOKEN may read it, else
 * only this machine, unless METRICS=open.
 * @returns where further figures are registered
 */
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
  const answer: RouteHandlerMethod = async (request, reply) => {
    if (!mayRead(request, config)) throw notFound()
    return reply.type(register.contentType).send(await register.metrics())
  }
  if (config.metricsPort === null) app.get('/metrics', { logLevel: 'silent' }, answer)
  else listenApart(app, config.metricsPort, answer)
  return register
}

/** Serves `/metrics` at a second port of 127.0.0.1, from when `app` is ready until it closes. */
const listenApart = (app: FastifyInstance, port: number, answer: RouteHandlerMethod): void => {
  const listener = fastify()
  listener.get('/metrics', answer)
  app.addHook('onReady', () => startListening(listener, { host: '127.0.0.1', port, setting: 'METRICS_PORT' }).then(() => undefined))
  app.addHook('onClose', () => listener.close())
}
