import { type Static, Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import type { ChargeResult } from '../charge-result.ts'
import type { ChargeOrder, SentOrder } from '../order.ts'
import type { MethodDetails, MethodSummary, StoredMethod } from '../method.ts'
import { describeAnswer, type PinchAnswer } from './pinch-client.ts'
import { declineOf, declineOfDishonour, declineOfErrors } from './pinch-declines.ts'

/** The type of a payment by bank account. */
export const BANK_DEBIT = 'au_becs_debit'

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Anything = Type.Optional(Type.Unknown())

const WireSource = Type.Object({
  id: Type.String({ pattern: '^src_\\S{1,100}' }),
  sourceType: Type.String(),
  bankAccountNumber: Text,
  bankAccountBsb: Text,
  bankAccountName: Text,
  cardHolderName: Text,
  expiryDate: Text,
  displayCardNumber: Text,
  cardScheme: Text,
})

const WireAttempt = Type.Object({
  dishonour: Type.Optional(Type.Union([Type.Object({ type: Text }), Type.Null()])),
  settlement: Anything,
  source: Anything,
})

const WireRefund = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100 }),
  amount: Type.Integer({ minimum: 0 }),
  status: Type.String(),
})
type WireRefund = Static<typeof WireRefund>

const WirePayment = Type.Object({
  id: Type.String({ pattern: '^pmt_\\w{1,100}$' }),
  amount: Type.Integer({ minimum: 1, maximum: 999_999_999_999 }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  status: Type.String(),
  sourceType: Text,
  nonce: Anything,
  metadata: Anything,
  transactionDate: Text,
  attempts: Type.Optional(Type.Union([Type.Array(WireAttempt), Type.Null()])),
  refunds: Type.Optional(Type.Union([Type.Array(WireRefund), Type.Null()])),
})

/** A payment as Pinch shows it. */
export type PinchPayment = Static<typeof WirePayment>

/** A payment; undefined for everything else. */
export const decodePayment = (body: unknown): PinchPayment | undefined => (matchesSchema(WirePayment, body) ? body : undefined)

/** A refund; undefined for everything else. */
export const decodeRefund = (body: unknown): WireRefund | undefined => (matchesSchema(WireRefund, body) ? body : undefined)

const FAILED_REFUNDS: ReadonlySet<string> = new Set(['failed', 'cancelled', 'declined'])

/** Whether a refund gave nothing back: it failed, was cancelled or declined. */
export const hasRefundFailed = ({ status }: Pick<WireRefund, 'status'>): boolean => FAILED_REFUNDS.has(status)

/** Whether a payment names another order's reference than ours. Some answers name none. */
export const isOfAnotherOrder = ({ nonce, metadata }: PinchPayment, merchantReference: string): boolean =>
  [nonce, metadata].some((mark) => typeof mark === 'string' && mark !== '' && mark !== merchantReference)

/**
 * What a payment's status says. A card that is approved is paid; a bank account only when it is settled.
 * @param refunded what was refunded, null where it is not told
 * @param isDebit whether a bank debit was ordered: what the payment shows of its source is only compared
 */
export const paymentResult = (payment: PinchPayment, refunded: bigint | null, isDebit: boolean): ChargeResult => {
  const { id: providerRef, amount: minor, currency, status } = payment
  if (hasOtherSourceType(payment, isDebit)) return { state: 'unknown', detail: 'pinch shows another kind of source than was charged' }
  const paid = { state: 'succeeded' as const, providerRef, amount: { minor: BigInt(minor), currency }, refunded, reversed: 0n }
  switch (status) {
    case 'settled':
      return paid
    case 'approved':
      return isDebit ? { state: 'processing', providerRef } : paid
    case 'scheduled':
    case 'processing':
      return { state: 'processing', providerRef }
    case 'dishonoured':
      return wasSettled(payment) ? { ...paid, reversed: paid.amount.minor } : declineOfDishonour(dishonourOf(payment))
    case 'cancelled':
      return { state: 'canceled', detail: 'it was cancelled at pinch' }
    default:
      return { state: 'unknown', detail: `pinch says that it is ${status.slice(0, 50)}` }
  }
}

const CARD_SOURCE = 'credit-card'

/** Whether a listed payment counts as one by bank account: every one that does not say that its source is a card. */
export const isListedDebit = ({ sourceType }: PinchPayment): boolean => sourceType !== CARD_SOURCE

/** Whether a payment was made by the other kind of source, card or bank account, than the order's. */
const hasOtherSourceType = ({ sourceType }: PinchPayment, isDebit: boolean): boolean =>
  typeof sourceType === 'string' && (sourceType === CARD_SOURCE) === isDebit

/** The last attempt of a payment, as Pinch lists them. */
const lastAttempt = ({ attempts }: PinchPayment): Static<typeof WireAttempt> | undefined => attempts?.at(-1)

/** Whether any attempt of a payment was settled. */
const wasSettled = ({ attempts }: PinchPayment): boolean =>
  attempts?.some(({ settlement }) => settlement !== null && settlement !== undefined) === true

/** Pinch's code for why the last attempt was dishonoured; undefined where it was not. */
const dishonourOf = (payment: PinchPayment): string | undefined => lastAttempt(payment)?.dishonour?.type ?? undefined

/** What was refunded of a payment, also where it was only requested yet; null where the payment does not show all that is known. */
const refundedOf = ({ refunds }: PinchPayment, known: bigint): bigint | null => {
  if (refunds === undefined || refunds === null) return null
  return sumOf(refunds) >= known ? sumOf(refunds.filter((refund) => !hasRefundFailed(refund))) : null
}

/** The sum of these refunds in Pinch's minor units, failed ones too. */
const sumOf = (refunds: readonly WireRefund[]): bigint => refunds.reduce((total, { amount }) => total + BigInt(amount), 0n)

const WireReplay = Type.Object({ isNonceReplay: Type.Literal(true), data: Type.Unknown() })

const WireDishonoured = Type.Object({
  status: Type.Literal('dishonoured'),
  dishonour: Type.Optional(Type.Union([Type.Object({ type: Text }), Type.Null()])),
})

/** What Pinch made of an earlier request with this nonce; undefined where the answer does not say that the nonce was used. */
export const replayedData = ({ status, body }: PinchAnswer): unknown =>
  status === 403 && matchesSchema(WireReplay, body) ? body.data : undefined

/** The payment that the answer to a charge shows, whichever its HTTP status but that of a server's error; undefined where it shows none. */
export const chargedPayment = (answer: PinchAnswer): PinchPayment | undefined =>
  answer.status >= 500 ? undefined : (decodePayment(answer.body) ?? decodePayment(dataOf(answer.body)))

/** The `data` member of an answer's body; undefined without one. */
const dataOf = (body: unknown): unknown => (typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined)

/**
 * The result that the answer to a charge stands for: the payment's status decides where one is shown, else Pinch's errors. A server's error
 * is unknown.
 */
export const decodeCharge = (
  answer: PinchAnswer,
  { merchantReference, methodType }: Pick<ChargeOrder, 'merchantReference' | 'methodType'>,
): ChargeResult => {
  const { status, body } = answer
  const payment = chargedPayment(answer)
  if (payment !== undefined) {
    if (isOfAnotherOrder(payment, merchantReference)) return { state: 'unknown', detail: 'pinch answered for another payment' }
    return paymentResult(payment, refundedOf(payment, 0n) ?? (status < 300 ? 0n : null), methodType === BANK_DEBIT)
  }
  if (status === 401) return declineOf('not_configured', '401')
  if (status === 400) {
    const refused = [body, dataOf(body)].find((part) => matchesSchema(WireDishonoured, part))
    const declined = matchesSchema(WireDishonoured, refused)
      ? declineOfDishonour(refused.dishonour?.type ?? undefined)
      : declineOfErrors(body)
    if (declined !== undefined) return declined
  }
  return { state: 'unknown', detail: describeAnswer(answer) }
}

/** The result that a looked-up payment stands for; unknown when it is of another order. */
export const decodeLookedUpPayment = (
  payment: PinchPayment,
  { merchantReference, methodType, refunded = 0n }: Pick<SentOrder, 'merchantReference' | 'methodType' | 'refunded'>,
): ChargeResult =>
  isOfAnotherOrder(payment, merchantReference)
    ? { state: 'unknown', detail: 'pinch answered for another payment' }
    : paymentResult(payment, refundedOf(payment, refunded), methodType === BANK_DEBIT)

/** A card or a bank account of a payer; undefined for every other kind of source, and for what cannot be read. */
export const decodeSource = (body: unknown): StoredMethod | undefined => {
  if (!matchesSchema(WireSource, body)) return undefined
  const token = body.id.trim()
  if (body.sourceType === CARD_SOURCE) return { kind: 'card', type: 'card', token, status: 'ready', details: cardDetails(body) }
  return body.sourceType === 'bank-account'
    ? { kind: 'bank', type: BANK_DEBIT, token, status: 'ready', details: accountDetails(body) }
    : undefined
}

/** What may be shown of a card: brand, last four digits, expiry, holder. */
const cardDetails = ({ cardScheme, displayCardNumber, expiryDate, cardHolderName }: Static<typeof WireSource>): MethodDetails => {
  const [, year, month] = /^(\d{4})-(\d{2})/.exec(expiryDate ?? '') ?? []
  return {
    ...(cardScheme ? { brand: cardScheme.toLowerCase() } : {}),
    ...(displayCardNumber ? { last4: displayCardNumber.slice(-4) } : {}),
    ...(year === undefined || month === undefined ? {} : { expMonth: Number(month), expYear: Number(year) }),
    ...(cardHolderName ? { name: cardHolderName } : {}),
  }
}

/** What may be shown of a bank account: BSB, last four digits, holder. */
const accountDetails = ({ bankAccountBsb, bankAccountNumber, bankAccountName }: Static<typeof WireSource>): MethodDetails => ({
  ...(bankAccountBsb ? { bankCode: bankAccountBsb } : {}),
  ...(bankAccountNumber ? { last4: bankAccountNumber.slice(-4) } : {}),
  ...(bankAccountName ? { name: bankAccountName } : {}),
})

/** What may be shown of the card or account of a payment's last attempt; undefined where the payment does not show it. */
export const summaryOf = (payment: PinchPayment): MethodSummary | undefined => {
  const source = decodeSource(lastAttempt(payment)?.source)
  return source === undefined ? undefined : toSummary(source.details)
}

/** What may be shown of a method: brand, last four digits, bank code. */
export const toSummary = ({ brand, last4, bankCode }: MethodDetails): MethodSummary => ({
  ...(brand === undefined ? {} : { brand }),
  ...(last4 === undefined ? {} : { last4 }),
  ...(bankCode === undefined ? {} : { bankCode }),
})
