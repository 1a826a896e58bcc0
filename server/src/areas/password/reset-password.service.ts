import type { oneByOne } from '../../kit/one-by-one.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor, Within } from '../../kit/serve.ts'
import { charge, tooMany } from '../../session/limit-counters.ts'
import { type LinkToken, linkTokenOf } from '../../session/one-time-links.ts'
import { useLink, userOfLink } from '../../session/one-time-links.queries.ts'
import { takeFromBuckets } from '../../session/session.queries.ts'
import { refuseUnfit, refuseWeak } from './new-password.rules.ts'
import { replacePassword } from './password.queries.ts'
import type { PasswordHouse } from './password.service.ts'

interface ResetHouse extends PasswordHouse {
  /** Many uses of one link at once are not worth a core's time each: they wait for the first. The database decides between servers. */
  readonly inTurn: ReturnType<typeof oneByOne>
}

interface ResetAsk {
  readonly now: Date
  readonly visitor: Visitor
  readonly asSystem: Within
}

/** payments.md §8: one text for a token that is unknown, used or too old. */
const expired = (): Refusal => new Refusal(400, 'Your change password session has expired. Please try again.')

/**
 * Sets a new password with the token of a mailed link, once, and ends every session of the user. A password that cannot be accepted
 * leaves the link as it was.
 * @throws Refusal 400 for a token that is no good, or with the field of a password that is none; 429 after too many tries from one address
 */
export const resetPassword = async (house: ResetHouse, ask: ResetAsk, given: { token: string; password: string }): Promise<void> => {
  refuseUnfit('body.password', given.password)
  const { visitor, asSystem, now } = ask
  const waitMs = await asSystem((db) => takeFromBuckets(db, [charge(house.keys, house.limits, 'link', visitor.address)], now))
  if (waitMs > 0) throw tooMany(waitMs)
  const token = linkTokenOf(given.token)
  if (token === undefined) throw expired()
  await house.inTurn(token.id, () => redeem(house, ask, token, given.password))
}

const redeem = async (house: ResetHouse, { asSystem, now }: ResetAsk, token: LinkToken, password: string): Promise<void> => {
  const userId = await asSystem((db) => userOfLink(db, 'reset', token, now))
  if (userId === undefined) throw expired()
  await refuseWeak('body.password', password)
  const hash = await house.passwords.hash(password)
  const ended = await asSystem(async (db) => {
    if (!(await useLink(db, 'reset', { id: token.id, userId }, now))) throw expired()
    return replacePassword(db, { userId, hash, keptSessionId: null }, now)
  })
  for (const sessionId of ended) house.gate.forget(sessionId)
  house.mailQueued()
}
