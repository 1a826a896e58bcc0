import { existingCustomer } from './customers.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { methodTypes, requireClientSecret, requireStatus, newIntentIdAndSecret, METHOD_TYPE_PARAMS } from './intents.ts'
import { LIST_PARAMS, listPage } from '../api/lists.ts'
import { booleanParam, metadataParam, enumParam, stringParam, stringOrNullParam } from '../api/params.ts'
import { methodParam } from '../payment-methods/payment-methods.ts'
import { SETUP_INTENT_DEFAULTS, confirmSetupIntent, verifyMicrodeposits, type SetupIntent } from './setup-intents.ts'
import { cardError, invalidRequest } from '../api/stripe-error.ts'
import { cardDecline } from '../payment-methods/test-cards.ts'

const CONFIRM_PARAMS = [
  'allowed_payment_method_types',
  'mandate_data',
  'payment_method',
  'payment_method_data',
  'payment_method_options',
  'return_url',
  'use_stripe_sdk',
] as const
const SHARED_PARAMS = ['customer', 'description', 'metadata', 'payment_method', 'payment_method_options', ...METHOD_TYPE_PARAMS] as const
const OPEN_STATUSES = ['requires_payment_method', 'requires_confirmation', 'requires_action'] as const
const STRIPE_JS_PARAMS = ['client_secret', 'expected_payment_method_type', 'guid', 'muid', 'sid'] as const

/** `/v1/setup_intents` */
export const setupIntentEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/setup_intents',
    operation: (form) => (form['confirm'] === 'true' ? 'setup' : 'setup-intent'),
    forcedOutcomes: ['decline', 'action'],
    params: [
      ...SHARED_PARAMS,
      ...CONFIRM_PARAMS,
      'automatic_payment_methods',
      'confirm',
      'usage',
      'single_use',
      'flow_directions',
      'attach_to_self',
    ],
    handle: (request) => {
      const { sandbox, form, forcedOutcome } = request
      if (forcedOutcome === 'decline' && !booleanParam(form, 'confirm')) throw cardError(cardDecline('generic_decline'))
      const customer = stringParam(form, 'customer')
      const method = methodParam(sandbox, form)
      const intent: SetupIntent = {
        ...SETUP_INTENT_DEFAULTS,
        ...newIntentIdAndSecret('seti'),
        ...methodTypes(sandbox, form),
        created: sandbox.now,
        customer: customer === undefined ? null : existingCustomer(sandbox, customer).id,
        description: stringOrNullParam(form, 'description'),
        metadata: metadataParam(form),
        payment_method: method?.id ?? null,
        status: method === undefined ? 'requires_payment_method' : 'requires_confirmation',
        usage: enumParam(form, 'usage', ['off_session', 'on_session']) ?? 'off_session',
      }
      if (!booleanParam(form, 'confirm') && stringParam(form, 'return_url') !== undefined)
        throw invalidRequest('You cannot set `return_url` when `confirm` is not `true`.', { param: 'return_url' })
      sandbox.emit({ type: 'setup_intent.created', object: sandbox.put(intent) })
      return booleanParam(form, 'confirm') ? confirmSetupIntent(request, intent) : intent
    },
  },
  {
    method: 'GET',
    path: '/v1/setup_intents/:id',
    operation: 'lookup',
    allowsPublishableKey: true,
    params: ['client_secret'],
    handle: ({ sandbox, form, id, hasSecretKey }) => {
      const intent = sandbox.get<SetupIntent>('setup_intent', id, 'intent')
      requireClientSecret(intent, form, hasSecretKey)
      return intent
    },
  },
  {
    method: 'GET',
    path: '/v1/setup_intents',
    operation: 'list',
    params: [...LIST_PARAMS, 'customer', 'payment_method'],
    handle: ({ sandbox, form }) => {
      const [customer, method] = [stringParam(form, 'customer'), stringParam(form, 'payment_method')]
      const intents = sandbox
        .all<SetupIntent>('setup_intent')
        .filter(
          (intent) =>
            (customer === undefined || intent.customer === customer) && (method === undefined || intent.payment_method === method),
        )
      return listPage(intents, form, '/v1/setup_intents')
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id',
    operation: 'setup-intent',
    params: SHARED_PARAMS,
    handle: ({ sandbox, form, id }) => {
      const intent = sandbox.get<SetupIntent>('setup_intent', id, 'intent')
      requireStatus(intent, 'update', OPEN_STATUSES)
      const customer = stringParam(form, 'customer')
      const method = methodParam(sandbox, form)
      return sandbox.put({
        ...intent,
        ...(customer === undefined ? {} : { customer: existingCustomer(sandbox, customer).id }),
        ...(method === undefined ? {} : { payment_method: method.id, status: 'requires_confirmation' as const }),
        ...(METHOD_TYPE_PARAMS.every((name) => form[name] === undefined) ? {} : methodTypes(sandbox, form)),
        metadata: metadataParam(form, intent.metadata),
      })
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/confirm',
    operation: 'setup',
    allowsPublishableKey: true,
    forcedOutcomes: ['decline', 'action'],
    params: [...CONFIRM_PARAMS, ...STRIPE_JS_PARAMS],
    handle: (request) => {
      const intent = request.sandbox.get<SetupIntent>('setup_intent', request.id, 'intent')
      requireClientSecret(intent, request.form, request.hasSecretKey)
      return confirmSetupIntent(request, intent)
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/verify_microdeposits',
    operation: 'setup',
    allowsPublishableKey: true,
    params: ['amounts', 'descriptor_code', 'client_secret'],
    handle: ({ sandbox, form, id, hasSecretKey }) => {
      const intent = sandbox.get<SetupIntent>('setup_intent', id, 'intent')
      requireClientSecret(intent, form, hasSecretKey)
      return verifyMicrodeposits(sandbox, form, intent)
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/cancel',
    operation: 'cancel',
    params: ['cancellation_reason'],
    handle: ({ sandbox, form, id }) => {
      const intent = sandbox.get<SetupIntent>('setup_intent', id, 'intent')
      requireStatus(intent, 'cancel', OPEN_STATUSES)
      const canceled = sandbox.put({
        ...intent,
        status: 'canceled' as const,
        next_action: null,
        cancellation_reason: enumParam(form, 'cancellation_reason', ['abandoned', 'requested_by_customer', 'duplicate']) ?? null,
      })
      sandbox.emit({ type: 'setup_intent.canceled', object: canceled })
      return canceled
    },
  },
]
