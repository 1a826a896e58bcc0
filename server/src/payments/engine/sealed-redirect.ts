import type { Keys } from '../../kit/keys.ts'
import type { ChargeResult } from '../providers/charge-result.ts'

/**
 * The text to which a sealed confirmation URL is bound, so that it opens for this attempt alone. The URL contains the payment’s client
 * secret.
 */
const redirectKeyContext = (attemptId: string): string => `redirect ${attemptId}`

/** The result with its redirect URL sealed for storage; a result without one as it is. */
export const sealRedirect = (keys: Keys, attemptId: string, result: ChargeResult): ChargeResult =>
  result.state === 'requires_action'
    ? { ...result, redirectUrl: keys.seal(redirectKeyContext(attemptId), result.redirectUrl).toString('base64url') }
    : result

/**
 * The redirect URL of an attempt, unsealed; null where there is none, one that an older version stored unsealed, or one under a master key
 * that is lost.
 */
export const openRedirect = (keys: Keys, attempt: { readonly id: string; readonly redirectUrl: string | null }): string | null => {
  if (attempt.redirectUrl === null || attempt.redirectUrl.includes(':')) return null
  try {
    return keys.open(redirectKeyContext(attempt.id), Buffer.from(attempt.redirectUrl, 'base64url'))
  } catch {
    return null
  }
}
