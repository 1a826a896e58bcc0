import type { Stripe } from 'stripe'
import { type HttpClient, type HttpResponse, NoResponseError } from '../../../kit/outgoing-http.ts'
import type { AccountCheck, ProviderContext, ChargeResult, Decline } from '../provider.ts'
import { stripeSdk } from './stripe-sdk.ts'
import type { StripeSettings } from './stripe.settings.ts'
import { toDecline, INVALID_KEY_DECLINE } from './stripe-codec.ts'

/** Stripe's own library over our way out: it neither tries again nor reports home, and its address is the account's. */
export const stripeClient = ({ settings, baseUrl, http }: ProviderContext<StripeSettings>): Stripe =>
  new (stripeSdk())(settings.secretKey, { maxNetworkRetries: 0, telemetry: false, httpClient: httpClientFor(baseUrl, http) })

type StripeHttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>

const httpClientFor = (baseUrl: string, http: HttpClient): StripeHttpClient => ({
  getClientName: () => 'counterfoil',
  makeRequest: async (_host, _port, path, method, headers, body) => {
    if (!path.startsWith('/')) throw new Error('a path of Stripe begins with a slash: anything else could name another host')
    return toStripeResponse(
      await http.send({ method, url: `${baseUrl}${path}`, headers: plainHeaders(headers), ...(body === '' ? {} : { body }) }),
    )
  },
})

const toStripeResponse = (response: HttpResponse): Awaited<ReturnType<StripeHttpClient['makeRequest']>> => ({
  getStatusCode: () => response.status,
  getHeaders: () => ({ ...response.headers }),
  getRawResponse: () => response,
  toStream: () => {
    throw new Error('nothing of Stripe is streamed')
  },
  toJSON: async () => {
    const toDecline: unknown = JSON.parse(response.text)
    // Of a number or a text the library would make an error that nobody hears of, and no answer.
    if (typeof toDecline !== 'object' || toDecline === null) throw new SyntaxError('stripe answered no object')
    return toDecline
  },
})

const plainHeaders = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]])),
  )

type StripeErrors = (typeof Stripe)['errors']
type StripeError = InstanceType<StripeErrors['StripeError']>

const isStripeError = (error: unknown): error is StripeError => error instanceof stripeSdk().errors.StripeError
const isConnectionError = (error: StripeError): boolean => error instanceof stripeSdk().errors.StripeConnectionError

/** Stripe has done nothing when it answers so; every other failure leaves open what it has done. */
const UNDECIDED_CODES: ReadonlySet<string> = new Set(['payment_intent_unexpected_state', 'idempotency_key_in_use', 'lock_timeout'])

/** What a failed call says about money. Only an answer that rules a charge out is a no. */
export const resultOfError = (error: unknown): ChargeResult => {
  const unknown: ChargeResult = { state: 'unknown', detail: describeError(error) }
  if (!isStripeError(error)) return unknown
  const { statusCode = 0, code = '', rawType } = error
  if (isConnectionError(error)) return wasSent(error) ? unknown : { ...unknown, state: 'not-sent' }
  if (statusCode === 402) return mayHaveMovedMoney(error) ? unknown : declineFromError(error)
  if (statusCode === 401 || statusCode === 403) return INVALID_KEY_DECLINE
  if (statusCode === 429) return { state: 'not-sent', detail: 'stripe has too much to do' }
  if (statusCode !== 400 && statusCode !== 404) return unknown
  return UNDECIDED_CODES.has(code) || rawType === 'idempotency_error' ? unknown : declineFromError(error)
}

const describeError = (error: unknown): string => {
  if (!isStripeError(error)) return error instanceof Error ? error.message : 'it broke off'
  return `stripe answered ${error.statusCode ?? 'nothing'} (${error.code ?? error.type})`
}

const declineFromError = ({ raw }: StripeError): Decline => {
  const { type, code, decline_code, message } = (raw ?? {}) as Readonly<Record<string, string | undefined>>
  return toDecline({
    ...(type === undefined ? {} : { type }),
    ...(code === undefined ? {} : { code }),
    ...(decline_code === undefined ? {} : { decline_code }),
    ...(message === undefined ? {} : { message }),
  })
}

/** A refusal that brings along a payment which did go through is no refusal. */
const mayHaveMovedMoney = ({ raw }: StripeError): boolean => {
  const intent = (raw as { payment_intent?: { status?: unknown } } | undefined)?.payment_intent
  return intent !== undefined && intent.status !== 'requires_payment_method' && intent.status !== 'canceled'
}

const wasSent = (error: StripeError): boolean => {
  const { detail } = error as { detail?: unknown }
  return !(detail instanceof NoResponseError) || detail.mayHaveArrived
}

/** Is what was asked for not there (any more)? */
export const isNotFound = (error: unknown): boolean =>
  isStripeError(error) && (error.statusCode === 404 || error.code === 'resource_missing')

/** Did a call fail because the customer is not there (any more)? What is missing may also be the method alone, so Stripe is asked. */
export const isCustomerGone = async (stripe: Stripe, customer: string, error: unknown): Promise<boolean> => {
  if (!isNotFound(error)) return false
  try {
    return (await stripe.customers.retrieve(customer)).deleted === true
  } catch (lookUpError) {
    return isNotFound(lookUpError)
  }
}

/** Whose key it is. */
export const checkStripeAccount = async (context: ProviderContext<StripeSettings>): Promise<AccountCheck> => {
  try {
    const { id, charges_enabled, country } = await stripeClient(context).accounts.retrieveCurrent()
    return { account: id, canCharge: charges_enabled, country: country ?? null }
  } catch (error) {
    const { statusCode } = error as { statusCode?: number }
    const message =
      statusCode === 401 || statusCode === 403 ? 'Stripe refuses the secret key.' : `Stripe cannot be asked: ${describeError(error)}.`
    throw new Error(message, { cause: error })
  }
}
