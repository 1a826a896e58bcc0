import type { Keys } from '../../kit/keys.ts'
import { ApiError } from '../../kit/api-error.ts'

/** One press of the Pay button, recognizable when it is repeated. Only keyed hashes are stored. */
export interface Submission {
  /** Hash of the Idempotency-Key and its target, so that a key never matches another target. */
  readonly key: Buffer
  /** Hash of the card or account that pays. */
  readonly methodFingerprint: Buffer
}

/**
 * The keyed hashes by which one press of the Pay button is recognized. Nothing is stored.
 * @param target  what is to be paid
 * @param submitKey  the payer's own name for the press
 * @param token the card's or the account's
 */
export const createSubmission = (keys: Keys, target: string, submitKey: string, token: string): Submission => ({
  key: keys.mac('submit', target, submitKey),
  methodFingerprint: keys.mac('submit', 'method', token),
})

/**
 * The submission named by the header Idempotency-Key; null without one.
 * @throws ApiError 400 for a key that is too short to be unique
 */
export const submissionFromHeader = (keys: Keys, target: string, idempotencyKey: string | null, token: string): Submission | null => {
  if (idempotencyKey === null) return null
  if (idempotencyKey.length < 8)
    throw new ApiError('invalid_input', 'The header Idempotency-Key must have at least 8 characters, and be new for each payment.')
  return createSubmission(keys, target, idempotencyKey, token)
}
