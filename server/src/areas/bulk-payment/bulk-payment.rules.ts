import type { ErrorCode } from '@counterfoil/contract/kit/http/error-codes'
import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { toJsonNumber } from '@counterfoil/contract/kit/money'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { ApiError } from '../../kit/api-error.ts'
import { type AttemptStatus, hasPaid, hasReceipt, isLive } from '../../payments/engine/attempt.ts'
import { paymentFee, type FeeRule } from '../../payments/engine/fees.rules.ts'
import { failureMessage } from '../../payments/pay-response.ts'
import type { IntentAttempt, IntentHead, IntentItem } from './bulk-payment.queries.ts'

interface Wanted {
  readonly currency: string
  readonly status: number
  readonly dueMinor: number
  readonly isBeingPaid: boolean
}

/** @throws Refusal 404 when one is not there; 409 when one cannot be paid now, or they are of several currencies */
export const refuseUnpayable = (asked: number, found: readonly Wanted[]): void => {
  if (found.length !== asked) throw new ApiError('not_found', 'One of these invoices is not there.')
  if (found.some(({ isBeingPaid, status }) => isBeingPaid || status === INVOICE_STATUS.inCollection))
    throw conflict('payment_in_progress', 'One of these invoices is being paid already. Please do not pay it again.')
  if (found.some(({ status, dueMinor }) => status !== INVOICE_STATUS.open || dueMinor <= 0))
    throw conflict('already_paid', 'One of these invoices needs no payment any more. Please reload your invoices.')
  if (new Set(found.map(({ currency }) => currency)).size > 1)
    throw conflict('payment_conflict', 'These invoices are in different currencies. Please pay those of one currency at a time.')
}

const conflict = (code: ErrorCode, words: string): ApiError => new ApiError(code, words, { userMessage: words })

interface Whole {
  readonly head: IntentHead
  readonly items: readonly IntentItem[]
  readonly attempts: readonly IntentAttempt[]
  /** Of the intent's currency. */
  readonly rules: readonly FeeRule[]
  readonly paysByBank: boolean
  readonly now: Date
}

/** An intent as the screen shows it. */
export const intentOf = (whole: Whole): PaymentIntent => {
  const { head, items, attempts } = whole
  const money = (minor: number): number => toJsonNumber({ minor: BigInt(minor), currency: head.currency })
  const sum = items.reduce((total, { amountMinor }) => total + amountMinor, 0)
  const paying = attempts.find(({ status }) => hasPaid(status as AttemptStatus) || isLive(status as AttemptStatus))
  const fees = feeLines(whole, sum, paying)
  const status = statusOf(whole)
  const invoices = items.flatMap(({ number, amountMinor }) =>
    number === null ? [] : [{ invoiceNumber: number, invoiceAmount: money(amountMinor) }],
  )
  return {
    id: head.id,
    sessionId: head.sessionId,
    status,
    error: status === INTENT_STATUS.failed ? lastFailure(attempts) : null,
    companyName: head.companyName,
    total: money(sum + (fees[0]?.minor ?? 0)),
    adjustmentsTotal: money(items.reduce((total, { number, amountMinor }) => (number === null ? total + amountMinor : total), 0)),
    invoices: [...invoices, ...fees.map(({ line, minor }) => ({ invoiceNumber: line, invoiceAmount: money(minor) }))],
    currency: head.currency,
    currencySymbol: { symbol: head.symbol },
    email: paying?.email ?? null,
    receiptId: attempts.find(({ status }) => hasReceipt(status as AttemptStatus))?.id ?? null,
  }
}

/** Before it is paid, what each way of paying would add, the customer's own way first; afterwards what it did add. */
const feeLines = (
  { head, rules, paysByBank }: Whole,
  sum: number,
  paying: IntentAttempt | undefined,
): { line: string; minor: number }[] => {
  if (paying !== undefined) return paying.feeLine === null ? [] : [{ line: paying.feeLine, minor: paying.feeMinor }]
  if (head.provider !== 'stripe') return []
  const ways = head.debitId === null ? [false] : paysByBank ? [true, false] : [false, true]
  return ways.flatMap((isDebit) => paymentFee(sum, head.currency, isDebit, rules) ?? [])
}

const lastFailure = (attempts: readonly IntentAttempt[]): string | null => {
  const [last] = attempts
  return last === undefined ? null : failureMessage({ status: last.status as AttemptStatus, userMessage: last.userMessage })
}

const statusOf = ({ head, items, attempts, now }: Whole): number => {
  const states = attempts.map(({ status }) => status as AttemptStatus)
  if (states.some((status) => status === 'succeeded' || status === 'refunded')) return INTENT_STATUS.paid
  // Whoever was asked to confirm and is back here may begin again.
  if (states.some((status) => isLive(status) && status !== 'action')) return INTENT_STATUS.processing
  // What came back is paid by another intent: whoever submits this one is told of the payment that it had (claim.queries.ts).
  if (states.includes('reversed')) return INTENT_STATUS.invalid
  if (head.expiresAt < now || !items.every(isStillDue)) return INTENT_STATUS.invalid
  return states[0] === undefined || states[0] === 'action' ? INTENT_STATUS.open : INTENT_STATUS.failed
}

const isStillDue = ({ number, status, dueMinor, amountMinor, settledAt }: IntentItem): boolean =>
  number === null ? settledAt === null : status === INVOICE_STATUS.open && dueMinor === amountMinor
