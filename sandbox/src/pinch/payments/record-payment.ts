import type { PinchSession } from '../store/pinch-session.ts'
import { type Payment, paymentBody } from './payment.ts'

type LedgerStatus = Parameters<PinchSession['book']>[0]['status']

/** The ledger's status of a payment; undefined for a refused card, which moved no money. */
const bookedStatus = ({ status, source, settledAt }: Payment): LedgerStatus | undefined => {
  if (source.sourceType === 'credit-card') return status === 'approved' || status === 'settled' ? 'succeeded' : undefined
  if (status === 'settled') return 'succeeded'
  if (status === 'dishonoured') return settledAt === null ? 'failed' : 'returned'
  return status === 'cancelled' ? 'failed' : 'pending'
}

/** Stores a new or changed payment, books its money and queues its event. */
export const recordPayment = (session: PinchSession, payment: Payment, eventType: string): Payment => {
  session.put(payment)
  const booked = bookedStatus(payment)
  const { id, nonces, amount, currency, status, source, dishonour, settledAt } = payment
  if (booked !== undefined) session.book({ id, reference: nonces[0] ?? '', amount, currency, status: booked, method: source.sourceType })
  const shown = paymentBody(session, payment)
  session.emit({
    type: eventType,
    metadata: { status, amount },
    data:
      eventType === 'bank-results'
        ? {
            dishonours: dishonour === null ? [] : [{ ...dishonour, fees: null, transferId: null, payment: shown }],
            settlements: dishonour === null ? [{ date: settledAt, payment: shown }] : [],
          }
        : { payment: shown },
  })
  return payment
}
