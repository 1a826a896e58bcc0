import type { Keys } from '../../kit/keys.ts'
import { ApiError } from '../../kit/api-error.ts'

/** One press on Pay, so that the same is known when it comes again. Only keyed hashes are kept. */
export interface Submission {
  /** Of the key that names it, bound to what it pays, so that nobody meets another's. */
  readonly key: Buffer
  /** Of the card or account that was to pay. */
  readonly methodMac: Buffer
}

/**
 * @param target  what is to be paid
 * @param submitKey  the payer's own name for the press
 * @param token the card's or the account's
 */
export const createSubmission = (keys: Keys, target: string, submitKey: string, token: string): Submission => ({
  key: keys.mac('submit', target, submitKey),
  methodMac: keys.mac('submit', 'method', token),
})

/**
 * The submission of a request by its header Idempotency-Key; null without one.
 * @throws Refusal 400 for a key that is too short to be anybody's own
 */
export const submissionFromHeader = (keys: Keys, target: string, idempotencyKey: string | null, token: string): Submission | null => {
  if (idempotencyKey === null) return null
  if (idempotencyKey.length < 8)
    throw new ApiError('invalid_input', 'The header Idempotency-Key must have at least 8 characters, and be new for each payment.')
  return createSubmission(keys, target, idempotencyKey, token)
}
