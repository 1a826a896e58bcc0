import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../faults/faults.ts'
import { cutConnection } from '../../kit/fault-responses.ts'
import { sendWithFault } from '../../kit/forced-outcome.ts'
import type { WebhookBatch } from '../../kit/webhook-queue.ts'
import type { Pinch } from '../pinch.ts'
import { accountOf, type PinchSession } from '../store/pinch-session.ts'
import { accountOfPublishableKey } from '../tokens/publishable-key.ts'
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
  readonly webhooks: WebhookBatch
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

/** Answers one call. Missing credentials throw before a fault is taken; else the fault decides what runs and what is sent. */
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
  return deliverResponse(reply, { fault, handled: handleWithFault(pinch, parsed, fault) })
}

/**
 * The request with a session of its account and mode: by the publishable key in the body of a public call, else by the bearer token.
 * @throws PinchError without a valid one
 */
const parseRequest = (pinch: Pinch, { endpoint, mode }: { endpoint: Endpoint; mode: string }, request: FastifyRequest): ParsedRequest => {
  const [body, query] = [toFields(request.body), toFields(request.query)]
  const account =
    endpoint.isPublic === true
      ? accountOfPublishableKey(mode, textField(body, 'publishableKey') ?? '')
      : pinch.accessTokens.find(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')
  // Pinch hides its check of the authentication from those who are not authenticated.
  if (account === undefined) throw endpoint.path === '/health/auth' ? notFound() : unauthorizedError()
  return {
    endpoint,
    session: pinch.openSession(accountOf(mode, account)),
    body,
    query,
    ids: Object.values(toFields(request.params)).map(String),
  }
}

/** Runs the endpoint unless the fault prevents it; the fault `twice` runs it two times. Undefined when nothing was done. */
const handleWithFault = (pinch: Pinch, parsed: ParsedRequest, fault: Fault | undefined): HandledRequest | undefined => {
  if (fault?.kind === 'twice') {
    const first = runEndpoint(pinch, parsed)
    void runEndpoint(pinch, parsed).webhooks.afterResponse()
    return first
  }
  if (fault === undefined || fault.booked) return runEndpoint(pinch, parsed)
  const isDishonour = fault.kind === 'decline' || fault.kind === 'wrong-amount'
  if (isDishonour && parsed.endpoint.hasBank === true) return runEndpoint(pinch, parsed, true)
  return fault.kind === 'action' || fault.kind === 'script-action' ? runEndpoint(pinch, parsed) : undefined
}

/** Runs the endpoint; a PinchError becomes the response. The webhooks are stored and not sent yet. */
const runEndpoint = (pinch: Pinch, { endpoint, session, body, query, ids }: ParsedRequest, isDishonourForced = false): HandledRequest => {
  const response = responseOf(() => endpoint.handle({ session, body, query, ids, isDishonourForced }))
  return { response, webhooks: pinch.webhooks.prepare(session) }
}

/** The response that `handle` returns, or the PinchError that it throws. Any other error goes on to the caller. */
const responseOf = (handle: () => ApiResponse): ApiResponse => {
  try {
    return handle()
  } catch (error) {
    if (error instanceof PinchError) return { status: error.status, body: error.body }
    throw error
  }
}

/** Sends the response, distorted by the fault, and the webhook events. */
const deliverResponse = (
  reply: FastifyReply,
  { handled, fault }: { handled: HandledRequest | undefined; fault: Fault | undefined },
): Promise<FastifyReply | void> =>
  sendWithFault<ApiResponse>(reply, {
    fault,
    answer: handled?.response ?? serverError(),
    send: (response) => sendResponse(reply, response),
    fail: () => sendResponse(reply, serverError()),
    tamper: tamperResponse,
    webhooks: handled?.webhooks,
  })

/** Sends the status and the JSON body; no body for an empty text. */
const sendResponse = (reply: FastifyReply, { status, body }: ApiResponse): FastifyReply => {
  if (body === '') return reply.code(status).send()
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Answers an error under `/pinch`: a PinchError as it says, any other with its status and no body. */
export const handleError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  if (error instanceof PinchError) return void sendResponse(reply, error)
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 500) console.error(`${request.method} ${request.url.split('?')[0]} failed:`, error)
  void sendResponse(reply, { status, body: '' })
}

/** Answers 404 without a body. */
export const handleNotFound = (_request: FastifyRequest, reply: FastifyReply): void => void sendResponse(reply, notFound())
