import { type Fields, fieldsOf, textOf } from '../api/fields.ts'
import type { OperationCall } from '../api/operation.ts'
import { declinedDecision, gatewayError } from './decide.ts'
import { bookCharge, type Decision, toCents, type Transaction } from './transaction.ts'
import { emitTransaction } from './transaction-events.ts'
import { answerTransaction } from './transaction-response.ts'

/**
 * Captures what was authorised only, whole or a smaller amount, and books the money. A repeated capture is answered as approved.
 * @throws AuthorizeError with E00027 when the transaction or the amount does not allow it; a forced decline is returned
 */
export const capture = ({ session, request, forcedOutcome }: OperationCall): Fields => {
  const transactionRequest = fieldsOf(request, 'transactionRequest') ?? {}
  const refTransId = textOf(transactionRequest, 'refTransId') ?? ''
  const transaction = session.find<Transaction>('transaction', refTransId)
  const deny = (decision: Decision): Fields =>
    answerTransaction(transactionRequest, { decision, transId: '0', refTransId, instrument: transaction?.instrument })
  if (transaction?.type !== 'authOnlyTransaction') return deny(gatewayError('16', 'The transaction cannot be found.'))
  const { instrument, id } = transaction
  const answer = (reasonCode: string, reason: string): Fields => {
    const decision: Decision = { ...gatewayError(reasonCode, reason), responseCode: '1', authCode: transaction.decision.authCode }
    return answerTransaction(transactionRequest, { decision, transId: id, refTransId, instrument })
  }
  if (transaction.status === 'capturedPendingSettlement' || transaction.status === 'settledSuccessfully')
    return answer('311', 'This transaction has already been captured.')
  if (transaction.status !== 'authorizedPendingCapture') return deny(gatewayError('16', 'The transaction cannot be found.'))
  const amount = textOf(transactionRequest, 'amount') === undefined ? transaction.amount : toCents(textOf(transactionRequest, 'amount'))
  if (amount === undefined || amount > transaction.amount) return deny(gatewayError('5', 'A valid amount is required.'))
  if (forcedOutcome === 'decline') return deny(declinedDecision())
  const captured = session.put<Transaction>({ ...transaction, amount, status: 'capturedPendingSettlement' })
  bookCharge(session, captured, instrument.kind === 'card' ? 'succeeded' : 'pending')
  emitTransaction(session, 'payment.priorAuthCapture.created', captured)
  return answer('1', 'This transaction has been approved.')
}
