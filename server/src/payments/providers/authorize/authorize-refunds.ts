import { type Money, toDecimalText } from '@counterfoil/contract/kit/money'
import type { ChargeResult } from '../charge-result.ts'
import type { Decline } from '../decline.ts'
import type { IdentifiedOrder } from '../order.ts'
import { type Answer, type AuthorizeContext, describeError, type Fields, sendReturn } from './authorize-client.ts'
import { readAnswer, decodeOutcome } from './authorize-charges.ts'
import { readTransaction } from './authorize-lists.ts'
import { listRefunds, lookUp, sumOf } from './authorize-look-up.ts'
import type { Transaction } from './authorize-transactions.ts'

/** The decline of a refund, with one text for operators and everybody else. No request to refund was made. */
const declineRefund = (providerCode: string, providerText: string): Decline => ({
  state: 'declined',
  reason: 'card_declined',
  providerCode,
  providerText,
  userMessage: providerText,
})

/**
 * Gives back a payment: before it is settled by a void of the whole, afterwards by a refund of any part. A refund carries its id, so that
 * one whose answer was lost is found, once Authorize.net lists it.
 */
export const refund = async (context: AuthorizeContext, order: IdentifiedOrder, amount: Money, refundId: string): Promise<ChargeResult> => {
  let transaction: Transaction
  try {
    transaction = await readTransaction(context, order.providerRef)
  } catch (error) {
    return { state: 'not_sent', detail: describeError(error) }
  }
  if (transaction.invoiceNumber !== order.merchantReference)
    return { state: 'not_sent', detail: 'authorize has another payment under this id' }
  if (transaction.status === 'capturedPendingSettlement') return voidPayment(context, order, transaction, amount)
  if (transaction.status === 'settledSuccessfully') return refundSettled(context, order, transaction, { amount, refundId })
  return transaction.status === 'voided'
    ? lookUp(context, order)
    : declineRefund(transaction.status, `Authorize.net says ${transaction.status}: it cannot be refunded now.`)
}

/** Voids a payment that is not settled, and looks up whether it was; a part of it is declined without a request. */
const voidPayment = async (
  context: AuthorizeContext,
  order: IdentifiedOrder,
  { settled }: Transaction,
  amount: Money,
): Promise<ChargeResult> => {
  if (amount.minor !== settled.minor)
    return declineRefund(
      'unsettled',
      'Authorize.net has not settled it yet and can only cancel all of it now. Refund a part after it is settled, usually the next day.',
    )
  const request = { transactionType: 'voidTransaction', refTransId: order.providerRef } as const
  const result = await readAnswer(sendReturn(context, order.merchantReference, request), (answer) =>
    decodeReturn(answer, order, amount.minor),
  )
  return result.state === 'succeeded' ? confirm(await lookUp(context, order), result) : result
}

/**
 * Refunds a part of a settled payment, or all of it. A refund that the lists show with this id is not sent again; where the lists cannot be
 * read, nothing is sent.
 */
const refundSettled = async (
  context: AuthorizeContext,
  order: IdentifiedOrder,
  transaction: Transaction,
  { amount, refundId }: { amount: Money; refundId: string },
): Promise<ChargeResult> => {
  const description = `Refund ${refundId}`
  let before: bigint
  try {
    const refunds = await listRefunds(context, order)
    const listed = sumOf(refunds)
    // A list that lags does not show all of what is recorded.
    before = listed > order.refunded ? listed : order.refunded
    if (refunds.some((one) => one.description === description)) return toRefunded(order, before)
  } catch (error) {
    return { state: 'not_sent', detail: describeError(error) }
  }
  const payment = toMaskedPayment(transaction)
  if (payment === undefined) return declineRefund('no-payment', 'Authorize.net does not say to which card or account it can be refunded.')
  const request = {
    transactionType: 'refundTransaction',
    amount: toDecimalText(amount),
    payment,
    refTransId: order.providerRef,
    order: { invoiceNumber: order.merchantReference, description },
  } as const
  let transId = ''
  const result = await readAnswer(sendReturn(context, order.merchantReference, request), (answer) => {
    const outcome = decodeOutcome(answer, order.merchantReference)
    if (outcome.state === 'accepted') ({ transId } = outcome)
    return decodeReturn(answer, order, before + amount.minor)
  })
  return result.state === 'succeeded' && (await isContradicted(context, transId)) ? CONTRADICTED : result
}

const CONTRADICTED: ChargeResult = { state: 'unknown', detail: 'authorize approved the refund, and its details say that there is none' }

/** Whether the details of a refund say that it gives nothing back; where they cannot be read, its approval is believed. */
const isContradicted = async (context: AuthorizeContext, transId: string): Promise<boolean> => {
  try {
    return !(await readTransaction(context, transId)).status.startsWith('refund')
  } catch {
    return false
  }
}

/** The result of a void, or unknown where the look-up after it shows that the payment still stands. */
const confirm = (stored: ChargeResult, result: ChargeResult): ChargeResult =>
  stored.state === 'succeeded' && stored.refunded === null ? CONTRADICTED : result

/** The payment as charged, with the given total refunded. */
const toRefunded = ({ providerRef, amount }: IdentifiedOrder, refunded: bigint): ChargeResult => ({
  state: 'succeeded',
  providerRef,
  amount,
  refunded,
  reversed: 0n,
})

/** The payment with `refunded` given back when the answer approves the void or refund; unknown when it was held, not stored or a test. */
const decodeReturn = (answer: Answer, order: IdentifiedOrder, refunded: bigint): ChargeResult => {
  const outcome = decodeOutcome(answer, order.merchantReference)
  if (outcome.state !== 'accepted') return outcome
  return !outcome.isHeld && outcome.transId !== '0' && !outcome.isTest
    ? toRefunded(order, refunded)
    : { state: 'unknown', detail: 'authorize did not carry out the refund' }
}

/** The card or account to refund to, masked as the details show it; undefined where they show neither. */
const toMaskedPayment = ({ payment }: Transaction): Fields | undefined => {
  if (payment?.creditCard !== undefined)
    return { creditCard: { cardNumber: payment.creditCard.cardNumber.slice(-4), expirationDate: 'XXXX' } }
  if (payment?.bankAccount === undefined) return undefined
  const { accountType, routingNumber, accountNumber, nameOnAccount, echeckType } = payment.bankAccount
  return {
    bankAccount: {
      ...(accountType === undefined ? {} : { accountType }),
      routingNumber,
      accountNumber,
      ...(nameOnAccount === undefined ? {} : { nameOnAccount }),
      ...(echeckType === undefined ? {} : { echeckType }),
    },
  }
}
