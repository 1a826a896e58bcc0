import { type Money, parseMoney } from '@counterfoil/contract/kit/money'
import { type Static, Type } from 'typebox'
import { parseInstant } from '../../../kit/clock.ts'
import { matchesSchema } from '../../../kit/schema.ts'
import type { ChargeResult } from '../charge-result.ts'
import { addBankingDays } from '../debits.ts'
import { toDecline, toReturnDecline } from './authorize-declines.ts'

/** An account has one currency, which no answer states. */
export const CURRENCY = 'USD'

/** Our references: letters and digits that are not mistaken for one another. */
export const REFERENCE = { alphabet: 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789', length: 20 }
const OUR_REFERENCE = new RegExp(`^[${REFERENCE.alphabet}]{${REFERENCE.length}}$`)

/** The invoice number of a transaction, where it is a reference of ours; else null. */
export const toMerchantReference = (invoiceNumber: string | undefined): string | null =>
  invoiceNumber !== undefined && OUR_REFERENCE.test(invoiceNumber) ? invoiceNumber : null

const Id = Type.String({ pattern: '^[1-9]\\d{0,19}$' })
const Amount = Type.Union([Type.Number({ minimum: 0 }), Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,4})?$' })])

const WireTransaction = Type.Object({
  transId: Id,
  refTransId: Type.Optional(Type.String()),
  transactionType: Type.String(),
  transactionStatus: Type.String(),
  submitTimeUTC: Type.String(),
  responseCode: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  responseReasonCode: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  responseReasonDescription: Type.Optional(Type.String()),
  order: Type.Optional(Type.Object({ invoiceNumber: Type.Optional(Type.String()), description: Type.Optional(Type.String()) })),
  authAmount: Amount,
  settleAmount: Amount,
  payment: Type.Optional(
    Type.Object({
      creditCard: Type.Optional(Type.Object({ cardNumber: Type.String() })),
      bankAccount: Type.Optional(
        Type.Object({
          accountType: Type.Optional(Type.String()),
          routingNumber: Type.String(),
          accountNumber: Type.String(),
          nameOnAccount: Type.Optional(Type.String()),
          echeckType: Type.Optional(Type.String()),
        }),
      ),
    }),
  ),
  returnedItems: Type.Optional(Type.Unknown()),
})
type WireTransaction = Static<typeof WireTransaction>

const WireSummary = Type.Object({
  transId: Id,
  transactionStatus: Type.String(),
  submitTimeUTC: Type.String(),
  invoiceNumber: Type.Optional(Type.String()),
  accountType: Type.Optional(Type.String()),
  accountNumber: Type.Optional(Type.String()),
  settleAmount: Amount,
  hasReturnedItems: Type.Optional(Type.Boolean()),
})

/** A transaction as its details show it. */
export interface Transaction {
  readonly transId: string
  readonly refTransId: string | null
  readonly type: string
  readonly status: string
  readonly submittedAt: Date
  /** 1 approved, 2 declined, 3 error, 4 held for review. */
  readonly responseCode: string
  readonly reasonCode: string
  readonly reason: string
  readonly invoiceNumber: string | undefined
  readonly description: string | undefined
  readonly authorized: Money
  /** What moves or has moved: nothing after a void. */
  readonly settled: Money
  readonly payment: WireTransaction['payment']
  readonly returned: { readonly at: Date | null; readonly code: string } | null
}

/** A transaction as a list shows it. */
export interface TransactionSummary {
  readonly transId: string
  readonly status: string
  readonly submittedAt: Date
  readonly invoiceNumber: string | undefined
  readonly last4: string | null
  readonly isDebit: boolean
  readonly settled: Money
  readonly isReturned: boolean
}

/** An amount of an answer, a number or a decimal text, as US dollars. */
const toMoney = (amount: number | string): Money => parseMoney(typeof amount === 'number' ? amount.toFixed(2) : amount, CURRENCY)

const DEBIT_ACCOUNT_TYPE = 'eCheck'

/** Decodes the details of a transaction; undefined for anything else. */
export const decodeTransaction = (value: unknown): Transaction | undefined => {
  if (!matchesSchema(WireTransaction, value)) return undefined
  const submittedAt = parseInstant(value.submitTimeUTC)
  if (submittedAt === null) return undefined
  return {
    transId: value.transId,
    refTransId: value.refTransId ?? null,
    type: value.transactionType,
    status: value.transactionStatus,
    submittedAt,
    responseCode: String(value.responseCode ?? ''),
    reasonCode: String(value.responseReasonCode ?? ''),
    reason: value.responseReasonDescription ?? '',
    invoiceNumber: value.order?.invoiceNumber,
    description: value.order?.description,
    authorized: toMoney(value.authAmount),
    settled: toMoney(value.settleAmount),
    payment: value.payment,
    returned: decodeReturn(value),
  }
}

const WireReturn = Type.Object({ dateUTC: Type.Optional(Type.String()), code: Type.Optional(Type.String()) })

/** When and with which code a bank returned the payment, by the first returned item; null for one that was not returned. */
const decodeReturn = ({ transactionStatus, returnedItems }: WireTransaction): Transaction['returned'] => {
  const [first] = Array.isArray(returnedItems) ? (returnedItems as unknown[]) : [returnedItems]
  if (first === undefined || first === null) return transactionStatus === 'returnedItem' ? { at: null, code: '' } : null
  const { dateUTC = '', code = '' } = matchesSchema(WireReturn, first) ? first : {}
  return { at: parseInstant(dateUTC), code }
}

/** A debit that came back, and a card payment that was charged back, or whose chargeback was won. */
const RETURNED_STATUSES: ReadonlySet<string> = new Set(['returnedItem', 'chargeback', 'chargebackReversal'])

/** Decodes an entry of a list; undefined for anything else. */
export const decodeSummary = (value: unknown): TransactionSummary | undefined => {
  if (!matchesSchema(WireSummary, value)) return undefined
  const submittedAt = parseInstant(value.submitTimeUTC)
  if (submittedAt === null) return undefined
  return {
    transId: value.transId,
    status: value.transactionStatus,
    submittedAt,
    invoiceNumber: value.invoiceNumber,
    last4: /\d{4}$/.exec(value.accountNumber ?? '')?.[0] ?? null,
    isDebit: value.accountType === DEBIT_ACCOUNT_TYPE,
    settled: toMoney(value.settleAmount),
    isReturned: value.hasReturnedItems === true || RETURNED_STATUSES.has(value.transactionStatus),
  }
}

/** When a debit counts as paid. */
export interface Clearing {
  readonly now: Date
  /** When the debit was sent; null: when Authorize.net received it. */
  readonly sentAt: Date | null
  readonly returnDays: number
}

const WAITING_STATUSES: ReadonlySet<string> = new Set([
  'FDSPendingReview',
  'FDSAuthorizedPendingReview',
  'underReview',
  'approvedReview',
  'authorizedPendingRelease',
])
const CAPTURED_STATUSES: ReadonlySet<string> = new Set([
  'capturedPendingSettlement',
  'pendingSettlement',
  'pendingFinalSettlement',
  'updatingSettlement',
])
const DECLINED_STATUSES: ReadonlySet<string> = new Set(['declined', 'failedReview', 'generalError'])

/**
 * What a charge's details mean. Total: only a captured or settled charge that was approved is `succeeded`.
 * @param isDebit whether a bank debit was ordered: what the details show of the account is only compared
 */
export const toResult = (transaction: Transaction, clearing: Clearing, isDebit: boolean): ChargeResult => {
  const { transId: providerRef, type, status, responseCode, settled, payment } = transaction
  const isOther = isDebit ? payment?.creditCard !== undefined : payment?.bankAccount !== undefined
  if (isOther) return { state: 'unknown', detail: 'authorize shows another kind of account than was charged' }
  if (type !== 'authCaptureTransaction') return { state: 'unknown', detail: `authorize has a ${type.slice(0, 40)} under this id` }
  if (WAITING_STATUSES.has(status)) return { state: 'processing', providerRef }
  if (status === 'voided') return { state: 'voided', providerRef, detail: 'voided at authorize' }
  if (DECLINED_STATUSES.has(status)) return toDecline(transaction.reasonCode, transaction.reason)
  if (status === 'expired') return { state: 'canceled', detail: 'expired at authorize' }
  if (status === 'settlementError' && isDebit && settled.minor === 0n)
    return toDecline(transaction.reasonCode, 'The bank did not accept the debit.')
  if (responseCode !== '1') return { state: 'unknown', detail: `authorize says ${status.slice(0, 40)} with ${responseCode.slice(0, 5)}` }
  return isDebit ? toDebitResult(transaction, clearing) : toCardResult(transaction)
}

/**
 * The result of an approved card charge by its status: a chargeback is a success with all of it reversed, a captured charge counts before
 * it is settled.
 */
const toCardResult = ({ transId: providerRef, status, settled, authorized }: Transaction): ChargeResult => {
  if (CAPTURED_STATUSES.has(status) || status === 'settledSuccessfully' || status === 'chargebackReversal')
    return { state: 'succeeded', providerRef, amount: settled, refunded: null, reversed: 0n }
  if (status === 'chargeback') return { state: 'succeeded', providerRef, amount: authorized, refunded: null, reversed: authorized.minor }
  return { state: 'unknown', detail: `authorize says ${status.slice(0, 40)}` }
}

/**
 * The result of a debit: paid once it is settled and its days of return have passed. One that is seen to be returned before is declined,
 * one returned later is a success with all of it reversed.
 */
const toDebitResult = (transaction: Transaction, { now, sentAt, returnDays }: Clearing): ChargeResult => {
  const { transId: providerRef, status, authorized, settled, returned, submittedAt } = transaction
  const clearsAt = addBankingDays(sentAt ?? submittedAt, returnDays)
  if (returned !== null)
    return now < clearsAt
      ? toReturnDecline(returned.code)
      : { state: 'succeeded', providerRef, amount: authorized, refunded: null, reversed: authorized.minor }
  if (status === 'settledSuccessfully' && now >= clearsAt)
    return { state: 'succeeded', providerRef, amount: settled, refunded: null, reversed: 0n }
  if (status === 'settledSuccessfully' || CAPTURED_STATUSES.has(status)) return { state: 'processing', providerRef }
  return { state: 'unknown', detail: `authorize says ${status.slice(0, 40)}` }
}
