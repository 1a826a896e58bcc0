import { finished } from 'node:stream'
import type { Access, Endpoint, ResponseShape } from '@counterfoil/contract/kit/http/endpoint'
import { PROBLEM_MEDIA_TYPE } from '@counterfoil/contract/kit/http/error-codes'
import { Failure, TokenFailure } from '@counterfoil/contract/kit/http/failure'
import { isAnySectionOpen } from '@counterfoil/contract/kit/sections'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { type SupportRequest, auditSupport } from '../audit/support-audit.ts'
import type { LocalRateLimiter } from '../rate-limits/rate-limits.ts'
import type { AccessCheck, RequestCredentials } from '../session/actor.ts'
import type { CustomerScope } from '../session/scope.ts'
import { CUSTOMER_HEADER } from '@counterfoil/contract/kit/http/customer-header'
import type { Clock } from '../kit/clock.ts'
import type { DbRole, Store } from '../db/database.ts'
import type { Transact } from '../db/transact.ts'
import type { Keys } from '../kit/keys.ts'
import { notFound, ApiError } from '../kit/api-error.ts'
import { JsonText } from './json-text.ts'
import type { CustomerRequestContext, FileResponse, RegisterRoute } from './request-context.ts'
import type { RequestInfo } from '../session/request-info.ts'
import type { ConcurrencyGate } from './load/concurrency-gate.ts'
import { requestInfoOf } from './request-info.ts'

/** What the checks before a handler need. */
export interface RequestDeps {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly accessCheck: AccessCheck
  readonly localLimiter: LocalRateLimiter
  readonly concurrencyGate: ConcurrencyGate
  /** Do people reach the server by https? */
  readonly isHttps: boolean
}

/** `/v1/ec/invoices/{id}` in the router's syntax: `/v1/ec/invoices/:id`. */
const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/**
 * Registers the contract's endpoints with their handlers. Each request is checked in this order: token and rate limit before its body is
 * read, then requests under way, session, customer scope, support, section flags, input schema: who sends a body slowly holds up nobody.
 * The error handler answers whatever a handler throws.
 */
export const routeRegistrar = (app: FastifyInstance, deps: RequestDeps, area: string): RegisterRoute => {
  return (endpoint, typedHandler) => {
    const handler = typedHandler as unknown as (context: CustomerRequestContext, input: object) => Promise<unknown>
    app.route({
      method: endpoint.method,
      url: routePath(endpoint.path),
      schema: schemaOf(endpoint, area),
      config: { endpoint },
      onRequest: async (request, reply) => {
        request.caller = await identifyCaller(deps, endpoint, request, reply)
      },
      preValidation: async (request, reply) => {
        request.context = await checkAccess(deps, endpoint, request, reply)
      },
      handler: async (request, reply) => {
        const input = { params: request.params, query: request.query, body: request.body }
        await auditSupportRequest(deps, endpoint, request)
        const result = await handler(request.context as CustomerRequestContext, input)
        if (endpoint.response === null) return reply.code(204).send()
        if (result instanceof JsonText) return reply.type('application/json; charset=utf-8').send(result.text)
        return isFile(endpoint.response) ? sendFile(reply, result as FileResponse) : result
      },
      onSend: (request, reply) => auditSupportResponse(deps, request, reply),
    })
  }
}

/** Whether an endpoint answers with a file instead of JSON. */
const isFile = (reply: ResponseShape): reply is { readonly file: string } =>
  reply !== null && 'file' in reply && typeof reply.file === 'string'

/** Who sends a request, as far as it is known without a database. */
interface Caller {
  readonly now: Date
  readonly requestInfo: RequestInfo
  readonly credentials: RequestCredentials
  /** Whom the token is for; null at a public endpoint. */
  readonly userId: string | null
}

/**
 * Verifies the access token without the database and takes one use of the rate limit: a user's, or at a public endpoint the address's. Runs
 * before the body is read.
 * @throws ApiError 401 or 429
 */
const identifyCaller = async (deps: RequestDeps, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<Caller> => {
  const now = deps.clock()
  const requestInfo = requestInfoOf(request, reply, deps.isHttps)
  const credentials = {
    authorization: request.headers.authorization,
    customerHeader: toHeaderText(request.headers[CUSTOMER_HEADER.toLowerCase()]),
    host: requestInfo.host,
  }
  if (endpoint.access === 'public') {
    deps.localLimiter.consumeAddress('anonymous', requestInfo.address, now)
    return { now, requestInfo, credentials, userId: null }
  }
  const userId = await deps.accessCheck.userOfToken(credentials)
  deps.localLimiter.consume('user', userId, now)
  return { now, requestInfo, credentials, userId }
}

/**
 * Waits for a place among the requests that are worked on, then checks session, customer, support and section flags, and makes the
 * handler's context. The whole body has come by now.
 * @throws ApiError, among others 404 where every section of the endpoint is hidden
 */
const checkAccess = async (
  deps: RequestDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Partial<CustomerRequestContext>> => {
  const { now, requestInfo, credentials, userId } = request.caller
  const transactAsSystem = createTransact(deps.store, { role: 'counterfoil_system' })
  if (userId === null) {
    await deps.concurrencyGate.admitAddress(endpoint.path, request)
    return { now, requestInfo, transactAsSystem }
  }
  await deps.concurrencyGate.admitUser(userId, request)
  if (endpoint.access === 'user') {
    const actor = await deps.accessCheck.authenticate(credentials)
    await assertAllowedForSupport(deps, endpoint, request, { now, requestInfo, transactAsSystem, actor })
    return { now, requestInfo, transactAsSystem, actor }
  }
  const { actor, scope } = await deps.accessCheck.authenticateForCustomer(credentials)
  await assertAllowedForSupport(deps, endpoint, request, { now, requestInfo, transactAsSystem, actor, scope })
  if (!isAnySectionOpen(endpoint.sections, actor.flags)) throw notFound()
  return {
    now,
    requestInfo,
    transactAsSystem,
    actor,
    scope,
    hasLeft: () => reply.raw.closed,
    whenAnswered: (work) => void finished(reply.raw, () => work()),
    ...asCustomer(deps.store, scope),
  }
}

/**
 * Refuses a request of a support session where the endpoint's `notForSupport` forbids it, and writes the refusal to the audit log.
 * @throws ApiError 403
 */
const assertAllowedForSupport = async (
  deps: RequestDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  context: Partial<CustomerRequestContext>,
): Promise<void> => {
  const supportRequest = endpoint.notForSupport === undefined ? undefined : supportRequestOf(request, context)
  if (supportRequest === undefined || endpoint.notForSupport === undefined) return
  await auditSupport(deps.keys, 'refused', supportRequest)
  throw new ApiError('forbidden_for_support', endpoint.notForSupport)
}

/** What the audit log stores about a request of support in a user's name; undefined for any other request. */
const supportRequestOf = (
  { method, url }: FastifyRequest,
  { now, transactAsSystem, actor, scope, requestInfo }: Partial<CustomerRequestContext>,
): SupportRequest | undefined => {
  if (now === undefined || transactAsSystem === undefined || requestInfo === undefined || actor === undefined || actor.supporter === null)
    return undefined
  const supportRequest = { now, transactAsSystem, actor, address: requestInfo.address, call: `${method} ${url.split('?', 1)[0]}` }
  return scope === undefined ? supportRequest : { ...supportRequest, customerId: scope.customerId }
}

/**
 * Writes the start of a support session's request to the audit log, before its handler runs. Does nothing for a GET or for a user's own
 * request.
 */
const auditSupportRequest = async (deps: RequestDeps, endpoint: Endpoint, request: FastifyRequest): Promise<void> => {
  const supportRequest = endpoint.method === 'GET' ? undefined : supportRequestOf(request, request.context)
  if (supportRequest === undefined) return
  await auditSupport(deps.keys, 'asked', supportRequest)
  request.supportRequest = supportRequest
}

/**
 * Writes the status of a support session's response to the audit log, where the start is there. A failure is logged and does not stop the
 * response.
 */
const auditSupportResponse = async (deps: RequestDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const { supportRequest } = request
  if (supportRequest === undefined) return
  // The request was handled and its start is in the log, so the response is sent even when this entry cannot be written.
  await auditSupport(deps.keys, 'answered', supportRequest, String(reply.statusCode)).catch((error: unknown) =>
    request.log.error({ err: error, requestId: request.id }, 'the end of a support call is missing in the audit log'),
  )
}

/** The store's `transact`, bound to one database role. */
export const createTransact =
  (store: Store, as: DbRole): Transact =>
  (work, options) =>
    store.transact(as, work, options)

/**
 * Functions that read and write the rows of this customer alone: transactions with the role `counterfoil_app`, which row-level security
 * bounds.
 */
export const asCustomer = (
  store: Store,
  { customerId, resellerId }: CustomerScope,
): Pick<CustomerRequestContext, 'transact' | 'read' | 'readRaw'> => {
  const dbRole = { role: 'counterfoil_app', customerId, resellerId } as const
  return {
    transact: createTransact(store, dbRole),
    read: (work) => store.transact(dbRole, work, { pipelined: true }),
    readRaw: (statements, options) => store.readRaw(dbRole, statements, options),
  }
}

/** A header's value as one text, of several values with commas between them. */
const toHeaderText = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.join(', ') : value)

/** Sends a file; with a `fileName` the browser saves it instead of showing it. */
const sendFile = (reply: FastifyReply, { contentType, body, fileName, headers }: FileResponse): FastifyReply => {
  void reply.type(contentType).headers(headers ?? {})
  if (fileName !== undefined) void reply.header('content-disposition', contentDisposition(fileName))
  return reply.send(body)
}

/** The header's value for a download, by RFC 6266: an ASCII name for old clients, the real one in UTF-8 by RFC 8187. */
const contentDisposition = (fileName: string): string => {
  const plain = fileName.replace(/[^\w.() -]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

const SECURITY_BY_ACCESS: Readonly<Record<Access, { [name: string]: string[] }[]>> = {
  public: [],
  user: [{ bearer: [] }],
  customer: [{ bearer: [], customer: [] }],
}

/** OAuth's endpoints answer a refusal as OAuth does, all others as a problem (RFC 9457). */
const failureResponse = ({ form }: Endpoint): object =>
  form === true ? TokenFailure : { description: 'The request was refused', content: { [PROBLEM_MEDIA_TYPE]: { schema: Failure } } }

/** An endpoint's schema for Fastify and for the OpenAPI document: input, success (JSON, file or 204) and failures. */
const schemaOf = (endpoint: Endpoint, area: string): FastifySchema => {
  const failure = failureResponse(endpoint)
  const success =
    endpoint.response === null
      ? { 204: { description: 'Done', type: 'null' } }
      : !isFile(endpoint.response)
        ? { 200: endpoint.response }
        : { 200: { description: 'The file', content: { [endpoint.response.file]: { schema: { type: 'string', format: 'binary' } } } } }
  return {
    tags: [area],
    summary: endpoint.summary,
    security: SECURITY_BY_ACCESS[endpoint.access],
    ...(endpoint.form === true ? { consumes: ['application/x-www-form-urlencoded'] } : {}),
    ...(endpoint.params === undefined ? {} : { params: endpoint.params }),
    ...(endpoint.query === undefined ? {} : { querystring: endpoint.query }),
    ...(endpoint.body === undefined ? {} : { body: endpoint.body }),
    response: { ...success, '4xx': failure, '5xx': failure },
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    context: Partial<CustomerRequestContext>
    /** The request of a support session whose start is in the audit log. */
    supportRequest?: SupportRequest
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** A page of the portal. */
    isPage?: boolean
  }
}
