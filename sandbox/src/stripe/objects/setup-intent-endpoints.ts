import { livingCustomer } from './customers.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { methodTypes, mustKnowSecret, mustStand, newIntentId, TYPE_NAMES } from './intents.ts'
import { LIST_TAKES, pageOf } from '../api/lists.ts'
import { flag, metadata, oneOf, text, textOrNull } from '../api/params.ts'
import { namedMethod } from './payment-methods/payment-methods.ts'
import { BLANK_SETUP, confirmSetup, depositsVerified, type SetupIntent } from './setup-intents.ts'
import { cardError, invalid } from '../api/stripe-error.ts'
import { declined } from './payment-methods/test-cards.ts'

const CONFIRMING = [
  'allowed_payment_method_types',
  'mandate_data',
  'payment_method',
  'payment_method_data',
  'payment_method_options',
  'return_url',
  'use_stripe_sdk',
] as const
const SHARED = ['customer', 'description', 'metadata', 'payment_method', 'payment_method_options', ...TYPE_NAMES] as const
const OPEN = ['requires_payment_method', 'requires_confirmation', 'requires_action'] as const
const PAGE = ['client_secret', 'expected_payment_method_type', 'guid', 'muid', 'sid'] as const

/** `/v1/setup_intents` */
export const setupIntentEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/setup_intents',
    operation: (form) => (form['confirm'] === 'true' ? 'setup' : 'setup-intent'),
    obeys: ['decline', 'action'],
    takes: [...SHARED, ...CONFIRMING, 'automatic_payment_methods', 'confirm', 'usage', 'single_use', 'flow_directions', 'attach_to_self'],
    run: (call) => {
      const { work, form, order } = call
      if (order === 'decline' && !flag(form, 'confirm')) throw cardError(declined('generic_decline'))
      const customer = text(form, 'customer')
      const method = namedMethod(work, form)
      const intent: SetupIntent = {
        ...BLANK_SETUP,
        ...newIntentId('seti'),
        ...methodTypes(work, form),
        created: work.now,
        customer: customer === undefined ? null : livingCustomer(work, customer).id,
        description: textOrNull(form, 'description'),
        metadata: metadata(form),
        payment_method: method?.id ?? null,
        status: method === undefined ? 'requires_payment_method' : 'requires_confirmation',
        usage: oneOf(form, 'usage', ['off_session', 'on_session']) ?? 'off_session',
      }
      if (!flag(form, 'confirm') && text(form, 'return_url') !== undefined)
        throw invalid('You cannot set `return_url` when `confirm` is not `true`.', { param: 'return_url' })
      work.tell('setup_intent.created', work.put(intent))
      return flag(form, 'confirm') ? confirmSetup(call, intent) : intent
    },
  },
  {
    method: 'GET',
    path: '/v1/setup_intents/:id',
    operation: 'lookup',
    fromPages: true,
    takes: ['client_secret'],
    run: ({ work, form, id, secret }) => {
      const intent = work.get<SetupIntent>('setup_intent', id, 'intent')
      mustKnowSecret(intent, form, secret)
      return intent
    },
  },
  {
    method: 'GET',
    path: '/v1/setup_intents',
    operation: 'list',
    takes: [...LIST_TAKES, 'customer', 'payment_method'],
    run: ({ work, form }) => {
      const [customer, method] = [text(form, 'customer'), text(form, 'payment_method')]
      const intents = work
        .all<SetupIntent>('setup_intent')
        .filter((one) => (customer === undefined || one.customer === customer) && (method === undefined || one.payment_method === method))
      return pageOf(intents, form, '/v1/setup_intents')
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id',
    operation: 'setup-intent',
    takes: SHARED,
    run: ({ work, form, id }) => {
      const intent = work.get<SetupIntent>('setup_intent', id, 'intent')
      mustStand(intent, 'update', OPEN)
      const customer = text(form, 'customer')
      const method = namedMethod(work, form)
      return work.put({
        ...intent,
        ...(customer === undefined ? {} : { customer: livingCustomer(work, customer).id }),
        ...(method === undefined ? {} : { payment_method: method.id, status: 'requires_confirmation' as const }),
        ...(TYPE_NAMES.every((name) => form[name] === undefined) ? {} : methodTypes(work, form)),
        metadata: metadata(form, intent.metadata),
      })
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/confirm',
    operation: 'setup',
    fromPages: true,
    obeys: ['decline', 'action'],
    takes: [...CONFIRMING, ...PAGE],
    run: (call) => {
      const intent = call.work.get<SetupIntent>('setup_intent', call.id, 'intent')
      mustKnowSecret(intent, call.form, call.secret)
      return confirmSetup(call, intent)
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/verify_microdeposits',
    operation: 'setup',
    fromPages: true,
    takes: ['amounts', 'descriptor_code', 'client_secret'],
    run: ({ work, form, id, secret }) => {
      const intent = work.get<SetupIntent>('setup_intent', id, 'intent')
      mustKnowSecret(intent, form, secret)
      return depositsVerified(work, form, intent)
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/cancel',
    operation: 'cancel',
    takes: ['cancellation_reason'],
    run: ({ work, form, id }) => {
      const intent = work.get<SetupIntent>('setup_intent', id, 'intent')
      mustStand(intent, 'cancel', OPEN)
      const canceled = work.put({
        ...intent,
        status: 'canceled' as const,
        next_action: null,
        cancellation_reason: oneOf(form, 'cancellation_reason', ['abandoned', 'requested_by_customer', 'duplicate']) ?? null,
      })
      work.tell('setup_intent.canceled', canceled)
      return canceled
    },
  },
]
