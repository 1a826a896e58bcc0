import { type DebitOutcome, isChargeback, type SettlementOutcome } from '../../ledger/settlements.ts'
import type { NexioSession } from '../store/nexio-session.ts'
import { chargeBack } from './chargebacks.ts'
import { recordTransaction } from './transaction-changes.ts'
import { STATUS, type Transaction, type TransactionStatus } from './transaction.ts'

/** The statuses from which a payment can have that outcome, and the one it then has. */
const OUTCOMES: Readonly<Record<DebitOutcome, { readonly from: readonly TransactionStatus[]; readonly to: TransactionStatus }>> = {
  succeeded: { from: [STATUS.pending, STATUS.captured], to: STATUS.settled },
  failed: { from: [STATUS.pending], to: STATUS.failed },
  returned: { from: [STATUS.settled], to: STATUS.returned },
}

/** Gives a payment this outcome: settled, failed, returned or charged back, and books it. Undefined when the payment cannot have it. */
export const settlePayment = (session: NexioSession, payment: Transaction, outcome: SettlementOutcome): Transaction | undefined => {
  if (isChargeback(outcome)) return chargeBack(session, payment, outcome) ? payment : undefined
  const { from, to } = OUTCOMES[outcome]
  if (payment.type === 'refund' || payment.refunded > 0 || !from.includes(payment.status)) return undefined
  return recordTransaction(session, {
    ...payment,
    status: to,
    message: outcome === 'succeeded' ? payment.message : outcome,
    changedAt: session.now,
    settledAt: outcome === 'succeeded' ? session.now : payment.settledAt,
  })
}

/** Settles every captured card payment of the account, books them and queues their events. Returns how many there were. */
export const settleCards = (session: NexioSession): number => {
  const waiting = session.all<Transaction>('transaction').filter(isCapturedCardPayment).toReversed()
  for (const payment of waiting) settlePayment(session, payment, 'succeeded')
  return waiting.length
}

/** Whether the transaction is a card payment that waits for its settlement. */
const isCapturedCardPayment = ({ status, type, method }: Transaction): boolean =>
  status === STATUS.captured && type !== 'refund' && method.kind === 'card'

/** The payment with that payment id or gateway reference; undefined when the account has none. */
export const findPayment = (session: NexioSession, id: string): Transaction | undefined =>
  session.all<Transaction>('transaction').find((payment) => payment.id === id || payment.refNumber === id)
