import { timingSafeEqual } from 'node:crypto'
import { accountId } from '../api/api-keys.ts'
import { emptyForm, type Form } from '../api/form.ts'
import { newId, random } from '../store/ids.ts'
import { flag, inner, oneOf, text, texts } from '../api/params.ts'
import { type PaymentMethod, TYPES } from './payment-methods/payment-method.ts'
import { namedMethod, newMethod } from './payment-methods/payment-methods.ts'
import { type CardRefusal, cardError, invalid, StripeError } from '../api/stripe-error.ts'
import { DEBITS, isDebit } from './payment-methods/test-accounts.ts'
import type { Setting, Work } from '../store/sandbox-session.ts'

/** What setup intents and payment intents have in common. */
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

/** How an intent waits for the customer. */
export interface NextAction {
  readonly type: 'redirect_to_url' | 'use_stripe_sdk' | 'verify_with_microdeposits'
  readonly [detail: string]: unknown
}

/** The id and the secret of a new intent. */
export const newIntentId = (prefix: 'pi' | 'seti'): { readonly id: string; readonly client_secret: string } => {
  const id = newId(prefix)
  return { id, client_secret: `${id}_secret_${random(24)}` }
}

/** The names under which a call says which kinds of method it takes. */
export const TYPE_NAMES = ['allowed_payment_method_types', 'excluded_payment_method_types', 'payment_method_types'] as const

type Kinds = Pick<Intent, 'allowed_payment_method_types' | 'automatic_payment_methods' | 'payment_method_types'>

const ENDIVE = '2026-09-30'
const SAYS_ALLOWED = '2026-07-29'

/**
 * Which kinds of method an intent takes. Until the version of 30 September 2026 they are named, since that of 29 July they are filtered,
 * and without either Stripe chooses them.
 */
export const methodTypes = ({ setting: { version } }: Work, form: Form, currency?: string): Kinds => {
  const [named, allowed] = [texts(form, 'payment_method_types'), texts(form, 'allowed_payment_method_types')]
  const automatic = inner(form, 'automatic_payment_methods')
  if ([named, allowed, automatic].filter((way) => way !== undefined).length > 1)
    throw invalid(
      'You may only specify one of these parameters: automatic_payment_methods, allowed_payment_method_types, payment_method_types.',
      {
        code: 'parameters_exclusive',
      },
    )
  if (named !== undefined && version >= ENDIVE)
    throw invalid(NO_LONGER, { code: 'payment_method_types_no_longer_supported', param: 'payment_method_types' })
  if (allowed !== undefined && version < SAYS_ALLOWED)
    throw invalid('Received unknown parameter: allowed_payment_method_types', {
      code: 'parameter_unknown',
      param: 'allowed_payment_method_types',
    })
  const unknown = [...(named ?? []), ...(allowed ?? [])].find((type) => !(TYPES as readonly string[]).includes(type))
  if (unknown !== undefined)
    throw invalid(`The payment method type "${unknown}" is invalid. Please ensure the provided type is activated in your dashboard.`, {
      code: 'payment_intent_invalid_parameter',
      param: 'payment_method_types',
    })
  if (named !== undefined) return { allowed_payment_method_types: null, automatic_payment_methods: null, payment_method_types: named }
  const excluded = texts(form, 'excluded_payment_method_types') ?? []
  const fitting = TYPES.filter(
    (type) => (currency === undefined || !isDebit(type) || DEBITS[type] === currency) && !excluded.includes(type),
  )
  if (allowed !== undefined)
    return {
      allowed_payment_method_types: allowed,
      automatic_payment_methods: null,
      payment_method_types: fitting.filter((type) => allowed.includes(type)),
    }
  const allow_redirects = oneOf(automatic ?? emptyForm(), 'allow_redirects', ['always', 'never']) ?? 'always'
  return {
    allowed_payment_method_types: null,
    automatic_payment_methods: { enabled: true, allow_redirects },
    payment_method_types: fitting,
  }
}

const NO_LONGER =
  'The `payment_method_types` parameter is no longer supported in this API version. Use `allowed_payment_method_types` to limit the payment methods, or leave it out to have them chosen dynamically.'

/** The method that this call brings, or the one that the intent has. */
export const chosenMethod = (work: Work, form: Form, intent: Intent, secret: boolean): PaymentMethod => {
  const data = inner(form, 'payment_method_data')
  const method = data === undefined ? namedMethod(work, form) : newMethod(work, data, secret)
  if (method !== undefined) return method
  if (intent.payment_method !== null) return work.get<PaymentMethod>('payment_method', intent.payment_method, 'payment_method')
  throw invalid(
    `You cannot confirm this ${nounOf(intent)} because it's missing a payment method. You can either update the ${nounOf(intent)} with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.`,
    { code: `${intent.object}_unexpected_state`, [intent.object]: intent },
  )
}

/** @throws StripeError when the method is of a kind that the intent does not take */
export const mustFit = (intent: Intent, { type }: PaymentMethod): void => {
  if (!intent.payment_method_types.includes(type))
    throw invalid(
      `The PaymentMethod provided (${type}) is not allowed for this ${nounOf(intent)}. Please attach a PaymentMethod of one of the following types: ${intent.payment_method_types.join(', ')}.`,
      { code: `${intent.object}_incompatible_payment_method`, param: 'payment_method' },
    )
}

const NO_RETURN =
  "This %s is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents."

/** @throws StripeError when the customer might be sent away and it is not said whereto they come back */
export const mustSayWhereto = (intent: Intent, form: Form): void => {
  if (
    intent.automatic_payment_methods?.allow_redirects === 'always' &&
    text(form, 'return_url') === undefined &&
    !flag(form, 'use_stripe_sdk')
  )
    throw invalid(NO_RETURN.replace('%s', nounOf(intent)), { param: 'return_url' })
}

/** The bank's page, where the customer of an intent proves who they are. */
export const bankPage = (
  { account, base }: Pick<Setting, 'account' | 'base'>,
  intent: Pick<Intent, 'id' | 'object' | 'client_secret'>,
): URL => {
  const url = new URL(`${base}/3d_secure_2/hosted`)
  url.search = new URLSearchParams({
    merchant: accountId(account),
    [intent.object]: intent.id,
    [`${intent.object}_client_secret`]: intent.client_secret,
    publishable_key: `pk_test_${account}_page`,
    source: newId('payatt'),
  }).toString()
  return url
}

/** What the customer has to do next: go to the bank's page, or let the page's script open it. */
export const authenticationStep = (work: Work, intent: Intent, returnUrl: string | undefined, byScript: boolean): NextAction => {
  const url = bankPage(work.setting, intent)
  if (byScript || returnUrl === undefined)
    return {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url.href, source: url.searchParams.get('source') },
    }
  return { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url: url.href } }
}

/** @throws StripeError when a page names an intent without its secret, or with another's */
export const mustKnowSecret = (intent: Intent, form: Form, secret: boolean): void => {
  const given = text(form, 'client_secret')
  if (given === undefined && secret) return
  if (given !== undefined && sameText(given, intent.client_secret)) return
  throw invalid(`The client_secret provided does not match the client_secret associated with the ${nounOf(intent)}.`, {
    code: `${intent.object}_invalid_parameter`,
    param: 'client_secret',
  })
}

const sameText = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** @throws StripeError for an intent that is in none of those states */
export const mustStand = (intent: Intent, verb: string, states: readonly string[]): void => {
  if (!states.includes(intent.status))
    throw invalid(
      `You cannot ${verb} this ${nounOf(intent)} because it has a status of ${intent.status}. Only a ${nounOf(intent)} with one of the following statuses may be ${PASSIVE[verb]}: ${states.join(', ')}.`,
      { code: `${intent.object}_unexpected_state`, [intent.object]: intent },
    )
}

const PASSIVE: Readonly<Record<string, string>> = {
  cancel: 'canceled',
  capture: 'captured',
  confirm: 'confirmed',
  verify: 'verified',
  update: 'updated',
}

/** The name of its kind in sentences. */
const nounOf = ({ object }: Pick<Intent, 'object'>): string => (object === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent')

/** What an intent remembers of a refusal. */
export const lastError = (refusal: CardRefusal, method: PaymentMethod, charge?: string): object => ({
  ...new StripeError(402, { type: 'card_error', ...refusal, ...(charge === undefined ? {} : { charge }), payment_method: method }).body,
  doc_url: `https://stripe.com/docs/error-codes/${refusal.code.replaceAll('_', '-')}`,
})

/** The answer to a call whose card was refused. */
export const refusalAnswer = (refusal: CardRefusal, intent: Intent, method: PaymentMethod, charge?: string): StripeError =>
  cardError(refusal, { ...(charge === undefined ? {} : { charge }), [intent.object]: intent, payment_method: method })

/** The customer did not prove who they are. */
export const notAuthenticated = (intent: Intent): CardRefusal => ({
  code: `${intent.object}_authentication_failure`,
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
})
