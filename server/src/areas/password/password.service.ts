import { invalidInput } from '../../kit/api-error.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import type { AccessCheck } from '../../session/actor.ts'
import type { Keys } from '../../kit/keys.ts'
import { rateLimitUse, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import type { Passwords } from '../../session/passwords.ts'
import { refundRateLimits, consumeRateLimits } from '../../rate-limits/rate-limits.queries.ts'
import { userById } from '../../session/session.queries.ts'
import { assertPasswordLength, assertStrongPassword } from './new-password.rules.ts'
import { replacePassword } from './password.queries.ts'

export interface PasswordDeps {
  readonly keys: Keys
  readonly limits: Limits
  readonly passwords: Passwords
  readonly accessCheck: AccessCheck
  brandOfHost(host: string): Promise<number | undefined>
  /** Called when mail was queued. */
  onMailQueued(): void
}

/**
 * Changes the signed-in user's password, after checking the current one, and ends their other sessions.
 * @throws ApiError 400 with the field that is wrong; 429 after too many wrong current passwords
 */
export const changePassword = async (
  deps: PasswordDeps,
  { actor, now, transactAsSystem, requestInfo }: CustomerRequestContext,
  fields: { oldPassword: string; newPassword: string },
): Promise<void> => {
  assertPasswordLength('body.newPassword', fields.newPassword)
  const uses = [rateLimitUse(deps.keys, deps.limits, 'account', `password ${actor.userId}`)]
  const { user, waitMs } = await transactAsSystem(async (db) => ({
    waitMs: await consumeRateLimits(db, uses, now),
    user: await userById(db, actor.userId),
  }))
  if (waitMs > 0) throw tooManyRequests(waitMs)
  if (!(await deps.passwords.verify(user?.passwordHash ?? null, fields.oldPassword)))
    throw invalidInput('body.oldPassword', 'The current password is not right.')
  await transactAsSystem((db) => refundRateLimits(db, uses)) // only a wrong current password counts
  await assertStrongPassword('body.newPassword', fields.newPassword)
  const hash = await deps.passwords.hash(fields.newPassword)
  const replacement = {
    userId: actor.userId,
    hash,
    keepSessionId: actor.sessionId,
    action: 'password.changed',
    source: requestInfo.address,
  } as const
  const ended = await transactAsSystem((db) => replacePassword(db, deps.keys, replacement, now))
  for (const sessionId of ended) deps.accessCheck.forgetSession(sessionId)
  deps.onMailQueued()
}
