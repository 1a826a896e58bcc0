import { randomUUID } from 'node:crypto'
import formbody from '@fastify/formbody'
import swagger from '@fastify/swagger'
import { ENDPOINTS } from '@counterfoil/contract/endpoints'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { areas } from './areas.ts'
import { exportPlaces } from './areas/usage/export-limit.service.ts'
import { keptSorts } from './areas/usage/sort-keys.rules.ts'
import { ssoRoutes } from './areas/sign-in/sso.routes.ts'
import type { AppContext } from './context.ts'
import { checkInput } from './http/parse-input.ts'
import { routeRegistrar, transactAs } from './http/register-routes.ts'
import { setErrorHandler, answerNotFound } from './http/error-handler.ts'
import { exporter } from './db/copy-out.ts'
import { healthRoutes, type Readiness } from './http/health.ts'
import { metricsRoutes } from './http/metrics.ts'
import { openApiRoutes } from './http/openapi.ts'
import { pageSecurity } from './http/security-headers.ts'
import { portalRoutes } from './http/portal-files.ts'
import { logRequests } from './http/request-log.ts'
import { hookRoutes } from './payments/webhooks/webhooks.routes.ts'
import { pageOrigins } from './payments/accounts/page-origins.ts'
import type { PaymentsDeps } from './payments/payments-deps.ts'
import { brandHosts, sessionGate } from './session/actor.ts'
import { localCounters } from './rate-limits/rate-limits.ts'
import type { ScopeOptions } from './session/scope.ts'
import { providers } from './sso/providers.ts'

const BODY_BYTES = 65_536

export interface AppOptions {
  readonly readiness: Readiness
  /** The built portal; null serves the API alone. */
  readonly portalFolder: string | null
  /** Told when a request has queued mail, so that it is sent without delay. */
  readonly mailQueued?: () => void
  /** Told when a payment company has sent a notice, so that it is looked into without delay. */
  readonly noticed?: () => void
  /** Told when somebody has asked for a report, so that it is made without delay. */
  readonly reportQueued?: () => void
  /** Tests alone: see ScopeOptions. */
  readonly scopes?: ScopeOptions
}

/** Cookies need TLS or localhost to carry the __Host- prefix. */
const isSecureOrigin = (publicUrl: string): boolean => {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}

/** The server as a list of gates, in the order in which a request meets them. */
export const buildApp = async (context: AppContext, options: AppOptions): Promise<FastifyInstance> => {
  const { store, clock, keys, config, log } = context
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }), // kit/request-log.ts writes the one line
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit: BODY_BYTES,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: answerNotFound,
  })
  const payments: PaymentsDeps = { ...context, mailQueued: options.mailQueued ?? (() => undefined) }
  const gate = sessionGate(store, keys, clock, options.scopes)

  logRequests(app)
  pageSecurity(app, isSecureOrigin(config.publicUrl) && config.publicUrl.startsWith('https:'))
  setErrorHandler(app)
  checkInput(app)
  await app.register(formbody, { bodyLimit: BODY_BYTES })
  await app.register(swagger, openApiRoutes.document(config.publicUrl))
  const brandOfHost = brandHosts(store, clock)
  const counters = localCounters(config.limits)
  const requestDeps = { store, keys, clock, gate, counters, secureCookies: isSecureOrigin(config.publicUrl) }
  const rooms = {
    ...context,
    payments,
    limits: config.limits,
    publicUrl: config.publicUrl,
    gate,
    brandOfHost,
    providers: providers(keys, () => clock().getTime()),
    transactAsSystem: transactAs(store, { role: 'counterfoil_system' }),
    openExport: exporter(store),
    sortedKeys: keptSorts(),
    exports: exportPlaces(),
    mailQueued: options.mailQueued ?? (() => undefined),
    reportQueued: options.reportQueued ?? (() => undefined),
  }
  const served = areas(rooms)
  await app.register(async (api) => {
    for (const area of Object.keys(ENDPOINTS) as (keyof typeof ENDPOINTS)[]) served[area](routeRegistrar(api, requestDeps, area))
  })
  hookRoutes(app, { ...payments, noticed: options.noticed ?? (() => undefined) })
  ssoRoutes(app, { ...rooms, counters })
  openApiRoutes.serve(app)
  healthRoutes(app, store, options.readiness)
  metricsRoutes(app, context)
  if (options.portalFolder !== null) await portalRoutes(app, options.portalFolder, pageOrigins(store, clock, brandOfHost))
  return app
}
