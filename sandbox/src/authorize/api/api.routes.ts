import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cutConnection } from '../../kit/fault-responses.ts'
import { type ForcedOutcome, runWithFault, sendWithFault } from '../../kit/forced-outcome.ts'
import type { WebhookBatch } from '../../kit/webhook-queue.ts'
import type { Fault } from '../../faults/faults.ts'
import type { Authorize } from '../authorize.ts'
import { AuthorizeError, busyError, internalError, unsuccessfulError } from './authorize-error.ts'
import { accountOf, assertReporting } from './credentials.ts'
import { type Fields, fieldsOf, textOf } from './fields.ts'
import { messagesOf, type Operation, SUCCESS } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { checkShape } from './schema.ts'
import { pageAccountOf, securePaymentContainer } from './secure-payment-container.ts'
import { tamperResponse } from './tampered-response.ts'

/** A request after all checks, before anything is done. */
interface ParsedRequest {
  readonly operation: Operation
  readonly request: Fields
  readonly account: string
}

interface HandledRequest {
  readonly body: Fields
  readonly webhooks?: WebhookBatch
}

/** Every answer begins with it, as the real ones do. */
const BYTE_ORDER_MARK = '\uFEFF'

const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'PUT,OPTIONS,POST,GET',
  'access-control-allow-headers': 'x-requested-with,cache-control,content-type,origin,method,SOAPAction',
  'cache-control': 'private',
}

const PATH = '/xml/v1/request.api'

/** Registers the API: one address, at which the root key names the request. */
export const apiRoutes = (app: FastifyInstance, authorize: Authorize): void => {
  app.post(PATH, async (request, reply) => handleRequest(authorize, request, reply))
  app.options(PATH, async (_request, reply) =>
    reply
      .code(204)
      .headers({ ...CORS_HEADERS, 'access-control-max-age': '300' })
      .send(),
  )
}

const handleRequest = async (authorize: Authorize, { body }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> => {
  const { name, request, operation } = parseRoot(String(body ?? ''))
  const parsed = responseOf(() => checkRequest(name, request, operation))
  if ('body' in parsed) return sendResponse(reply, parsed.body, request)
  const fault = authorize.faults.take('authorize', parsed.operation.faultOperation(parsed.request))
  if (fault?.kind === 'refuse') return cutConnection(reply)
  return deliverResponse(reply, { parsed, fault, handled: handleWithFault(authorize, parsed, fault) })
}

/** The root key and its value; JSON.parse keeps the order in which the keys were written. */
const parseRoot = (text: string): { name: string; request: Fields; operation: Operation | undefined } => {
  const root = parseJson(text.replace(BYTE_ORDER_MARK, ''))
  const [name = ''] = Object.keys(root ?? {})
  return { name, request: fieldsOf(root, name) ?? {}, operation: OPERATIONS.get(name) }
}

const parseJson = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return fieldsOf({ value }, 'value')
  } catch {
    return undefined
  }
}

/** @throws AuthorizeError when the request is not one, does not follow the schema, or has no valid credentials */
const checkRequest = (name: string, request: Fields, operation: Operation | undefined): ParsedRequest => {
  if (name === '') throw new AuthorizeError('E00003', 'Root element is missing.')
  if (operation === undefined) throw new AuthorizeError('E00004', 'The name of the requested API method is invalid.')
  checkShape(name, operation.shape, request)
  const account = operation === securePaymentContainer ? pageAccountOf(request) : accountOf(request)
  if (operation.isReporting) assertReporting(account)
  return { operation, request, account }
}

/** The result, or the body of the error response. */
const responseOf = <Result extends object>(work: () => Result): Result | { readonly body: Fields } => {
  try {
    return work()
  } catch (error) {
    if (error instanceof AuthorizeError) return { body: errorBody(error) }
    throw error
  }
}

const errorBody = ({ code, message, body }: AuthorizeError): Fields => ({ ...body, messages: messagesOf('Error', code, message) })

/** Runs the request unless the fault prevents it. Undefined when nothing was done. */
const handleWithFault = (authorize: Authorize, parsed: ParsedRequest, fault: Fault | undefined): HandledRequest | undefined => {
  if (fault?.kind === 'twice' && fault.booked) void runOperation(authorize, parsed).webhooks?.afterResponse()
  return runWithFault({
    fault,
    outcomes: parsed.operation.forcedOutcomes ?? [],
    run: (outcome) => runOperation(authorize, parsed, outcome),
    declineInstead: () => ({ body: errorBody(unsuccessfulError()) }),
  })
}

const runOperation = (
  authorize: Authorize,
  { operation, request, account }: ParsedRequest,
  forcedOutcome?: ForcedOutcome,
): HandledRequest => {
  const session = authorize.openSession(account)
  const response = responseOf(() => ({ body: { messages: SUCCESS, ...operation.handle({ session, request, forcedOutcome }) } }))
  return { body: response.body, webhooks: authorize.webhooks.prepare(session) }
}

interface Delivery {
  readonly parsed: ParsedRequest
  readonly fault: Fault | undefined
  readonly handled: HandledRequest | undefined
}

/** Sends the response, distorted by the fault, and the webhook events. */
const deliverResponse = (reply: FastifyReply, { parsed: { request }, fault, handled }: Delivery): Promise<FastifyReply | void> =>
  sendWithFault(reply, {
    fault,
    answer: handled?.body ?? errorBody(busyError()),
    send: (body) => sendResponse(reply, body, request),
    fail: () => sendResponse(reply, errorBody(internalError()), request),
    tamper: (body, applied) => (handled === undefined ? body : tamperResponse(body, applied)),
    webhooks: handled?.webhooks,
  })

/** Sends the body with status 200, also for errors. The request's `refId` follows the other fields; `messages` is the last field. */
const sendResponse = (reply: FastifyReply, { messages, ...body }: Fields, request: Fields): FastifyReply => {
  const refId = textOf(request, 'refId')
  const response = { ...body, ...(refId === undefined ? {} : { refId }), messages }
  return reply
    .code(200)
    .headers(CORS_HEADERS)
    .type('application/json; charset=utf-8')
    .send(BYTE_ORDER_MARK + JSON.stringify(response))
}

/** The error handler for everything under `/authorize`. */
export const handleError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  console.error(`${request.method} ${request.url.split('?')[0]} failed:`, error)
  void sendResponse(reply, errorBody(internalError()), {})
}
