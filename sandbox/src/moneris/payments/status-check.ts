import { duplicateOrderError, errorReceipt, GatewayError, receiptOf } from '../api/receipt.ts'
import type { Texts, Transaction } from '../api/transaction.ts'
import type { ReceiptFields } from '../api/xml.ts'
import type { MonerisSession } from '../store/moneris-session.ts'
import { toCents } from './amounts.ts'
import { findByOrder, type Payment } from './payment.ts'

const FOUND = { status_code: '0', status_message: 'Found' }
const NOT_FOUND = { status_code: '50', status_message: 'Not found' }

/**
 * The receipt of the first answer to a transaction that is sent again with a status check, or one that says not found. Nothing is
 * processed.
 */
export const statusCheck = (session: MonerisSession, transaction: Transaction, fields: Texts): ReceiptFields => {
  const { layout, opensOrder } = transaction
  const payment = opensOrder ? findByOrder(session, fields['order_id'] ?? '') : findReturn(session, fields)
  if (session.account.includes('nostatus'))
    return errorReceipt(layout, payment === undefined ? new GatewayError('Unknown transaction') : duplicateOrderError())
  return payment === undefined ? receiptOf(layout, NOT_FOUND) : { ...payment.receipt, ...FOUND }
}

/** The newest refund of a purchase over the request's amount, or the newest void of it when the request names no amount. */
const findReturn = (session: MonerisSession, { order_id, txn_number, amount }: Texts): Payment | undefined => {
  const kind = amount === undefined ? 'correction' : 'refund'
  return session
    .all<Payment>('payment')
    .find(
      (payment) =>
        payment.kind === kind &&
        payment.orderId === order_id &&
        payment.originalId === txn_number &&
        (amount === undefined || payment.amount === toCents(amount)),
    )
}
