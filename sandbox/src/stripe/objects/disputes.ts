import { addToBalance } from './balance.ts'
import { bookCharge, type Charge } from './charges.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { newId } from '../store/ids.ts'
import { LIST_TAKES, pageOf } from '../api/lists.ts'
import { text } from '../api/params.ts'
import type { Work } from '../store/sandbox-session.ts'

interface Dispute {
  readonly id: string
  readonly object: 'dispute'
  readonly charge: string
  readonly payment_intent: string
  readonly status: 'needs_response' | 'lost'
  readonly created: number
}

/** The customer, or their bank, takes the money back. */
export const openDispute = (work: Work, charge: Charge, reason: string): Dispute => {
  const { id, amount_captured: amount, currency, payment_intent } = charge
  const line = addToBalance(work, { amount: -amount, currency, source: id, type: 'adjustment', description: 'Chargeback withdrawal' })
  const dispute = work.put({
    id: newId('du'),
    object: 'dispute' as const,
    amount,
    balance_transactions: [line],
    charge: id,
    created: work.now,
    currency,
    evidence: {},
    evidence_details: { due_by: work.now + 604_800, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent,
    reason,
    status: 'needs_response' as const,
  })
  bookCharge(work, work.put({ ...charge, disputed: true, dispute: dispute.id }), 'returned')
  work.tell('charge.dispute.created', dispute)
  work.tell('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** A debit that was returned: its dispute is lost from the start. */
export const returnDebit = (work: Work, charge: Charge): void => {
  const dispute = openDispute(work, charge, 'debit_not_authorized')
  work.tell('charge.dispute.closed', work.put({ ...dispute, status: 'lost' as const }), { status: 'needs_response' })
}

/** `/v1/disputes` */
export const disputeEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/v1/disputes/:id',
    operation: 'lookup',
    takes: [],
    run: ({ work, id }) => work.get<Dispute>('dispute', id, 'dispute'),
  },
  {
    method: 'GET',
    path: '/v1/disputes',
    operation: 'list',
    takes: [...LIST_TAKES, 'charge', 'payment_intent'],
    run: ({ work, form }) => {
      const [charge, intent] = [text(form, 'charge'), text(form, 'payment_intent')]
      const disputes = work
        .all<Dispute>('dispute')
        .filter((one) => (charge === undefined || one.charge === charge) && (intent === undefined || one.payment_intent === intent))
      return pageOf(disputes, form, '/v1/disputes')
    },
  },
]
