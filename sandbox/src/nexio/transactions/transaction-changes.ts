import type { NexioSession } from '../store/nexio-session.ts'
import { paymentBody, referenceOf, STATUS, type Transaction } from './transaction.ts'

type LedgerStatus = Parameters<NexioSession['book']>[0]['status']

/** The ledger's status of a transaction; undefined when no money moved, as for a failed or merely authorized card payment. */
const bookedStatus = ({ type, status, method }: Transaction): LedgerStatus | undefined => {
  if (type === 'refund') return status === STATUS.failed ? undefined : 'refunded'
  if (status === STATUS.pending) return 'pending'
  if (status === STATUS.captured || status === STATUS.settled) return 'succeeded'
  if (status === STATUS.returned) return 'returned'
  if (status === STATUS.failed && method.kind === 'echeck') return 'failed'
  return undefined
}

const EVENT_TYPES: Readonly<Record<Transaction['status'], string>> = {
  [STATUS.pending]: 'TRANSACTION_CAPTURED',
  [STATUS.captured]: 'TRANSACTION_CAPTURED',
  [STATUS.authorized]: 'TRANSACTION_AUTHORIZED',
  [STATUS.settled]: 'TRANSACTION_SETTLED',
  [STATUS.failed]: 'TRANSACTION_FAILED',
  [STATUS.returned]: 'TRANSACTION_RETURNED',
  [STATUS.voided]: 'TRANSACTION_VOIDED',
}

/** What a new or changed transaction does to the ledger; the default follows from its status. */
interface RecordOptions {
  readonly booked?: LedgerStatus | undefined
}

/** Stores a new or changed transaction, books its money and queues its event. With `options`, `booked` alone says what is booked. */
export const recordTransaction = (session: NexioSession, transaction: Transaction, options?: RecordOptions): Transaction => {
  const stored = session.put(transaction)
  const status = options === undefined ? bookedStatus(stored) : options.booked
  const { refNumber: id, amount, currency, method } = stored
  if (status !== undefined) session.book({ id, reference: referenceOf(stored), amount, currency, status, method: method.kind })
  emitTransaction(session, stored)
  return stored
}

/** Queues the webhook event of a transaction's status, in both styles. */
const emitTransaction = (session: NexioSession, transaction: Transaction): void => {
  const { status, number, merchantId } = transaction
  session.emit({
    type: transaction.type === 'refund' ? 'TRANSACTION_REFUNDED' : EVENT_TYPES[status],
    merchantId,
    data: paymentBody(transaction),
    unsignedBody: { eventType: 'TRANSACTION', transactionStatus: status, processMethod: PROCESS_METHOD, transactionId: number },
  })
}

/** The transaction came through the API. */
export const PROCESS_METHOD = 10
