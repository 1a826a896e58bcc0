import { type Customer, livingCustomer } from './customers.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { emptyForm, type Form } from '../api/form.ts'
import { random } from '../store/ids.ts'
import { methodTypes, newIntentId, TYPE_NAMES } from './intents.ts'
import { LIST_TAKES, pageOf } from '../api/lists.ts'
import { address, inner, metadata, oneOf, text, texts, whole } from '../api/params.ts'
import { newMethod } from './payment-methods/payment-methods.ts'
import { endMandate, giveMandate } from './mandates.ts'
import { BLANK_SETUP, saved, type SetupIntent, UNUSABLE } from './setup-intents.ts'
import { cardError, invalid } from '../api/stripe-error.ts'
import { isDebit, testAccount } from './payment-methods/test-accounts.ts'
import { testCard } from './payment-methods/test-cards.ts'
import type { Work } from '../store/sandbox-session.ts'

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

const DAY_S = 86_400
const SHORTEST_S = 1800

const BLANK = {
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

const typesIn = (work: Work, form: Form): Pick<SetupIntent, 'allowed_payment_method_types' | 'payment_method_types'> => {
  const currency = text(form, 'currency')
  if (currency === undefined && ['payment_method_types', 'allowed_payment_method_types'].every((name) => texts(form, name) === undefined))
    throw invalid('Missing required param: currency. It is needed in `setup` mode when `allowed_payment_method_types` is not set.', {
      code: 'parameter_missing',
      param: 'currency',
    })
  const { allowed_payment_method_types, payment_method_types } = methodTypes(work, form, currency)
  return { allowed_payment_method_types, payment_method_types }
}

const newSession = (work: Work, form: Form): CheckoutSession => {
  if (oneOf(form, 'mode', ['setup', 'payment', 'subscription']) !== 'setup')
    throw invalid('This sandbox opens Checkout in `setup` mode only.', { param: 'mode' })
  const types = typesIn(work, form)
  const expires = whole(form, 'expires_at') ?? work.now + DAY_S
  if (expires < work.now + SHORTEST_S || expires > work.now + DAY_S)
    throw invalid('The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    })
  const wanted = text(form, 'customer')
  const customer = wanted === undefined ? null : livingCustomer(work, wanted)
  const id = `cs_test_${random(58)}`
  const intent = work.put<SetupIntent>({
    ...BLANK_SETUP,
    ...newIntentId('seti'),
    automatic_payment_methods: null,
    created: work.now,
    customer: customer?.id ?? null,
    description: null,
    metadata: metadata(inner(form, 'setup_intent_data') ?? emptyForm()),
    payment_method: null,
    status: 'requires_payment_method',
    ...types,
    usage: 'off_session',
  })
  return work.put({
    ...BLANK,
    id,
    cancel_url: address(form, 'cancel_url') ?? null,
    client_reference_id: text(form, 'client_reference_id') ?? null,
    created: work.now,
    currency: text(form, 'currency') ?? null,
    customer: customer?.id ?? null,
    customer_details: customer === null ? null : detailsOf(customer),
    expires_at: expires,
    metadata: metadata(form),
    payment_method_options: inner(form, 'payment_method_options') ?? null,
    ...types,
    setup_intent: intent.id,
    status: 'open' as const,
    success_url: address(form, 'success_url') ?? '',
    url: `${work.setting.base}/c/pay/${id}#${random(40)}`,
  })
}

const detailsOf = ({ email, name, phone }: Customer): object => ({ address: null, email, name, phone, tax_exempt: 'none', tax_ids: null })

/** The session as it stands by now: an open one that is past its time has expired. */
export const sessionNow = (work: Work, id: string): CheckoutSession => {
  const session = work.get<CheckoutSession>('checkout.session', id)
  return session.status === 'open' && session.expires_at <= work.now ? expired(work, session) : session
}

const expired = (work: Work, session: CheckoutSession): CheckoutSession => {
  const after = work.put({ ...session, status: 'expired' as const, url: null })
  work.tell('checkout.session.expired', after)
  return after
}

/**
 * The customer filled the page in: the account is saved, with its mandate.
 * @throws StripeError when something is missing or wrong
 */
export const completeSession = (work: Work, session: CheckoutSession, form: Form): CheckoutSession => {
  const method = newMethod(work, form, false)
  const account = isDebit(method.type) ? testAccount(method.type, method.sandbox_only.number) : {}
  const refusal = account.notSaved ? UNUSABLE : testCard(method.sandbox_only.number)?.refusal
  if (refusal !== undefined) throw cardError(refusal)
  const acceptance = { accepted_at: work.now, type: 'online' as const, online: { ip_address: '127.0.0.1', user_agent: null } }
  const agreed = isDebit(method.type) ? giveMandate(work, method, acceptance) : method
  const intent = work.get<SetupIntent>('setup_intent', session.setup_intent)
  saved(work, { ...intent, mandate: agreed.sandbox_only.mandate ?? null }, agreed)
  const after = work.put({ ...session, status: 'complete' as const, url: null })
  work.tell('checkout.session.completed', after)
  if (account.mandateRefused) endMandate(work, agreed)
  return after
}

/** `/v1/checkout/sessions` */
export const checkoutEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/checkout/sessions',
    operation: 'checkout',
    takes: [
      'cancel_url',
      'client_reference_id',
      'currency',
      'customer',
      'expires_at',
      'locale',
      'metadata',
      'mode',
      'payment_method_options',
      ...TYPE_NAMES,
      'setup_intent_data',
      'success_url',
      'ui_mode',
    ],
    needs: ['success_url', 'mode'],
    run: ({ work, form }) => newSession(work, form),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    operation: 'lookup',
    takes: [],
    run: ({ work, id }) => sessionNow(work, id),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions',
    operation: 'list',
    takes: [...LIST_TAKES, 'customer', 'status'],
    run: ({ work, form }) => {
      const [customer, status] = [text(form, 'customer'), text(form, 'status')]
      const sessions = work
        .all<CheckoutSession>('checkout.session')
        .map(({ id }) => sessionNow(work, id))
        .filter((one) => (customer === undefined || one.customer === customer) && (status === undefined || one.status === status))
      return pageOf(sessions, form, '/v1/checkout/sessions')
    },
  },
  {
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    operation: 'checkout',
    takes: [],
    run: ({ work, id }) => {
      const session = sessionNow(work, id)
      if (session.status !== 'open') throw invalid(`This Session is not in an expireable state. The session status is ${session.status}.`)
      return expired(work, session)
    },
  },
]
