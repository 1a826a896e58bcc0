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

/** Registers Authorize.net's API: one POST address; the first key of the JSON body names the operation. */
export const apiRoutes = (app: FastifyInstance, authorize: Authorize): void => {
  app.post(PATH, async (request, reply) => handleRequest(authorize, request, reply))
  app.options(PATH, async (_request, reply) =>
    reply
      .code(204)
      .headers({ ...CORS_HEADERS, 'access-control-max-age': '300' })
      .send(),
  )
}

/**
 * Answers one call. A request that fails a check is answered before a fault is taken; else the fault decides what runs and what is sent.
 */
const handleRequest = async (authorize: Authorize, { body }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> => {
  const { name, request, operation } = parseRoot(String(body ?? ''))
  const parsed = responseOf(() => checkRequest(name, request, operation))
  if ('body' in parsed) return sendResponse(reply, parsed.body, request)
  const fault = authorize.faults.take('authorize', parsed.operation.faultOperation(parsed.request))
  if (fault?.kind === 'refuse') return cutConnection(reply)
  return deliverResponse(reply, { parsed, fault, handled: handleWithFault(authorize, parsed, fault) })
}

/** The name and value of the body's first key, and the operation of that name. A text that is no JSON object gives an empty name. */
const parseRoot = (text: string): { name: string; request: Fields; operation: Operation | undefined } => {
  const root = parseJson(text.replace(BYTE_ORDER_MARK, ''))
  const [name = ''] = Object.keys(root ?? {})
  return { name, request: fieldsOf(root, name) ?? {}, operation: OPERATIONS.get(name) }
}

/** The JSON object in a text; undefined for any other value and for a text that is no JSON. */
const parseJson = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return fieldsOf({ value }, 'value')
  } catch {
    return undefined
  }
}

/**
 * The operation with the account of its credentials.
 * @throws AuthorizeError when the request is not one, does not follow the schema, or has no valid credentials
 */
const checkRequest = (name: string, request: Fields, operation: Operation | undefined): ParsedRequest => {
  if (name === '') throw new AuthorizeError('E00003', 'Root element is missing.')
  if (operation === undefined) throw new AuthorizeError('E00004', 'The name of the requested API method is invalid.')
  checkShape(name, operation.shape, request)
  const account = operation === securePaymentContainer ? pageAccountOf(request) : accountOf(request)
  if (operation.isReporting) assertReporting(account)
  return { operation, request, account }
}

/** What `work` returns, or the error body of the AuthorizeError that it throws. Any other error goes on to the caller. */
const responseOf = <Result extends object>(work: () => Result): Result | { readonly body: Fields } => {
  try {
    return work()
  } catch (error) {
    if (error instanceof AuthorizeError) return { body: errorBody(error) }
    throw error
  }
}

/** The body of an error response: what the error brings, and `messages` with the result code "Error". */
const errorBody = ({ code, message, body }: AuthorizeError): Fields => ({ ...body, messages: messagesOf('Error', code, message) })

/** Runs the operation unless the fault prevents it; a booked fault `twice` runs it two times. Undefined when nothing was done. */
const handleWithFault = (authorize: Authorize, parsed: ParsedRequest, fault: Fault | undefined): HandledRequest | undefined => {
  if (fault?.kind === 'twice' && fault.booked) void runOperation(authorize, parsed).webhooks?.afterResponse()
  return runWithFault({
    fault,
    outcomes: parsed.operation.forcedOutcomes ?? [],
    run: (outcome) => runOperation(authorize, parsed, outcome),
    declineInstead: () => ({ body: errorBody(unsuccessfulError()) }),
  })
}

/** Runs the operation in a session of the account; an AuthorizeError becomes the body. The webhooks are stored and not sent yet. */
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

/** The API's handler of unexpected errors: logs the error, and answers E00001 with status 200. */
export const handleError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  console.error(`${request.method} ${request.url.split('?')[0]} failed:`, error)
  void sendResponse(reply, errorBody(internalError()), {})
}
