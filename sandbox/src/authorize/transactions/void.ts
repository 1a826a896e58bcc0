import { type Fields, fieldsOf, textOf } from '../api/fields.ts'
import type { OperationCall } from '../api/operation.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import { declinedDecision, gatewayError } from './decide.ts'
import { bookCharge, type Decision, isUnsettled, ledgerMethod, referenceOf, type Transaction } from './transaction.ts'
import { emitTransaction } from './transaction-events.ts'
import { answerTransaction } from './transaction-response.ts'

/**
 * Cancels a charge or refund that is not yet settled. A repeated void is answered as approved; a forced decline is returned.
 * @throws AuthorizeError with E00027 when there is no such transaction, or it is settled
 */
export const voidTransaction = ({ session, request, forcedOutcome }: OperationCall): Fields => {
  const transactionRequest = fieldsOf(request, 'transactionRequest') ?? {}
  const refTransId = textOf(transactionRequest, 'refTransId') ?? ''
  const transaction = session.find<Transaction>('transaction', refTransId)
  if (transaction === undefined || (!isUnsettled(transaction) && transaction.status !== 'voided'))
    return answerTransaction(transactionRequest, {
      decision: gatewayError('16', 'The transaction cannot be found.'),
      transId: '0',
      refTransId,
    })
  const { instrument } = transaction
  const answer = (decision: Decision): Fields =>
    answerTransaction(transactionRequest, { decision, transId: transaction.id, refTransId, instrument })
  if (transaction.status === 'voided') return answer(approval(transaction, '310', 'This transaction has already been voided.'))
  if (forcedOutcome === 'decline') return answer(declinedDecision())
  voidUnsettled(session, transaction)
  return answer(approval(transaction))
}

/** An approving decision with the transaction's authorisation code. */
const approval = ({ decision }: Transaction, reasonCode = '1', reason = 'This transaction has been approved.'): Decision => ({
  ...gatewayError(reasonCode, reason),
  responseCode: '1',
  authCode: decision.authCode,
})

/**
 * Voids a transaction, which the caller knows to be unsettled, and queues `event`. A captured card charge keeps its ledger entry and gets a
 * second one, which takes the money back. A refund, a debit and a held charge are booked as failed; an authorization alone is not booked.
 */
export const voidUnsettled = (session: AuthorizeSession, transaction: Transaction, event = 'payment.void.created'): void => {
  const { id, status, type, amount, instrument } = transaction
  const after = session.put<Transaction>({ ...transaction, status: 'voided' })
  const [reference, method] = [referenceOf(transaction), ledgerMethod(transaction)]
  if (type === 'refundTransaction') session.book({ id, reference, amount, status: 'failed', method })
  else if (status === 'capturedPendingSettlement' && instrument.kind === 'card')
    session.book({ id: `void-${id}`, reference, amount, status: 'refunded', method })
  else if (type === 'authCaptureTransaction' || status === 'capturedPendingSettlement') bookCharge(session, transaction, 'failed')
  emitTransaction(session, event, after)
}
