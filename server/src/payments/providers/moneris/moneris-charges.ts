import type { ChargeResult } from '../charge-result.ts'
import { declineTypedMethod } from '../decline.ts'
import type { ChargeOrder, SentOrder } from '../order.ts'
import type { NotPrepared, PreparedCharge } from '../prepared-charge.ts'
import type { KnownMethod, MethodAddress, MethodSummary, NewCard, RawCard } from '../method.ts'
import { type MonerisContext, type PurchaseName, sendPurchase, sendStatusCheck } from './moneris-client.ts'
import { decodePurchase, decodeStatusCheck, toMonerisAmount } from './moneris-codec.ts'
import { brandOfNumber } from './moneris-brands.ts'
import type { XmlFields } from './moneris-xml.ts'

/** A purchase in a web shop over an encrypted connection, without 3-D Secure. */
export const CRYPT_TYPE = '7'

/** An expiry date in Moneris' form, the reverse of what is printed: YYMM. */
export const toExpdate = ({ expMonth, expYear }: Pick<RawCard, 'expMonth' | 'expYear'>): string =>
  `${String(expYear).slice(-2)}${String(expMonth).padStart(2, '0')}`

/** The element with the security code in the clear, as typed; undefined without one. */
export const toCvdInfo = ({ securityCode }: RawCard): XmlFields | undefined =>
  securityCode === null ? undefined : { cvd_indicator: '1', cvd_value: securityCode.open() }

/**
 * Whether a token has the form of those that Moneris' own fields make. Any other data key may be another customer's card, so it may not be
 * used.
 */
export const isTemporaryToken = (token: string): boolean => /^ot-[A-Za-z0-9_-]{1,47}$/.test(token)

/**
 * Prepares the charge of a stored card by its data key; nothing is sent before `submit`. Without a return URL the merchant pays with an
 * earlier consent, else the card holder.
 */
const prepareStoredMethodCharge = async (
  context: MonerisContext,
  order: ChargeOrder,
  { token, details }: KnownMethod,
): Promise<PreparedCharge | NotPrepared> =>
  preparePurchase(context, order, summaryOf(details), 'res_purchase_cc', (amount) => ({
    data_key: token,
    ...orderFields(order, amount),
    crypt_type: CRYPT_TYPE,
    cof_info: { payment_indicator: order.returnUrl === null ? 'U' : 'Z', payment_information: '2', issuer_id: details.networkRef ?? '' },
  }))

/**
 * Prepares the charge of a card typed in the clear, or of a temporary token that Moneris' own fields made; nothing is sent before `submit`.
 */
const prepareNewCardCharge = async (
  context: MonerisContext,
  order: ChargeOrder,
  { typedMethod, address }: NewCard,
): Promise<PreparedCharge | NotPrepared> => {
  if (typedMethod.kind === 'card') return prepareRawCardCharge(context, order, typedMethod.card, address)
  if (typedMethod.kind !== 'token' || !isTemporaryToken(typedMethod.token)) return declineTypedMethod('unreadable')
  const { token } = typedMethod
  return preparePurchase(context, order, undefined, 'res_purchase_cc', (amount) => ({
    data_key: token,
    ...orderFields(order, amount),
    crypt_type: CRYPT_TYPE,
    avs_info: toAvsInfo(address),
  }))
}

/** Prepares the charge of a card by its number in the clear; nothing is sent before `submit`. */
const prepareRawCardCharge = (
  context: MonerisContext,
  order: ChargeOrder,
  card: RawCard,
  address?: MethodAddress,
): PreparedCharge | NotPrepared =>
  preparePurchase(context, order, { ...brandOfNumber(card.number.open()), last4: card.number.open().slice(-4) }, 'purchase', (amount) => ({
    ...orderFields(order, amount),
    pan: card.number.open(),
    expdate: toExpdate(card),
    crypt_type: CRYPT_TYPE,
    cvd_info: toCvdInfo(card),
    avs_info: toAvsInfo(address),
  }))

/** The elements of a purchase that say what is paid; our reference is the order id. */
const orderFields = ({ merchantReference, customerId }: ChargeOrder, amount: string): XmlFields => ({
  order_id: merchantReference,
  cust_id: String(customerId),
  amount,
})

/** What may be shown of a card: brand and last four digits. */
const summaryOf = ({ brand, last4 }: MethodSummary): MethodSummary => ({
  ...(brand === undefined ? {} : { brand }),
  ...(last4 === undefined ? {} : { last4 }),
})

/**
 * A purchase that `submit` sends, and nothing sends again: Moneris has no idempotency key. `providerRef` is our reference until the answer
 * has Moneris' id; an amount longer than Moneris takes is `not_sent`.
 */
const preparePurchase = (
  context: MonerisContext,
  order: ChargeOrder,
  method: MethodSummary | undefined,
  name: PurchaseName,
  fieldsOf: (amount: string) => XmlFields,
): PreparedCharge | NotPrepared => {
  const amount = toMonerisAmount(order.amount)
  if (amount === undefined) return { state: 'not_sent', detail: 'the amount is longer than moneris takes' }
  return {
    providerRef: order.merchantReference,
    method,
    submit: async (permit) => {
      const answer = await sendPurchase(context, permit, name, fieldsOf(amount))
      return 'receipt' in answer ? decodePurchase(answer.receipt, order) : answer
    },
  }
}

const MAX_AVS_LENGTH = 19
const MAX_AVS_ZIP_LENGTH = 9

/** The address that the issuer compares; undefined where street or postal code is not known. */
const toAvsInfo = (address: MethodAddress | undefined): XmlFields | undefined => {
  const [street, zip] = [address?.line1?.trim() ?? '', address?.postalCode?.replaceAll(/[^A-Za-z0-9]/g, '') ?? '']
  if (street === '' || zip === '') return undefined
  const [, number = '', name = ''] = /^(\d+\S*)?\s*(.*)$/.exec(street) ?? []
  return {
    avs_street_number: number.slice(0, MAX_AVS_LENGTH),
    avs_street_name: name.slice(0, MAX_AVS_LENGTH),
    avs_zipcode: zip.slice(0, MAX_AVS_ZIP_LENGTH),
  }
}

/** A data key in Moneris' form that no card has. */
const NO_DATA_KEY = 'statuscheckofnostoredcard'

/**
 * Asks by the order id what became of a purchase. The card is not known here, and a gateway that overlooked the status check would
 * process the transaction: with the data key of no card it can charge nothing.
 */
const lookUp = async (context: MonerisContext, order: SentOrder): Promise<ChargeResult> => {
  const answer = await sendStatusCheck(context, 'res_purchase_cc', {
    data_key: NO_DATA_KEY,
    order_id: order.merchantReference,
    amount: toMonerisAmount(order.amount),
    crypt_type: CRYPT_TYPE,
  })
  // A look-up that was not sent says nothing of the purchase, which was.
  return 'receipt' in answer ? decodeStatusCheck(answer.receipt, order) : { state: 'unknown', detail: answer.detail }
}

export const monerisCharges = { prepareStoredMethodCharge, prepareNewCardCharge, lookUp }
