import type { keyedMutex } from '../../kit/mutex.ts'
import type { ApiError } from '../../kit/api-error.ts'
import type { RequestInfo, Transact } from '../../http/request-context.ts'
import { rememberDevice } from '../../session/devices.ts'
import { rememberAddress } from '../../session/known-addresses.queries.ts'
import { knownAddressOf } from '../../session/known-addresses.ts'
import { rateLimitHit, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import { type LinkKind, type LinkToken, parseLinkToken } from '../../session/one-time-links.ts'
import { useLink, userOfLink } from '../../session/one-time-links.queries.ts'
import { consumeRateLimits } from '../../session/session.queries.ts'
import { assertStrongPassword } from './new-password.rules.ts'
import type { PasswordDeps } from './password.service.ts'

export interface LinkDeps extends PasswordDeps {
  /** Many uses of one link at once are not worth a core's time each: they wait for the first. The database decides between servers. */
  readonly runExclusive: ReturnType<typeof keyedMutex>
}

export interface LinkContext {
  readonly now: Date
  readonly requestInfo: RequestInfo
  readonly transactAsSystem: Transact
}

type LinkDb = Parameters<Parameters<Transact>[0]>[0]

/** What a kind of link is good for. */
export interface LinkPurpose {
  readonly kind: LinkKind
  /** One refusal for a token that is unknown, used, too old or of another brand. */
  readonly expired: () => ApiError
  /** Stores the password in the transaction that uses the link. @returns the ids of the sessions that it ended */
  readonly store: (db: LinkDb, chosen: { userId: string; hash: string; source: string }, now: Date) => Promise<string[]>
}

/**
 * Sets the password that a mailed link is good for, once. A password that cannot be accepted leaves the link as it was.
 * @throws Refusal 400 for a token that is no good, or with the field of a password that is none; 429 after too many tries from one address
 */
export const setPasswordByLink = async (
  deps: LinkDeps,
  context: LinkContext,
  fields: { token: string; password: string },
  purpose: LinkPurpose,
): Promise<void> => {
  const { requestInfo, transactAsSystem, now } = context
  const waitMs = await transactAsSystem((db) =>
    consumeRateLimits(db, [rateLimitHit(deps.keys, deps.limits, 'link', requestInfo.address)], now),
  )
  if (waitMs > 0) throw tooManyRequests(waitMs)
  const token = parseLinkToken(fields.token)
  if (token === undefined) throw purpose.expired()
  await deps.runExclusive(token.id, () => redeemLink(deps, context, token, fields.password, purpose))
}

const redeemLink = async (
  deps: LinkDeps,
  { transactAsSystem, now, requestInfo }: LinkContext,
  token: LinkToken,
  password: string,
  { kind, expired, store }: LinkPurpose,
): Promise<void> => {
  const hostBrand = await deps.brandOfHost(requestInfo.host)
  const user = await transactAsSystem((db) => userOfLink(db, kind, token, now))
  if (user === undefined || (hostBrand !== undefined && hostBrand !== user.brandId)) throw expired()
  await assertStrongPassword('body.password', password)
  const hash = await deps.passwords.hash(password)
  const endedSessionIds = await transactAsSystem(async (db) => {
    if (!(await useLink(db, kind, { id: token.id, userId: user.id }, now))) throw expired()
    await rememberAddress(db, knownAddressOf(deps.keys, user.id, requestInfo.address, now)) // and so is what it runs beside, such as a program
    return store(db, { userId: user.id, hash, source: requestInfo.address }, now)
  })
  for (const sessionId of endedSessionIds) deps.accessCheck.forgetSession(sessionId)
  rememberDevice(deps.keys, requestInfo, user.id) // who holds the mailbox is let in, whatever strangers do to the account's tries
  deps.onMailQueued()
}
