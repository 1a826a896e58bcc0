import type { ErrorCode } from '@counterfoil/contract/kit/http/error-codes'
import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { dayOf } from '@counterfoil/contract/kit/day'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { toJsonNumber } from '@counterfoil/contract/kit/money'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentSummary, PendingPayment } from '@counterfoil/contract/kit/payments/payment-summary'
import { ApiError } from '../../kit/api-error.ts'
import { type AttemptStatus, hasPaid, hasReceipt, isLive } from '../../payments/attempts/attempt.ts'
import { listFees, paymentFee, type ProviderFeeRule } from '../../payments/accounts/fees.rules.ts'
import { failureMessage } from '../../payments/pay-response.ts'
import type { IntentAttempt, IntentHead, IntentItem } from './bulk-payment.queries.ts'

interface InvoiceToPay {
  readonly currency: string
  readonly status: number
  readonly amountMinor: number
  readonly dueMinor: number
  /** The attempt that pays it just now. */
  readonly payingAttemptId: string | null
}

/**
 * Checks that all invoices exist and can be paid together. An invoice in collection counts as being paid.
 * @param count how many were asked for: fewer found means that one does not exist
 * @param payment what is told of the payment that pays one of them just now
 * @throws ApiError 404 when one does not exist; 409 when one cannot be paid now, or their currencies differ
 */
export const assertPayable = (count: number, invoices: readonly InvoiceToPay[], payment?: PendingPayment): void => {
  if (invoices.length !== count) throw new ApiError('not_found', 'One of these invoices is not there.')
  if (invoices.some(({ payingAttemptId, status }) => payingAttemptId !== null || status === INVOICE_STATUS.inCollection))
    throw conflict('payment_in_progress', 'One of these invoices is being paid already. Please do not pay it again.', payment)
  if (invoices.some(({ status, amountMinor }) => status === INVOICE_STATUS.credited && amountMinor < 0))
    throw conflict('already_paid', 'One of these is a credit note: there is nothing to pay. Please leave it out.')
  if (invoices.some(({ status, dueMinor }) => status !== INVOICE_STATUS.open || dueMinor <= 0))
    throw conflict('already_paid', 'One of these invoices needs no payment any more. Please reload your invoices.')
  if (new Set(invoices.map(({ currency }) => currency)).size > 1)
    throw conflict('payment_conflict', 'These invoices are in different currencies. Please pay those of one currency at a time.')
}

/** The 409 whose message the payer sees too. */
const conflict = (code: ErrorCode, message: string, payment?: PendingPayment): ApiError =>
  new ApiError(code, message, { userMessage: message, payment })

interface IntentDetails {
  readonly head: IntentHead
  readonly items: readonly IntentItem[]
  readonly attempts: readonly IntentAttempt[]
  /** Those that apply with the reseller's provider, in the intent's currency. */
  readonly rules: readonly ProviderFeeRule[]
  readonly paysByBank: boolean
  /** Where a receipt is offered to go. */
  readonly receiptEmail: string | null
  /** The payment that has paid it, or is being confirmed. */
  readonly payment: PaymentSummary | null
  /** The token of an invoice's payment link. */
  readonly payTokenOf: (invoiceId: number) => string
  readonly now: Date
}

/** An intent in the form of the API, with fees, status and payment. */
export const toPaymentIntent = (details: IntentDetails): PaymentIntent => {
  const { head, items, attempts } = details
  const money = (minor: number): number => toJsonNumber({ minor: BigInt(minor), currency: head.currency })
  const sum = items.reduce((total, { amountMinor }) => total + amountMinor, 0)
  const activeAttempt = findActiveAttempt(attempts)
  const fees = listFeeLines(details, sum, activeAttempt)
  const status = toIntentStatus(details)
  const toLine = ({ invoiceId, number, amountMinor, dueOn, hasPayLink }: IntentItem): PaymentIntent['invoices'] => {
    if (invoiceId === null || number === null || dueOn === null) return []
    const isOverdue = status !== INTENT_STATUS.paid && dueOn < dayOf(details.now)
    const token = hasPayLink ? details.payTokenOf(invoiceId) : null
    return [{ invoiceNumber: number, invoiceAmount: money(amountMinor), dateDue: dueOn, isOverdue, payToken: token }]
  }
  return {
    id: head.id,
    sessionId: head.sessionId,
    status,
    error: status === INTENT_STATUS.failed ? lastFailureMessage(attempts) : null,
    lastPaymentId: attempts[0]?.id ?? null,
    companyName: head.legalName,
    total: money(sum + (fees[0]?.minor ?? 0)),
    adjustmentsTotal: money(items.reduce((total, { number, amountMinor }) => (number === null ? total + amountMinor : total), 0)),
    adjustments: items.flatMap(({ description, amountMinor }) =>
      description === null ? [] : [{ description, amount: money(amountMinor) }],
    ),
    invoices: [...items.flatMap(toLine), ...fees.map(({ line, minor }) => ({ invoiceNumber: line, invoiceAmount: money(minor) }))],
    currency: head.currency,
    currencySymbol: { symbol: head.symbol },
    email: activeAttempt === undefined ? details.receiptEmail : activeAttempt.email,
    receiptId: attempts.find(({ status }) => hasReceipt(status as AttemptStatus))?.id ?? null,
    fees: listFees(sum, head.currency, details.rules),
    payment: details.payment,
  }
}

/** The newest attempt that has paid an intent or may yet pay it; undefined when all have failed. */
export const findActiveAttempt = (attempts: readonly IntentAttempt[]): IntentAttempt | undefined =>
  attempts.find(({ status }) => hasPaid(status as AttemptStatus) || isLive(status as AttemptStatus))

/**
 * The fee lines shown with an intent. Before payment, the fee of each way to pay, the customer's default first; afterwards, the fee that
 * was charged. Bank is left out where the reseller takes no direct debit.
 */
const listFeeLines = (
  { head, rules, paysByBank }: IntentDetails,
  sum: number,
  activeAttempt: IntentAttempt | undefined,
): { line: string; minor: number }[] => {
  if (activeAttempt !== undefined)
    return activeAttempt.feeLine === null ? [] : [{ line: activeAttempt.feeLine, minor: activeAttempt.feeMinor }]
  const debitOptions = head.debitId === null ? [false] : paysByBank ? [true, false] : [false, true]
  return debitOptions.flatMap((isDebit) => paymentFee(sum, head.currency, isDebit, rules) ?? [])
}

/** Why the newest attempt failed, as the payer reads it; null when it did not fail, or there was none. */
const lastFailureMessage = (attempts: readonly IntentAttempt[]): string | null => {
  const [last] = attempts
  return last === undefined ? null : failureMessage({ status: last.status as AttemptStatus, userMessage: last.userMessage })
}

/**
 * The intent's status as the API numbers it: paid, processing (an attempt is live), invalid (expired, or what is due has changed), failed
 * or open.
 */
const toIntentStatus = ({ head, items, attempts, now }: IntentDetails): number => {
  const statuses = attempts.map(({ status }) => status as AttemptStatus)
  if (statuses.some((status) => status === 'succeeded' || status === 'refunded')) return INTENT_STATUS.paid
  // A payer who returns without confirming may try again.
  if (statuses.some((status) => isLive(status) && status !== 'requires_action')) return INTENT_STATUS.processing
  // A reversed payment is paid by another intent: submitting this one returns its earlier attempt.
  if (statuses.includes('reversed')) return INTENT_STATUS.invalid
  if (head.expiresAt < now || !items.every(isStillDue)) return INTENT_STATUS.invalid
  return statuses[0] === undefined || statuses[0] === 'requires_action' ? INTENT_STATUS.open : INTENT_STATUS.failed
}

/** Whether an item can be paid as it stands: an invoice that is open with the very amount due, or an adjustment that is not settled. */
const isStillDue = ({ number, status, dueMinor, amountMinor, settledAt }: IntentItem): boolean =>
  number === null ? settledAt === null : status === INVOICE_STATUS.open && dueMinor === amountMinor
