import { type Money, parseMoney, toDecimalText } from '@counterfoil/contract/kit/money'
import type { ChargeResult } from '../charge-result.ts'
import type { SentOrder } from '../order.ts'
import { declineOfCode, declineOfMessage } from './moneris-declines.ts'
import type { Receipt } from './moneris-xml.ts'

/** What a receipt says. `rejected`: it was not processed. */
export type Outcome =
  | { readonly state: 'approved' }
  | { readonly state: 'declined'; readonly code: string }
  | { readonly state: 'rejected'; readonly message: string }
  | { readonly state: 'unknown'; readonly detail: string }

const MAX_APPROVED_CODE = 49

/** What a receipt says: the response code decides, since `ResSuccess` is true on declines too. What contradicts itself is unknown. */
export const readOutcome = ({ TimedOut, Complete, ResponseCode, Message = '' }: Receipt): Outcome => {
  if (TimedOut !== undefined && TimedOut !== 'false') return { state: 'unknown', detail: 'the bank did not answer moneris in time' }
  if (Complete === 'true' && ResponseCode !== undefined && /^\d{3}$/.test(ResponseCode))
    return Number(ResponseCode) <= MAX_APPROVED_CODE ? { state: 'approved' } : { state: 'declined', code: ResponseCode }
  if (Complete === 'false' && ResponseCode === undefined) return { state: 'rejected', message: Message }
  return { state: 'unknown', detail: 'moneris answered in an unknown format' }
}

type OrderedPurchase = Pick<SentOrder, 'merchantReference' | 'amount'>

const PURCHASE_TYPE = '00'

/** Decodes the answer to a purchase. Total: every receipt gives a result, and only an approved purchase of this order is `succeeded`. */
export const decodePurchase = (receipt: Receipt, order: OrderedPurchase): ChargeResult => {
  const outcome = readOutcome(receipt)
  switch (outcome.state) {
    case 'approved':
      return approvedResult(receipt, order)
    case 'declined':
      return receipt['ReceiptId'] === order.merchantReference ? declineOfCode(outcome.code) : OTHER_PAYMENT
    case 'rejected':
      return declineOfMessage(outcome.message) ?? { state: 'unknown', detail: `moneris says ${quoteMessage(outcome.message)}` }
    case 'unknown':
      return outcome
  }
}

const OTHER_PAYMENT: ChargeResult = { state: 'unknown', detail: 'moneris answered for another payment' }

/**
 * The result of an approved purchase over the amount that Moneris states; unknown where the receipt is of another order, or has no id or
 * amount.
 */
const approvedResult = (
  { ReceiptId, TransID, TransType, TransAmount }: Receipt,
  { merchantReference, amount }: OrderedPurchase,
): ChargeResult => {
  if (ReceiptId !== merchantReference || TransType !== PURCHASE_TYPE) return OTHER_PAYMENT
  const charged = parseAmount(TransAmount, amount.currency)
  if (TransID === undefined || charged === undefined) return { state: 'unknown', detail: 'moneris approved without an id or an amount' }
  return { state: 'succeeded', providerRef: TransID, amount: charged, refunded: 0n, reversed: 0n }
}

/** An amount of a receipt, a decimal with two places; undefined for any other text. */
const parseAmount = (text: string | undefined, currency: string): Money | undefined =>
  text !== undefined && /^\d{1,9}\.\d{2}$/.test(text) ? parseMoney(text, currency) : undefined

/**
 * Decodes the answer to a status check of a purchase. An answer without the status of that check proves nothing, nor does one that
 * contradicts it. A status check answers with the first receipt, so that it says nothing of voids, refunds and chargebacks.
 */
export const decodeStatusCheck = (
  receipt: Receipt,
  order: Pick<SentOrder, 'merchantReference' | 'amount' | 'providerRef'>,
): ChargeResult => {
  const { status_code: code, ResponseCode } = receipt
  if (code === undefined || !/^\d{1,3}$/.test(code)) return { state: 'unknown', detail: 'moneris made no status check' }
  const isFound = Number(code) <= MAX_APPROVED_CODE
  if (!isFound && ResponseCode === undefined) return { state: 'absent', detail: 'moneris does not know the order id' }
  if (!isFound || ResponseCode === undefined) return { state: 'unknown', detail: `moneris contradicts itself (status ${code})` }
  const result = decodePurchase(receipt, order)
  if (result.state !== 'succeeded') return result
  // Until Moneris has told its id, our own reference is kept in its place.
  const isSame = order.providerRef === null || order.providerRef === order.merchantReference || order.providerRef === result.providerRef
  return isSame ? { ...result, refunded: null, reversed: null } : OTHER_PAYMENT
}

/** Whether the receipt is of a refund or void of that order, over exactly that amount. */
export const isReturnOf = ({ ReceiptId, TransAmount }: Receipt, merchantReference: string, amount: Money): boolean =>
  ReceiptId === merchantReference && parseAmount(TransAmount, amount.currency)?.minor === amount.minor

const MAX_AMOUNT_LENGTH = 9

/** An amount as Moneris writes it; undefined for one that is too long. */
export const toMonerisAmount = (amount: Money): string | undefined => {
  const text = toDecimalText(amount)
  return text.length <= MAX_AMOUNT_LENGTH ? text : undefined
}

/** A message without its padding, for the log. */
export const quoteMessage = (message: string): string =>
  message
    .replaceAll(/[*=\s]+/g, ' ')
    .trim()
    .slice(0, 120) || 'nothing'
