import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../faults/faults.ts'
import { cutConnection, sendGarbage, waitUnlessClosed } from '../../kit/fault-responses.ts'
import type { Pinch } from '../pinch.ts'
import type { PinchSession } from '../store/pinch-session.ts'
import { accountOfPublishableKey } from '../tokens/publishable-key.ts'
import type { PinchWebhookBatch } from '../webhooks/webhook-sender.ts'
import type { ApiResponse, Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { type Fields, textField, toFields } from './fields.ts'
import { notFound, PinchError, serverError, unauthorizedError } from './pinch-error.ts'
import { tamperResponse } from './tampered-response.ts'

const MODES = ['test', 'live'] as const

interface ParsedRequest {
  readonly endpoint: Endpoint
  readonly session: PinchSession
  readonly body: Fields
  readonly query: Fields
  readonly ids: readonly string[]
}

interface HandledRequest {
  readonly response: ApiResponse
  readonly webhooks: PinchWebhookBatch
}

/** Registers Pinch's API for both modes, one route per endpoint. Web pages of any site may make tokens. */
export const apiRoutes = (app: FastifyInstance, pinch: Pinch): void => {
  for (const mode of MODES) {
    for (const endpoint of ENDPOINTS)
      app.route({
        method: endpoint.method,
        url: `/${mode}${endpoint.path}`,
        handler: (request, reply) => handleRequest(pinch, { endpoint, mode }, request, reply),
      })
    app.options(`/${mode}/tokens`, async (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'content-type, pinch-version',
          'access-control-max-age': '300',
        })
        .send(),
    )
  }
}

const handleRequest = async (
  pinch: Pinch,
  { endpoint, mode }: { endpoint: Endpoint; mode: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | void> => {
  reply.header('cache-control', 'no-store')
  if (endpoint.isPublic === true) reply.header('access-control-allow-origin', '*')
  const parsed = parseRequest(pinch, { endpoint, mode }, request)
  const fault = pinch.faults.take('pinch', endpoint.operation)
  if (fault?.kind === 'refuse') return cutConnection(reply)
  return deliverResponse(pinch, reply, { fault, handled: handleWithFault(pinch, parsed, fault) })
}

const parseRequest = (pinch: Pinch, { endpoint, mode }: { endpoint: Endpoint; mode: string }, request: FastifyRequest): ParsedRequest => {
  const [body, query] = [toFields(request.body), toFields(request.query)]
  const account =
    endpoint.isPublic === true
      ? accountOfPublishableKey(mode, textField(body, 'publishableKey') ?? '')
      : pinch.accessTokens.find(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')
  // Pinch hides its check of the authentication from those who are not authenticated.
  if (account === undefined) throw endpoint.path === '/health/auth' ? notFound() : unauthorizedError()
  return { endpoint, session: pinch.openSession(account, mode), body, query, ids: Object.values(toFields(request.params)).map(String) }
}

/** Runs the endpoint unless the fault prevents it. Undefined when nothing was done. */
const handleWithFault = (pinch: Pinch, parsed: ParsedRequest, fault: Fault | undefined): HandledRequest | undefined => {
  if (fault?.kind === 'twice') {
    const first = runEndpoint(pinch, parsed)
    void pinch.webhooks.afterResponse(runEndpoint(pinch, parsed).webhooks)
    return first
  }
  if (fault === undefined || fault.booked) return runEndpoint(pinch, parsed)
  const isDishonour = fault.kind === 'decline' || fault.kind === 'wrong-amount'
  if (isDishonour && parsed.endpoint.hasBank === true) return runEndpoint(pinch, parsed, true)
  return fault.kind === 'action' || fault.kind === 'script-action' ? runEndpoint(pinch, parsed) : undefined
}

const runEndpoint = (pinch: Pinch, { endpoint, session, body, query, ids }: ParsedRequest, isDishonourForced = false): HandledRequest => {
  const response = responseOf(() => endpoint.handle({ session, body, query, ids, isDishonourForced }))
  return { response, webhooks: pinch.webhooks.prepare(session) }
}

const responseOf = (handle: () => ApiResponse): ApiResponse => {
  try {
    return handle()
  } catch (error) {
    if (error instanceof PinchError) return { status: error.status, body: error.body }
    throw error
  }
}

/** Sends the response, distorted by the fault, and the webhook events. */
const deliverResponse = async (
  pinch: Pinch,
  reply: FastifyReply,
  { handled, fault }: { handled: HandledRequest | undefined; fault: Fault | undefined },
): Promise<FastifyReply | void> => {
  const failure = serverError()
  const sendWebhooks = (): void => {
    if (handled !== undefined) void pinch.webhooks.afterResponse(handled.webhooks)
  }
  if (handled !== undefined) await pinch.webhooks.beforeResponse(handled.webhooks)
  if (fault?.kind === 'slow') {
    sendWebhooks()
    if (!(await waitUnlessClosed(reply, fault.ms))) return cutConnection(reply)
    return sendResponse(reply, handled?.response ?? failure)
  }
  reply.raw.once('close', sendWebhooks)
  if (fault?.kind === 'drop') return cutConnection(reply)
  if (fault?.kind === 'garbage') return sendGarbage(reply)
  if (fault?.kind === 'error' || handled === undefined) return sendResponse(reply, failure)
  return sendResponse(reply, fault === undefined ? handled.response : tamperResponse(handled.response, fault))
}

const sendResponse = (reply: FastifyReply, { status, body }: ApiResponse): FastifyReply => {
  if (body === '') return reply.code(status).send()
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** The error handler for everything under `/pinch`. */
export const handleError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  if (error instanceof PinchError) return void sendResponse(reply, error)
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 500) console.error(`${request.method} ${request.url.split('?')[0]} failed:`, error)
  void sendResponse(reply, { status, body: '' })
}

/** Answers 404 without a body. */
export const handleNotFound = (_request: FastifyRequest, reply: FastifyReply): void => void sendResponse(reply, notFound())
