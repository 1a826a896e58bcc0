import { requireChargeableAmount } from './currencies.ts'
import { existingCustomer } from './customers.ts'
import type { Form } from '../api/form.ts'
import { methodTypes, newIntentIdAndSecret } from './intents.ts'
import { metadataParam, enumParam, stringParam, stringOrNullParam, integerParam } from '../api/params.ts'
import type { PaymentIntent } from './payment-intent.ts'
import { methodParam } from '../payment-methods/payment-methods.ts'
import { invalidRequest } from '../api/stripe-error.ts'
import type { StripeSession } from '../store/stripe-session.ts'

const PAYMENT_INTENT_DEFAULTS = {
  object: 'payment_intent',
  amount_capturable: 0,
  amount_details: { tip: {} },
  amount_received: 0,
  application: null,
  application_fee_amount: null,
  canceled_at: null,
  cancellation_reason: null,
  customer_account: null,
  excluded_payment_method_types: null,
  last_payment_error: null,
  latest_charge: null,
  livemode: false,
  next_action: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: { card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' } },
  processing: null,
  review: null,
  shipping: null,
  source: null,
  transfer_data: null,
  transfer_group: null,
} as const

/** Written here independently of the adapter's, so that a mistake in one of the two shows. */
const MIN_AMOUNTS: Readonly<Record<string, number>> = {
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1_500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1_000,
  usd: 50,
}
/** In currencies that have no minimum of their own: what 50 cents are where the account settles in dollars. */
const MIN_CONVERTED_AMOUNTS: Readonly<Record<string, number>> = { krw: 700, clp: 480, vnd: 13_000 }
const MAX_AMOUNT = 99_999_999
const MAX_RUPIAH = 999_999_999_999
const AMOUNT_TOO_SMALL_MESSAGE =
  'The amount must be greater than or equal to the minimum charge amount allowed for your account and the currency set (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).  If you want to save a Payment Method for future use without an immediate payment, use a Setup Intent instead: https://docs.stripe.com/payments/setup-intents'

/**
 * The form's amount in minor units as Stripe counts them.
 * @throws StripeError when it is too small, too large, or not possible in the currency
 */
export const amountOf = (form: Form, currency: string): number => {
  const amount = integerParam(form, 'amount') ?? 0
  if (amount < 1) throw invalidRequest(AMOUNT_TOO_SMALL_MESSAGE, { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount < (MIN_AMOUNTS[currency] ?? 1)) throw invalidRequest(AMOUNT_TOO_SMALL_MESSAGE, { code: 'amount_too_small', param: 'amount' })
  if (amount < (MIN_CONVERTED_AMOUNTS[currency] ?? 1))
    throw invalidRequest('Amount must convert to at least 50 cents.', { code: 'amount_too_small', param: 'amount' })
  requireChargeableAmount(amount, currency)
  if (amount > (currency === 'idr' ? MAX_RUPIAH : MAX_AMOUNT))
    throw invalidRequest('Amount must be no more than 999,999.99.', { code: 'amount_too_large', param: 'amount' })
  return amount
}

/** The form's currency in lower case. @throws StripeError when it is not three letters */
export const currencyOf = (form: Form): string => {
  const currency = (stringParam(form, 'currency') ?? '').toLowerCase()
  if (!/^[a-z]{3}$/.test(currency)) throw invalidRequest(`Invalid currency: ${currency}.`, { param: 'currency' })
  return currency
}

/** The caller's own reference of the payment, for the ledger: out of the metadata, else the description or the idempotency key. */
const referenceOf = (sandbox: StripeSession, form: Form): string => {
  const metadata = metadataParam(form)
  const reference = ['reference', 'attempt', 'attempt_id', 'payment', 'uid']
    .map((name) => metadata[name])
    .find((value) => value !== undefined)
  return reference ?? Object.values(metadata)[0] ?? stringParam(form, 'description') ?? sandbox.context.idempotencyKey ?? ''
}

export const FUTURE_USAGES = ['off_session', 'on_session'] as const

/** Stores an unconfirmed intent and queues the event; nothing is charged. @throws StripeError when a parameter is not valid */
export const createPaymentIntent = (sandbox: StripeSession, form: Form): PaymentIntent => {
  const currency = currencyOf(form)
  const customer = stringParam(form, 'customer')
  const method = methodParam(sandbox, form)
  const intent: PaymentIntent = {
    ...PAYMENT_INTENT_DEFAULTS,
    ...newIntentIdAndSecret('pi'),
    ...methodTypes(sandbox, form, currency),
    amount: amountOf(form, currency),
    capture_method: enumParam(form, 'capture_method', ['automatic', 'automatic_async', 'manual']) ?? 'automatic_async',
    confirmation_method: enumParam(form, 'confirmation_method', ['automatic', 'manual']) ?? 'automatic',
    created: sandbox.now,
    currency,
    customer: customer === undefined ? null : existingCustomer(sandbox, customer).id,
    description: stringOrNullParam(form, 'description'),
    metadata: metadataParam(form),
    payment_method: method?.id ?? null,
    receipt_email: stringOrNullParam(form, 'receipt_email'),
    setup_future_usage: enumParam(form, 'setup_future_usage', FUTURE_USAGES) ?? null,
    statement_descriptor: stringOrNullParam(form, 'statement_descriptor'),
    statement_descriptor_suffix: stringOrNullParam(form, 'statement_descriptor_suffix'),
    status: method === undefined ? 'requires_payment_method' : 'requires_confirmation',
    sandbox_only: { reference: referenceOf(sandbox, form) },
  }
  sandbox.emit({ type: 'payment_intent.created', object: sandbox.put(intent) })
  return intent
}
