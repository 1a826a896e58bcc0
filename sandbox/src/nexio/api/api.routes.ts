import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../faults/faults.ts'
import { cutConnection } from '../../kit/fault-responses.ts'
import { type ForcedOutcome, runWithFault, sendWithFault } from '../../kit/forced-outcome.ts'
import type { WebhookBatch } from '../../kit/webhook-queue.ts'
import type { Nexio } from '../nexio.ts'
import type { NexioSession } from '../store/nexio-session.ts'
import type { OneTimeToken } from '../vault/one-time-tokens.ts'
import { accountOf, tokenOf } from './authentication.ts'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { type Fields, textField, toFields } from './fields.ts'
import { NexioError, notFound, serverError } from './nexio-error.ts'
import { type ApiResponse, declineResponse, tamperResponse } from './tampered-response.ts'

/** A request after parsing, before anything is done. */
interface ParsedRequest {
  readonly endpoint: Endpoint
  readonly account: string
  readonly token: OneTimeToken | undefined
  readonly body: Fields
  readonly query: Fields
  readonly id: string
  readonly baseUrl: string
}

interface HandledRequest {
  readonly session: NexioSession
  readonly response: ApiResponse
  readonly webhooks: WebhookBatch
}

/** Registers Nexio's API, one route per endpoint. Web pages of any site may call it. */
export const apiRoutes = (app: FastifyInstance, nexio: Nexio): void => {
  for (const endpoint of ENDPOINTS)
    app.route({ method: endpoint.method, url: endpoint.path, handler: (request, reply) => handleRequest(nexio, endpoint, request, reply) })
  app.options('/*', async (_request, reply) =>
    reply.code(204).headers({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT',
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '300',
    }),
  )
}

/** Answers one call. Missing credentials throw before a fault is taken; else the fault decides what runs and what is sent. */
const handleRequest = async (
  nexio: Nexio,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | void> => {
  reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
  const apiRequest = parseRequest(nexio, endpoint, request)
  const fault = nexio.faults.take('nexio', endpoint.operation)
  if (fault?.kind === 'refuse') return cutConnection(reply)
  return deliverResponse(reply, { apiRequest, fault, handled: handleWithFault(nexio, apiRequest, fault) })
}

/**
 * The request with its account: the one that made the one-time-use token, else the Basic header's user.
 * @throws NexioError without a usable token or valid credentials
 */
const parseRequest = (nexio: Nexio, endpoint: Endpoint, request: FastifyRequest): ParsedRequest => {
  const [body, query] = [toFields(request.body), toFields(request.query)]
  const params = request.params as { id?: string; '*'?: string }
  const caller = endpoint.needsToken
    ? tokenOf(nexio, textField(body, 'token') ?? textField(query, 'token'))
    : { account: accountOf(request.headers.authorization), token: undefined }
  return { endpoint, ...caller, body, query, id: params.id ?? params['*'] ?? '', baseUrl: `${request.protocol}://${request.host}/nexio` }
}

/** Runs the endpoint unless the fault prevents it; the fault `twice` runs it two times. Undefined when nothing was done. */
const handleWithFault = (nexio: Nexio, apiRequest: ParsedRequest, fault: Fault | undefined): HandledRequest | undefined => {
  if (fault?.kind === 'twice') {
    const first = runEndpoint(nexio, apiRequest)
    void runEndpoint(nexio, apiRequest).webhooks.afterResponse()
    return first
  }
  return runWithFault({
    fault,
    outcomes: apiRequest.endpoint.forcedOutcomes ?? [],
    run: (outcome) => runEndpoint(nexio, apiRequest, outcome),
    declineInstead: () => {
      const session = nexio.openSession(apiRequest.account, apiRequest.baseUrl)
      return { session, response: declineResponse(), webhooks: nexio.webhooks.prepare(session) }
    },
  })
}

/** Runs the endpoint in a session of the account; a NexioError becomes the response. The webhooks are stored and not sent yet. */
const runEndpoint = (nexio: Nexio, apiRequest: ParsedRequest, forcedOutcome?: ForcedOutcome): HandledRequest => {
  const { endpoint, account, token, body, query, id, baseUrl } = apiRequest
  const session = nexio.openSession(account, baseUrl)
  const request = { session, body, query, id, key: nexio.key, forcedOutcome }
  const response = responseOf(() => {
    if (!endpoint.needsToken) return endpoint.handle(request)
    if (token === undefined) throw serverError()
    return endpoint.handle({ ...request, token })
  })
  return { session, response, webhooks: nexio.webhooks.prepare(session) }
}

/** The response with what `handle` returns, or with the NexioError that it throws. Any other error goes on to the caller. */
const responseOf = (handle: () => object): ApiResponse => {
  try {
    return { status: 200, body: handle() }
  } catch (error) {
    if (error instanceof NexioError) return errorResponse(error)
    throw error
  }
}

/** The error as a response; its approval stays beside the body. */
const errorResponse = ({ status, body, approvalBody }: NexioError): ApiResponse => ({ status, body, approvalBody })

interface Delivery {
  readonly apiRequest: ParsedRequest
  readonly handled: HandledRequest | undefined
  readonly fault: Fault | undefined
}

/** Sends the response, distorted by the fault, and the webhook events. */
const deliverResponse = (reply: FastifyReply, { apiRequest, handled, fault }: Delivery): Promise<FastifyReply | void> => {
  const failure = errorResponse(serverError())
  return sendWithFault(reply, {
    fault,
    answer: handled?.response ?? failure,
    send: (response) => sendResponse(reply, response),
    fail: () => sendResponse(reply, failure),
    tamper: (response, applied) =>
      handled === undefined ? response : tamperResponse(response, applied, { session: handled.session, request: apiRequest.body }),
    webhooks: handled?.webhooks,
  })
}

/** Sends the status and the JSON body. */
const sendResponse = (reply: FastifyReply, { status, body }: ApiResponse): FastifyReply => {
  if (status === 401) reply.header('www-authenticate', 'Basic realm="Nexio"')
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Answers an error under `/nexio` in Nexio's error format. */
export const handleError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  void sendResponse(reply, errorResponse(toNexioError(error, request)))
}

/** The error in Nexio's format: a client error keeps its status and message, anything unknown is logged and becomes a 500. */
const toNexioError = (error: unknown, request: FastifyRequest): NexioError => {
  if (error instanceof NexioError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500 && error instanceof Error) return new NexioError(status, { error: status, message: error.message })
  console.error(`${request.method} ${request.url.split('?')[0]} failed:`, error)
  return serverError()
}

/** Sends a 404 in Nexio's error format. */
export const handleNotFound = (_request: FastifyRequest, reply: FastifyReply): void => {
  void sendResponse(reply, errorResponse(notFound()))
}
