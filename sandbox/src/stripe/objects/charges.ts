import { newId } from '../store/ids.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { LIST_PARAMS, listPage } from '../api/lists.ts'
import { stringParam } from '../api/params.ts'
import type { PaymentIntent } from './payment-intent.ts'
import type { PaymentMethod } from '../payment-methods/payment-method.ts'
import type { Decline } from '../api/stripe-error.ts'
import { isDebit } from '../payment-methods/test-accounts.ts'
import type { StripeSession } from '../store/stripe-session.ts'

export interface Charge {
  readonly id: string
  readonly object: 'charge'
  readonly amount: number
  readonly amount_captured: number
  readonly amount_refunded: number
  readonly balance_transaction: string | null
  readonly captured: boolean
  readonly created: number
  readonly currency: string
  readonly customer: string | null
  readonly dispute: string | null
  readonly disputed: boolean
  readonly failure_code: string | null
  readonly failure_message: string | null
  readonly outcome: object | null
  readonly paid: boolean
  readonly payment_intent: string
  readonly payment_method: string
  readonly payment_method_details: object
  readonly refunded: boolean
  readonly status: 'succeeded' | 'pending' | 'failed'
  readonly sandbox_only: { readonly reference: string; readonly method: string }
}

const CHARGE_DEFAULTS = {
  object: 'charge',
  amount_captured: 0,
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  calculated_statement_descriptor: 'SANDBOX',
  captured: false,
  destination: null,
  dispute: null,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: {},
  livemode: false,
  on_behalf_of: null,
  order: null,
  outcome: null,
  paid: false,
  radar_options: {},
  receipt_number: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  status: 'failed',
  transfer_data: null,
  transfer_group: null,
} as const

const AUTHORIZED_OUTCOME = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: 'approved_by_network',
  reason: null,
  risk_level: 'normal',
  risk_score: 22,
  seller_message: 'Payment complete.',
  type: 'authorized',
}

/** The `outcome` of a charge that the bank declined. */
const declinedOutcome = (decline: Decline): object => ({
  ...AUTHORIZED_OUTCOME,
  network_decline_code: '05',
  network_status: 'declined_by_network',
  reason: decline.decline_code ?? decline.code,
  seller_message: 'The bank did not return any further details with this decline.',
  type: 'issuer_declined',
})

/** A new charge of an intent, without an outcome and not stored. */
export const newCharge = (sandbox: StripeSession, intent: PaymentIntent, method: PaymentMethod): Charge => {
  const id = newId(isDebit(method.type) ? 'py' : 'ch')
  const charge = {
    ...CHARGE_DEFAULTS,
    id,
    amount: intent.amount,
    billing_details: method.billing_details,
    created: sandbox.now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    metadata: intent.metadata,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: method.type, [method.type]: methodDetails(intent, method) },
    receipt_email: intent.receipt_email,
    receipt_url: `${sandbox.context.baseUrl}/receipts/${id}`,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    sandbox_only: { reference: intent.sandbox_only.reference, method: method.type },
  }
  return charge
}

/** The card or account as a charge shows it: a card with its 3-D Secure, a bank account with its mandate. */
const methodDetails = (intent: PaymentIntent, method: PaymentMethod): object => {
  const details = method[method.type as 'card'] ?? {}
  if (isDebit(method.type)) return { ...details, mandate: method.sandbox_only.mandate ?? null }
  const { display_brand: _, networks: __, ...cardDetails } = details as NonNullable<PaymentMethod['card']>
  const threeDSecure = { authentication_flow: 'challenge', result: 'authenticated', result_reason: null, version: '2.2.0' }
  return { ...cardDetails, amount_authorized: intent.amount, three_d_secure: intent.sandbox_only.authenticated ? threeDSecure : null }
}

/** The charge with the outcome of a payment, not stored and not captured. */
export const toPaidCharge = (charge: Charge): Charge => ({ ...charge, status: 'succeeded', paid: true, outcome: AUTHORIZED_OUTCOME })

/** The charge with the outcome of a decline, not stored. */
export const toFailedCharge = (charge: Charge, decline: Decline): Charge => ({
  ...charge,
  status: 'failed',
  paid: false,
  failure_code: decline.code,
  failure_message: decline.message,
  outcome: declinedOutcome(decline),
})

/** Books the charge in the sandbox's ledger, with the captured amount if there is one, else the whole. */
export const bookCharge = (sandbox: StripeSession, charge: Charge, status: 'pending' | 'succeeded' | 'failed' | 'returned'): void => {
  const { id, amount, currency, sandbox_only } = charge
  sandbox.book({
    id,
    reference: sandbox_only.reference,
    amount: charge.amount_captured || amount,
    currency,
    status,
    method: sandbox_only.method,
  })
}

/** `/v1/charges` */
export const chargeEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/v1/charges/:id',
    operation: 'lookup',
    params: [],
    handle: ({ sandbox, id }) => sandbox.get<Charge>('charge', id),
  },
  {
    method: 'GET',
    path: '/v1/charges',
    operation: 'list',
    params: [...LIST_PARAMS, 'customer', 'payment_intent'],
    handle: ({ sandbox, form }) => {
      const [customer, intent] = [stringParam(form, 'customer'), stringParam(form, 'payment_intent')]
      const charges = sandbox
        .all<Charge>('charge')
        .filter(
          (charge) =>
            (customer === undefined || charge.customer === customer) && (intent === undefined || charge.payment_intent === intent),
        )
      return listPage(charges, form, '/v1/charges')
    },
  },
]
