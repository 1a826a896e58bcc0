import { createHash } from 'node:crypto'
import type { Money } from '@counterfoil/contract/kit/money'
import type { ChargeResult } from '../charge-result.ts'
import type { IdentifiedOrder } from '../order.ts'
import { DEBIT_TYPE, toAch } from './ippay-charges.ts'
import { type Answer, type IPpayContext, REFERENCE, sendTransaction } from './ippay-client.ts'
import { isNotVoidable, meaningOf } from './ippay-codes.ts'
import { enquire } from './ippay-enquiry.ts'
import { sumRefunds } from './ippay-look-up.ts'

/**
 * Gives back a payment or a part of it: of a card by voiding the sale while its batch is open, else by a credit; of a debit by paying into
 * the account. An answer that is lost is unknown, and nothing is sent again here: the reports show what was made.
 */
export const refund = async (context: IPpayContext, order: IdentifiedOrder, amount: Money, refundId: string): Promise<ChargeResult> =>
  order.methodType === DEBIT_TYPE ? refundDebit(context, order, amount, refundId) : refundCard(context, order, amount)

/**
 * Gives back a card payment: all of it by a void while that is possible, else by a credit. Nothing is sent where the reports show more
 * refunded than is known here.
 */
const refundCard = async (context: IPpayContext, order: IdentifiedOrder, amount: Money): Promise<ChargeResult> => {
  try {
    if ((await sumRefunds(context, order, 'card')) > order.refunded)
      return { state: 'not_sent', detail: 'ippay has given back more of it than is known here' }
  } catch (error) {
    return { state: 'not_sent', detail: error instanceof Error ? error.message : 'the reports could not be read' }
  }
  const fields = { TransactionID: order.merchantReference, TotalAmount: String(amount.minor) }
  if (order.refunded === 0n && amount.minor === order.amount.minor) {
    const voided = await sendTransaction(context, 'VOID', fields)
    if (!('reply' in voided && isNotVoidable(voided.reply['ActionCode'])))
      return toRefundResult(voided, order, amount, order.merchantReference)
  }
  return toRefundResult(await sendTransaction(context, 'CREDIT', fields), order, amount, order.merchantReference)
}

/** A TransactionID of ours that follows from the refund's id, so that the same refund has the same one. */
const refundRefOf = (refundId: string): string =>
  [...createHash('sha256').update(refundId).digest().subarray(0, REFERENCE.length)]
    .map((byte) => REFERENCE.alphabet[byte % REFERENCE.alphabet.length])
    .join('')

/** Pays into the account of a debit, once per refund id: an enquiry by the id made of it comes first. */
const refundDebit = async (context: IPpayContext, order: IdentifiedOrder, amount: Money, refundId: string): Promise<ChargeResult> => {
  const TransactionID = refundRefOf(refundId)
  const earlier = await enquire(context, TransactionID, 'bank')
  if (earlier.state === 'approved') return toRefunded(order, amount)
  if (earlier.state === 'unknown') return { state: 'not_sent', detail: earlier.detail }
  const original = await enquire(context, order.merchantReference, 'bank')
  const token = original.state === 'approved' ? original.reply['Token'] : undefined
  if (token === undefined) return { state: 'not_sent', detail: 'ippay does not say from which account it was paid' }
  const answer = await sendTransaction(context, 'REVERSAL', {
    TransactionID,
    ACH: toAch(token, TransactionID),
    TotalAmount: String(amount.minor),
    UDField2: order.merchantReference,
  })
  return toRefundResult(answer, order, amount, TransactionID)
}

/**
 * The result that the answer to a refund of `amount` stands for: the payment afterwards when IPpay approved this very refund, unknown when
 * it approved another, else a decline or why nothing was sent.
 */
const toRefundResult = (answer: Answer, order: IdentifiedOrder, amount: Money, transactionId: string): ChargeResult => {
  if (!('reply' in answer)) return answer
  const { ActionCode, ErrMsg, ResponseText, TransactionID } = answer.reply
  const meaning = meaningOf(ActionCode, ErrMsg)
  if (meaning === 'approved')
    return TransactionID?.toUpperCase() === transactionId
      ? toRefunded(order, amount)
      : { state: 'unknown', detail: 'ippay did not say which refund it approved' }
  if (typeof meaning === 'object')
    return { ...meaning, providerText: ErrMsg ?? ResponseText ?? '', userMessage: `IPpay did not accept the refund (${ActionCode}).` }
  return meaning === 'not_found'
    ? { state: 'not_sent', detail: 'ippay does not know the payment' }
    : { state: 'unknown', detail: `ippay answered ${[ActionCode ?? 'without a code', ErrMsg ?? ResponseText ?? ''].join(' ').trim()}` }
}

/** The payment after `amount` more of it was refunded. */
const toRefunded = ({ providerRef, amount: paid, refunded }: IdentifiedOrder, amount: Money): ChargeResult => ({
  state: 'succeeded',
  providerRef,
  amount: paid,
  refunded: refunded + amount.minor,
  reversed: 0n,
})
