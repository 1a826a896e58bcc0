import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import type { PaymentMethod } from '../payment-methods/attached-method.ts'
import type { BpointSession } from '../store/bpoint-session.ts'
import { sydneyDay } from '../store/sydney-time.ts'
import { type Answer, answerDelayMs, bankAnswer, decide, NOT_AUTHENTICATED } from './bank-answers.ts'
import { recordTransaction } from './record-transaction.ts'
import { newTransactionNumber, type Transaction } from './transaction.ts'
import type { TxnDetails } from './txn-details.ts'

interface Charge {
  readonly details: TxnDetails
  readonly method: PaymentMethod
  /** The token that pays; null for a method that was sent. */
  readonly token: string | null
  readonly webhookUrl: string | null
  readonly forcedOutcome: ForcedOutcome | undefined
}

/** Stores a payment with the bank's or the forced answer, books its money and queues its event. A declined payment is stored, too. */
export const charge = (session: BpointSession, { details, method, token, webhookUrl, forcedOutcome }: Charge): Transaction => {
  session.delayMs = answerDelayMs(details)
  const answer = forcedAnswer(forcedOutcome) ?? decide(method, details, sydneyDay(session.now))
  return recordTransaction(session, newTransaction(session, { details, method, token, webhookUrl, answer }))
}

/** The answer that a fault forces: a decline, or a failed 3-D Secure; undefined without one. */
const forcedAnswer = (outcome: ForcedOutcome | undefined): Answer | undefined => {
  if (outcome === 'decline') return bankAnswer('05')
  return outcome === 'action' ? NOT_AUTHENTICATED : undefined
}

interface NewTransaction extends Omit<Charge, 'forcedOutcome'> {
  readonly answer: Answer
}

/** A transaction with a new random number and receipt number, not stored yet. */
export const newTransaction = (session: BpointSession, { details, method, token, webhookUrl, answer }: NewTransaction): Transaction => ({
  ...details,
  ...answer,
  id: newTransactionNumber(),
  object: 'txn',
  method,
  token,
  receiptNumber: newTransactionNumber().slice(0, 11),
  processedAt: session.now,
  settlementDate: answer.responseCode === 'P' ? null : settlementDay(session.now),
  webhookUrl,
})

/** The day in Sydney as `YYYYMMDD`. */
export const settlementDay = (ms: number): string => sydneyDay(ms).replaceAll('-', '')
