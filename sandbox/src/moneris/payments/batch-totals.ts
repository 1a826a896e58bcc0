import { receiptOf } from '../api/receipt.ts'
import type { TransactionCall } from '../api/transaction.ts'
import type { ReceiptFields } from '../api/xml.ts'
import type { MonerisSession } from '../store/moneris-session.ts'
import { toAmount } from './amounts.ts'
import { currentBatch, startNextBatch } from './batch-number.ts'
import type { Payment } from './payment.ts'

/** The receipt with the totals of the open batch, which stays open. */
export const openTotals = ({ session, fields }: TransactionCall): ReceiptFields => totalsReceipt(session, fields['ecr_number'] ?? '', false)

/** Closes the open batch. Returns the receipt with its totals. */
export const closeBatch = ({ session, fields }: TransactionCall): ReceiptFields => {
  const receipt = totalsReceipt(session, fields['ecr_number'] ?? '', true)
  startNextBatch(session)
  return receipt
}

/** The receipt with the numbers and amounts of the open batch's approved payments, by card type and kind. */
const totalsReceipt = (session: MonerisSession, terminal: string, isClosed: boolean): ReceiptFields => {
  const batch = currentBatch(session)
  const payments = session.all<Payment>('payment').filter((payment) => payment.batch === batch && payment.isApproved)
  const cardTypes = [...new Set(payments.map(({ cardType }) => cardType))].toSorted()
  return receiptOf('gateway', {
    Complete: 'true',
    BankTotals: {
      ECR: {
        term_id: terminal,
        closed: String(isClosed),
        Card: cardTypes.map((cardType) => cardTotals(cardType, payments)),
      },
    },
  })
}

/** The numbers and amounts of one card type's purchases, refunds and corrections. */
const cardTotals = (cardType: string | null, payments: readonly Payment[]): ReceiptFields => {
  const totalsOf = (kind: Payment['kind']): ReceiptFields => {
    const amounts = payments.filter((payment) => payment.cardType === cardType && payment.kind === kind).map(({ amount }) => amount)
    return { Count: String(amounts.length), Amount: toAmount(amounts.reduce((sum, amount) => sum + amount, 0)) }
  }
  return { CardType: cardType, Purchase: totalsOf('purchase'), Refund: totalsOf('refund'), Correction: totalsOf('correction') }
}
