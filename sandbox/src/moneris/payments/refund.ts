import { GatewayError } from '../api/receipt.ts'
import type { TransactionCall } from '../api/transaction.ts'
import type { ReceiptFields } from '../api/xml.ts'
import { toCents } from './amounts.ts'
import { currentBatch } from './batch-number.ts'
import type { Card } from './cards.ts'
import { APPROVED, DECLINED } from './outcomes.ts'
import { type Payment, recordPayment } from './payment.ts'

const NO_ORIGINAL_MESSAGE = 'No Pre-auth corresponds to the store Id and order Id and transaction Id entered'

/**
 * Gives back a part of a purchase, or all of it, at any time, and returns the receipt.
 * @throws GatewayError without such a purchase, or for more than is left
 */
export const refund = (call: TransactionCall): ReceiptFields => {
  const original = getOriginal(call)
  const amount = toCents(call.fields['amount'] ?? '')
  if (amount === 0) throw new GatewayError('Invalid amount parameter')
  if (refundedAmount(call, original) + amount > original.amount) throw new GatewayError('The refund amount exceeds the original amount')
  return recordReturn(call, original, 'refund', amount)
}

/**
 * Voids a whole purchase of the open batch, and returns the receipt.
 * @throws GatewayError without such a purchase, after the batch was closed, or after a refund
 */
export const correctPurchase = (call: TransactionCall): ReceiptFields => {
  const original = getOriginal(call)
  if (original.batch !== currentBatch(call.session)) throw new GatewayError('The batch of this transaction is closed')
  if (refundedAmount(call, original) > 0) throw new GatewayError('The transaction was refunded')
  return recordReturn(call, original, 'correction', original.amount)
}

/** An approved purchase with its card. */
type Original = Payment & { readonly card: Card }

/**
 * The purchase that the request names by order id and transaction number.
 * @throws GatewayError unless the purchase exists, was approved and was not voided
 */
const getOriginal = (call: TransactionCall): Original => {
  const { session, fields } = call
  const payment = session.find<Payment>('payment', fields['txn_number'] ?? '')
  if (!isOriginal(payment) || payment.orderId !== fields['order_id'] || approvedReturns(call, payment, 'correction').length > 0)
    throw new GatewayError(NO_ORIGINAL_MESSAGE)
  return payment
}

/** Whether the payment is an approved purchase. */
const isOriginal = (payment: Payment | undefined): payment is Original => payment?.kind === 'purchase' && payment.card !== null

/** The approved refunds or voids of a purchase. */
const approvedReturns = ({ session }: TransactionCall, { id }: Payment, kind: Payment['kind']): Payment[] =>
  session.all<Payment>('payment').filter((payment) => payment.originalId === id && payment.kind === kind && payment.isApproved)

/** The cents of a purchase that approved refunds gave back. */
const refundedAmount = (call: TransactionCall, original: Payment): number =>
  approvedReturns(call, original, 'refund').reduce((sum, { amount }) => sum + amount, 0)

/** Records a refund or a void of a purchase and returns its receipt: approved and booked, or declined when a fault says so. */
const recordReturn = (call: TransactionCall, original: Original, kind: 'refund' | 'correction', amount: number): ReceiptFields => {
  const { session, isDeclined } = call
  const { id, orderId, card } = original
  const outcome = isDeclined ? DECLINED : APPROVED
  return recordPayment(session, { kind, orderId, amount, card, outcome, layout: 'gateway', originalId: id }).receipt
}
