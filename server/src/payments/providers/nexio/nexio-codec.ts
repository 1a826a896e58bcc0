import { type Money, parseMoney, toJsonNumber } from '@counterfoil/contract/kit/money'
import { type Static, type TSchema, Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import type { ChargeResult } from '../charge-result.ts'
import type { ChargeOrder } from '../order.ts'
import { describeAnswer, type NexioAnswer } from './nexio-client.ts'
import { toDecline, toGatewayDecline } from './nexio-declines.ts'

/** The numbers of ISO 4217 by which the transaction service names the currencies that Nexio takes. */
const CURRENCY_NUMBERS: Readonly<Record<string, string>> = {
  '036': 'AUD',
  '124': 'CAD',
  '156': 'CNY',
  '392': 'JPY',
  '410': 'KRW',
  '484': 'MXN',
  '554': 'NZD',
  '710': 'ZAR',
  '826': 'GBP',
  '840': 'USD',
  '978': 'EUR',
}

export const NEXIO_CURRENCIES: readonly string[] = Object.values(CURRENCY_NUMBERS)

/** The type of a payment by bank account. */
export const ECHECK = 'eCheck'

const Nullish = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
const TextOrNumber = Type.Union([Type.String(), Type.Number()])

/**
 * The amount of a number in currency units, which is how Nexio writes amounts; undefined when the number is not above zero, or has more
 * decimals than the currency.
 */
export const toMoney = (amount: number, currency: string): Money | undefined => {
  if (!/^\d{1,12}(\.\d+)?$/.test(String(amount))) return undefined
  const money = parseMoney(String(amount), currency)
  return money.minor > 0n && toJsonNumber(money) === amount ? money : undefined
}

const WirePayment = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 500 }),
  transactionStatus: Type.String(),
  transactionType: Type.Literal('sale'),
  amount: Type.Number(),
  currency: Type.String({ pattern: '^[A-Za-z]{3}$' }),
  data: Type.Object({ customer: Type.Object({ orderNumber: Type.String() }) }),
})

const WireRedirect = Type.Object({ status: Type.Literal('redirect'), redirectUrl: Type.String() })

/**
 * The payment service's words for a payment that was captured; its settlement only follows. An eCheck that is `pending` waits for its bank.
 */
const APPROVED_STATUSES: ReadonlySet<string> = new Set(['pending', 'settled'])

/** The result that the answer to a charge stands for. Never throws: only an approval of this very order is `succeeded`. */
export const decodeCharge = (answer: NexioAnswer, order: ChargeOrder, isNexioUrl: (url: string) => boolean): ChargeResult => {
  const { status, body } = answer
  if (status !== 200) return toDecline(answer) ?? { state: 'unknown', detail: describeAnswer(answer) }
  if (matchesSchema(WireRedirect, body)) return toConfirmationResult(body.redirectUrl, order, isNexioUrl)
  if (!matchesSchema(WirePayment, body)) return { state: 'unknown', detail: 'nexio answered in an unknown format' }
  if (body.data.customer.orderNumber !== order.merchantReference) return { state: 'unknown', detail: 'nexio answered for another payment' }
  return approvedResult(body, order.methodType)
}

/**
 * The result of a payment that Nexio made: captured is `succeeded`, an eCheck that waits for its bank is `processing`, any other status is
 * unknown.
 */
const approvedResult = ({ id, transactionStatus, amount, currency }: Static<typeof WirePayment>, methodType: string): ChargeResult => {
  const money = toMoney(amount, currency.toUpperCase())
  if (money === undefined || !APPROVED_STATUSES.has(transactionStatus))
    return { state: 'unknown', detail: `nexio says ${transactionStatus.slice(0, 40)}` }
  if (methodType === ECHECK && transactionStatus === 'pending') return { state: 'processing', providerRef: id }
  return { state: 'succeeded', providerRef: id, amount: money, refunded: 0n, reversed: 0n }
}

/**
 * The result of a charge that the payer's bank wants confirmed on a page of its own: `requires_action`, with our reference in the place of
 * the transaction's id, because no transaction exists before the payer confirms. Unknown, to be looked up, when no payer is present or the
 * page is not Nexio's.
 */
const toConfirmationResult = (
  redirectUrl: string,
  { merchantReference, returnUrl }: ChargeOrder,
  isNexioUrl: (url: string) => boolean,
): ChargeResult => {
  if (returnUrl === null) return { state: 'unknown', detail: 'the bank asks for a confirmation, and no payer is present' }
  return isNexioUrl(redirectUrl)
    ? { state: 'requires_action', providerRef: merchantReference, redirectUrl }
    : { state: 'unknown', detail: 'nexio redirects to another host' }
}

/** A transaction as the transaction service shows it. */
const WireRecord = Type.Object({
  id: Nullish(TextOrNumber),
  transactionStatus: Type.Integer(),
  transactionDate: Type.String(),
  amount: Type.Number(),
  currencyId: TextOrNumber,
  settledDate: Nullish(Type.String()),
  updatedAt: Nullish(Type.String()),
  originalTransactionId: Nullish(TextOrNumber),
  achDetailId: Nullish(TextOrNumber),
  plugin: Type.Object({ originalId: Type.String({ minLength: 1, maxLength: 500 }), orderNumber: Nullish(Type.String()) }),
  gateway: Nullish(Type.Object({ message: Nullish(Type.String()) })),
})
export type NexioRecord = Static<typeof WireRecord>

/** A transaction of the transaction service; undefined for a value of any other form. */
export const decodeRecord = (value: unknown): NexioRecord | undefined => (matchesSchema(WireRecord, value) ? value : undefined)

/** Whether a transaction is a refund, which names the payment that it gives back. */
export const isRefund = ({ originalTransactionId }: NexioRecord): boolean =>
  originalTransactionId !== undefined && originalTransactionId !== null

/** The transaction service's numbers of statuses. */
const STATUS = { pending: 3, captured: 10, settled: 20, declined: 30, failed: 32, voiding: 39, voided: 40 } as const

/** What a debit that its bank has refused or returned has. */
export const FAILED_STATUSES: readonly number[] = [STATUS.declined, STATUS.failed]

/** Whether a transaction is settled; one that was only captured is not. */
export const isSettled = ({ transactionStatus }: NexioRecord): boolean => transactionStatus === STATUS.settled

/** The amount of a payment or a refund, never negative; undefined for a zero, or a currency that Nexio does not take. */
const moneyOf = ({ amount, currencyId }: NexioRecord): Money | undefined => {
  const currency = CURRENCY_NUMBERS[String(currencyId).padStart(3, '0')]
  return currency === undefined ? undefined : toMoney(Math.abs(amount), currency)
}

/** What is known beside a record itself. */
interface KnownBeside {
  /** The sum of its refunds, in minor units; null where that is not known. */
  readonly refunded: bigint | null
  /** Whether an eCheck was ordered: the record has no documented field that tells. */
  readonly isECheck: boolean
}

/**
 * What the transaction service says of a payment. A captured eCheck is `processing`; a payment that failed after its settlement is a
 * success with all of it reversed.
 */
export const recordResult = (record: NexioRecord, { refunded, isECheck }: KnownBeside): ChargeResult => {
  const amount = moneyOf(record)
  const providerRef = record.plugin.originalId
  if (amount === undefined) return { state: 'unknown', detail: 'nexio tells an amount that cannot be read' }
  const moved = { state: 'succeeded', providerRef, amount, refunded, reversed: null } as const
  switch (record.transactionStatus) {
    case STATUS.pending:
      return { state: 'processing', providerRef }
    case STATUS.captured:
      return isECheck ? { state: 'processing', providerRef } : moved
    case STATUS.settled:
      return moved
    case STATUS.declined:
    case STATUS.failed:
      // The bank has taken back what was settled.
      return isDate(record.settledDate) ? { ...moved, reversed: amount.minor } : toGatewayDecline(record.gateway?.message ?? '')
    case STATUS.voiding:
    case STATUS.voided:
      return { state: 'voided', providerRef, detail: 'voided at nexio' }
    default:
      return { state: 'unknown', detail: `nexio says ${record.transactionStatus}` }
  }
}

/** Whether a date is given at all; its text is not read. */
const isDate = (text: string | null | undefined): boolean => text !== null && text !== undefined

/** Whether a list shows an eCheck, by a field that is not documented: whoever ordered the payment knows. */
export const isListedECheck = ({ achDetailId }: NexioRecord): boolean => achDetailId !== undefined && achDetailId !== null

/** The number under which the transaction service, and its list of chargebacks, know a payment; null where the record has none. */
export const transactionNumberOf = ({ id }: NexioRecord): string | null => (id ? String(id) : null)

/** The refunds of a payment among these transactions, in minor units: those that stand, and those that failed or were voided. */
export const sumRefunds = (records: readonly NexioRecord[], paymentId: string): { made: bigint; failed: bigint } => {
  const refunds = records.filter((record) => isRefund(record) && record.plugin.originalId === paymentId)
  const sum = (wanted: (record: NexioRecord) => boolean): bigint =>
    refunds.filter(wanted).reduce((total, record) => total + (moneyOf(record)?.minor ?? 0n), 0n)
  return {
    made: sum(({ transactionStatus }) => !isFailed(transactionStatus)),
    failed: sum(({ transactionStatus }) => isFailed(transactionStatus)),
  }
}

/** Whether a refund gave nothing back: it was declined, failed or voided. */
const isFailed = (status: number): boolean => status === STATUS.declined || status === STATUS.failed || status === STATUS.voided
