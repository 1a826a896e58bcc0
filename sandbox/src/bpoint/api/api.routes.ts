import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../faults/faults.ts'
import { cutConnection } from '../../kit/fault-responses.ts'
import { type ForcedOutcome, runWithFault, sendWithFault } from '../../kit/forced-outcome.ts'
import type { WebhookBatch } from '../../kit/webhook-queue.ts'
import { authKeyOf } from '../authkeys/authkey.ts'
import type { Bpoint } from '../bpoint.ts'
import { BpointError, fatal, invalidField, notFound } from './bpoint-error.ts'
import { merchantOf } from './credentials.ts'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { type Fields, toFields } from './fields.ts'
import { type ApiResponse, tamperResponse } from './tampered-response.ts'

/** A request after parsing, before anything is done. */
interface ParsedRequest {
  readonly endpoint: Endpoint
  readonly merchant: string
  readonly body: Fields
  readonly id: string
}

interface HandledRequest {
  readonly response: ApiResponse
  /** How long BPOINT waits before it answers, in milliseconds. */
  readonly delayMs: number
  readonly webhooks: WebhookBatch
}

/** Registers BPOINT's API, one route per endpoint. Web pages of any site may call it. */
export const apiRoutes = (app: FastifyInstance, bpoint: Bpoint): void => {
  for (const endpoint of ENDPOINTS)
    app.route({
      method: endpoint.method,
      url: `/rest/v5${endpoint.path}`,
      handler: (request, reply) => handleRequest(bpoint, endpoint, request, reply),
    })
  app.options('/*', async (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PUT, DELETE',
        'access-control-allow-headers': 'authorization, content-type',
        'access-control-max-age': '300',
      })
      .send(),
  )
}

/** Answers one call. Missing credentials throw before a fault is taken; else the fault decides what runs and what is sent. */
const handleRequest = async (
  bpoint: Bpoint,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | void> => {
  reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
  const parsed = parseRequest(bpoint, endpoint, request)
  const operation = typeof endpoint.operation === 'string' ? endpoint.operation : endpoint.operation(parsed.body)
  const fault = bpoint.faults.take('bpoint', operation)
  if (fault?.kind === 'refuse') return cutConnection(reply)
  return deliverResponse(reply, { fault, handled: handleWithFault(bpoint, parsed, fault) })
}

/**
 * The request with its merchant: the owner of the auth key in the path for a browser's call, else that of the Basic header.
 * @throws BpointError without a known key or valid credentials
 */
const parseRequest = (bpoint: Bpoint, endpoint: Endpoint, request: FastifyRequest): ParsedRequest => {
  const id = (request.params as { id?: string }).id ?? ''
  const isFromBrowser = endpoint.isPublic === true && request.headers.authorization === undefined
  const merchant = isFromBrowser ? authKeyOf(bpoint, id).account : merchantOf(request.headers.authorization)
  return { endpoint, merchant, body: toFields(request.body), id }
}

/** Runs the endpoint unless the fault prevents it; the fault `twice` runs it two times. Undefined when nothing was done. */
const handleWithFault = (bpoint: Bpoint, parsed: ParsedRequest, fault: Fault | undefined): HandledRequest | undefined => {
  if (fault?.kind === 'twice') {
    const first = runEndpoint(bpoint, parsed)
    void runEndpoint(bpoint, parsed).webhooks.afterResponse()
    return first
  }
  if (fault?.kind === 'script-action' && !fault.booked) return undefined
  const run = (outcome?: ForcedOutcome) => runEndpoint(bpoint, parsed, outcome)
  return runWithFault({ fault, outcomes: ['decline', 'action'], run, declineInstead: run })
}

/** Runs the endpoint in a session of the merchant; a BpointError becomes the response. The webhooks are stored and not sent yet. */
const runEndpoint = (bpoint: Bpoint, { endpoint, merchant, body, id }: ParsedRequest, forcedOutcome?: ForcedOutcome): HandledRequest => {
  const session = bpoint.openSession(merchant)
  const response = responseOf(endpoint, () => endpoint.handle({ session, body, id, forcedOutcome }))
  return { response, delayMs: session.delayMs, webhooks: bpoint.webhooks.prepare(session) }
}

/** The response with what `handle` returns, or the BpointError that it throws. Any other error goes on to the caller. */
const responseOf = ({ status = 200 }: Endpoint, handle: () => object | null): ApiResponse => {
  try {
    return { status, body: handle() }
  } catch (error) {
    if (error instanceof BpointError) return error
    throw error
  }
}

interface Delivery {
  readonly handled: HandledRequest | undefined
  readonly fault: Fault | undefined
}

/** Sends the response, distorted by the fault, and the webhook events. */
const deliverResponse = (reply: FastifyReply, { handled, fault }: Delivery): Promise<FastifyReply | void> =>
  sendWithFault(reply, {
    fault,
    answer: handled?.response ?? fatal(),
    send: (response) => sendResponse(reply, response),
    fail: () => sendResponse(reply, fatal()),
    tamper: tamperResponse,
    webhooks: handled?.webhooks,
    delayMs: handled?.delayMs,
  })

/** Sends the status and the JSON body; an empty body for null. */
const sendResponse = (reply: FastifyReply, { status, body }: ApiResponse): FastifyReply => {
  if (status === 401) reply.header('www-authenticate', 'Basic realm="BPOINT"')
  reply.code(status).type('application/json; charset=utf-8')
  return reply.send(body === null ? '' : JSON.stringify(body))
}

/** Answers an error under `/bpoint` in BPOINT's error format. */
export const handleError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  void sendResponse(reply, toBpointError(error, request))
}

/** The error in BPOINT's format: an unreadable request becomes a 400, anything unknown is logged and becomes a 500. */
const toBpointError = (error: unknown, request: FastifyRequest): BpointError => {
  if (error instanceof BpointError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return invalidField('body', 'The request cannot be read', 'InvalidPayload')
  console.error(`${request.method} ${request.url.split('?')[0]} failed:`, error)
  return fatal()
}

/** Sends a 404 in BPOINT's error format. */
export const handleNotFound = (_request: FastifyRequest, reply: FastifyReply): void => {
  void sendResponse(reply, notFound('Resource'))
}
