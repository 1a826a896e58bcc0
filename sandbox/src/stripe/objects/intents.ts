import { timingSafeEqual } from 'node:crypto'
import { accountId } from '../api/api-keys.ts'
import { emptyForm, type Form } from '../api/form.ts'
import { newId, randomText } from '../store/ids.ts'
import { booleanParam, objectParam, enumParam, stringParam, stringListParam } from '../api/params.ts'
import { type PaymentMethod, METHOD_TYPES } from '../payment-methods/payment-method.ts'
import { methodParam, newMethod } from '../payment-methods/payment-methods.ts'
import { type Decline, cardError, invalidRequest, StripeError } from '../api/stripe-error.ts'
import { DEBIT_CURRENCIES, isDebit } from '../payment-methods/test-accounts.ts'
import type { SessionContext, StripeSession } from '../store/stripe-session.ts'

/** The fields that setup intents and payment intents share. */
export interface Intent {
  readonly id: string
  readonly object: 'payment_intent' | 'setup_intent'
  readonly client_secret: string
  readonly status: string
  readonly customer: string | null
  readonly payment_method: string | null
  readonly payment_method_types: readonly string[]
  readonly automatic_payment_methods: AutomaticMethods | null
  readonly allowed_payment_method_types: readonly string[] | null
}

interface AutomaticMethods {
  readonly enabled: boolean
  readonly allow_redirects: 'always' | 'never'
}

/** What the customer has to do next. */
export interface NextAction {
  readonly type: 'redirect_to_url' | 'use_stripe_sdk' | 'verify_with_microdeposits'
  readonly [detail: string]: unknown
}

/** A new id and client secret, not stored. */
export const newIntentIdAndSecret = (prefix: 'pi' | 'seti'): { readonly id: string; readonly client_secret: string } => {
  const id = newId(prefix)
  return { id, client_secret: `${id}_secret_${randomText(24)}` }
}

/** The parameters that choose an intent's method types. */
export const METHOD_TYPE_PARAMS = ['allowed_payment_method_types', 'excluded_payment_method_types', 'payment_method_types'] as const

type MethodTypes = Pick<Intent, 'allowed_payment_method_types' | 'automatic_payment_methods' | 'payment_method_types'>

const NAMED_TYPES_REMOVED_IN = '2026-09-30'
const ALLOWED_TYPES_ADDED_IN = '2026-07-29'

/**
 * The method types of an intent: those that the form names or filters, else all that the currency allows.
 * @throws StripeError for a parameter that the API version does not have, or an unknown type
 */
export const methodTypes = ({ context: { apiVersion: version } }: StripeSession, form: Form, currency?: string): MethodTypes => {
  const [named, allowed] = [stringListParam(form, 'payment_method_types'), stringListParam(form, 'allowed_payment_method_types')]
  const automatic = objectParam(form, 'automatic_payment_methods')
  if ([named, allowed, automatic].filter((param) => param !== undefined).length > 1)
    throw invalidRequest(
      'You may only specify one of these parameters: automatic_payment_methods, allowed_payment_method_types, payment_method_types.',
      {
        code: 'parameters_exclusive',
      },
    )
  if (named !== undefined && version >= NAMED_TYPES_REMOVED_IN)
    throw invalidRequest(NAMED_TYPES_REMOVED_MESSAGE, { code: 'payment_method_types_no_longer_supported', param: 'payment_method_types' })
  if (allowed !== undefined && version < ALLOWED_TYPES_ADDED_IN)
    throw invalidRequest('Received unknown parameter: allowed_payment_method_types', {
      code: 'parameter_unknown',
      param: 'allowed_payment_method_types',
    })
  const unknown = [...(named ?? []), ...(allowed ?? [])].find((type) => !(METHOD_TYPES as readonly string[]).includes(type))
  if (unknown !== undefined)
    throw invalidRequest(
      `The payment method type "${unknown}" is invalid. Please ensure the provided type is activated in your dashboard.`,
      {
        code: 'payment_intent_invalid_parameter',
        param: 'payment_method_types',
      },
    )
  if (named !== undefined) return { allowed_payment_method_types: null, automatic_payment_methods: null, payment_method_types: named }
  const excluded = stringListParam(form, 'excluded_payment_method_types') ?? []
  const supported = METHOD_TYPES.filter(
    (type) => (currency === undefined || !isDebit(type) || DEBIT_CURRENCIES[type] === currency) && !excluded.includes(type),
  )
  if (allowed !== undefined)
    return {
      allowed_payment_method_types: allowed,
      automatic_payment_methods: null,
      payment_method_types: supported.filter((type) => allowed.includes(type)),
    }
  const allow_redirects = enumParam(automatic ?? emptyForm(), 'allow_redirects', ['always', 'never']) ?? 'always'
  return {
    allowed_payment_method_types: null,
    automatic_payment_methods: { enabled: true, allow_redirects },
    payment_method_types: supported,
  }
}

const NAMED_TYPES_REMOVED_MESSAGE =
  'The `payment_method_types` parameter is no longer supported in this API version. Use `allowed_payment_method_types` to limit the payment methods, or leave it out to have them chosen dynamically.'

/**
 * The method in the request, which is stored when new, else the one of the intent.
 * @throws StripeError when there is none or it is not valid
 */
export const methodToConfirm = (sandbox: StripeSession, form: Form, intent: Intent, hasSecretKey: boolean): PaymentMethod => {
  const data = objectParam(form, 'payment_method_data')
  const method = data === undefined ? methodParam(sandbox, form) : newMethod(sandbox, data, hasSecretKey)
  if (method !== undefined) return method
  if (intent.payment_method !== null) return sandbox.get<PaymentMethod>('payment_method', intent.payment_method, 'payment_method')
  throw invalidRequest(
    `You cannot confirm this ${nounOf(intent)} because it's missing a payment method. You can either update the ${nounOf(intent)} with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.`,
    { code: `${intent.object}_unexpected_state`, [intent.object]: intent },
  )
}

/** @throws StripeError when the intent does not allow the method's type */
export const requireAllowedType = (intent: Intent, { type }: PaymentMethod): void => {
  if (!intent.payment_method_types.includes(type))
    throw invalidRequest(
      `The PaymentMethod provided (${type}) is not allowed for this ${nounOf(intent)}. Please attach a PaymentMethod of one of the following types: ${intent.payment_method_types.join(', ')}.`,
      { code: `${intent.object}_incompatible_payment_method`, param: 'payment_method' },
    )
}

const MISSING_RETURN_URL_MESSAGE =
  "This %s is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents."

/** @throws StripeError when the customer might be redirected and `return_url` is missing */
export const requireReturnUrl = (intent: Intent, form: Form): void => {
  if (
    intent.automatic_payment_methods?.allow_redirects === 'always' &&
    stringParam(form, 'return_url') === undefined &&
    !booleanParam(form, 'use_stripe_sdk')
  )
    throw invalidRequest(MISSING_RETURN_URL_MESSAGE.replace('%s', nounOf(intent)), { param: 'return_url' })
}

/** The URL of the bank's page on which the customer authenticates. */
export const bankPageUrl = (
  { account, baseUrl }: Pick<SessionContext, 'account' | 'baseUrl'>,
  intent: Pick<Intent, 'id' | 'object' | 'client_secret'>,
): URL => {
  const url = new URL(`${baseUrl}/3d_secure_2/hosted`)
  url.search = new URLSearchParams({
    merchant: accountId(account),
    [intent.object]: intent.id,
    [`${intent.object}_client_secret`]: intent.client_secret,
    publishable_key: `pk_test_${account}_page`,
    source: newId('payatt'),
  }).toString()
  return url
}

/**
 * The action that sends the customer to the bank's page, or lets Stripe.js open the page when there is no return URL. Nothing is stored.
 */
export const authenticationAction = (
  sandbox: StripeSession,
  intent: Intent,
  returnUrl: string | undefined,
  usesStripeJs: boolean,
): NextAction => {
  const url = bankPageUrl(sandbox.context, intent)
  if (usesStripeJs || returnUrl === undefined)
    return {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url.href, source: url.searchParams.get('source') },
    }
  return { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url: url.href } }
}

/** @throws StripeError when the client secret is wrong, or missing in a request without a secret key */
export const requireClientSecret = (intent: Intent, form: Form, hasSecretKey: boolean): void => {
  const clientSecret = stringParam(form, 'client_secret')
  if (clientSecret === undefined && hasSecretKey) return
  if (clientSecret !== undefined && isSameText(clientSecret, intent.client_secret)) return
  throw invalidRequest(`The client_secret provided does not match the client_secret associated with the ${nounOf(intent)}.`, {
    code: `${intent.object}_invalid_parameter`,
    param: 'client_secret',
  })
}

/** Whether two texts are equal, compared in constant time. */
const isSameText = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** @throws StripeError when the intent has none of those statuses */
export const requireStatus = (intent: Intent, verb: string, statuses: readonly string[]): void => {
  if (!statuses.includes(intent.status))
    throw invalidRequest(
      `You cannot ${verb} this ${nounOf(intent)} because it has a status of ${intent.status}. Only a ${nounOf(intent)} with one of the following statuses may be ${PAST_PARTICIPLES[verb]}: ${statuses.join(', ')}.`,
      { code: `${intent.object}_unexpected_state`, [intent.object]: intent },
    )
}

const PAST_PARTICIPLES: Readonly<Record<string, string>> = {
  cancel: 'canceled',
  capture: 'captured',
  confirm: 'confirmed',
  verify: 'verified',
  update: 'updated',
}

/** The intent's kind as error messages write it. */
const nounOf = ({ object }: Pick<Intent, 'object'>): string => (object === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent')

/** The `last_payment_error` or `last_setup_error` that an intent keeps of a decline. */
export const lastError = (decline: Decline, method: PaymentMethod, charge?: string): object => ({
  ...new StripeError(402, { type: 'card_error', ...decline, ...(charge === undefined ? {} : { charge }), payment_method: method }).body,
  doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
})

/** The error 402 of a declined confirmation, with the intent and the method; a value, not thrown here. */
export const declineError = (decline: Decline, intent: Intent, method: PaymentMethod, charge?: string): StripeError =>
  cardError(decline, { ...(charge === undefined ? {} : { charge }), [intent.object]: intent, payment_method: method })

/** The decline of an intent whose customer failed to authenticate; nothing is thrown. */
export const authenticationFailure = (intent: Intent): Decline => ({
  code: `${intent.object}_authentication_failure`,
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
})
