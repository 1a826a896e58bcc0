import { livingCustomer } from './customers.ts'
import type { Form } from '../api/form.ts'
import { methodTypes, newIntentId } from './intents.ts'
import { metadata, oneOf, text, textOrNull, whole } from '../api/params.ts'
import type { PaymentIntent } from './payment-intent.ts'
import { namedMethod } from './payment-methods/payment-methods.ts'
import { invalid } from '../api/stripe-error.ts'
import type { Work } from '../store/sandbox-session.ts'

const BLANK = {
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

const SMALLEST: Readonly<Record<string, number>> = { usd: 50, aud: 50, cad: 50, nzd: 50, eur: 50, gbp: 30, chf: 50, sgd: 50, jpy: 50 }
const LARGEST = 99_999_999
const TOO_LITTLE =
  'The amount must be greater than or equal to the minimum charge amount allowed for your account and the currency set (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).  If you want to save a Payment Method for future use without an immediate payment, use a Setup Intent instead: https://docs.stripe.com/payments/setup-intents'

/** How much is to be paid. @throws StripeError when that is too little or too much */
export const amountOf = (form: Form, currency: string): number => {
  const amount = whole(form, 'amount') ?? 0
  if (amount < 1) throw invalid(TOO_LITTLE, { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount < (SMALLEST[currency] ?? 1)) throw invalid(TOO_LITTLE, { code: 'amount_too_small', param: 'amount' })
  if (amount > LARGEST) throw invalid('Amount must be no more than 999,999.99.', { code: 'amount_too_large', param: 'amount' })
  return amount
}

/** In which currency. */
export const currencyOf = (form: Form): string => {
  const currency = (text(form, 'currency') ?? '').toLowerCase()
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}.`, { param: 'currency' })
  return currency
}

/** What the caller recognises a payment by, for the ledger. */
const referenceOf = (work: Work, form: Form): string => {
  const said = metadata(form)
  const named = ['reference', 'attempt', 'attempt_id', 'payment', 'uid'].map((name) => said[name]).find((value) => value !== undefined)
  return named ?? Object.values(said)[0] ?? text(form, 'description') ?? work.setting.idempotencyKey ?? ''
}

/** What a method may be used for later. */
export const USAGES = ['off_session', 'on_session'] as const

/** A new intent; nothing moves yet. */
export const newPaymentIntent = (work: Work, form: Form): PaymentIntent => {
  const currency = currencyOf(form)
  const customer = text(form, 'customer')
  const method = namedMethod(work, form)
  const intent: PaymentIntent = {
    ...BLANK,
    ...newIntentId('pi'),
    ...methodTypes(work, form, currency),
    amount: amountOf(form, currency),
    capture_method: oneOf(form, 'capture_method', ['automatic', 'automatic_async', 'manual']) ?? 'automatic_async',
    confirmation_method: oneOf(form, 'confirmation_method', ['automatic', 'manual']) ?? 'automatic',
    created: work.now,
    currency,
    customer: customer === undefined ? null : livingCustomer(work, customer).id,
    description: textOrNull(form, 'description'),
    metadata: metadata(form),
    payment_method: method?.id ?? null,
    receipt_email: textOrNull(form, 'receipt_email'),
    setup_future_usage: oneOf(form, 'setup_future_usage', USAGES) ?? null,
    statement_descriptor: textOrNull(form, 'statement_descriptor'),
    statement_descriptor_suffix: textOrNull(form, 'statement_descriptor_suffix'),
    status: method === undefined ? 'requires_payment_method' : 'requires_confirmation',
    sandbox_only: { reference: referenceOf(work, form) },
  }
  work.tell('payment_intent.created', work.put(intent))
  return intent
}
