import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { ApiError } from '../kit/api-error.ts'
import type { Keys } from '../kit/keys.ts'
import { hasPaid } from './engine/attempt.ts'
import { openedRedirect } from './engine/redirects.ts'
import type { Attempt } from './engine/settle.queries.ts'

interface Answer {
  status: 'succeeded' | 'processing' | 'requires_action'
  redirectToUrl: string | null
  intentStatus: number
}

const NOT_SENT = 'We could not reach the payment company. Nothing was charged; please try again.'
const EXPIRED = 'The payment was not confirmed in time. Nothing was charged; please try again.'
const RETURNED = 'The payment was returned by the bank.'

/**
 * What whoever submitted a payment is told of it.
 * @throws Refusal 400 with the company's reason for a declined one; 503 when nothing was sent; 409 when it was given up or came back
 */
export const payAnswer = (keys: Keys, attempt: Attempt): Answer => {
  const { status } = attempt
  const redirectUrl = status === 'action' ? openedRedirect(keys, attempt) : null
  if (status === 'succeeded' || status === 'refunded') return { status: 'succeeded', redirectToUrl: null, intentStatus: INTENT_STATUS.paid }
  if (redirectUrl !== null) return { status: 'requires_action', redirectToUrl: redirectUrl, intentStatus: INTENT_STATUS.processing }
  const words = failureOf(attempt)
  if (words === null) return { status: 'processing', redirectToUrl: null, intentStatus: INTENT_STATUS.processing }
  throw new ApiError(status === 'not-sent' ? 503 : status === 'declined' ? 400 : 409, words, { userMessage: words })
}

/** Why an attempt has not paid, for whoever tried; null when it has, or still may. */
export const failureOf = ({ status, userMessage }: Pick<Attempt, 'status' | 'userMessage'>): string | null => {
  switch (status) {
    case 'declined':
      return userMessage ?? 'The payment was declined.'
    case 'not-sent':
      return NOT_SENT
    case 'expired':
      return EXPIRED
    case 'reversed':
      return RETURNED
    default:
      return null
  }
}

/** The API's number for an attempt's state. */
export const intentStatusOf = (attempt: Pick<Attempt, 'status' | 'userMessage'>): number => {
  if (failureOf(attempt) !== null) return INTENT_STATUS.failed
  return hasPaid(attempt.status) ? INTENT_STATUS.paid : INTENT_STATUS.processing
}
