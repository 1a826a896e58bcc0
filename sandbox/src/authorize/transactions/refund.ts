import { type Fields, fieldsOf, textOf } from '../api/fields.ts'
import type { OperationCall } from '../api/operation.ts'
import { type Instrument, parseInstrument } from '../payment-methods/instrument.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import { declinedDecision, gatewayError } from './decide.ts'
import { type Decision, ledgerMethod, referenceOf, refundsOf, toCents, type Transaction } from './transaction.ts'
import { emitTransaction } from './transaction-events.ts'
import { answerTransaction } from './transaction-response.ts'

const NOT_REFUNDABLE = gatewayError('54', 'The referenced transaction does not meet the criteria for issuing a credit.')
const APPROVED: Decision = { ...gatewayError('1', 'This transaction has been approved.'), responseCode: '1' }

/**
 * Refunds a settled charge, whole or in part, and books the money. A forced decline is stored and returned.
 * @throws AuthorizeError with E00027 when the refund is not allowed; nothing is stored
 */
export const refund = ({ session, request, forcedOutcome }: OperationCall): Fields => {
  const transactionRequest = fieldsOf(request, 'transactionRequest') ?? {}
  const refTransId = textOf(transactionRequest, 'refTransId') ?? ''
  const charge = session.find<Transaction>('transaction', refTransId)
  const amount = toCents(textOf(transactionRequest, 'amount'))
  const typed = parseInstrument(fieldsOf(transactionRequest, 'payment'))
  const problem = refundProblem(session, { charge, amount, typed, profile: fieldsOf(transactionRequest, 'profile') })
  if (problem !== undefined || charge === undefined || amount === undefined)
    return answerTransaction(transactionRequest, {
      decision: problem ?? NOT_REFUNDABLE,
      transId: '0',
      refTransId,
      instrument: charge?.instrument ?? typed,
    })
  const decision = forcedOutcome === 'decline' ? declinedDecision() : APPROVED
  const { instrument } = charge
  const transaction = storeRefund(session, charge, { amount, decision, details: refundDetails(charge, transactionRequest) })
  return answerTransaction(transactionRequest, { decision, transId: transaction.id, refTransId, instrument })
}

interface RefundRequest {
  readonly charge: Transaction | undefined
  readonly amount: number | undefined
  readonly typed: Instrument | undefined
  readonly profile: Fields | undefined
}

/** Why a refund is not allowed: amount, charge, another card or account, or too much; undefined when it is allowed. */
const refundProblem = (session: AuthorizeSession, { charge, amount, typed, profile }: RefundRequest): Decision | undefined => {
  if (amount === undefined) return gatewayError('5', 'A valid amount is required.')
  if (charge === undefined || charge.type === 'refundTransaction' || charge.status !== 'settledSuccessfully') return NOT_REFUNDABLE
  const isSameProfile =
    profile !== undefined && textOf(fieldsOf(profile, 'paymentProfile'), 'paymentProfileId') === charge.profile?.customerPaymentProfileId
  const isSameNumber = typed !== undefined && typed.kind === charge.instrument.kind && typed.lastFour === charge.instrument.lastFour
  if (!isSameProfile && !isSameNumber) return NOT_REFUNDABLE
  const refunded = refundsOf(session, charge).reduce((sum, earlier) => sum + earlier.amount, 0)
  return refunded + amount > charge.amount
    ? gatewayError('55', 'The sum of credits against the referenced transaction would exceed original debit amount.')
    : undefined
}

/** The details that a refund keeps: those of the charge, with the request's order fields over the charge's. */
const refundDetails = ({ details }: Transaction, transactionRequest: Fields): Fields => ({
  ...details,
  ...('order' in transactionRequest ? { order: { ...fieldsOf(details, 'order'), ...fieldsOf(transactionRequest, 'order') } } : {}),
})

/** Stores a refund, books its money and queues its event; a declined refund is only stored. */
const storeRefund = (
  session: AuthorizeSession,
  charge: Transaction,
  fields: Pick<Transaction, 'amount' | 'decision' | 'details'>,
): Transaction => {
  const transaction = session.put<Transaction>({
    id: session.newId(),
    object: 'transaction',
    type: 'refundTransaction',
    status: fields.decision.responseCode === '1' ? 'refundPendingSettlement' : 'declined',
    submittedAt: session.now,
    instrument: charge.instrument,
    profile: charge.profile,
    refTransId: charge.id,
    ...fields,
  })
  if (transaction.status === 'declined') return transaction
  session.book({
    id: transaction.id,
    reference: referenceOf(charge),
    amount: fields.amount,
    status: 'refunded',
    method: ledgerMethod(charge),
  })
  emitTransaction(session, 'payment.refund.created', transaction)
  return transaction
}
