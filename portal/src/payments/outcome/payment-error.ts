import { ApiError, messageOf, ShownError } from '../../api/api-error.ts'
import { processingText } from '../checkout/processing-text.ts'

export const GENERIC_ERROR = 'Oops, something went wrong'

/** Did the server refuse a payment because another amount applies than was shown? */
export const isAmountChanged = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'amount_changed'

/** Did the server reject the request (4xx)? Without a response, or after a 5xx, it is unknown whether money moved. */
export const isDefiniteFailure = (failure: unknown): boolean => failure instanceof ApiError && failure.status >= 400 && failure.status < 500

/** The answers of a proxy that has no answer of the server. */
const PROXY_FAILURES: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Did our server itself respond, be it with an error of its own? False where the connection broke, for a proxy's own error, and for a
 * response that nobody can read.
 */
export const hasServerAnswered = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.status !== 0 && (failure.code !== undefined || !PROXY_FAILURES.has(failure.status))

/**
 * Why a payment failed, as text to show: the message of the server or the payment provider. Without a response, and for an error that was
 * not written to be shown, a general sentence.
 */
export const paymentErrorText = (failure: unknown): string => {
  if (!(failure instanceof ShownError) || failure.message.trim() === '') return GENERIC_ERROR
  return failure instanceof ApiError && failure.status === 0 ? GENERIC_ERROR : messageWithPayment(failure)
}

/** The text of an error; where a payment stands in the way, until when at the latest. */
export const messageWithPayment = (failure: unknown): string =>
  processingText(failure instanceof ApiError ? failure.payment : null, messageOf(failure))

const NOT_CHARGED = 'Nothing was charged'

/** Words of reasons that say themselves what became of the money, or that nobody knows it yet. */
const SAYS_MONEY = /Nothing was (?:charged|paid)|returned (?:by the bank|the debit)|Please do not pay again/
const SAYS_ADVICE = /\bplease\b|contact support/i

/**
 * "Nothing was charged." and the advice, to follow the server's reason for a failed payment. Empty where the reason itself says what became
 * of the money; without the advice where the reason gives one.
 */
export const notChargedText = (reason: string, advice = 'Choose another way to pay, or try again.'): string => {
  if (SAYS_MONEY.test(reason)) return ''
  return SAYS_ADVICE.test(reason) ? `${NOT_CHARGED}.` : `${NOT_CHARGED}. ${advice}`
}

/** The server's reason for a failed payment, and after it what notChargedText says. */
export const failedText = (reason: string, advice?: string): string => `${reason} ${notChargedText(reason, advice)}`.trimEnd()

/** Why a payment failed; of one that was declined or refused also that nothing was charged, and the advice. */
export const methodErrorText = (failure: unknown, advice?: string): string => {
  const text = paymentErrorText(failure)
  const isDeclined = failure instanceof ApiError && (failure.code === 'payment_declined' || failure.code === 'provider_refused')
  return isDeclined ? failedText(text, advice) : text
}
