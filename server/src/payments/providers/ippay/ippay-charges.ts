import { createHash } from 'node:crypto'
import type { ChargeResult } from '../charge-result.ts'
import { declineTypedMethod } from '../decline.ts'
import type { ChargeOrder } from '../order.ts'
import type { NotPrepared, PreparedCharge } from '../prepared-charge.ts'
import type { KnownMethod, MethodAddress, MethodSummary, NewCard } from '../method.ts'
import { type IPpayContext, sendCharge, toUserField } from './ippay-client.ts'
import { meaningOf } from './ippay-codes.ts'
import { findToken } from './ippay-enquiry.ts'
import { describeToken } from './ippay-methods.ts'
import type { Reply, XmlBlock, XmlFields } from './ippay-xml.ts'

export const CURRENCY = 'USD'
export const DEBIT_TYPE = 'eCheck'

/** An expiry date as IPpay writes it; no fields where month or year is not known. */
const toExpiry = ({ expMonth, expYear }: { expMonth?: number; expYear?: number }): XmlFields =>
  expMonth === undefined || expYear === undefined
    ? {}
    : { CardExpMonth: String(expMonth).padStart(2, '0'), CardExpYear: String(expYear).slice(-2) }

/** The ACH element that debits a stored account, or pays into it, as its holder entered or agreed to on the web. */
export const toAch = (token: string, transactionId: string): XmlBlock => ({
  attributes: { Type: 'CHECKING', SEC: 'WEB' },
  fields: { Token: token, CheckNumber: toCheckNumber(transactionId) },
})

/** A check number, which the protocol wants and nobody has: six digits that follow from our reference. */
const toCheckNumber = (transactionId: string): string =>
  String((createHash('sha256').update(transactionId).digest().readUInt32BE() % 900_000) + 100_000)

/**
 * Prepares the charge of a stored card or account by its token; nothing is sent before `submit`. An order without a return URL is sent as a
 * recurring one.
 */
const prepareStoredMethodCharge = async (
  context: IPpayContext,
  order: ChargeOrder,
  { token, kind, details }: KnownMethod,
): Promise<PreparedCharge | NotPrepared> => {
  const name = details.name === undefined ? {} : { CardName: details.name }
  return prepareCharge(
    context,
    order,
    kind,
    kind === 'bank'
      ? { ...name, ACH: toAch(token, order.merchantReference) }
      : { Token: token, ...toExpiry(details), ...name, ...(order.returnUrl === null ? { Origin: 'RECURRING' } : {}) },
    describeToken(kind, token),
  )
}

/**
 * Prepares the charge of the card that was entered on the hosted page. Its typed token is our reference, by which IPpay is asked for the
 * real one.
 */
const prepareNewCardCharge = async (context: IPpayContext, order: ChargeOrder, card: NewCard): Promise<PreparedCharge | NotPrepared> => {
  if (card.typedMethod.kind !== 'token') return declineTypedMethod('unreadable')
  const found = await findToken(context, card.typedMethod.token, 'card')
  // Nothing was sent that charges, so the payer may try again.
  if (!('token' in found)) return found.state === 'declined' ? found : { state: 'not_sent', detail: found.detail }
  const beside = { CardName: card.holder, ...toBilling(card.address), Email: card.email }
  return prepareCharge(context, order, 'card', { Token: found.token, ...beside }, describeToken('card', found.token))
}

/** Countries as the forms send them, in the three letters that IPpay wants. */
const COUNTRIES: Readonly<Record<string, string>> = { US: 'USA', CA: 'CAN', MX: 'MEX', GB: 'GBR', AU: 'AUS', DE: 'DEU', FR: 'FRA' }

/** The billing address in IPpay's fields; a country that has no known code of three letters is left out. */
const toBilling = (address: MethodAddress | undefined): XmlFields => {
  if (address === undefined) return {}
  const { line1, city, state, postalCode, country } = address
  const code = country?.trim().toUpperCase() ?? ''
  return {
    BillingAddress: line1 ?? undefined,
    BillingCity: city ?? undefined,
    BillingStateProv: state ?? undefined,
    BillingPostalCode: postalCode ?? undefined,
    BillingCountry: COUNTRIES[code] ?? (code.length === 3 ? code : undefined),
  }
}

/**
 * A charge in USD that `submit` sends, and nothing sends again: IPpay has no idempotency key, and what a repeated TransactionID answers is
 * not documented. Any other currency is `not_sent`.
 */
const prepareCharge = (
  context: IPpayContext,
  order: ChargeOrder,
  kind: 'card' | 'bank',
  fields: XmlFields,
  method: MethodSummary | undefined,
): PreparedCharge | NotPrepared => {
  if (order.amount.currency !== CURRENCY) return { state: 'not_sent', detail: `ippay charges ${CURRENCY} alone` }
  return {
    providerRef: order.merchantReference,
    method,
    submit: async (permit) => {
      const answer = await sendCharge(context, permit, kind === 'bank' ? 'CHECK' : 'SALE', {
        TransactionID: order.merchantReference,
        ...fields,
        TotalAmount: String(order.amount.minor),
        OrderNumber: order.invoiceNumbers[0],
        UserIPAddress: order.client?.ip,
        UDField1: toUserField(order.customerId),
      })
      return 'reply' in answer ? decodeCharge(answer.reply, order, kind) : answer
    },
  }
}

/**
 * The result that the answer to a charge stands for: only an approval of this very order counts. An approved card is `succeeded`, an
 * approved debit is `processing`.
 */
export const decodeCharge = (
  reply: Reply,
  { merchantReference, amount }: Pick<ChargeOrder, 'merchantReference' | 'amount'>,
  kind: 'card' | 'bank',
): ChargeResult => {
  const meaning = meaningOf(reply['ActionCode'], reply['ErrMsg'], kind)
  if (meaning !== 'approved')
    return typeof meaning === 'object' ? meaning : { state: 'unknown', detail: `ippay answered ${reply['ActionCode'] ?? 'without a code'}` }
  if (reply['TransactionID']?.toUpperCase() !== merchantReference)
    return { state: 'unknown', detail: 'ippay did not say which payment it approved' }
  // The gateway's answers have no amount; one that has another is not believed.
  if (reply['TotalAmount'] !== undefined && reply['TotalAmount'] !== String(amount.minor))
    return { state: 'unknown', detail: 'ippay approved another amount' }
  if (kind === 'card') return { state: 'succeeded', providerRef: merchantReference, amount, refunded: 0n, reversed: 0n }
  return reply['AdditionalInfo'] === undefined
    ? { state: 'processing', providerRef: merchantReference }
    : { state: 'unknown', detail: 'ippay accepted the debit with a remark' }
}

export const ippayCharges = { prepareStoredMethodCharge, prepareNewCardCharge }
