import { invalidInput } from '../../kit/api-error.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import type { SessionGate } from '../../session/actor.ts'
import type { Keys } from '../../kit/keys.ts'
import { charge, tooMany } from '../../rate-limits/rate-limits.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import type { Passwords } from '../../session/passwords.ts'
import { giveBack, takeFromBuckets, userById } from '../../session/session.queries.ts'
import { refuseUnfit, refuseWeak } from './new-password.rules.ts'
import { replacePassword } from './password.queries.ts'

export interface PasswordDeps {
  readonly keys: Keys
  readonly limits: Limits
  readonly passwords: Passwords
  readonly gate: SessionGate
  brandOfHost(host: string): Promise<number | undefined>
  /** Mail was queued: it may be sent now. */
  mailQueued(): void
}

/**
 * Changes the signed-in person's password and ends every other session of theirs at once.
 * @throws Refusal 400 with the field that is wrong; 429 after too many wrong current passwords
 */
export const changePassword = async (
  deps: PasswordDeps,
  { actor, now, transactAsSystem, requestInfo }: CustomerRequestContext,
  given: { oldPassword: string; newPassword: string },
): Promise<void> => {
  refuseUnfit('body.newPassword', given.newPassword)
  const charges = [charge(deps.keys, deps.limits, 'account', `password ${actor.userId}`)]
  const { user, waitMs } = await transactAsSystem(async (db) => ({
    waitMs: await takeFromBuckets(db, charges, now),
    user: await userById(db, actor.userId),
  }))
  if (waitMs > 0) throw tooMany(waitMs)
  if (!(await deps.passwords.verify(user?.passwordHash ?? null, given.oldPassword)))
    throw invalidInput('body.oldPassword', 'The current password is not right.')
  await transactAsSystem((db) => giveBack(db, charges)) // only a wrong current password counts
  await refuseWeak('body.newPassword', given.newPassword)
  const hash = await deps.passwords.hash(given.newPassword)
  const replacement = {
    userId: actor.userId,
    hash,
    keptSessionId: actor.sessionId,
    action: 'password.changed',
    source: requestInfo.address,
  } as const
  const ended = await transactAsSystem((db) => replacePassword(db, deps.keys, replacement, now))
  for (const sessionId of ended) deps.gate.forget(sessionId)
  deps.mailQueued()
}
