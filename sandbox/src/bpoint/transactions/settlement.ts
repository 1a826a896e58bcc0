import { isChargeback, type SettlementOutcome } from '../../ledger/settlements.ts'
import type { BpointSession } from '../store/bpoint-session.ts'
import { bankAnswer } from './bank-answers.ts'
import { settlementDay } from './charge.ts'
import { recordTransaction } from './record-transaction.ts'
import type { Transaction } from './transaction.ts'

/** What the bank says of an account that was closed or has no funds. */
const REJECTED = { responseCode: '1', bankResponseCode: '05', responseText: 'Refer to customer' }

/** Settles a pending bank debit, or returns a settled one, and books it; undefined when the debit cannot have that outcome. */
export const settleDebit = (session: BpointSession, debit: Transaction, outcome: SettlementOutcome): Transaction | undefined => {
  if (isChargeback(outcome)) return undefined
  const from = outcome === 'returned' ? '0' : 'P'
  if (debit.action !== 'Payment' || debit.method.kind !== 'bank' || debit.responseCode !== from) return undefined
  if (outcome === 'succeeded')
    return recordTransaction(session, { ...debit, ...bankAnswer('00'), settlementDate: settlementDay(session.now) })
  return recordTransaction(session, { ...debit, ...REJECTED })
}
