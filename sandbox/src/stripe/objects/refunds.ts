import { addToBalance } from './balance.ts'
import type { Charge } from './charges.ts'
import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import type { Endpoint } from '../api/endpoint.ts'
import type { Form } from '../api/form.ts'
import { newId } from '../store/ids.ts'
import { LIST_PARAMS, listPage } from '../api/lists.ts'
import { metadataParam, enumParam, stringParam, integerParam } from '../api/params.ts'
import type { PaymentIntent } from './payment-intent.ts'
import { invalidRequest } from '../api/stripe-error.ts'
import type { StripeSession } from '../store/stripe-session.ts'

interface Refund {
  readonly id: string
  readonly object: 'refund'
  readonly amount: number
  readonly charge: string
  readonly created: number
  readonly currency: string
  readonly metadata: Readonly<Record<string, string>>
  readonly payment_intent: string
  readonly status: 'succeeded' | 'failed'
}

/** The charge that the form names, by itself or by its payment intent. @throws StripeError when there is none that succeeded */
const chargeToRefund = (sandbox: StripeSession, form: Form): Charge => {
  const id = stringParam(form, 'charge')
  if (id !== undefined) return sandbox.get<Charge>('charge', id, 'charge')
  const intentId = stringParam(form, 'payment_intent')
  if (intentId === undefined)
    throw invalidRequest('One of the following params should be provided for this request: payment_intent or charge.')
  const intent = sandbox.get<PaymentIntent>('payment_intent', intentId, 'payment_intent')
  if (intent.status !== 'succeeded' || intent.latest_charge === null)
    throw invalidRequest(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, { param: 'payment_intent' })
  return sandbox.get<Charge>('charge', intent.latest_charge, 'charge')
}

/**
 * The amount to refund; all that is left by default.
 * @throws StripeError when the charge is refunded, disputed or not paid, or less is left
 */
const refundAmount = (charge: Charge, form: Form): number => {
  if (charge.refunded) throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (charge.disputed)
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  if (charge.status !== 'succeeded') throw invalidRequest(`Charge ${charge.id} has not succeeded; cannot issue a refund.`)
  const refundable = charge.amount_captured - charge.amount_refunded
  const amount = integerParam(form, 'amount') ?? refundable
  if (amount < 1) throw invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount > refundable)
    throw invalidRequest(`Refund amount (${amount}) is greater than unrefunded amount on charge (${refundable})`, {
      code: 'amount_too_large',
      param: 'amount',
    })
  return amount
}

/**
 * Stores a refund, takes its amount out of the balance and books it. A forced decline stores a failed refund, without money.
 * @throws StripeError when the charge cannot be refunded
 */
const createRefund = (sandbox: StripeSession, form: Form, forcedOutcome: ForcedOutcome | undefined): Refund => {
  const charge = chargeToRefund(sandbox, form)
  const amount = refundAmount(charge, form)
  const hasFailed = forcedOutcome === 'decline'
  const id = newId('re')
  const type = charge.id.startsWith('py') ? 'payment_refund' : 'refund'
  const refund = sandbox.put({
    id,
    object: 'refund' as const,
    amount,
    balance_transaction: hasFailed ? null : addToBalance(sandbox, { amount: -amount, currency: charge.currency, source: id, type }),
    charge: charge.id,
    created: sandbox.now,
    currency: charge.currency,
    destination_details: {
      type: charge.sandbox_only.method,
      [charge.sandbox_only.method]: { reference_status: 'pending', type: 'refund' },
    },
    metadata: metadataParam(form),
    payment_intent: charge.payment_intent,
    reason: enumParam(form, 'reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: hasFailed ? ('failed' as const) : ('succeeded' as const),
    transfer_reversal: null,
    ...(hasFailed ? { failure_reason: 'declined' } : {}),
  })
  if (hasFailed) sandbox.emit({ type: 'refund.failed', object: refund })
  else recordRefund(sandbox, charge, refund)
  return refund
}

/** Books a refund that succeeded, adds it to the charge and queues the events. */
const recordRefund = (sandbox: StripeSession, charge: Charge, refund: Refund): void => {
  const amount_refunded = charge.amount_refunded + refund.amount
  const { reference, method } = charge.sandbox_only
  sandbox.book({ id: refund.id, reference, amount: refund.amount, currency: refund.currency, status: 'refunded', method })
  sandbox.emit({ type: 'refund.created', object: refund })
  sandbox.emit({
    type: 'charge.refunded',
    object: sandbox.put({ ...charge, amount_refunded, refunded: amount_refunded === charge.amount_captured }),
  })
}

/** `/v1/refunds` */
export const refundEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/refunds',
    operation: 'refund',
    forcedOutcomes: ['decline'],
    params: ['amount', 'charge', 'currency', 'customer', 'instructions_email', 'metadata', 'payment_intent', 'reason'],
    handle: ({ sandbox, form, forcedOutcome }) => createRefund(sandbox, form, forcedOutcome),
  },
  {
    method: 'GET',
    path: '/v1/refunds/:id',
    operation: 'lookup',
    params: [],
    handle: ({ sandbox, id }) => sandbox.get<Refund>('refund', id),
  },
  {
    method: 'GET',
    path: '/v1/refunds',
    operation: 'list',
    params: [...LIST_PARAMS, 'charge', 'payment_intent'],
    handle: ({ sandbox, form }) => {
      const [charge, intent] = [stringParam(form, 'charge'), stringParam(form, 'payment_intent')]
      const refunds = sandbox
        .all<Refund>('refund')
        .filter(
          (refund) => (charge === undefined || refund.charge === charge) && (intent === undefined || refund.payment_intent === intent),
        )
      return listPage(refunds, form, '/v1/refunds')
    },
  },
]
