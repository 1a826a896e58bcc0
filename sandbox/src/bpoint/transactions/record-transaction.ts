import type { BpointSession } from '../store/bpoint-session.ts'
import { type Transaction, transactionBody } from './transaction.ts'

type LedgerStatus = Parameters<BpointSession['book']>[0]['status']

/** The money that an answer means; a card that was declined moved none. */
const bookedStatus = ({ action, responseCode, method, settlementDate }: Transaction): LedgerStatus | undefined => {
  if (action !== 'Payment') return responseCode === '0' ? 'refunded' : undefined
  if (responseCode === '0') return 'succeeded'
  if (method.kind === 'card') return responseCode === 'P' ? 'pending' : undefined
  if (responseCode === 'P') return 'pending'
  return settlementDate === null ? 'failed' : 'returned'
}

/** Stores a new or changed transaction, books its money and sends its event. */
export const recordTransaction = (session: BpointSession, transaction: Transaction): Transaction => {
  const stored = session.put(transaction)
  const status = bookedStatus(stored)
  const { id, amount, merchantReference, method, webhookUrl: url } = stored
  if (status !== undefined) session.book({ id, reference: merchantReference ?? '', amount, currency: 'AUD', status, method: method.kind })
  if (url !== null) session.emit({ url, type: 'transaction', data: transactionBody(session, stored) })
  return stored
}
