import { addToBalance } from './balance.ts'
import type { Charge } from './charges.ts'
import type { Endpoint, Order } from '../api/endpoint.ts'
import type { Form } from '../api/form.ts'
import { newId } from '../store/ids.ts'
import { LIST_TAKES, pageOf } from '../api/lists.ts'
import { metadata, oneOf, text, whole } from '../api/params.ts'
import type { PaymentIntent } from './payment-intent.ts'
import { invalid } from '../api/stripe-error.ts'
import type { Work } from '../store/sandbox-session.ts'

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

const chargeIn = (work: Work, form: Form): Charge => {
  const id = text(form, 'charge')
  if (id !== undefined) return work.get<Charge>('charge', id, 'charge')
  const intentId = text(form, 'payment_intent')
  if (intentId === undefined) throw invalid('One of the following params should be provided for this request: payment_intent or charge.')
  const intent = work.get<PaymentIntent>('payment_intent', intentId, 'payment_intent')
  if (intent.status !== 'succeeded' || intent.latest_charge === null)
    throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, { param: 'payment_intent' })
  return work.get<Charge>('charge', intent.latest_charge, 'charge')
}

const refundableOf = (charge: Charge, form: Form): number => {
  if (charge.refunded) throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (charge.disputed) throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  if (charge.status !== 'succeeded') throw invalid(`Charge ${charge.id} has not succeeded; cannot issue a refund.`)
  const left = charge.amount_captured - charge.amount_refunded
  const amount = whole(form, 'amount') ?? left
  if (amount < 1) throw invalid('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount > left)
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      code: 'amount_too_large',
      param: 'amount',
    })
  return amount
}

const refundOf = (work: Work, form: Form, order: Order | undefined): Refund => {
  const charge = chargeIn(work, form)
  const amount = refundableOf(charge, form)
  const failed = order === 'decline'
  const id = newId('re')
  const type = charge.id.startsWith('py') ? 'payment_refund' : 'refund'
  const refund = work.put({
    id,
    object: 'refund' as const,
    amount,
    balance_transaction: failed ? null : addToBalance(work, { amount: -amount, currency: charge.currency, source: id, type }),
    charge: charge.id,
    created: work.now,
    currency: charge.currency,
    destination_details: {
      type: charge.sandbox_only.method,
      [charge.sandbox_only.method]: { reference_status: 'pending', type: 'refund' },
    },
    metadata: metadata(form),
    payment_intent: charge.payment_intent,
    reason: oneOf(form, 'reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: failed ? ('failed' as const) : ('succeeded' as const),
    transfer_reversal: null,
    ...(failed ? { failure_reason: 'declined' } : {}),
  })
  if (failed) work.tell('refund.failed', refund)
  else paidBack(work, charge, refund)
  return refund
}

const paidBack = (work: Work, charge: Charge, refund: Refund): void => {
  const amount_refunded = charge.amount_refunded + refund.amount
  const { reference, method } = charge.sandbox_only
  work.book({ id: refund.id, reference, amount: refund.amount, currency: refund.currency, status: 'refunded', method })
  work.tell('refund.created', refund)
  work.tell('charge.refunded', work.put({ ...charge, amount_refunded, refunded: amount_refunded === charge.amount_captured }))
}

/** `/v1/refunds` */
export const refundEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/refunds',
    operation: 'refund',
    obeys: ['decline'],
    takes: ['amount', 'charge', 'currency', 'customer', 'instructions_email', 'metadata', 'payment_intent', 'reason'],
    run: ({ work, form, order }) => refundOf(work, form, order),
  },
  {
    method: 'GET',
    path: '/v1/refunds/:id',
    operation: 'lookup',
    takes: [],
    run: ({ work, id }) => work.get<Refund>('refund', id),
  },
  {
    method: 'GET',
    path: '/v1/refunds',
    operation: 'list',
    takes: [...LIST_TAKES, 'charge', 'payment_intent'],
    run: ({ work, form }) => {
      const [charge, intent] = [text(form, 'charge'), text(form, 'payment_intent')]
      const refunds = work
        .all<Refund>('refund')
        .filter((one) => (charge === undefined || one.charge === charge) && (intent === undefined || one.payment_intent === intent))
      return pageOf(refunds, form, '/v1/refunds')
    },
  },
]
