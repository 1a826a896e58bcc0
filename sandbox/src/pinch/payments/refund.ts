import type { SettlementOutcome } from '../../ledger/settlements.ts'
import { toInstant } from '../store/ids.ts'
import type { PinchSession } from '../store/pinch-session.ts'

/** A refund: it is requested first, and completed or failed by `POST /settle`. */
export interface Refund {
  readonly id: string
  readonly object: 'refund'
  readonly paymentId: string
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly method: string
  readonly reason: string | null
  readonly status: 'requested' | 'completed' | 'failed'
  readonly requestedDate: string
  readonly completedDate: string | null
  readonly nonce: string | null
}

/** A refund in the form of responses. */
export const refundBody = (refund: Refund): object => ({
  id: refund.id,
  amount: refund.amount,
  currency: refund.currency,
  refundFeeCharged: 0,
  requestedDate: refund.requestedDate,
  submittedDate: null,
  completedDate: refund.completedDate,
  reasonForRefund: refund.reason,
  notes: null,
  convertedAmount: null,
  conversionRate: null,
  convertedCurrency: null,
  isGross: false,
  status: refund.status,
  paymentId: refund.paymentId,
  transferId: null,
  refundedFees: null,
  nonce: refund.nonce,
})

/** Stores a new or changed refund, books its money and queues its event. */
export const recordRefund = (session: PinchSession, refund: Refund, eventType: 'refund-created' | 'refund-updated'): Refund => {
  session.put(refund)
  const { id, reference, amount, currency, method, status } = refund
  session.book({ id, reference, amount, currency, status: status === 'failed' ? 'failed' : 'refunded', method })
  session.emit({ type: eventType, metadata: { status, amount }, data: { refund: refundBody(refund) } })
  return refund
}

/** Completes or fails a refund that was requested, and books that. False when there is none that can end so. */
export const settleRefund = (session: PinchSession, id: string, outcome: SettlementOutcome): boolean => {
  const refund = session.find<Refund>('refund', id)
  if (refund?.status !== 'requested' || (outcome !== 'succeeded' && outcome !== 'failed')) return false
  const status = outcome === 'succeeded' ? 'completed' : 'failed'
  recordRefund(session, { ...refund, status, completedDate: toInstant(session.now) }, 'refund-updated')
  return true
}
