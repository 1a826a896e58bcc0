import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import { invalidField } from '../api/bpoint-error.ts'
import type { BpointSession } from '../store/bpoint-session.ts'
import { sydneyDay } from '../store/sydney-time.ts'
import { type Answer, bankAnswer } from './bank-answers.ts'
import { newTransaction } from './charge.ts'
import { recordTransaction } from './record-transaction.ts'
import type { Transaction } from './transaction.ts'
import type { TxnDetails } from './txn-details.ts'

/** A refusal by BPOINT itself, without the bank's code. */
const platformAnswer = (responseCode: string, responseText: string): Answer => ({ responseCode, bankResponseCode: null, responseText })

/**
 * Stores a refund or a reversal, which is of the whole payment on the same day, and books its money. A refused refund is stored, too.
 * @throws BpointError when no payment has the original's number
 */
export const refund = (session: BpointSession, details: TxnDetails, forcedOutcome: ForcedOutcome | undefined): Transaction => {
  const original = session.find<Transaction>('txn', details.originalTxnNumber ?? '')
  if (original === undefined) throw invalidField('originalTxnNumber', 'Original transaction not found.')
  const answer = forcedOutcome === 'decline' ? bankAnswer('05') : (problemOf(session, details, original) ?? bankAnswer('00'))
  const merchantReference = details.merchantReference ?? original.merchantReference
  const { method, token } = original
  return recordTransaction(
    session,
    newTransaction(session, { details: { ...details, merchantReference }, method, token, webhookUrl: null, answer }),
  )
}

/** Why a refund or a reversal is refused; undefined when it can be made. */
const problemOf = (session: BpointSession, { action, amount }: TxnDetails, original: Transaction): Answer | undefined => {
  if (original.action !== 'Payment') return platformAnswer('PT_R1', 'Original transaction not found.')
  if (original.responseCode !== '0') return platformAnswer('PT_R2', 'Original transaction was not approved.')
  const left = original.amount - returnedOf(session, original)
  if (left === 0) return platformAnswer('PT_R4', 'Transaction already fully refunded.')
  if (action === 'Reversal') return reversalProblem(session, amount, original, left)
  return amount > left ? platformAnswer('PT_R5', `Only $${(left / 100).toFixed(2)} available for refund.`) : undefined
}

/** Why a reversal is refused: a part was refunded, another amount, or another day; undefined when it can be made. */
const reversalProblem = (session: BpointSession, amount: number, original: Transaction, left: number): Answer | undefined => {
  if (left < original.amount) return platformAnswer('PT_R9', 'Transaction partially refunded.')
  if (amount !== original.amount) return platformAnswer('PT_R15', 'Invalid amount.')
  const isSameDay = sydneyDay(original.processedAt) === sydneyDay(session.now)
  return isSameDay ? undefined : platformAnswer('PT_V8', 'Reversal not supported.')
}

/** The cents of a payment that were given back. */
const returnedOf = (session: BpointSession, { id }: Transaction): number =>
  session
    .all<Transaction>('txn')
    .filter(({ originalTxnNumber, responseCode }) => originalTxnNumber === id && responseCode === '0')
    .reduce((sum, { amount }) => sum + amount, 0)
