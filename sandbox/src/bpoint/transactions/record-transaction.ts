import type { BpointSession } from '../store/bpoint-session.ts'
import { type Transaction, transactionBody } from './transaction.ts'

type LedgerStatus = Parameters<BpointSession['book']>[0]['status']

/** The ledger's status of a transaction; undefined when no money moved, as for a declined card or refund. */
const bookedStatus = ({ action, responseCode, method, settlementDate }: Transaction): LedgerStatus | undefined => {
  if (action !== 'Payment') return responseCode === '0' ? 'refunded' : undefined
  if (responseCode === '0') return 'succeeded'
  if (method.kind === 'card') return responseCode === 'P' ? 'pending' : undefined
  if (responseCode === 'P') return 'pending'
  return settlementDate === null ? 'failed' : 'returned'
}

/** Stores a new or changed transaction, books its money and queues its event. */
export const recordTransaction = (session: BpointSession, transaction: Transaction): Transaction => {
  const stored = session.put(transaction)
  const status = bookedStatus(stored)
  const { id, amount, merchantReference, method, webhookUrl: url } = stored
  if (status !== undefined) session.book({ id, reference: merchantReference ?? '', amount, currency: 'AUD', status, method: method.kind })
  if (url !== null) session.emit({ url, type: 'transaction', data: transactionBody(session, stored) })
  return stored
}
