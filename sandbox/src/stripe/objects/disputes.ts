import { addToBalance } from './balance.ts'
import { bookCharge, type Charge } from './charges.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { newId } from '../store/ids.ts'
import { LIST_PARAMS, listPage } from '../api/lists.ts'
import { stringParam } from '../api/params.ts'
import type { StripeSession } from '../store/stripe-session.ts'

interface Dispute {
  readonly id: string
  readonly object: 'dispute'
  readonly charge: string
  readonly payment_intent: string
  readonly status: 'needs_response' | 'lost' | 'won'
  readonly created: number
}

/** Opens a dispute, which takes the charge's amount out of the balance, books the charge as returned and queues the events. */
export const openDispute = (sandbox: StripeSession, charge: Charge, reason: string): Dispute => {
  const { id, amount_captured: amount, currency, payment_intent } = charge
  const transaction = addToBalance(sandbox, {
    amount: -amount,
    currency,
    source: id,
    type: 'adjustment',
    description: 'Chargeback withdrawal',
  })
  const dispute = sandbox.put({
    id: newId('du'),
    object: 'dispute' as const,
    amount,
    balance_transactions: [transaction],
    charge: id,
    created: sandbox.now,
    currency,
    evidence: {},
    evidence_details: { due_by: sandbox.now + 604_800, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent,
    reason,
    status: 'needs_response' as const,
  })
  bookCharge(sandbox, sandbox.put({ ...charge, disputed: true, dispute: dispute.id }), 'returned')
  sandbox.emit({ type: 'charge.dispute.created', object: dispute })
  sandbox.emit({ type: 'charge.dispute.funds_withdrawn', object: dispute })
  return dispute
}

/** Reports a debit that the bank has returned: Stripe opens a dispute, which is lost at once. The charge is booked as returned. */
export const disputeReturnedDebit = (sandbox: StripeSession, charge: Charge): void => {
  const dispute = openDispute(sandbox, charge, 'debit_not_authorized')
  sandbox.emit({
    type: 'charge.dispute.closed',
    object: sandbox.put({ ...dispute, status: 'lost' as const }),
    previous: { status: 'needs_response' },
  })
}

/** Decides an open dispute for the merchant, who gets the amount back, and books that. False when there is none. */
export const winDispute = (sandbox: StripeSession, charge: Charge): boolean => {
  const dispute = charge.dispute === null ? undefined : sandbox.find<Dispute>('dispute', charge.dispute)
  if (dispute?.status !== 'needs_response') return false
  const { amount_captured: amount, currency } = charge
  addToBalance(sandbox, { amount, currency, source: charge.id, type: 'adjustment', description: 'Chargeback reversal' })
  const won = sandbox.put({ ...dispute, status: 'won' as const })
  bookCharge(sandbox, charge, 'succeeded')
  sandbox.emit({ type: 'charge.dispute.closed', object: won, previous: { status: 'needs_response' } })
  sandbox.emit({ type: 'charge.dispute.funds_reinstated', object: won })
  return true
}

/** `/v1/disputes` */
export const disputeEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/v1/disputes/:id',
    operation: 'lookup',
    params: [],
    handle: ({ sandbox, id }) => sandbox.get<Dispute>('dispute', id, 'dispute'),
  },
  {
    method: 'GET',
    path: '/v1/disputes',
    operation: 'list',
    params: [...LIST_PARAMS, 'charge', 'payment_intent'],
    handle: ({ sandbox, form }) => {
      const [charge, intent] = [stringParam(form, 'charge'), stringParam(form, 'payment_intent')]
      const disputes = sandbox
        .all<Dispute>('dispute')
        .filter(
          (dispute) => (charge === undefined || dispute.charge === charge) && (intent === undefined || dispute.payment_intent === intent),
        )
      return listPage(disputes, form, '/v1/disputes')
    },
  },
]
