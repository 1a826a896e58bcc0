import type { keyedMutex } from '../../kit/mutex.ts'
import { ApiError } from '../../kit/api-error.ts'
import type { RequestInfo } from '../../session/request-info.ts'
import type { Transact } from '../../db/transact.ts'
import { rememberDevice } from '../../session/devices.ts'
import { rememberAddress } from '../../session/known-addresses.queries.ts'
import { knownAddressOf } from '../../session/known-addresses.ts'
import { type RateLimitUse, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import { addressUses } from '../../rate-limits/client-address.ts'
import { type LinkKind, type LinkToken, parseLinkToken } from '../../session/one-time-links.ts'
import { markLinkUsed, verifyLink } from '../../session/one-time-links.queries.ts'
import { consumeRateLimits, refundRateLimits } from '../../rate-limits/rate-limits.queries.ts'
import { assertStrongPassword } from './new-password.rules.ts'
import { type LinkOwner, linkOwnerRow } from './password.queries.ts'
import type { PasswordDeps } from './password.service.ts'

export interface LinkDeps extends PasswordDeps {
  /** Concurrent uses of one link wait for the first instead of hashing a password each. Between servers the database decides. */
  readonly runExclusive: ReturnType<typeof keyedMutex>
}

export interface LinkContext {
  readonly now: Date
  readonly requestInfo: RequestInfo
  readonly transactAsSystem: Transact
}

type LinkDb = Parameters<Parameters<Transact>[0]>[0]

/** The kind of a link, its error and what it does. */
export interface LinkPurpose {
  readonly kind: LinkKind
  /** The same error for a token that is unknown, used, expired or of another brand. */
  readonly linkExpiredError: () => ApiError
  /** Stores the password in the transaction that uses the link. @returns the ids of the sessions that it ended */
  readonly store: (db: LinkDb, chosen: { userId: string; hash: string; source: string }, now: Date) => Promise<string[]>
}

/**
 * Sets a password by a mailed link, once, and remembers the client's address and device as known. An unacceptable password leaves the link
 * usable.
 * @throws ApiError 400 for an invalid token or password; 429 after too many attempts from one address
 */
export const setPasswordByLink = async (
  deps: LinkDeps,
  context: LinkContext,
  fields: { token: string; password: string },
  purpose: LinkPurpose,
): Promise<void> => {
  await consumeLinkAttempt(deps, context)
  const token = parseLinkToken(fields.token)
  if (token === undefined) throw purpose.linkExpiredError()
  await deps.runExclusive(token.id, () => redeemLink(deps, context, token, fields.password, purpose))
}

/**
 * For whom a mailed link sets a password: shown by its page, so that nobody chooses one for a stranger. The link stays unused.
 * @throws ApiError 400 for a link that is not valid here; 429 after too many attempts from one address
 */
export const readLinkOwner = async (
  deps: PasswordDeps,
  context: LinkContext,
  { token: text, purpose }: { token: string; purpose: 'reset' | 'registration' },
): Promise<LinkOwner> => {
  const uses = await consumeLinkAttempt(deps, context)
  const token = parseLinkToken(text)
  const hostBrand = await deps.brandOfHost(context.requestInfo.host)
  const owner = await context.transactAsSystem(async (db) => {
    const user = token === undefined ? undefined : await verifyLink(db, purpose, token, context.now)
    return user === undefined ? undefined : linkOwnerRow(db, user.id)
  })
  if (owner === undefined || (hostBrand !== undefined && hostBrand !== owner.brandId))
    throw new ApiError('link_expired', 'This link is not valid any more.')
  await context.transactAsSystem((db) => refundRateLimits(db, uses)) // who opens a link's page has not used it yet
  return owner
}

/** Counts an attempt to open a link from the client's address. @returns what was counted @throws ApiError 429 when there were too many */
const consumeLinkAttempt = async (
  deps: PasswordDeps,
  { transactAsSystem, requestInfo, now }: LinkContext,
): Promise<readonly RateLimitUse[]> => {
  const uses = addressUses(deps.keys, deps.limits, 'link', requestInfo.address)
  const waitMs = await transactAsSystem((db) => consumeRateLimits(db, uses, now))
  if (waitMs > 0) throw tooManyRequests(waitMs)
  return uses
}

/**
 * Sets the password by a link whose attempt has been counted.
 * @throws ApiError for a link that is not valid at this host, or a weak password
 */
const redeemLink = async (
  deps: LinkDeps,
  { transactAsSystem, now, requestInfo }: LinkContext,
  token: LinkToken,
  password: string,
  { kind, linkExpiredError, store }: LinkPurpose,
): Promise<void> => {
  const hostBrand = await deps.brandOfHost(requestInfo.host)
  const user = await transactAsSystem((db) => verifyLink(db, kind, token, now))
  if (user === undefined || (hostBrand !== undefined && hostBrand !== user.brandId)) throw linkExpiredError()
  await assertStrongPassword('body.password', password)
  const hash = await deps.passwords.hash(password)
  const endedSessionIds = await transactAsSystem(async (db) => {
    if (!(await markLinkUsed(db, kind, { id: token.id, userId: user.id }, now))) throw linkExpiredError()
    await rememberAddress(db, knownAddressOf(deps.keys, user.id, requestInfo.address, now)) // for other clients at this address, such as a script
    return store(db, { userId: user.id, hash, source: requestInfo.address }, now)
  })
  for (const sessionId of endedSessionIds) deps.accessCheck.forgetSession(sessionId)
  rememberDevice(deps.keys, requestInfo, user.id) // so that the mailbox's owner can sign in even when the account's attempts are used up
  deps.onMailQueued()
}
