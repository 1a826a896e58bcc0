import type { Stripe } from 'stripe'
import { type Http, type HttpAnswer, Unanswered } from '../../../kit/outgoing-http.ts'
import type { AccountCheck, ProviderContext, ChargeResult, Declined } from '../provider.ts'
import { stripeSdk } from './stripe-sdk.ts'
import type { StripeSettings } from './stripe.settings.ts'
import { declineOf, REFUSED_KEY } from './stripe.wire.ts'

/** Stripe's own library over our way out: it neither tries again nor reports home, and its address is the account's. */
export const stripeClient = ({ settings, baseUrl, http }: ProviderContext<StripeSettings>): Stripe =>
  new (stripeSdk())(settings.secretKey, { maxNetworkRetries: 0, telemetry: false, httpClient: overWayOut(baseUrl, http) })

type HttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>

const overWayOut = (baseUrl: string, http: Http): HttpClient => ({
  getClientName: () => 'counterfoil',
  makeRequest: async (_host, _port, path, method, headers, body) => {
    if (!path.startsWith('/')) throw new Error('a path of Stripe begins with a slash: anything else could name another host')
    return answered(await http.send({ method, url: `${baseUrl}${path}`, headers: plainHeaders(headers), ...(body === '' ? {} : { body }) }))
  },
})

const answered = (answer: HttpAnswer): Awaited<ReturnType<HttpClient['makeRequest']>> => ({
  getStatusCode: () => answer.status,
  getHeaders: () => ({ ...answer.headers }),
  getRawResponse: () => answer,
  toStream: () => {
    throw new Error('nothing of Stripe is streamed')
  },
  toJSON: async () => {
    const said: unknown = JSON.parse(answer.text)
    // Of a number or a text the library would make an error that nobody hears of, and no answer.
    if (typeof said !== 'object' || said === null) throw new SyntaxError('stripe answered no object')
    return said
  },
})

const plainHeaders = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]])),
  )

type Errors = (typeof Stripe)['errors']
type StripeError = InstanceType<Errors['StripeError']>

const isStripeError = (failure: unknown): failure is StripeError => failure instanceof stripeSdk().errors.StripeError
const isConnectionError = (failure: StripeError): boolean => failure instanceof stripeSdk().errors.StripeConnectionError

/** Stripe has done nothing when it answers so; every other failure leaves open what it has done. */
const OPEN_CODES: ReadonlySet<string> = new Set(['payment_intent_unexpected_state', 'idempotency_key_in_use', 'lock_timeout'])

/** What a failed call says about money. Only an answer that rules a charge out is a no. */
export const resultOfFailure = (failure: unknown): ChargeResult => {
  const silence: ChargeResult = { state: 'unknown', detail: detailOf(failure) }
  if (!isStripeError(failure)) return silence
  const { statusCode = 0, code = '', rawType } = failure
  if (isConnectionError(failure)) return wasSent(failure) ? silence : { ...silence, state: 'not-sent' }
  if (statusCode === 402) return hasMoved(failure) ? silence : said(failure)
  if (statusCode === 401 || statusCode === 403) return REFUSED_KEY
  if (statusCode === 429) return { state: 'not-sent', detail: 'stripe has too much to do' }
  if (statusCode !== 400 && statusCode !== 404) return silence
  return OPEN_CODES.has(code) || rawType === 'idempotency_error' ? silence : said(failure)
}

const detailOf = (failure: unknown): string => {
  if (!isStripeError(failure)) return failure instanceof Error ? failure.message : 'it broke off'
  return `stripe answered ${failure.statusCode ?? 'nothing'} (${failure.code ?? failure.type})`
}

const said = ({ raw }: StripeError): Declined => {
  const { type, code, decline_code, message } = (raw ?? {}) as Readonly<Record<string, string | undefined>>
  return declineOf({
    ...(type === undefined ? {} : { type }),
    ...(code === undefined ? {} : { code }),
    ...(decline_code === undefined ? {} : { decline_code }),
    ...(message === undefined ? {} : { message }),
  })
}

/** A refusal that brings along a payment which did go through is no refusal. */
const hasMoved = ({ raw }: StripeError): boolean => {
  const intent = (raw as { payment_intent?: { status?: unknown } } | undefined)?.payment_intent
  return intent !== undefined && intent.status !== 'requires_payment_method' && intent.status !== 'canceled'
}

const wasSent = (failure: StripeError): boolean => {
  const { detail } = failure as { detail?: unknown }
  return !(detail instanceof Unanswered) || detail.sent
}

/** Is what was asked for not there (any more)? */
export const isMissing = (failure: unknown): boolean =>
  isStripeError(failure) && (failure.statusCode === 404 || failure.code === 'resource_missing')

/** Did a call fail because the customer is not there (any more)? What is missing may also be the method alone, so Stripe is asked. */
export const isOwnerGone = async (stripe: Stripe, owner: string, failure: unknown): Promise<boolean> => {
  if (!isMissing(failure)) return false
  try {
    return (await stripe.customers.retrieve(owner)).deleted === true
  } catch (missing) {
    return isMissing(missing)
  }
}

/** Whose key it is. */
export const checkStripe = async (call: ProviderContext<StripeSettings>): Promise<AccountCheck> => {
  try {
    const { id, charges_enabled, country } = await stripeClient(call).accounts.retrieveCurrent()
    return { account: id, canCharge: charges_enabled, country: country ?? null }
  } catch (failure) {
    const { statusCode } = failure as { statusCode?: number }
    const words =
      statusCode === 401 || statusCode === 403 ? 'Stripe refuses the secret key.' : `Stripe cannot be asked: ${detailOf(failure)}.`
    throw new Error(words, { cause: failure })
  }
}
