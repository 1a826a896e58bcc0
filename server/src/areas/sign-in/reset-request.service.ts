import { EMAIL_PATTERN } from '@counterfoil/contract/sign-in'
import { invalidInput } from '../../kit/api-error.ts'
import { storeResetRequest } from '../../mail/reset-requests.queries.ts'
import { charge, tooMany } from '../../rate-limits/rate-limits.ts'
import { takeFromBuckets } from '../../session/session.queries.ts'
import type { SignInAsk, SignInDeps } from './sign-in.service.ts'

const EMAIL = new RegExp(EMAIL_PATTERN)

/**
 * Notes a request for a new password. Nothing here looks whether anybody has the address: that is found out when the mail is written,
 * after the answer, so that neither the answer nor its time can tell. The fourth request for one address within the hour is
 * answered like the others and does nothing more.
 * @throws Refusal 400 for what is no email address; 429 after too many requests from one network address
 */
export const requestReset = async (
  deps: SignInDeps,
  { now, requestInfo, transactAsSystem }: SignInAsk,
  given: { email: string },
): Promise<void> => {
  const email = given.email.trim()
  if (!EMAIL.test(email)) throw invalidInput('body.email', 'Enter an email address, as in name@example.com.')
  const brandId = await deps.brandOfHost(requestInfo.host)
  const waitMs = await transactAsSystem(async (db) => {
    const waitMs = await takeFromBuckets(db, [charge(deps.keys, deps.limits, 'requester', requestInfo.address)], now)
    if (waitMs > 0) return waitMs
    const isFrequent = (await takeFromBuckets(db, [charge(deps.keys, deps.limits, 'email', email.toLowerCase())], now)) > 0
    if (!isFrequent) await storeResetRequest(db, email, brandId, now)
    return 0
  })
  if (waitMs > 0) throw tooMany(waitMs)
  deps.mailQueued()
}
