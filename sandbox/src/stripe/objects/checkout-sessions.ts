import { type Customer, existingCustomer } from './customers.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { emptyForm, type Form } from '../api/form.ts'
import { randomText } from '../store/ids.ts'
import { methodTypes, newIntentIdAndSecret, METHOD_TYPE_PARAMS } from './intents.ts'
import { LIST_PARAMS, listPage } from '../api/lists.ts'
import { urlParam, objectParam, metadataParam, enumParam, stringParam, stringListParam, integerParam } from '../api/params.ts'
import { newMethod } from '../payment-methods/payment-methods.ts'
import { deactivateMandate, createMandate } from './mandates.ts'
import { SETUP_INTENT_DEFAULTS, completeSetup, type SetupIntent, UNUSABLE_ACCOUNT } from './setup-intents.ts'
import { cardError, invalidRequest } from '../api/stripe-error.ts'
import { isDebit, testAccount } from '../payment-methods/test-accounts.ts'
import { testCard } from '../payment-methods/test-cards.ts'
import type { StripeSession } from '../store/stripe-session.ts'

export interface CheckoutSession {
  readonly id: string
  readonly object: 'checkout.session'
  readonly cancel_url: string | null
  readonly created: number
  readonly customer: string | null
  readonly expires_at: number
  readonly payment_method_types: readonly string[]
  readonly setup_intent: string
  readonly status: 'open' | 'complete' | 'expired'
  readonly success_url: string
  readonly url: string | null
}

const MAX_LIFETIME_S = 86_400
const MIN_LIFETIME_S = 1800

const SESSION_DEFAULTS = {
  object: 'checkout.session',
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  amount_subtotal: null,
  amount_total: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer_account: null,
  customer_creation: null,
  customer_email: null,
  discounts: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  locale: null,
  mode: 'setup',
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'always',
  payment_method_configuration_details: null,
  payment_status: 'no_payment_required',
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  subscription: null,
  total_details: null,
  ui_mode: 'hosted_page',
} as const

/** The method types of a session. @throws StripeError when neither the types nor a currency are named */
const sessionMethodTypes = (
  sandbox: StripeSession,
  form: Form,
): Pick<SetupIntent, 'allowed_payment_method_types' | 'payment_method_types'> => {
  const currency = stringParam(form, 'currency')
  if (
    currency === undefined &&
    ['payment_method_types', 'allowed_payment_method_types'].every((name) => stringListParam(form, name) === undefined)
  )
    throw invalidRequest('Missing required param: currency. It is needed in `setup` mode when `allowed_payment_method_types` is not set.', {
      code: 'parameter_missing',
      param: 'currency',
    })
  const { allowed_payment_method_types, payment_method_types } = methodTypes(sandbox, form, currency)
  return { allowed_payment_method_types, payment_method_types }
}

/** Stores an open session in setup mode with its setup intent. @throws StripeError when a parameter is not valid */
const createSession = (sandbox: StripeSession, form: Form): CheckoutSession => {
  if (enumParam(form, 'mode', ['setup', 'payment', 'subscription']) !== 'setup')
    throw invalidRequest('This sandbox opens Checkout in `setup` mode only.', { param: 'mode' })
  const types = sessionMethodTypes(sandbox, form)
  const expiresAt = integerParam(form, 'expires_at') ?? sandbox.now + MAX_LIFETIME_S
  if (expiresAt < sandbox.now + MIN_LIFETIME_S || expiresAt > sandbox.now + MAX_LIFETIME_S)
    throw invalidRequest('The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    })
  const customerId = stringParam(form, 'customer')
  const customer = customerId === undefined ? null : existingCustomer(sandbox, customerId)
  const id = `cs_test_${randomText(58)}`
  const intent = sandbox.put<SetupIntent>({
    ...SETUP_INTENT_DEFAULTS,
    ...newIntentIdAndSecret('seti'),
    automatic_payment_methods: null,
    created: sandbox.now,
    customer: customer?.id ?? null,
    description: null,
    metadata: metadataParam(objectParam(form, 'setup_intent_data') ?? emptyForm()),
    payment_method: null,
    status: 'requires_payment_method',
    ...types,
    usage: 'off_session',
  })
  return sandbox.put({
    ...SESSION_DEFAULTS,
    id,
    cancel_url: urlParam(form, 'cancel_url') ?? null,
    client_reference_id: stringParam(form, 'client_reference_id') ?? null,
    created: sandbox.now,
    currency: stringParam(form, 'currency') ?? null,
    customer: customer?.id ?? null,
    customer_details: customer === null ? null : customerDetails(customer),
    expires_at: expiresAt,
    metadata: metadataParam(form),
    payment_method_options: objectParam(form, 'payment_method_options') ?? null,
    ...types,
    setup_intent: intent.id,
    status: 'open' as const,
    success_url: urlParam(form, 'success_url') ?? '',
    url: `${sandbox.context.baseUrl}/c/pay/${id}#${randomText(40)}`,
  })
}

/** The customer as a session shows it. */
const customerDetails = ({ email, name, phone }: Customer): object => ({
  address: null,
  email,
  name,
  phone,
  tax_exempt: 'none',
  tax_ids: null,
})

/** The stored session; an open one past its time is expired first, with its event. @throws StripeError when there is none */
export const currentSession = (sandbox: StripeSession, id: string): CheckoutSession => {
  const session = sandbox.get<CheckoutSession>('checkout.session', id)
  return session.status === 'open' && session.expires_at <= sandbox.now ? expireSession(sandbox, session) : session
}

/** Stores that a session has expired, and queues the event. */
const expireSession = (sandbox: StripeSession, session: CheckoutSession): CheckoutSession => {
  const after = sandbox.put({ ...session, status: 'expired' as const, url: null })
  sandbox.emit({ type: 'checkout.session.expired', object: after })
  return after
}

/**
 * Stores the account that the customer entered, with its mandate, completes the session and queues the events.
 * @throws StripeError when the form is not valid or the account is declined
 */
export const completeSession = (sandbox: StripeSession, session: CheckoutSession, form: Form): CheckoutSession => {
  const method = newMethod(sandbox, form, false)
  const account = isDebit(method.type) ? testAccount(method.type, method.sandbox_only.number) : {}
  const decline = account.failsSetup ? UNUSABLE_ACCOUNT : testCard(method.sandbox_only.number)?.decline
  if (decline !== undefined) throw cardError(decline)
  const acceptance = { accepted_at: sandbox.now, type: 'online' as const, online: { ip_address: '127.0.0.1', user_agent: null } }
  const mandatedMethod = isDebit(method.type) ? createMandate(sandbox, method, acceptance) : method
  const intent = sandbox.get<SetupIntent>('setup_intent', session.setup_intent)
  completeSetup(sandbox, { ...intent, mandate: mandatedMethod.sandbox_only.mandate ?? null }, mandatedMethod)
  const after = sandbox.put({ ...session, status: 'complete' as const, url: null })
  sandbox.emit({ type: 'checkout.session.completed', object: after })
  if (account.rejectsMandate) deactivateMandate(sandbox, mandatedMethod)
  return after
}

/** `/v1/checkout/sessions` */
export const checkoutEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/checkout/sessions',
    operation: 'checkout',
    params: [
      'cancel_url',
      'client_reference_id',
      'currency',
      'customer',
      'expires_at',
      'locale',
      'metadata',
      'mode',
      'payment_method_options',
      ...METHOD_TYPE_PARAMS,
      'setup_intent_data',
      'success_url',
      'ui_mode',
    ],
    requiredParams: ['success_url', 'mode'],
    handle: ({ sandbox, form }) => createSession(sandbox, form),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    operation: 'lookup',
    params: [],
    handle: ({ sandbox, id }) => currentSession(sandbox, id),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions',
    operation: 'list',
    params: [...LIST_PARAMS, 'customer', 'status'],
    handle: ({ sandbox, form }) => {
      const [customer, status] = [stringParam(form, 'customer'), stringParam(form, 'status')]
      const sessions = sandbox
        .all<CheckoutSession>('checkout.session')
        .map(({ id }) => currentSession(sandbox, id))
        .filter(
          (session) => (customer === undefined || session.customer === customer) && (status === undefined || session.status === status),
        )
      return listPage(sessions, form, '/v1/checkout/sessions')
    },
  },
  {
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    operation: 'checkout',
    params: [],
    handle: ({ sandbox, id }) => {
      const session = currentSession(sandbox, id)
      if (session.status !== 'open')
        throw invalidRequest(`This Session is not in an expireable state. The session status is ${session.status}.`)
      return expireSession(sandbox, session)
    },
  },
]
