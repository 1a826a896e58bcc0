import { isChargeback, type SettlementOutcome } from '../../ledger/settlements.ts'
import { toInstant } from '../store/ids.ts'
import type { PinchSession } from '../store/pinch-session.ts'
import { dishonourOf } from './dishonours.ts'
import type { Payment } from './payment.ts'
import { recordPayment } from './record-payment.ts'

/**
 * Gives a payment its outcome: the payment settles, or the bank refuses or returns the debit. Books that and queues the event. False, with
 * nothing changed, for an unknown payment, and for an outcome that the payment cannot have.
 */
export const settlePayment = (session: PinchSession, id: string, outcome: SettlementOutcome): boolean => {
  const payment = session.find<Payment>('payment', id)
  if (payment === undefined || isChargeback(outcome)) return false
  const isOnItsWay = payment.source.sourceType === 'bank-account' ? ['scheduled', 'processing'] : ['approved']
  const mayHave =
    outcome === 'returned'
      ? payment.status === 'settled' && payment.source.sourceType === 'bank-account'
      : isOnItsWay.includes(payment.status)
  if (!mayHave || (outcome === 'failed' && payment.source.sourceType === 'credit-card')) return false
  const date = toInstant(session.now)
  const { amount, description } = payment
  const type = dishonourOf(session, { amount, description, firstName: '' }) ?? 'insufficient-funds'
  const changes =
    outcome === 'succeeded'
      ? ({ status: 'settled', settledAt: date } as const)
      : ({ status: 'dishonoured', dishonour: { type, date } } as const)
  recordPayment(session, { ...payment, ...changes }, 'bank-results')
  return true
}
