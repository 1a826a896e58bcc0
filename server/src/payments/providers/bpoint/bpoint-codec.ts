import type { Money } from '@counterfoil/contract/kit/money'
import { type Static, type TSchema, Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import type { MethodDetails } from '../method.ts'
import type { ChargeResult } from '../charge-result.ts'
import { type BpointAnswer, describeAnswer } from './bpoint-client.ts'
import { APPROVED_BANK_CODES, BANK_DECLINES, toTransactionDecline } from './bpoint-declines.ts'
import { toErrorDecline } from './bpoint-errors.ts'
import type { BpointSettings } from './bpoint.settings.ts'

/** The type of a payment by Australian bank account. */
export const BECS_DEBIT = 'au_becs_debit'

const Nullish = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))

const WireCard = Type.Object({
  number: Type.String({ maxLength: 30 }),
  expiry: Nullish(Type.Object({ month: Type.String(), year: Type.String() })),
  name: Nullish(Type.String({ maxLength: 200 })),
  scheme: Nullish(Type.String({ maxLength: 40 })),
})
const WireBank = Type.Object({ bsb: Type.String({ maxLength: 10 }), account: Type.String({ maxLength: 30 }), name: Nullish(Type.String()) })
const WireMethod = Type.Object({ card: Nullish(WireCard), bank: Nullish(WireBank) })

const WireTransaction = Type.Object({
  action: Type.String(),
  txnNumber: Nullish(Type.String({ minLength: 1, maxLength: 60 })),
  originalTxnNumber: Nullish(Type.String()),
  merchantReference: Nullish(Type.String()),
  billerCode: Nullish(Type.String()),
  crn1: Nullish(Type.String()),
  currency: Type.String(),
  amount: Type.Integer({ minimum: 0 }),
  processedDateTime: Nullish(Type.String()),
  responseCode: Type.String({ minLength: 1, maxLength: 20 }),
  bankResponseCode: Nullish(Type.String({ maxLength: 20 })),
  cvnResult: Nullish(Type.Object({ code: Nullish(Type.String()) })),
  isTestTxn: Nullish(Type.Boolean()),
})
export type BpointTransaction = Static<typeof WireTransaction>

/** A transaction of BPOINT's, a payment or a refund; undefined for a value of any other form. */
export const decodeTransaction = (value: unknown): BpointTransaction | undefined =>
  matchesSchema(WireTransaction, value) ? value : undefined

const WireProcessed = Type.Object({ txn: Type.Unknown() })

/** What the answer to a charge says. Total: only an approval of this very order is `succeeded`. */
export const decodeCharge = (answer: BpointAnswer, merchantReference: string, settings: BpointSettings): ChargeResult => {
  const { status, body } = answer
  if (status !== 200) return toErrorDecline(answer) ?? { state: 'unknown', detail: describeAnswer(answer) }
  const transaction = matchesSchema(WireProcessed, body) ? decodeTransaction(body.txn) : undefined
  if (transaction === undefined) return { state: 'unknown', detail: 'bpoint answered in an unknown format' }
  if (transaction.action !== 'Payment' || transaction.merchantReference !== merchantReference)
    return { state: 'unknown', detail: 'bpoint answered for another payment' }
  return transactionResult(transaction, { refunded: 0n, isVoided: false }, settings)
}

/** What is known beside a payment itself. */
interface KnownState {
  /** The sum of its refunds in minor units; null where it is not known. */
  readonly refunded: bigint | null
  /** Whether all of it was reversed on its day, before it was settled. */
  readonly isVoided: boolean
}

/**
 * The result of a payment by its codes: one that only test mode approved is unknown where the settings are not in test mode; one reversed
 * on its day is `voided`.
 */
export const transactionResult = (
  transaction: BpointTransaction,
  { refunded, isVoided }: KnownState,
  settings: BpointSettings,
): ChargeResult => {
  const { txnNumber, responseCode, isTestTxn } = transaction
  const codes = codesOf(transaction)
  const amount: Money = { minor: BigInt(transaction.amount), currency: transaction.currency }
  if (isTestTxn === true && settings.testMode !== true) return { state: 'unknown', detail: 'bpoint only rehearsed it, in test mode' }
  const declined = toTransactionDecline(codes)
  if (declined !== undefined) return declined
  if (typeof txnNumber !== 'string') return { state: 'unknown', detail: 'bpoint gives no number for it' }
  if (responseCode === 'P') return { state: 'processing', providerRef: txnNumber }
  if (isApproved(transaction) && isVoided) return { state: 'voided', providerRef: txnNumber, detail: 'reversed at bpoint' }
  if (isApproved(transaction)) return { state: 'succeeded', providerRef: txnNumber, amount, refunded, reversed: 0n }
  return { state: 'unknown', detail: `bpoint says ${responseCode} ${codes.bankResponseCode ?? ''}`.trim() }
}

/** The codes that decide whether a transaction was declined; an empty code of the bank is null. */
export const codesOf = ({ responseCode, bankResponseCode, cvnResult }: BpointTransaction) => ({
  responseCode,
  bankResponseCode: bankResponseCode || null,
  cvnResult: cvnResult?.code ?? null,
})

/** Whether BPOINT approved a transaction, and the bank too where its code is given: a debit has none. */
export const isApproved = ({ responseCode, bankResponseCode }: BpointTransaction): boolean =>
  responseCode === '0' && (bankResponseCode ? APPROVED_BANK_CODES.has(bankResponseCode) : true)

/** Whether a bank has declined a payment, now or after it was approved. */
export const isBankDecline = ({ responseCode }: BpointTransaction): boolean => BANK_DECLINES.includes(responseCode)

/** The approved transactions among these that give back money of the payment with this number. */
const returnsOf = (transactions: readonly BpointTransaction[], txnNumber: string | null | undefined): BpointTransaction[] =>
  transactions.filter((one) => one.action !== 'Payment' && one.originalTxnNumber === txnNumber && isApproved(one))

/** What these transactions say of a payment: the sum of its refunds in minor units, and whether one reversed its whole amount. */
export const knownStateOf = (transactions: readonly BpointTransaction[], { txnNumber, amount }: BpointTransaction): KnownState => {
  const returns = returnsOf(transactions, txnNumber)
  return {
    refunded: returns.reduce((sum, one) => sum + BigInt(one.amount), 0n),
    isVoided: returns.some((one) => one.action === 'Reversal' && one.amount === amount),
  }
}

/** The brands by the words and the codes that BPOINT has for them. */
const BRANDS: Readonly<Record<string, string>> = {
  visa: 'visa',
  vc: 'visa',
  mastercard: 'mastercard',
  mc: 'mastercard',
  amex: 'amex',
  'american express': 'amex',
  ax: 'amex',
  diners: 'diners',
  'diners club': 'diners',
  dc: 'diners',
  jcb: 'jcb',
  jc: 'jcb',
  unionpay: 'unionpay',
  up: 'unionpay',
}

/** The first six digits, three dots and the last three: BPOINT's own mask. */
const MASK = /^\d{6}\.{3}\d{3}$/

/** What BPOINT shows of a card or a bank account, without a token; undefined where it is neither. */
export const decodeMethod = (value: unknown): { kind: 'card' | 'bank'; details: MethodDetails } | undefined => {
  if (!matchesSchema(WireMethod, value)) return undefined
  if (value.card !== undefined && value.card !== null) return { kind: 'card', details: cardDetails(value.card) }
  return value.bank === undefined || value.bank === null ? undefined : { kind: 'bank', details: bankDetails(value.bank) }
}

/** What may be shown of a card. Its number is left out where it is not in BPOINT's own mask. */
const cardDetails = ({ number, expiry, name, scheme }: Static<typeof WireCard>): MethodDetails => {
  const brand = BRANDS[scheme?.toLowerCase() ?? '']
  const [month, year] = [Number(expiry?.month), Number(expiry?.year)]
  const hasExpiry = month >= 1 && month <= 12 && Number.isInteger(year) && year >= 0 && year <= 99
  return {
    ...(brand === undefined ? {} : { brand }),
    ...(MASK.test(number) ? { maskedNumber: number } : {}),
    ...(hasExpiry ? { expMonth: month, expYear: 2000 + year } : {}),
    ...(name ? { name } : {}),
  }
}

/** What may be shown of a bank account: BSB, holder, and of the number at most the last four digits. */
const bankDetails = ({ bsb, account, name }: Static<typeof WireBank>): MethodDetails => {
  const last4 = /\d{1,4}$/.exec(account)?.[0]
  return { bankCode: bsb, ...(last4 === undefined ? {} : { last4 }), ...(name ? { name } : {}) }
}
