import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../faults/faults.ts'
import { cutLine, sendGarbage, waited } from '../../faults/fault-responses.ts'
import { type Caller, callerOf, mustBeSecret } from './api-keys.ts'
import { ENDPOINTS } from './endpoints.ts'
import { doctored } from './tampered-answer.ts'
import type { Endpoint, Order } from './endpoint.ts'
import { API_VERSION } from '../webhooks/events.ts'
import { expanded } from './expand.ts'
import { type Form, formOf } from './form.ts'
import { type Answer, keyInUse, type Repeatable } from './idempotency.ts'
import { newId } from '../store/ids.ts'
import type { Batch } from '../webhooks/webhook-sender.ts'
import { checkNames, text, texts } from './params.ts'
import type { Stripe } from '../stripe.ts'
import { apiError, cardError, errorAnswer, invalid, StripeError } from './stripe-error.ts'
import { declined } from '../objects/payment-methods/test-cards.ts'
import { wireText } from './serialize.ts'
import { Work } from '../store/sandbox-session.ts'

/** A call that was understood, before anything is done. */
interface Understood {
  readonly endpoint: Endpoint
  readonly caller: Caller
  readonly form: Form
  readonly id: string
  readonly base: string
  readonly requestId: string
  readonly version: string
  readonly repeat: Repeatable | undefined
}

interface Done {
  readonly answer: Answer
  readonly batch?: Batch
}

const NO_ANSWER: Batch = { notices: [], fault: undefined }

/** Stripe's API under `/v1`, each call as its endpoint says it. */
export const apiRoutes = (app: FastifyInstance, stripe: Stripe): void => {
  for (const endpoint of ENDPOINTS)
    app.route({ method: endpoint.method, url: endpoint.path, handler: (request, reply) => answered(stripe, endpoint, request, reply) })
  app.options('/v1/*', async (_request, reply) =>
    reply.code(204).headers({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, POST, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
      'access-control-max-age': '300',
    }),
  )
}

const answered = async (stripe: Stripe, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> => {
  const requestId = newId('req')
  reply.headers({
    'request-id': requestId,
    'stripe-version': versionOf(request),
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Request-Id, Stripe-Manage-Version, Stripe-Should-Retry, X-Stripe-External-Auth-Required',
    'cache-control': 'no-cache, no-store',
  })
  const call = understood(endpoint, request, requestId)
  const { operation } = endpoint
  const fault = stripe.faults.take('stripe', typeof operation === 'string' ? operation : operation(call.form))
  if (fault?.kind === 'refuse') return cutLine(reply)
  checkNames(call.form, endpoint)
  const kept = call.repeat && stripe.keys.replay(call.repeat)
  if (call.repeat !== undefined) reply.headers({ 'idempotency-key': call.repeat.key, 'original-request': kept?.requestId ?? requestId })
  if (kept !== undefined) reply.header('idempotent-replayed', 'true')
  const done = kept === undefined ? carriedOut(stripe, call, fault) : { answer: kept }
  return delivered(stripe, reply, call, { done, fault })
}

const understood = (endpoint: Endpoint, request: FastifyRequest, requestId: string): Understood => {
  const form = formOf(request.method === 'POST' ? String(request.body ?? '') : (request.url.split('?')[1] ?? ''))
  const caller = callerOf(request.headers.authorization, text(form, 'key'))
  if (!endpoint.fromPages) mustBeSecret(caller)
  const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
  const path = request.url.split('?')[0]?.replace('/stripe', '') ?? ''
  const { id = '' } = request.params as { id?: string }
  return {
    endpoint,
    caller,
    form,
    id,
    base: `${request.protocol}://${request.host}/stripe`,
    requestId,
    version: versionOf(request),
    repeat: typeof key === 'string' && key !== '' ? { account: caller.account, key, path, form } : undefined,
  }
}

const versionOf = ({ headers }: FastifyRequest): string => String(headers['stripe-version'] ?? API_VERSION)

/** Does what is asked, as far as the fault lets it; whatever was done is kept under the call's key. */
const carriedOut = (stripe: Stripe, call: Understood, fault: Fault | undefined): Done | undefined => {
  const { endpoint, repeat } = call
  const booked = fault === undefined || fault.booked
  const order = !booked && (fault.kind === 'decline' || fault.kind === 'action') ? fault.kind : undefined
  if (order === 'decline' && !endpoint.obeys?.includes('decline')) return { answer: answerOf(cardError(declined('generic_decline'))) }
  if (fault?.kind === 'twice' && booked && repeat === undefined) tell(stripe, performed(stripe, call, undefined))
  if (order !== undefined || booked) return performed(stripe, call, order)
  if (fault.kind === 'wrong-amount') return performed(stripe, call, endpoint.obeys?.includes('decline') ? 'decline' : undefined)
  if (fault.kind === 'error' && repeat !== undefined) stripe.keys.keep(repeat, answerOf(apiError()), call.requestId)
  return undefined
}

const performed = (stripe: Stripe, call: Understood, order: Order | undefined): Done => {
  const { endpoint, caller, form, id, base, requestId, repeat, version } = call
  const work = new Work(stripe.books, { account: caller.account, base, requestId, idempotencyKey: repeat?.key ?? null, version })
  const answer = ran(() => {
    const result = endpoint.run({ work, form, id, secret: caller.secret, order })
    return expanded(work, result, texts(form, 'expand') ?? [])
  })
  if (repeat !== undefined) stripe.keys.keep(repeat, answer, requestId)
  return { answer, batch: stripe.notices.prepare(work) }
}

const ran = (run: () => object): Answer => {
  try {
    return { status: 200, text: wireText(run()) }
  } catch (error) {
    if (error instanceof StripeError) return answerOf(error)
    throw error
  }
}

const answerOf = ({ status, body }: StripeError): Answer => ({ status, text: wireText(errorAnswer(body)) })

const tell = (stripe: Stripe, done: Done | undefined): void => void stripe.notices.afterAnswer(done?.batch ?? NO_ANSWER)

interface Delivery {
  readonly done: Done | undefined
  readonly fault: Fault | undefined
}

/** Answers, as badly as was ordered, and tells those who listen. */
const delivered = async (
  stripe: Stripe,
  reply: FastifyReply,
  call: Understood,
  { done, fault }: Delivery,
): Promise<FastifyReply | void> => {
  await stripe.notices.beforeAnswer(done?.batch ?? NO_ANSWER)
  if (fault?.kind === 'slow') {
    tell(stripe, done)
    if (!(await waited(reply, fault.ms))) return cutLine(reply)
    return sent(reply, done?.answer ?? answerOf(apiError()))
  }
  reply.raw.once('close', () => tell(stripe, done))
  if (fault?.kind === 'drop') return cutLine(reply)
  if (fault?.kind === 'garbage') return sendGarbage(reply)
  if (fault?.kind === 'error') {
    const answer = answerOf(apiError())
    if (call.repeat !== undefined && done !== undefined) stripe.keys.keep(call.repeat, answer, call.requestId)
    return sent(reply, answer)
  }
  if (fault?.kind === 'twice' && call.repeat !== undefined) {
    reply.header('stripe-should-retry', 'true')
    return sent(reply, answerOf(keyInUse(call.repeat.key)))
  }
  if (done === undefined)
    return sent(reply, answerOf(invalid('There is currently another request for this object in progress.', { code: 'lock_timeout' }, 429)))
  return sent(
    reply,
    fault === undefined
      ? done.answer
      : doctored(done.answer, fault, { account: call.caller.account, base: call.base, returnUrl: text(call.form, 'return_url') }),
  )
}

const sent = (reply: FastifyReply, { status, text }: Answer): FastifyReply => {
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="Stripe"')
  return reply.code(status).type('application/json').send(text)
}

/** A no that was thrown before anything was done. */
export const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  if (error instanceof StripeError) {
    void sent(reply, answerOf(error))
    return
  }
  console.error(`${request.method} ${request.url.split('?')[0]} failed:`, error)
  void sent(reply, answerOf(apiError()))
}

/** The answer to an address that Stripe does not have. */
export const answerUnknown = (request: FastifyRequest, reply: FastifyReply): void => {
  const path = request.url.split('?')[0]?.replace('/stripe', '') ?? ''
  const message = `Unrecognized request URL (${request.method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
  void sent(reply, answerOf(invalid(message, {}, 404)))
}
