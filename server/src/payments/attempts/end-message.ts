import type { ChargeResult } from '../providers/charge-result.ts'
import { payerText } from '../providers/decline.ts'
import type { AttemptState } from './transition.rules.ts'
import type { AttemptStatus } from './attempt.ts'

const CANCELED_TEXT = 'The payment was cancelled. Nothing was charged.'
const GIVEN_BACK_TEXT = 'The payment was given back in full. Nothing was paid.'

/**
 * What whoever tried is told of how an attempt ended: the provider's message for people, or ours where the status alone would say something
 * else than what happened; null where it does not.
 */
export const endMessageOf = (
  attempt: Pick<AttemptState, 'status' | 'isBooked' | 'currency' | 'isDebit'>,
  status: AttemptStatus,
  result: ChargeResult,
): string | null => {
  if (result.state === 'declined' && (status === 'declined' || status === 'not_sent')) return payerText(result, attempt)
  if (status === 'not_sent' && result.state === 'not_sent') return result.userMessage ?? null
  if (status === 'reversed' && !attempt.isBooked) return GIVEN_BACK_TEXT
  return status === 'expired' && (attempt.status !== 'requires_action' || result.state === 'voided') ? CANCELED_TEXT : null
}
