import type { Keys } from '../../kit/keys.ts'
import type { ChargeResult } from '../providers/provider.ts'

/** Where a payer confirms is an address with the payment's client secret in it: it is kept sealed, for the database must not hold one. */
const sealPurpose = (attemptId: string): string => `redirect ${attemptId}`

/** A result as it may be written. */
export const sealRedirect = (keys: Keys, attemptId: string, result: ChargeResult): ChargeResult =>
  result.state === 'action'
    ? { ...result, redirectUrl: keys.seal(sealPurpose(attemptId), result.redirectUrl).toString('base64url') }
    : result

/** The address that was sealed; null where there is none, or one that an older version wrote open. */
export const openRedirect = (keys: Keys, attempt: { readonly id: string; readonly redirectUrl: string | null }): string | null =>
  attempt.redirectUrl === null || attempt.redirectUrl.includes(':')
    ? null
    : keys.open(sealPurpose(attempt.id), Buffer.from(attempt.redirectUrl, 'base64url'))
