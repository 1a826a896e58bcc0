import type { SettlementOutcome } from '../../ledger/settlements.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import { bookCharge, type Batch, type Transaction, type TransactionStatus } from './transaction.ts'
import { emitTransaction } from './transaction-events.ts'
import { voidUnsettled } from './void.ts'

/**
 * Settles all captured card payments and refunds that are in no batch, in a new one, which declined and voided transactions join too.
 * Undefined without any of these.
 */
export const settleCards = (session: AuthorizeSession): Batch | undefined => {
  const open = session
    .all<Transaction>('transaction')
    .filter(({ batchId, instrument, status }) => batchId === undefined && instrument.kind === 'card' && BATCH_STATUSES.has(status))
  if (open.length === 0) return undefined
  const batch = newBatch(session, 'creditCard')
  for (const transaction of open) settleInBatch(session, transaction, batch)
  return batch
}

/** The statuses of the transactions that join a batch, each with the status afterwards. Declined and voided transactions keep theirs. */
const BATCH_STATUSES: ReadonlyMap<TransactionStatus, TransactionStatus> = new Map([
  ['capturedPendingSettlement', 'settledSuccessfully'],
  ['refundPendingSettlement', 'refundSettledSuccessfully'],
  ['declined', 'declined'],
  ['voided', 'voided'],
])

/** Stores a new, empty batch that is settled now. */
const newBatch = (session: AuthorizeSession, paymentMethod: Batch['paymentMethod']): Batch =>
  session.put<Batch>({ id: session.newId(), object: 'batch', settledAt: session.now, paymentMethod })

/** Stores the transaction with its status after settlement and the batch; a settled charge is booked as succeeded. */
const settleInBatch = (session: AuthorizeSession, transaction: Transaction, batch: Batch): Transaction => {
  const status = BATCH_STATUSES.get(transaction.status) ?? transaction.status
  const settled = session.put<Transaction>({ ...transaction, status, batchId: batch.id })
  if (status === 'settledSuccessfully') bookCharge(session, settled, 'succeeded')
  return settled
}

/**
 * Stores and books what became of a transaction: a merchant's review of a held one, or what a bank does with a pending or settled one.
 * False when the transaction cannot have that outcome.
 */
export const settleTransaction = (session: AuthorizeSession, transaction: Transaction, outcome: SettlementOutcome): boolean => {
  const { status, instrument } = transaction
  if (status === 'FDSAuthorizedPendingReview' && (outcome === 'succeeded' || outcome === 'failed'))
    review(session, transaction, outcome === 'succeeded')
  else if (BATCH_STATUSES.get(status) !== status && BATCH_STATUSES.has(status) && outcome === 'succeeded')
    settleInBatch(session, transaction, newBatch(session, instrument.kind === 'card' ? 'creditCard' : 'eCheck'))
  else if (status === 'capturedPendingSettlement' && instrument.kind === 'bank' && outcome === 'failed') failDebit(session, transaction)
  else if (status === 'settledSuccessfully' && instrument.kind === 'bank' && outcome === 'returned') markDebitReturned(session, transaction)
  else if (status === 'settledSuccessfully' && instrument.kind === 'card' && outcome === 'charged_back')
    bookCharge(session, session.put<Transaction>({ ...transaction, status: 'chargeback' }), 'returned')
  else if (status === 'chargeback' && outcome === 'chargeback_won')
    bookCharge(session, session.put<Transaction>({ ...transaction, status: 'chargebackReversal' }), 'succeeded')
  else return false
  return true
}

/** Stores a merchant's decision about a held transaction: approved, or voided. Money is booked, an event queued. */
const review = (session: AuthorizeSession, transaction: Transaction, isApproved: boolean): void => {
  if (!isApproved) {
    voidUnsettled(session, transaction, 'payment.fraud.declined')
    return
  }
  const decision = {
    ...transaction.decision,
    responseCode: '1' as const,
    reasonCode: '1',
    reason: 'This transaction has been approved.',
  }
  const isCaptured = transaction.type === 'authCaptureTransaction'
  const status = isCaptured ? ('capturedPendingSettlement' as const) : ('authorizedPendingCapture' as const)
  const approved = session.put<Transaction>({ ...transaction, decision, status })
  if (isCaptured) bookCharge(session, approved, approved.instrument.kind === 'card' ? 'succeeded' : 'pending')
  emitTransaction(session, 'payment.fraud.approved', approved)
}

/** Stores that a pending debit has failed when it was settled, and books that. No webhook is sent. */
const failDebit = (session: AuthorizeSession, transaction: Transaction): void => {
  const batch = newBatch(session, 'eCheck')
  bookCharge(session, session.put<Transaction>({ ...transaction, status: 'settlementError', batchId: batch.id }), 'failed')
}

/** Stores that the bank has returned a settled debit, and books that. No webhook is sent. */
const markDebitReturned = (session: AuthorizeSession, transaction: Transaction): void => {
  bookCharge(session, session.put<Transaction>({ ...transaction, status: 'returnedItem', returnedAt: session.now }), 'returned')
}
