import type { Access, Endpoint, ResponseShape } from '@counterfoil/contract/kit/http/endpoint'
import { Failure, TokenFailure } from '@counterfoil/contract/kit/http/failure'
import { isAnySectionOpen } from '@counterfoil/contract/kit/sections'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { type SupportCall, trailSupport } from '../audit/support-trail.ts'
import type { LocalCounters } from '../rate-limits/rate-limits.ts'
import type { SessionGate } from '../session/actor.ts'
import { CUSTOMER_HEADER } from '@counterfoil/contract/kit/http/customer-header'
import type { Clock } from '../kit/clock.ts'
import type { DbRole, Store } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import { notFound, Refusal } from '../kit/api-error.ts'
import type { CustomerAsk, FileAnswer, Serve, Within } from './request-context.ts'
import { visitorOf } from './request-info.ts'

/** What the gates need to weigh a request. */
export interface RequestDeps {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly gate: SessionGate
  readonly counters: LocalCounters
  readonly secureCookies: boolean
}

/** `/v1/ec/invoices/{id}` as the router writes it. */
const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/**
 * Binds calls of the contract to their handlers. Each request passes the gates in this order:
 * limits → session → scope → section flags → (the contract's parser) → handler; what a handler throws, the error door answers.
 */
export const binder = (app: FastifyInstance, deps: RequestDeps, area: string): Serve => {
  return (call, handle) => {
    const handler = handle as unknown as (ask: CustomerAsk, given: object) => Promise<unknown>
    app.route({
      method: call.method,
      url: routePath(call.path),
      schema: schemaOf(call, area),
      config: { call },
      onRequest: async (request, reply) => {
        request.ask = await admitted(deps, call, request, reply)
      },
      handler: async (request, reply) => {
        const given = { params: request.params, query: request.query, body: request.body }
        await noteAsked(deps, call, request)
        const answer = await handler(request.ask as CustomerAsk, given)
        if (call.response === null) return reply.code(204).send()
        return isFile(call.response) ? sendFile(reply, answer as FileAnswer) : answer
      },
      onSend: (request, reply) => noteAnswered(deps, request, reply),
    })
  }
}

const isFile = (reply: ResponseShape): reply is { readonly file: string } =>
  reply !== null && 'file' in reply && typeof reply.file === 'string'

const admitted = async (deps: RequestDeps, call: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<Partial<CustomerAsk>> => {
  const now = deps.clock()
  const visitor = visitorOf(request, reply, deps.secureCookies)
  const asSystem = within(deps.store, { role: 'counterfoil_system' })
  const credentials = {
    authorization: request.headers.authorization,
    customerHeader: headerText(request.headers[CUSTOMER_HEADER.toLowerCase()]),
    host: visitor.host,
  }
  if (call.access === 'public') {
    deps.counters.take('anonymous', visitor.address, now)
    return { now, visitor, asSystem }
  }
  if (call.access === 'user') {
    const actor = await deps.gate.actor(credentials)
    deps.counters.take('user', actor.userId, now)
    await refuseSupport(deps, call, request, { now, visitor, asSystem, actor })
    return { now, visitor, asSystem, actor }
  }
  const { actor, scope } = await deps.gate.scope(credentials)
  deps.counters.take('user', actor.userId, now)
  await refuseSupport(deps, call, request, { now, visitor, asSystem, actor, scope })
  if (!isAnySectionOpen(call.sections, actor.flags)) throw notFound()
  const { customerId, resellerId } = scope
  return { now, visitor, asSystem, actor, scope, within: within(deps.store, { role: 'counterfoil_app', customerId, resellerId }) }
}

/** @throws Refusal 403 where the contract keeps a call from support sessions */
const refuseSupport = async (deps: RequestDeps, call: Endpoint, request: FastifyRequest, ask: Partial<CustomerAsk>): Promise<void> => {
  const tried = call.notForSupport === undefined ? undefined : supportCall(request, ask)
  if (tried === undefined || call.notForSupport === undefined) return
  await trailSupport(deps.keys, 'refused', tried)
  throw new Refusal(403, call.notForSupport)
}

/** The call as the audit log tells of it, when support makes it in a user's name. */
const supportCall = (
  { method, url }: FastifyRequest,
  { now, asSystem, actor, scope, visitor }: Partial<CustomerAsk>,
): SupportCall | undefined => {
  if (now === undefined || asSystem === undefined || visitor === undefined || actor === undefined || actor.supporter === null)
    return undefined
  const called = { now, asSystem, actor, address: visitor.address, call: `${method} ${url.split('?', 1)[0]}` }
  return scope === undefined ? called : { ...called, customerId: scope.customerId }
}

const noteAsked = async (deps: RequestDeps, call: Endpoint, request: FastifyRequest): Promise<void> => {
  const asked = call.method === 'GET' ? undefined : supportCall(request, request.ask)
  if (asked === undefined) return
  await trailSupport(deps.keys, 'asked', asked)
  request.supportAsked = asked
}

const noteAnswered = async (deps: RequestDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const { supportAsked } = request
  if (supportAsked === undefined) return
  // The deed is done and its asking stands in the log: the person gets the answer even when this line cannot be written.
  await trailSupport(deps.keys, 'answered', supportAsked, String(reply.statusCode)).catch((error: unknown) =>
    request.log.error({ err: error, requestId: request.id }, 'the end of a support call is missing in the audit log'),
  )
}

/** Transactions on somebody's behalf. */
export const within =
  (store: Store, as: DbRole): Within =>
  (work, lane, extent) =>
    store.transact(as, work, lane, extent)

const headerText = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.join(', ') : value)

const sendFile = (reply: FastifyReply, { contentType, body, fileName, headers }: FileAnswer): FastifyReply => {
  void reply.type(contentType).headers(headers ?? {})
  if (fileName !== undefined) void reply.header('content-disposition', attachment(fileName))
  return reply.send(body)
}

/** RFC 6266: a plain name for old readers, the real one in UTF-8. */
const attachment = (fileName: string): string => {
  const plain = fileName.replace(/[^\w.() -]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName)}`
}

const SECURITY: Readonly<Record<Access, { [name: string]: string[] }[]>> = {
  public: [],
  user: [{ bearer: [] }],
  customer: [{ bearer: [], customer: [] }],
}

const schemaOf = (call: Endpoint, area: string): FastifySchema => {
  const failure = call.form === true ? TokenFailure : Failure
  const success =
    call.response === null
      ? { 204: { description: 'Done', type: 'null' } }
      : !isFile(call.response)
        ? { 200: call.response }
        : { 200: { description: 'The file', content: { [call.response.file]: { schema: { type: 'string', format: 'binary' } } } } }
  return {
    tags: [area],
    summary: call.summary,
    security: SECURITY[call.access],
    ...(call.form === true ? { consumes: ['application/x-www-form-urlencoded'] } : {}),
    ...(call.params === undefined ? {} : { params: call.params }),
    ...(call.query === undefined ? {} : { querystring: call.query }),
    ...(call.body === undefined ? {} : { body: call.body }),
    response: { ...success, '4xx': failure, '5xx': failure },
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    ask: Partial<CustomerAsk>
    /** The call of a support session that the audit log knows to be under way. */
    supportAsked?: SupportCall
  }
  interface FastifyContextConfig {
    call?: Endpoint
  }
}
