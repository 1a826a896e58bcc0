import type { ErrorCode } from '@counterfoil/contract/kit/http/error-codes'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'
import { ApiError } from '../kit/api-error.ts'
import { hasPaid } from './attempts/attempt.ts'
import { changedTextOf, hasChanged } from './engine/claim.ts'
import { findIntent } from './engine/claim.queries.ts'
import { openRedirect } from './engine/sealed-redirect.ts'
import type { Attempt } from './attempts/attempt.queries.ts'
import { readPaymentSummary } from './payment-summary.ts'
import { type PaymentsDeps, queryAsReseller } from './payments-deps.ts'
import { type RejectionReason, isRejectedRequest } from './providers/decline.ts'

interface PayResponse {
  status: 'succeeded' | 'processing' | 'requires_action'
  redirectToUrl: string | null
  intentStatus: number
  payment: PaymentSummary | null
}

const NOT_SENT_TEXT = 'We could not reach the payment provider. Nothing was charged.'
const EXPIRED_TEXT = 'The payment was not confirmed in time. Nothing was charged.'
const RETURNED_TEXT = 'The payment was returned by the bank.'

/**
 * The HTTP response body to a submitted payment that was paid or may yet be; every failed one is thrown.
 * @throws ApiError 400 with the provider's message for a payment that was declined or refused; 409 when the provider does not take its
 * amount or currency, when what it pays has changed, when it expired or was reversed; 503 when nothing was sent
 */
export const toPayResponse = async (deps: PaymentsDeps, attempt: Attempt): Promise<PayResponse> => {
  const { status } = attempt
  // What it pays was changed before anything was sent.
  if (status === 'not_sent' && attempt.cancelRequestedAt !== null) {
    const intent = await queryAsReseller(deps, attempt.resellerId, (db) => findIntent(db, attempt, attempt.intentId))
    throw hasChanged(changedTextOf(intent))
  }
  const message = failureMessage(attempt)
  if (message === null) {
    const payment = await readPaymentSummary(deps, attempt)
    if (status === 'succeeded' || status === 'refunded')
      return { status: 'succeeded', redirectToUrl: null, intentStatus: INTENT_STATUS.paid, payment }
    const redirectToUrl = status === 'requires_action' ? openRedirect(deps.keys, attempt) : null
    return {
      status: redirectToUrl === null ? 'processing' : 'requires_action',
      redirectToUrl,
      intentStatus: INTENT_STATUS.processing,
      payment,
    }
  }
  throw new ApiError(failureCode(attempt), message, { userMessage: message })
}

const REJECTION_CODES: Readonly<Partial<Record<RejectionReason, ErrorCode>>> = {
  amount_too_small: 'amount_not_accepted',
  amount_too_large: 'amount_not_accepted',
  amount_not_accepted: 'amount_not_accepted',
  currency_not_accepted: 'currency_not_accepted',
}

/** The API's error code for an attempt that failed. */
const failureCode = ({ status, declineReason }: Attempt): ErrorCode => {
  if (status === 'declined') return 'payment_declined'
  if (status !== 'not_sent') return 'payment_conflict'
  return isRejectedRequest(declineReason) ? (REJECTION_CODES[declineReason] ?? 'provider_refused') : 'payment_not_sent'
}

/** The message for the payer of an attempt that failed, with what to do now; null when it succeeded or is still open. */
export const failureMessage = (attempt: Pick<Attempt, 'status' | 'userMessage'>): string | null => {
  const reason = failureReason(attempt)
  // The words of a request that the provider did not accept say themselves what can be done.
  const canTryAgain = (attempt.status === 'not_sent' && attempt.userMessage === null) || attempt.status === 'expired'
  return reason !== null && canTryAgain ? `${reason.slice(0, -1)}; please try again.` : reason
}

/** Why an attempt failed, for whoever reads of it later, when another may have paid; null when it succeeded or is still open. */
export const failureReason = ({ status, userMessage }: Pick<Attempt, 'status' | 'userMessage'>): string | null => {
  switch (status) {
    case 'declined':
      return userMessage ?? 'The payment was declined.'
    case 'not_sent':
      return userMessage ?? NOT_SENT_TEXT
    case 'expired':
      return userMessage ?? EXPIRED_TEXT
    case 'reversed':
      return userMessage ?? RETURNED_TEXT
    default:
      return null
  }
}

/** The API's number for an attempt's status: failed, paid or processing. */
export const toIntentStatus = (attempt: Pick<Attempt, 'status' | 'userMessage'>): number => {
  if (failureMessage(attempt) !== null) return INTENT_STATUS.failed
  return hasPaid(attempt.status) ? INTENT_STATUS.paid : INTENT_STATUS.processing
}
