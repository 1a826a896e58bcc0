import { livingCustomer } from './customers.ts'
import type { Endpoint } from '../api/endpoint.ts'
import type { Form } from '../api/form.ts'
import { methodTypes, mustKnowSecret, mustStand, TYPE_NAMES } from './intents.ts'
import { LIST_TAKES, pageOf } from '../api/lists.ts'
import { flag, metadata, oneOf, text, textOrNull, whole } from '../api/params.ts'
import { amountOf, currencyOf, newPaymentIntent, USAGES } from './create-payment-intent.ts'
import type { PaymentIntent } from './payment-intent.ts'
import { confirmPayment } from './confirm-payment.ts'
import { namedMethod } from './payment-methods/payment-methods.ts'
import { received } from './payment-processing.ts'
import { matching } from '../api/search.ts'
import { cardError, invalid } from '../api/stripe-error.ts'
import { declined } from './payment-methods/test-cards.ts'
import type { Work } from '../store/sandbox-session.ts'

const CONFIRMING = [
  'capture_method',
  'error_on_requires_action',
  'mandate',
  'mandate_data',
  'off_session',
  'payment_method',
  'payment_method_data',
  'payment_method_options',
  ...TYPE_NAMES,
  'receipt_email',
  'return_url',
  'setup_future_usage',
  'shipping',
  'use_stripe_sdk',
] as const
const SHARED = [
  'amount',
  'amount_details',
  'currency',
  'customer',
  'description',
  'metadata',
  'payment_details',
  'statement_descriptor',
  'statement_descriptor_suffix',
  'transfer_group',
] as const
const PAGE = ['client_secret', 'expected_payment_method_type', 'guid', 'muid', 'sid'] as const
const OPEN = ['requires_payment_method', 'requires_capture', 'requires_confirmation', 'requires_action'] as const

const chargeOr = (otherwise: string) => (form: Form) => (form['confirm'] === 'true' ? 'charge' : otherwise)

const found = (work: Work, id: string): PaymentIntent => work.get<PaymentIntent>('payment_intent', id, 'intent')

/** What an open intent becomes by what is sent with an update or a confirmation. */
const changed = (work: Work, intent: PaymentIntent, form: Form): PaymentIntent => {
  const customer = text(form, 'customer')
  const currency = form['currency'] === undefined ? intent.currency : currencyOf(form)
  return {
    ...intent,
    currency,
    ...(form['amount'] === undefined ? {} : { amount: amountOf(form, currency) }),
    ...(customer === undefined ? {} : { customer: livingCustomer(work, customer).id }),
    ...(form['description'] === undefined ? {} : { description: textOrNull(form, 'description') }),
    ...(form['receipt_email'] === undefined ? {} : { receipt_email: textOrNull(form, 'receipt_email') }),
    ...(form['setup_future_usage'] === undefined ? {} : { setup_future_usage: oneOf(form, 'setup_future_usage', USAGES) ?? null }),
    ...(TYPE_NAMES.every((name) => form[name] === undefined) ? {} : methodTypes(work, form, currency)),
    metadata: metadata(form, intent.metadata),
  }
}

/** `/v1/payment_intents` */
export const paymentIntentEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/payment_intents',
    operation: chargeOr('payment'),
    obeys: ['decline', 'action'],
    takes: [...SHARED, ...CONFIRMING, 'automatic_payment_methods', 'confirm', 'confirmation_method'],
    needs: ['amount', 'currency'],
    run: (call) => {
      const confirm = flag(call.form, 'confirm')
      if (!confirm && text(call.form, 'return_url') !== undefined)
        throw invalid('You cannot set `return_url` when `confirm` is not `true`.', { param: 'return_url' })
      if (!confirm && call.order === 'decline') throw cardError(declined('generic_decline'))
      const intent = newPaymentIntent(call.work, call.form)
      return confirm ? confirmPayment(call, intent) : intent
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_intents/search',
    operation: 'list',
    takes: ['query', 'limit', 'page'],
    needs: ['query'],
    run: ({ work, form }) => {
      const query = text(form, 'query') ?? ''
      const page = pageOf(
        matching(work.all<PaymentIntent>('payment_intent'), query),
        { limit: text(form, 'limit') ?? '10' },
        '/v1/payment_intents/search',
      )
      return { ...page, object: 'search_result', next_page: null, total_count: null }
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_intents/:id',
    operation: 'lookup',
    fromPages: true,
    takes: ['client_secret'],
    run: ({ work, form, id, secret }) => {
      const intent = found(work, id)
      mustKnowSecret(intent, form, secret)
      return intent
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_intents',
    operation: 'list',
    takes: [...LIST_TAKES, 'customer'],
    run: ({ work, form }) => {
      const customer = text(form, 'customer')
      const intents = work.all<PaymentIntent>('payment_intent').filter((one) => customer === undefined || one.customer === customer)
      return pageOf(intents, form, '/v1/payment_intents')
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id',
    operation: 'payment',
    takes: [...SHARED, ...CONFIRMING],
    run: ({ work, form, id }) => {
      const intent = found(work, id)
      const method = namedMethod(work, form)
      if (form['amount'] !== undefined || form['currency'] !== undefined || method !== undefined) mustStand(intent, 'update', OPEN)
      return work.put({
        ...changed(work, intent, form),
        ...(method === undefined ? {} : { payment_method: method.id, status: 'requires_confirmation' as const }),
      })
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/confirm',
    operation: 'charge',
    fromPages: true,
    obeys: ['decline', 'action'],
    takes: [...CONFIRMING, ...PAGE],
    run: (call) => {
      const intent = found(call.work, call.id)
      mustKnowSecret(intent, call.form, call.secret)
      return confirmPayment(call, changed(call.work, intent, call.form))
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/capture',
    operation: 'capture',
    takes: ['amount_to_capture', 'final_capture', 'metadata', 'statement_descriptor', 'statement_descriptor_suffix'],
    run: ({ work, form, id }) => {
      const intent = found(work, id)
      mustStand(intent, 'capture', ['requires_capture'])
      const amount = whole(form, 'amount_to_capture') ?? intent.amount_capturable
      if (amount < 1 || amount > intent.amount_capturable)
        throw invalid(`The amount_to_capture must be between 1 and ${intent.amount_capturable}.`, {
          code: 'amount_too_large',
          param: 'amount_to_capture',
        })
      return received(work, intent, work.get('charge', intent.latest_charge ?? ''), amount)
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/cancel',
    operation: 'cancel',
    takes: ['cancellation_reason'],
    run: ({ work, form, id }) => {
      const intent = found(work, id)
      mustStand(intent, 'cancel', OPEN)
      const canceled = work.put({
        ...intent,
        status: 'canceled' as const,
        next_action: null,
        amount_capturable: 0,
        canceled_at: work.now,
        cancellation_reason: oneOf(form, 'cancellation_reason', ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']) ?? null,
      })
      work.tell('payment_intent.canceled', canceled)
      return canceled
    },
  },
]
