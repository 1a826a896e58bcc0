import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../faults/faults.ts'
import { cutConnection } from '../../kit/fault-responses.ts'
import { type ForcedOutcome, runWithFault, sendWithFault } from '../../kit/forced-outcome.ts'
import type { WebhookBatch } from '../../kit/webhook-queue.ts'
import { type Caller, callerOf, requireSecretKey } from './api-keys.ts'
import { ENDPOINTS } from './endpoints.ts'
import { tamperResponse } from './tampered-response.ts'
import type { Endpoint } from './endpoint.ts'
import { API_VERSION } from '../webhooks/events.ts'
import { expandPaths } from './expand.ts'
import { type Form, parseForm } from './form.ts'
import { type ApiResponse, keyInUseError, type IdempotentRequest } from './idempotency.ts'
import { newId } from '../store/ids.ts'
import { checkParamNames, stringParam, stringListParam } from './params.ts'
import type { Stripe } from '../stripe.ts'
import { apiError, cardError, errorBody, invalidRequest, lockError, StripeError } from './stripe-error.ts'
import { cardDecline } from '../payment-methods/test-cards.ts'
import { serialize } from './serialize.ts'

/** A request after parsing, before anything is done. */
interface ParsedRequest {
  readonly endpoint: Endpoint
  readonly caller: Caller
  readonly form: Form
  readonly id: string
  readonly baseUrl: string
  readonly requestId: string
  readonly apiVersion: string
  readonly idempotency: IdempotentRequest | undefined
}

interface HandledRequest {
  readonly response: ApiResponse
  readonly webhooks?: WebhookBatch
}

/** Registers Stripe's API under `/v1`, one route per endpoint. */
export const apiRoutes = (app: FastifyInstance, stripe: Stripe): void => {
  for (const endpoint of ENDPOINTS)
    app.route({ method: endpoint.method, url: endpoint.path, handler: (request, reply) => handleRequest(stripe, endpoint, request, reply) })
  app.options('/v1/*', async (_request, reply) =>
    reply.code(204).headers({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, POST, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
      'access-control-max-age': '300',
    }),
  )
}

/**
 * Answers one call. Wrong credentials throw before a fault is taken; a used idempotency key gets the stored response, and nothing is done.
 */
const handleRequest = async (
  stripe: Stripe,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | void> => {
  const requestId = newId('req')
  reply.headers({
    'request-id': requestId,
    'stripe-version': apiVersionOf(request),
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Request-Id, Stripe-Manage-Version, Stripe-Should-Retry, X-Stripe-External-Auth-Required',
    'cache-control': 'no-cache, no-store',
  })
  const apiRequest = parseRequest(endpoint, request, requestId)
  const { operation } = endpoint
  const fault = stripe.faults.take('stripe', typeof operation === 'string' ? operation : operation(apiRequest.form))
  if (fault?.kind === 'refuse') return cutConnection(reply)
  checkParamNames(apiRequest.form, endpoint)
  const stored = apiRequest.idempotency && stripe.idempotencyKeys.replay(apiRequest.idempotency)
  if (apiRequest.idempotency !== undefined)
    reply.headers({ 'idempotency-key': apiRequest.idempotency.key, 'original-request': stored?.requestId ?? requestId })
  if (stored !== undefined) reply.header('idempotent-replayed', 'true')
  const handled = stored === undefined ? handleWithFault(stripe, apiRequest, fault) : { response: stored }
  return deliverResponse(stripe, reply, apiRequest, { handled, fault })
}

/**
 * The request with its caller and parameters.
 * @throws StripeError without a valid key, or for a publishable key where a secret one is needed
 */
const parseRequest = (endpoint: Endpoint, request: FastifyRequest, requestId: string): ParsedRequest => {
  const form = parseForm(request.method === 'POST' ? String(request.body ?? '') : (request.url.split('?')[1] ?? ''))
  const caller = callerOf(request.headers.authorization, stringParam(form, 'key'))
  if (!endpoint.allowsPublishableKey) requireSecretKey(caller)
  const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
  const path = request.url.split('?')[0]?.replace('/stripe', '') ?? ''
  const { id = '' } = request.params as { id?: string }
  return {
    endpoint,
    caller,
    form,
    id,
    baseUrl: `${request.protocol}://${request.host}/stripe`,
    requestId,
    apiVersion: apiVersionOf(request),
    idempotency: typeof key === 'string' && key !== '' ? { account: caller.account, key, path, form } : undefined,
  }
}

/** The API version that the request asks for; API_VERSION without one. */
const apiVersionOf = ({ headers }: FastifyRequest): string => String(headers['stripe-version'] ?? API_VERSION)

/** Runs the endpoint unless the fault prevents it, and stores the response under the idempotency key. Undefined when nothing was done. */
const handleWithFault = (stripe: Stripe, apiRequest: ParsedRequest, fault: Fault | undefined): HandledRequest | undefined => {
  const { endpoint, idempotency, requestId } = apiRequest
  if (fault?.kind === 'twice' && fault.booked && idempotency === undefined) void runEndpoint(stripe, apiRequest).webhooks?.afterResponse()
  if (fault?.kind === 'error' && !fault.booked && idempotency !== undefined)
    stripe.idempotencyKeys.store(idempotency, errorResponse(apiError()), requestId)
  return runWithFault({
    fault,
    outcomes: endpoint.forcedOutcomes ?? [],
    run: (outcome) => runEndpoint(stripe, apiRequest, outcome),
    declineInstead: () => ({ response: errorResponse(cardError(cardDecline('generic_decline'))) }),
  })
}

/** Runs the endpoint in a session of the account; a StripeError becomes the response. The webhooks are stored and not sent yet. */
const runEndpoint = (stripe: Stripe, apiRequest: ParsedRequest, forcedOutcome?: ForcedOutcome): HandledRequest => {
  const { endpoint, caller, form, id, baseUrl, requestId, idempotency, apiVersion } = apiRequest
  const sandbox = stripe.openSession(caller.account, { baseUrl, requestId, idempotencyKey: idempotency?.key ?? null, apiVersion })
  const response = responseOf(() => {
    const result = endpoint.handle({ sandbox, form, id, hasSecretKey: caller.isSecretKey, forcedOutcome })
    return expandPaths(sandbox, result, stringListParam(form, 'expand') ?? [])
  })
  if (idempotency !== undefined) stripe.idempotencyKeys.store(idempotency, response, requestId)
  return { response, webhooks: stripe.webhooks.prepare(sandbox) }
}

/** The response with what `handle` returns, or with the StripeError that it throws. Any other error goes on to the caller. */
const responseOf = (handle: () => object): ApiResponse => {
  try {
    return { status: 200, text: serialize(handle()) }
  } catch (error) {
    if (error instanceof StripeError) return errorResponse(error)
    throw error
  }
}

/** The error as a response, with its status. */
const errorResponse = ({ status, body }: StripeError): ApiResponse => ({ status, text: serialize(errorBody(body)) })

interface Delivery {
  readonly handled: HandledRequest | undefined
  readonly fault: Fault | undefined
}

/** Sends the response, distorted by the fault, and the webhook events. */
const deliverResponse = (
  stripe: Stripe,
  reply: FastifyReply,
  { idempotency, requestId, caller, baseUrl, form }: ParsedRequest,
  { handled, fault }: Delivery,
): Promise<FastifyReply | void> =>
  sendWithFault(reply, {
    fault,
    answer: handled?.response ?? errorResponse(fault?.kind === 'slow' ? apiError() : lockError()),
    send: (response) => sendResponse(reply, response),
    fail: () => {
      const response = errorResponse(apiError())
      if (idempotency !== undefined && handled !== undefined) stripe.idempotencyKeys.store(idempotency, response, requestId)
      return sendResponse(reply, response)
    },
    tamper: (response, applied) => {
      if (applied.kind === 'twice' && idempotency !== undefined) {
        reply.header('stripe-should-retry', 'true')
        return errorResponse(keyInUseError(idempotency.key))
      }
      const returnUrl = stringParam(form, 'return_url')
      return tamperResponse(response, applied, { account: caller.account, baseUrl, returnUrl })
    },
    webhooks: handled?.webhooks,
  })

/** Sends the status and the JSON text. */
const sendResponse = (reply: FastifyReply, { status, text }: ApiResponse): FastifyReply => {
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="Stripe"')
  return reply.code(status).type('application/json').send(text)
}

/** Answers an error under `/stripe` in Stripe's error format; anything but a StripeError is logged and becomes a 500. */
export const handleError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  if (error instanceof StripeError) {
    void sendResponse(reply, errorResponse(error))
    return
  }
  console.error(`${request.method} ${request.url.split('?')[0]} failed:`, error)
  void sendResponse(reply, errorResponse(apiError()))
}

/** Sends a 404 in Stripe's error format. */
export const handleNotFound = (request: FastifyRequest, reply: FastifyReply): void => {
  const path = request.url.split('?')[0]?.replace('/stripe', '') ?? ''
  const message = `Unrecognized request URL (${request.method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
  void sendResponse(reply, errorResponse(invalidRequest(message, {}, 404)))
}
