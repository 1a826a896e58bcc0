import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import swagger from '@fastify/swagger'
import { ENDPOINTS } from '@counterfoil/contract/endpoints'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { areas } from './areas.ts'
import { exportLimit } from './areas/usage/export-limit.service.ts'
import { sortedKeysCache } from './areas/usage/sorted-keys-cache.service.ts'
import { usageNames } from './areas/usage/usage-names.service.ts'
import { registerFrameReturnRoute } from './areas/payment-frames/payment-frames.routes.ts'
import { registerSsoRoutes } from './areas/sign-in/sso.routes.ts'
import type { AppContext } from './context.ts'
import { createConcurrencyGate } from './http/load/concurrency-gate.ts'
import { registerInputValidation } from './http/parse-input.ts'
import { registerSerialization } from './http/serialize-response.ts'
import { boundLargeBodies, MAX_BODY_BYTES } from './http/large-bodies.ts'
import { routeRegistrar, createTransact } from './http/register-routes.ts'
import { setErrorHandler, answerUnreadableUrl } from './http/error-handler.ts'
import { createExporter } from './db/copy-out.ts'
import { loadClasses } from './http/load/load-class.ts'
import { registerLoad, serverLoad } from './http/load/server-load.ts'
import { METHOD_PATHS } from './payments/providers/registry.ts'
import { registerHealthRoutes, type Readiness } from './http/health.ts'
import { answerOtherMethods } from './http/other-methods.ts'
import { registerMetricsRoute } from './http/metrics.ts'
import { openApiRoutes } from './http/openapi.ts'
import { registerCspReports } from './http/csp-reports.ts'
import { boundLargeAnswers } from './http/sockets/large-answers.ts'
import { httpServerFactory } from './http/sockets/http-server.ts'
import { registerSecurityHeaders } from './http/security-headers.ts'
import { readUnreadableUrlPages, registerPortalRoutes } from './http/portal-files.ts'
import { logRequests } from './http/request-log.ts'
import { registerPaymentReturnRoutes } from './payments/returns/payment-return.routes.ts'
import { registerWebhookRoutes } from './payments/webhooks/webhooks.routes.ts'
import { pageOrigins } from './payments/accounts/page-origins.ts'
import type { PaymentsDeps } from './payments/payments-deps.ts'
import { brandHostLookup, createAccessCheck } from './session/actor.ts'
import { localRateLimiter } from './rate-limits/rate-limits.ts'
import type { ScopeOptions } from './session/scope.ts'
import { identityProviders } from './sso/providers.ts'

export interface AppOptions {
  readonly readiness: Readiness
  /** The folder of the built portal; null serves the API alone. */
  readonly portalFolder: string | null
  /** Called when a request has queued mail, so that it is sent without delay. */
  readonly onMailQueued?: () => void
  /** Called when a webhook event has arrived, so that its payment is looked up without delay. */
  readonly onWebhookEvent?: () => void
  /** Called when a report has been queued, so that it is made without delay. */
  readonly onReportQueued?: () => void
  /** Only for tests: see ScopeOptions. */
  readonly scopes?: ScopeOptions
}

/**
 * Adds the hook that limits requests for what is no endpoint of the contract: pages, files, the API's description.
 * An endpoint has a limit of its own.
 */
const limitPages = (app: FastifyInstance, limitPage: (request: FastifyRequest) => void): void => {
  app.addHook('onRequest', async (request) => {
    const { endpoint, isProbe } = request.routeOptions.config
    if (endpoint === undefined && isProbe !== true) limitPage(request)
  })
}

/** Builds the Fastify server: its hooks in the order in which a request passes them, then all routes. Does not listen. */
export const buildApp = async (context: AppContext, options: AppOptions): Promise<FastifyInstance> => {
  const { store, clock, keys, config, log } = context
  const isHttps = config.publicUrl.startsWith('https:')
  const unreadableUrlPage = options.portalFolder === null ? () => null : await readUnreadableUrlPages(options.portalFolder)
  const localLimiter = localRateLimiter(config.limits)
  const limitPage = ({ ip }: FastifyRequest): void => localLimiter.consumeAddress('page', ip, clock())
  const loadClassOf = loadClasses(METHOD_PATHS.map(({ pathFamily }) => pathFamily))
  const load = serverLoad(store, isHttps, loadClassOf)
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }), // http/request-log.ts writes one line for each request
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit: MAX_BODY_BYTES,
    serverFactory: httpServerFactory(config.trustedProxies, load.admit),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: answerUnreadableUrl(unreadableUrlPage, isHttps, limitPage),
  })
  const payments: PaymentsDeps = { ...context, onMailQueued: options.onMailQueued ?? (() => undefined) }
  const accessCheck = createAccessCheck(store, keys, clock, options.scopes)

  const finishRoutes = answerOtherMethods(app)
  app.addHook('onClose', async () => load.stop())
  registerLoad(app, loadClassOf)
  logRequests(app)
  registerSecurityHeaders(app, isHttps)
  setErrorHandler(app)
  limitPages(app, limitPage)
  boundLargeBodies(app)
  registerInputValidation(app)
  registerSerialization(app)
  boundLargeAnswers(app)
  await app.register(cookie)
  await app.register(formbody, { bodyLimit: MAX_BODY_BYTES })
  await app.register(swagger, openApiRoutes.document(config.publicUrl))
  const brandOfHost = brandHostLookup(store, clock)
  const concurrencyGate = createConcurrencyGate(load)
  const requestDeps = {
    store,
    keys,
    clock,
    accessCheck,
    localLimiter,
    concurrencyGate,
    isHttps,
  }
  const areaDeps = {
    ...context,
    payments,
    limits: config.limits,
    localLimiter,
    concurrencyGate,
    publicUrl: config.publicUrl,
    accessCheck,
    brandOfHost,
    identityProviders: identityProviders(keys, clock),
    transactAsSystem: createTransact(store, { role: 'counterfoil_system' }),
    openExport: createExporter(store),
    sortedKeys: sortedKeysCache(clock),
    usageNames: usageNames(),
    exports: exportLimit(),
    archives: exportLimit(),
    onMailQueued: options.onMailQueued ?? (() => undefined),
    onReportQueued: options.onReportQueued ?? (() => undefined),
  }
  const areaRoutes = areas(areaDeps)
  await app.register(async (api) => {
    for (const area of Object.keys(ENDPOINTS) as (keyof typeof ENDPOINTS)[]) areaRoutes[area](routeRegistrar(api, requestDeps, area))
  })
  registerPaymentReturnRoutes(app, { keys: payments.keys, concurrencyGate })
  registerFrameReturnRoute(app, areaDeps)
  registerWebhookRoutes(app, { ...payments, concurrencyGate, onWebhookEvent: options.onWebhookEvent ?? (() => undefined) })
  registerSsoRoutes(app, areaDeps)
  openApiRoutes.serve(app)
  registerHealthRoutes(app, store, options.readiness)
  registerCspReports(app, { localLimiter, clock, metrics: registerMetricsRoute(app, context, load) })
  finishRoutes()
  if (options.portalFolder !== null) await registerPortalRoutes(app, options.portalFolder, pageOrigins(payments, brandOfHost))
  return app
}
