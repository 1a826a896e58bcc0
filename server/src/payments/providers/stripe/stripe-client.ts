import type { Stripe } from 'stripe'
import { type HttpClient, type HttpResponse, NoResponseError } from '../../../kit/outgoing-http.ts'
import type { ChargePermit } from '../charge-permit.ts'
import type { AccountCheck, ProviderContext } from '../account.ts'
import type { ChargeResult } from '../charge-result.ts'
import type { Decline } from '../decline.ts'
import { stripeSdk } from './stripe-sdk.ts'
import type { StripeSettings } from './stripe.settings.ts'
import { toDecline, INVALID_KEY_DECLINE } from './stripe-codec.ts'

/** Stripe's library without the call that moves money. */
export type StripeClient = Omit<Stripe, 'paymentIntents'> & { readonly paymentIntents: Omit<Stripe['paymentIntents'], 'confirm'> }

/**
 * Stripe's library over our HTTP client: no retries, no telemetry, and the account's own base URL. The call that confirms a payment, which
 * moves money, is missing.
 */
export const stripeClient = (context: ProviderContext<StripeSettings>): StripeClient => createClient(context)

/** Confirms a payment, which moves money. Errors are those of Stripe's library. */
export const confirmPaymentIntent = (
  context: ProviderContext<StripeSettings>,
  permit: ChargePermit,
  id: string,
  params: Stripe.PaymentIntentConfirmParams,
  options: { readonly idempotencyKey: string },
): Promise<Stripe.PaymentIntent> => createClient(context, permit).paymentIntents.confirm(id, params, options)

/** Stripe's whole library with the account's key; requests carry the permit, if any. */
const createClient = ({ settings, baseUrl, http }: ProviderContext<StripeSettings>, permit?: ChargePermit): Stripe =>
  new (stripeSdk())(settings.secretKey, { maxNetworkRetries: 0, telemetry: false, httpClient: httpClientFor(baseUrl, http, permit) })

type StripeHttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>

/** An HTTP client for Stripe's library that sends every request to `baseUrl`, whatever host the library names. */
const httpClientFor = (baseUrl: string, http: HttpClient, permit?: ChargePermit): StripeHttpClient => ({
  getClientName: () => 'counterfoil',
  makeRequest: async (_host, _port, path, method, headers, body) => {
    if (!path.startsWith('/')) throw new Error('a Stripe path must begin with a slash: anything else could name another host')
    return toStripeResponse(
      await http.send({ method, url: `${baseUrl}${path}`, headers: plainHeaders(headers), ...(body === '' ? {} : { body }), permit }),
    )
  },
})

/** An answer in the form that Stripe's library reads. A body that is not a JSON object throws. */
const toStripeResponse = (response: HttpResponse): Awaited<ReturnType<StripeHttpClient['makeRequest']>> => ({
  getStatusCode: () => response.status,
  getHeaders: () => ({ ...response.headers }),
  getRawResponse: () => response,
  toStream: () => {
    throw new Error('Stripe responses are not streamed')
  },
  toJSON: async () => {
    const body: unknown = JSON.parse(response.text)
    // The library would turn a number or a text into an unhandled error and never answer.
    if (typeof body !== 'object' || body === null) throw new SyntaxError('stripe answered with something other than an object')
    return body
  },
})

/** The headers as texts, without those that have no value. */
const plainHeaders = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]])),
  )

type StripeErrors = (typeof Stripe)['errors']
type StripeError = InstanceType<StripeErrors['StripeError']>

const isStripeError = (error: unknown): error is StripeError => error instanceof stripeSdk().errors.StripeError
const isConnectionError = (error: StripeError): boolean => error instanceof stripeSdk().errors.StripeConnectionError

/** These codes leave open whether Stripe charged; with every other code of a 400 it did nothing. */
const UNDECIDED_CODES: ReadonlySet<string> = new Set(['payment_intent_unexpected_state', 'idempotency_key_in_use', 'lock_timeout'])

/**
 * What a failed call says about money. Only an answer that rules out a charge is a decline; a request that was not sent, or was one too
 * many, is `not_sent`; all else is unknown.
 */
export const resultOfError = (error: unknown): Extract<ChargeResult, { state: 'declined' | 'not_sent' | 'unknown' }> => {
  const unknown = { state: 'unknown', detail: describeError(error) } as const
  if (!isStripeError(error)) return unknown
  const { statusCode = 0, code = '', rawType } = error
  if (isConnectionError(error)) return wasSent(error) ? unknown : { ...unknown, state: 'not_sent' }
  if (statusCode === 402) return mayHaveMovedMoney(error) ? unknown : declineFromError(error)
  if (statusCode === 401 || statusCode === 403) return INVALID_KEY_DECLINE
  if (statusCode === 429) return { state: 'not_sent', detail: 'stripe limits the request rate' }
  if (statusCode !== 400 && statusCode !== 404) return unknown
  return UNDECIDED_CODES.has(code) || rawType === 'idempotency_error' ? unknown : declineFromError(error)
}

/** The status and code of an error of Stripe; the message of any other Error. */
const describeError = (error: unknown): string => {
  if (!isStripeError(error)) return error instanceof Error ? error.message : 'the request failed'
  return `stripe answered ${error.statusCode ?? 'nothing'} (${error.code ?? error.type})`
}

/** The decline of an error that Stripe answered. */
const declineFromError = ({ raw }: StripeError): Decline => {
  const { type, code, decline_code, message, param } = (raw ?? {}) as Readonly<Record<string, string | undefined>>
  return toDecline({
    ...(type === undefined ? {} : { type }),
    ...(code === undefined ? {} : { code }),
    ...(decline_code === undefined ? {} : { decline_code }),
    ...(message === undefined ? {} : { message }),
    ...(param === undefined ? {} : { param }),
  })
}

/** Whether an error carries a PaymentIntent that went on, so that the error is no decline. */
const mayHaveMovedMoney = ({ raw }: StripeError): boolean => {
  const intent = (raw as { payment_intent?: { status?: unknown } } | undefined)?.payment_intent
  return intent !== undefined && intent.status !== 'requires_payment_method' && intent.status !== 'canceled'
}

/** Whether the request of a connection error may have arrived at Stripe. */
const wasSent = (error: StripeError): boolean => {
  const { detail } = error as { detail?: unknown }
  return !(detail instanceof NoResponseError) || detail.mayHaveArrived
}

/** Whether an error of Stripe says that the requested object does not exist (any more). */
export const isNotFound = (error: unknown): boolean =>
  isStripeError(error) && (error.statusCode === 404 || error.code === 'resource_missing')

/**
 * Whether a call failed because the customer does not exist any more. The missing object may also be the method, so Stripe is asked; false
 * where that fails.
 */
export const isCustomerGone = async (stripe: StripeClient, customer: string, error: unknown): Promise<boolean> => {
  if (!isNotFound(error)) return false
  try {
    return (await stripe.customers.retrieve(customer)).deleted === true
  } catch (lookUpError) {
    return isNotFound(lookUpError)
  }
}

/**
 * The account's id and the mode of the key, live or test: what is made with a test key is not there with a live one.
 * @throws as checkStripeAccount
 */
export const identifyStripeAccount = async (context: ProviderContext<StripeSettings>): Promise<string> => {
  const { account } = await checkStripeAccount(context)
  return `${account} ${context.settings.secretKey.includes('_live_') ? 'live' : 'test'}`
}

/**
 * Asks Stripe for the account of the secret key.
 * @throws Error with a sentence for operators when Stripe refuses the key or does not answer
 */
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
