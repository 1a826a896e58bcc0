import { EMAIL_PATTERN } from '@counterfoil/contract/sign-in'
import { invalidInput } from '../../kit/api-error.ts'
import { storeResetRequest } from '../../mail/reset-requests.queries.ts'
import { rateLimitUse, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import { addressUses } from '../../rate-limits/client-address.ts'
import { consumeRateLimits } from '../../rate-limits/rate-limits.queries.ts'
import type { SignInContext, SignInDeps } from './sign-in.service.ts'

const EMAIL_REGEX = new RegExp(EMAIL_PATTERN)

/**
 * Queues a request for a new password. It does not look up the email: that happens when the mail is written, after the response, so that
 * neither the response nor its time reveals accounts. Further requests for one email within the limit get the same response and do
 * nothing.
 * @throws ApiError 400 for an invalid email; 429 after too many requests from one network address
 */
export const requestPasswordReset = async (
  deps: SignInDeps,
  { now, requestInfo, transactAsSystem }: SignInContext,
  fields: { email: string },
): Promise<void> => {
  const email = fields.email.trim()
  if (!EMAIL_REGEX.test(email)) throw invalidInput('body.email', 'Enter an email address, as in name@example.com.')
  const brandId = await deps.brandOfHost(requestInfo.host)
  const waitMs = await transactAsSystem(async (db) => {
    const waitMs = await consumeRateLimits(db, addressUses(deps.keys, deps.limits, 'resetRequestAddress', requestInfo.address), now)
    if (waitMs > 0) return waitMs
    const isFrequent = (await consumeRateLimits(db, [rateLimitUse(deps.keys, deps.limits, 'email', email.toLowerCase())], now)) > 0
    if (!isFrequent) await storeResetRequest(db, email, brandId, now)
    return 0
  })
  if (waitMs > 0) throw tooManyRequests(waitMs)
  deps.onMailQueued()
}
