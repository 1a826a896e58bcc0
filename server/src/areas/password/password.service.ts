import { PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from '@counterfoil/contract/kit/password'
import { invalid, Refusal } from '../../kit/refusal.ts'
import type { CustomerAsk } from '../../kit/serve.ts'
import type { SessionGate } from '../../session/actor.ts'
import type { Keys } from '../../kit/keys.ts'
import { charge, tooMany } from '../../session/limit-counters.ts'
import type { Limits } from '../../session/limits.ts'
import { weakness } from '../../session/password-strength.ts'
import type { Passwords } from '../../session/passwords.ts'
import { endOtherSessions, giveBack, storePasswordHash, takeFromBuckets, userById } from '../../session/session.queries.ts'

export interface PasswordHouse {
  readonly keys: Keys
  readonly limits: Limits
  readonly passwords: Passwords
  readonly gate: SessionGate
}

/**
 * Changes the signed-in person's password and ends every other session of theirs at once.
 * @throws Refusal 400 with the field that is wrong; 403 in a support session; 429 after too many wrong current passwords
 */
export const changePassword = async (
  house: PasswordHouse,
  { actor, now, asSystem }: CustomerAsk,
  given: { oldPassword: string; newPassword: string },
): Promise<void> => {
  if (actor.isSupport) throw new Refusal(403, 'A support session cannot change the password.')
  refuseUnfit(given.newPassword)
  const charges = [charge(house.keys, house.limits, 'account', `password ${actor.userId}`)]
  const { user, waitMs } = await asSystem(async (db) => ({
    waitMs: await takeFromBuckets(db, charges, now),
    user: await userById(db, actor.userId),
  }))
  if (waitMs > 0) throw tooMany(waitMs)
  if (!(await house.passwords.verify(user?.passwordHash ?? null, given.oldPassword)))
    throw invalid('body.oldPassword', 'The current password is not right.')
  const weak = await weakness(given.newPassword)
  if (weak !== null) throw invalid('body.newPassword', weak)
  const hash = await house.passwords.hash(given.newPassword)
  const ended = await asSystem(async (db) => {
    await giveBack(db, charges)
    await storePasswordHash(db, actor.userId, hash, now)
    return endOtherSessions(db, actor.userId, actor.sessionId, 'password', now)
  })
  for (const sessionId of ended) house.gate.forget(sessionId)
}

const refuseUnfit = (password: string): void => {
  if ([...password].length < PASSWORD_MIN_LENGTH)
    throw invalid('body.newPassword', `The new password needs at least ${PASSWORD_MIN_LENGTH} characters.`)
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) throw invalid('body.newPassword', 'The new password is too long.')
}
