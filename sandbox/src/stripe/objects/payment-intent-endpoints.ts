import { existingCustomer } from './customers.ts'
import type { Endpoint } from '../api/endpoint.ts'
import type { Form } from '../api/form.ts'
import { methodTypes, requireClientSecret, requireStatus, METHOD_TYPE_PARAMS } from './intents.ts'
import { LIST_PARAMS, listPage } from '../api/lists.ts'
import { booleanParam, metadataParam, enumParam, stringParam, stringOrNullParam, integerParam } from '../api/params.ts'
import { amountOf, currencyOf, createPaymentIntent, FUTURE_USAGES } from './create-payment-intent.ts'
import type { PaymentIntent } from './payment-intent.ts'
import { confirmPayment } from './confirm-payment.ts'
import { methodParam } from '../payment-methods/payment-methods.ts'
import { succeedPayment } from './payment-processing.ts'
import { searchIntents } from '../api/search.ts'
import { cardError, invalidRequest } from '../api/stripe-error.ts'
import { cardDecline } from '../payment-methods/test-cards.ts'
import type { StripeSession } from '../store/stripe-session.ts'

const CONFIRM_PARAMS = [
  'capture_method',
  'error_on_requires_action',
  'mandate',
  'mandate_data',
  'off_session',
  'payment_method',
  'payment_method_data',
  'payment_method_options',
  ...METHOD_TYPE_PARAMS,
  'receipt_email',
  'return_url',
  'setup_future_usage',
  'shipping',
  'use_stripe_sdk',
] as const
const SHARED_PARAMS = [
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
const STRIPE_JS_PARAMS = ['client_secret', 'expected_payment_method_type', 'guid', 'muid', 'sid'] as const
const OPEN_STATUSES = ['requires_payment_method', 'requires_capture', 'requires_confirmation', 'requires_action'] as const

/** The operation by which `POST /faults` knows a call: `charge` when the form confirms, else the given one. */
const chargeOperationOr = (operation: string) => (form: Form) => (form['confirm'] === 'true' ? 'charge' : operation)

/** The stored payment intent. @throws StripeError when the account has none of this id */
const getIntent = (sandbox: StripeSession, id: string): PaymentIntent => sandbox.get<PaymentIntent>('payment_intent', id, 'intent')

/** The intent with the changes of an update or a confirmation, not stored. @throws StripeError when a parameter is not valid */
const toUpdatedIntent = (sandbox: StripeSession, intent: PaymentIntent, form: Form): PaymentIntent => {
  const customer = stringParam(form, 'customer')
  const currency = form['currency'] === undefined ? intent.currency : currencyOf(form)
  return {
    ...intent,
    currency,
    ...(form['amount'] === undefined ? {} : { amount: amountOf(form, currency) }),
    ...(customer === undefined ? {} : { customer: existingCustomer(sandbox, customer).id }),
    ...(form['description'] === undefined ? {} : { description: stringOrNullParam(form, 'description') }),
    ...(form['receipt_email'] === undefined ? {} : { receipt_email: stringOrNullParam(form, 'receipt_email') }),
    ...(form['setup_future_usage'] === undefined
      ? {}
      : { setup_future_usage: enumParam(form, 'setup_future_usage', FUTURE_USAGES) ?? null }),
    ...(METHOD_TYPE_PARAMS.every((name) => form[name] === undefined) ? {} : methodTypes(sandbox, form, currency)),
    metadata: metadataParam(form, intent.metadata),
  }
}

/** `/v1/payment_intents` */
export const paymentIntentEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/payment_intents',
    operation: chargeOperationOr('payment'),
    forcedOutcomes: ['decline', 'action', 'script-action'],
    params: [...SHARED_PARAMS, ...CONFIRM_PARAMS, 'automatic_payment_methods', 'confirm', 'confirmation_method'],
    requiredParams: ['amount', 'currency'],
    handle: (request) => {
      const confirm = booleanParam(request.form, 'confirm')
      if (!confirm && stringParam(request.form, 'return_url') !== undefined)
        throw invalidRequest('You cannot set `return_url` when `confirm` is not `true`.', { param: 'return_url' })
      if (!confirm && request.forcedOutcome === 'decline') throw cardError(cardDecline('generic_decline'))
      const intent = createPaymentIntent(request.sandbox, request.form)
      return confirm ? confirmPayment(request, intent) : intent
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_intents/search',
    operation: 'list',
    params: ['query', 'limit', 'page'],
    requiredParams: ['query'],
    handle: ({ sandbox, form }) => {
      const query = stringParam(form, 'query') ?? ''
      const page = listPage(
        searchIntents(sandbox.all<PaymentIntent>('payment_intent'), query),
        { limit: stringParam(form, 'limit') ?? '10' },
        '/v1/payment_intents/search',
      )
      return { ...page, object: 'search_result', next_page: null, total_count: null }
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_intents/:id',
    operation: 'lookup',
    allowsPublishableKey: true,
    params: ['client_secret'],
    handle: ({ sandbox, form, id, hasSecretKey }) => {
      const intent = getIntent(sandbox, id)
      requireClientSecret(intent, form, hasSecretKey)
      return intent
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_intents',
    operation: 'list',
    params: [...LIST_PARAMS, 'customer'],
    handle: ({ sandbox, form }) => {
      const customer = stringParam(form, 'customer')
      const intents = sandbox
        .all<PaymentIntent>('payment_intent')
        .filter((intent) => customer === undefined || intent.customer === customer)
      return listPage(intents, form, '/v1/payment_intents')
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id',
    operation: 'payment',
    params: [...SHARED_PARAMS, ...CONFIRM_PARAMS],
    handle: ({ sandbox, form, id }) => {
      const intent = getIntent(sandbox, id)
      const method = methodParam(sandbox, form)
      if (form['amount'] !== undefined || form['currency'] !== undefined || method !== undefined)
        requireStatus(intent, 'update', OPEN_STATUSES)
      return sandbox.put({
        ...toUpdatedIntent(sandbox, intent, form),
        ...(method === undefined ? {} : { payment_method: method.id, status: 'requires_confirmation' as const }),
      })
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/confirm',
    operation: 'charge',
    allowsPublishableKey: true,
    forcedOutcomes: ['decline', 'action', 'script-action'],
    params: [...CONFIRM_PARAMS, ...STRIPE_JS_PARAMS],
    handle: (request) => {
      const intent = getIntent(request.sandbox, request.id)
      requireClientSecret(intent, request.form, request.hasSecretKey)
      return confirmPayment(request, toUpdatedIntent(request.sandbox, intent, request.form))
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/capture',
    operation: 'capture',
    params: ['amount_to_capture', 'final_capture', 'metadata', 'statement_descriptor', 'statement_descriptor_suffix'],
    handle: ({ sandbox, form, id }) => {
      const intent = getIntent(sandbox, id)
      requireStatus(intent, 'capture', ['requires_capture'])
      const amount = integerParam(form, 'amount_to_capture') ?? intent.amount_capturable
      if (amount < 1 || amount > intent.amount_capturable)
        throw invalidRequest(`The amount_to_capture must be between 1 and ${intent.amount_capturable}.`, {
          code: 'amount_too_large',
          param: 'amount_to_capture',
        })
      return succeedPayment(sandbox, intent, sandbox.get('charge', intent.latest_charge ?? ''), amount)
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/cancel',
    operation: 'cancel',
    params: ['cancellation_reason'],
    handle: ({ sandbox, form, id }) => {
      const intent = getIntent(sandbox, id)
      requireStatus(intent, 'cancel', OPEN_STATUSES)
      const canceled = sandbox.put({
        ...intent,
        status: 'canceled' as const,
        next_action: null,
        amount_capturable: 0,
        canceled_at: sandbox.now,
        cancellation_reason:
          enumParam(form, 'cancellation_reason', ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']) ?? null,
      })
      sandbox.emit({ type: 'payment_intent.canceled', object: canceled })
      return canceled
    },
  },
]
