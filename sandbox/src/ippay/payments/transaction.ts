import type { DebitOutcome } from '../../ledger/settlements.ts'
import type { StoredObject } from '../../kit/object-store.ts'
import type { IPpaySession } from '../store/ippay-session.ts'
import { APPROVED } from './test-values.ts'

type TransactionType = 'SALE' | 'CHECK' | 'TOKENIZE' | 'VOID' | 'CREDIT' | 'REVERSAL'

/** What was sent to the gateway, under its gateway-wide id. */
export interface Transaction extends StoredObject {
  readonly object: 'transaction'
  readonly transactionId: string
  readonly type: TransactionType
  /** In milliseconds. */
  readonly at: number
  /** In cents. */
  readonly amount: number
  readonly actionCode: string
  readonly approval: string | null
  readonly text: string | null
  readonly errMsg: string | null
  readonly token: string | null
  readonly month: string | null
  readonly year: string | null
  readonly cvv2: string | null
  readonly avs: string | null
  readonly cardName: string
  readonly orderNumber: string
  readonly userFields: readonly string[]
  readonly checkNumber: string
  readonly settledAt: number | null
  readonly returned: { readonly at: number; readonly code: string } | null
  readonly isVoided: boolean
  /** When the bank took back a settled sale. */
  readonly chargedBackAt?: number
}

/** Under which gateway-wide id a TransactionID was used first. */
interface UsedId extends StoredObject {
  readonly transaction: string
}

/** The id under which the use of a TransactionID is stored. */
const usedKey = (transactionId: string): string => `used:${transactionId}`

/** The transaction that used a TransactionID first; undefined when the terminal did not use the id. */
export const findByTransactionId = (session: IPpaySession, transactionId: string): Transaction | undefined => {
  const used = session.find<UsedId>('used', usedKey(transactionId))
  return used && session.find<Transaction>('transaction', used.transaction)
}

type NewTransaction = Pick<Transaction, 'transactionId' | 'type' | 'actionCode'> & Partial<Omit<Transaction, 'id' | 'object'>>

const ID_LENGTH = 26

/**
 * Stores what the gateway answered, without booking money. Voids and credits do not take over the TransactionID of the sale that they name.
 */
export const recordTransaction = (session: IPpaySession, transaction: NewTransaction): Transaction => {
  const id = String(session.nextNumber()).padStart(ID_LENGTH, '0')
  const stored = session.put<Transaction>({
    amount: 0,
    approval: null,
    text: null,
    errMsg: null,
    token: null,
    month: null,
    year: null,
    cvv2: null,
    avs: null,
    cardName: '',
    orderNumber: '',
    userFields: ['', '', ''],
    checkNumber: '',
    settledAt: null,
    returned: null,
    isVoided: false,
    ...transaction,
    id,
    object: 'transaction',
    at: session.now,
  })
  const { type, transactionId } = transaction
  if (type !== 'VOID' && type !== 'CREDIT') session.put<UsedId>({ id: usedKey(transactionId), object: 'used', transaction: id })
  return stored
}

/** Whether the action code is that of an approval. */
export const isApproved = ({ actionCode }: Pick<Transaction, 'actionCode'>): boolean => actionCode === APPROVED

/** The cents of a sale that voids and credits gave back. */
export const sumReturned = (session: IPpaySession, { transactionId }: Transaction): number =>
  session
    .all<Transaction>('transaction')
    .filter((one) => one.transactionId === transactionId && (one.type === 'VOID' || one.type === 'CREDIT') && isApproved(one))
    .reduce((sum, { amount }) => sum + amount, 0)

/**
 * Settles a debit, lets its bank refuse it, or lets the bank take back a settled one, and books that. False when the debit cannot end so.
 */
export const settleCheck = (session: IPpaySession, check: Transaction, outcome: DebitOutcome): boolean => {
  const isPending = check.settledAt === null && check.returned === null
  if (outcome === 'returned' ? check.settledAt === null || check.returned !== null : !isPending) return false
  const changed =
    outcome === 'succeeded' ? { settledAt: session.now } : { returned: { at: session.now, code: outcome === 'failed' ? 'R03' : 'R01' } }
  session.put<Transaction>({ ...check, ...changed })
  session.book({ id: check.id, reference: check.transactionId, amount: check.amount, status: outcome, method: 'ach' })
  return true
}

/** Lets the bank take back a settled sale, and books that. False when it cannot; what becomes of the case is in no report. */
export const chargeBack = (session: IPpaySession, sale: Transaction): boolean => {
  if (sale.type !== 'SALE' || !isApproved(sale) || sale.settledAt === null || sale.chargedBackAt !== undefined) return false
  session.put<Transaction>({ ...sale, chargedBackAt: session.now })
  session.book({ id: sale.id, reference: sale.transactionId, amount: sale.amount, status: 'returned', method: 'card' })
  return true
}

/** Closes the batch: all open sales become settled, declined ones too, and cannot be voided any more. Returns their number. */
export const settleSales = (session: IPpaySession): number => {
  const open = session.all<Transaction>('transaction').filter(({ type, settledAt }) => type === 'SALE' && settledAt === null)
  for (const sale of open) session.put<Transaction>({ ...sale, settledAt: session.now })
  return open.length
}
