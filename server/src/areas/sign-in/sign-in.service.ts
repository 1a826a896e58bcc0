import { randomUUID } from 'node:crypto'
import type { TokenResponse } from '@counterfoil/contract/sign-in'
import { PORTAL_CLIENT } from '@counterfoil/contract/sign-in'
import { addMs } from '../../kit/clock.ts'
import type { Keys } from '../../kit/keys.ts'
import type { Log } from '../../kit/log.ts'
import { ApiError } from '../../kit/api-error.ts'
import type { RequestInfo } from '../../session/request-info.ts'
import type { Transact } from '../../db/transact.ts'
import type { AccessCheck } from '../../session/actor.ts'
import { isKnownAddress, rememberAddress } from '../../session/known-addresses.queries.ts'
import { addressSubject, knownAddressOf, type KnownAddress } from '../../session/known-addresses.ts'
import { hasDeviceCookie, readDeviceId, rememberDevice } from '../../session/devices.ts'
import { type RateLimitUse, rateLimitUse, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import { addressGroupOf, addressUses } from '../../rate-limits/client-address.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import type { Passwords } from '../../session/passwords.ts'
import { consumeRateLimits, refundRateLimits } from '../../rate-limits/rate-limits.queries.ts'
import {
  endSession,
  insertSession,
  lockSessionOfToken,
  rotateRefreshToken,
  type SignInUser,
  storePasswordHash,
  type SupportSession,
  userById,
  userByName,
} from '../../session/session.queries.ts'
import { organizationNameOfDomain } from '../../sso/organizations.queries.ts'
import { ACCESS_TOKEN_SECONDS, issueAccessToken, newSecret, refreshToken, secretHash } from '../../session/tokens.ts'

export interface SignInDeps {
  readonly keys: Keys
  readonly limits: Limits
  readonly passwords: Passwords
  readonly accessCheck: AccessCheck
  readonly log: Log
  brandOfHost(host: string): Promise<number | undefined>
  /** Called when mail was queued. */
  onMailQueued(): void
}

export interface SignInContext {
  readonly now: Date
  readonly requestInfo: RequestInfo
  readonly transactAsSystem: Transact
}

/** The database in a transaction of the system's role. */
export type SystemDb = Parameters<Parameters<Transact>[0]>[0]

const HOUR = 3_600_000
/** The same for every username, also for unknown ones. */
const RESET_LINK_ADVICE = 'Or choose "Forgot your password?": the link that is mailed lets this browser in at once.'
/** How long a session lasts unused, and in total. */
const OWN_SESSION = { idleMs: 12 * HOUR, absoluteMs: 30 * 24 * HOUR } as const
const SUPPORT_SESSION = { idleMs: HOUR / 2, absoluteMs: 2 * HOUR } as const
/** How long a used refresh token still gives its successor after that was first used: responses get lost, and tabs race. */
const GRACE_MS = 30_000
const REFRESH_COOKIE = 'counterfoil'

/**
 * The same error for every failed attempt. Its header names the organization that has the username's domain, whether or not the user
 * exists.
 */
const invalidCredentialsError = async (
  { transactAsSystem }: SignInContext,
  username: string,
  hostBrand: number | undefined,
): Promise<ApiError> => {
  const domain = username.slice(username.lastIndexOf('@') + 1).toLowerCase()
  const organizationName = await transactAsSystem((db) => organizationNameOfDomain(db, username.includes('@') ? domain : '', hostBrand))
  const headers = organizationName === undefined ? {} : { 'x-brand-name': organizationName }
  return new ApiError('invalid_credentials', 'Invalid username or password', { headers })
}
/** The error for a refresh token that is unknown, used or of an ended session. */
const sessionEndedError = (): ApiError => new ApiError('invalid_grant', 'Your session has ended. Please sign in again.')

/**
 * Checks the client's secret and origin, where the client is the portal. Other ids are machine clients, of which nothing is checked: they
 * have no secret and get no cookies.
 * @throws ApiError 401 invalid_client for another secret; 403 for a form on another site, which would sign a visitor out or in
 */
export const assertClient = (client: { client_id: string; client_secret: string }, { isFromOtherSite }: RequestInfo): void => {
  if (client.client_id !== PORTAL_CLIENT.id) return
  if (client.client_secret !== PORTAL_CLIENT.secret) throw new ApiError('invalid_client', 'The client id or secret is wrong.')
  if (isFromOtherSite) throw new ApiError('other_site_forbidden', 'Sign in on the page of the portal itself.')
}

/**
 * Signs a user in by password: starts a session and returns its tokens. Every failed attempt gets the same response in the same time,
 * whether or not the user exists.
 * @throws ApiError invalid_credentials; 429 after too many failures
 */
export const signInByPassword = async (
  deps: SignInDeps,
  context: SignInContext,
  fields: { username: string; password: string; client_id: string; client_secret: string },
): Promise<TokenResponse> => {
  const { now, requestInfo, transactAsSystem } = context
  assertClient(fields, requestInfo)
  const username = fields.username.trim()
  const deviceUser = hasDeviceCookie(requestInfo)
    ? await transactAsSystem((db) => userByName(db, username), { pipelined: true })
    : undefined
  const device = deviceUser === undefined ? undefined : readDeviceId(deps.keys, requestInfo, deviceUser.id)
  const usualUses = signInHits(deps, requestInfo, username, device)
  const consumeAndFindUser = async (db: SystemDb) => ({
    waitMs: await consumeRateLimits(db, usualUses, now),
    user: await userByName(db, username),
  })
  const { waitMs, user } = await transactAsSystem(consumeAndFindUser, { durable: false })
  const lastTry =
    waitMs === 0 ? null : await consumeLastTry(deps, context, { username, user: device === undefined ? user : undefined, waitMs })
  const isCorrect = await deps.passwords.verify(user?.passwordHash ?? null, fields.password)
  const hostBrand = await deps.brandOfHost(requestInfo.host)
  if (!isCorrect || user === undefined || user.isDisabled || (hostBrand !== undefined && hostBrand !== user.brandId))
    throw lastTry === null ? await invalidCredentialsError(context, username, hostBrand) : tooManyRequests(waitMs, RESET_LINK_ADVICE)
  if (lastTry?.isKnownAddress === false) throw tooManyRequests(waitMs, RESET_LINK_ADVICE)
  if (user.passwordHash !== null && deps.passwords.needsRehash(user.passwordHash)) await rehash(deps, context, user, fields.password)
  if (fields.client_id === PORTAL_CLIENT.id) rememberDevice(deps.keys, requestInfo, user.id)
  return startSession(deps, context, user, fields.client_id, {
    uses: lastTry === null ? usualUses : [lastTry.use],
    address: knownAddressOf(deps.keys, user.id, requestInfo.address, now),
  })
}

/**
 * The rate limits that an attempt counts against: that of the browser alone when the account knows it, else those of account, address and
 * network. Nothing is counted yet.
 */
const signInHits = (
  { keys, limits }: SignInDeps,
  requestInfo: RequestInfo,
  username: string,
  device: string | undefined,
): RateLimitUse[] => {
  if (device !== undefined) return [rateLimitUse(keys, limits, 'device', device)]
  return [
    rateLimitUse(keys, limits, 'account', username.toLowerCase()),
    ...addressUses(keys, limits, 'address', requestInfo.address),
    ...addressUses(keys, limits, 'network', requestInfo.address),
  ]
}

/**
 * When the usual limits are used up, a username still has tries of its own at an address. Only the right password at an address that its
 * user is known at signs in by one; every other try gets the same refusal, after the same work, whether or not the user exists.
 * @throws ApiError 429 when those are used up too
 */
const consumeLastTry = async (
  { keys, limits }: SignInDeps,
  { requestInfo, now, transactAsSystem }: SignInContext,
  { username, user, waitMs }: { username: string; user: SignInUser | undefined; waitMs: number },
): Promise<{ use: RateLimitUse; isKnownAddress: boolean }> => {
  const use = rateLimitUse(keys, limits, 'device', `${username.toLowerCase()} ${addressGroupOf(requestInfo.address)}`)
  const { ownWaitMs, isKnown } = await transactAsSystem(async (db) => ({
    ownWaitMs: await consumeRateLimits(db, [use], now),
    isKnown: await isKnownAddress(db, addressSubject(keys, user?.id, requestInfo.address), now),
  }))
  if (ownWaitMs > 0) throw tooManyRequests(waitMs, RESET_LINK_ADVICE)
  return { use, isKnownAddress: isKnown }
}

/** Stores a hash of the password that has just been verified, made with the strength of today. */
const rehash = async (deps: SignInDeps, { transactAsSystem, now }: SignInContext, user: SignInUser, password: string): Promise<void> => {
  const hash = await deps.passwords.hash(password)
  await transactAsSystem((db) => storePasswordHash(db, user.id, hash, now))
}

export interface SessionStart {
  readonly uses?: readonly RateLimitUse[]
  readonly support?: SupportSession | null
  /** The address to remember for the user. */
  readonly address?: KnownAddress | null
}

/**
 * Stores a session of an authenticated user, sets its cookie (for the portal's client alone), gives the attempt back to the rate limits and
 * returns the tokens.
 */
export const startSession = async (
  deps: SignInDeps,
  context: SignInContext,
  user: SignInUser,
  clientId: string,
  { uses = [], support = null, address = null }: SessionStart = {},
): Promise<TokenResponse> => {
  const { now, requestInfo, transactAsSystem } = context
  const { idleMs, absoluteMs } = support === null ? OWN_SESSION : SUPPORT_SESSION
  const id = randomUUID()
  const cookie = clientId === PORTAL_CLIENT.id ? newSecret() : null
  const firstToken = refreshToken(deps.keys, id, 1)
  const session = {
    id,
    userId: user.id,
    clientId,
    cookieHash: cookie === null ? null : secretHash(cookie),
    idleUntil: addMs(now, idleMs),
    absoluteUntil: addMs(now, absoluteMs),
    tokenHash: secretHash(firstToken),
    support,
  }
  const storeSession = async (db: SystemDb): Promise<void> => {
    if (uses.length > 0) await refundRateLimits(db, uses)
    if (address !== null) await rememberAddress(db, address)
    await insertSession(db, session, now)
  }
  await transactAsSystem(storeSession, { durable: false })
  if (cookie !== null) requestInfo.setCookie(REFRESH_COOKIE, cookie, absoluteMs / 1_000)
  return toTokenResponse(deps.keys, user, { sid: id, refresh: firstToken, supporter: support?.supporter ?? null }, now)
}

interface IssuedSession {
  readonly sid: string
  readonly refresh: string
  readonly supporter: string | null
}

/** The response of /token, with an access token signed now. Nothing is stored. */
const toTokenResponse = async (
  keys: Keys,
  user: SignInUser,
  { sid, refresh, supporter }: IssuedSession,
  now: Date,
): Promise<TokenResponse> => ({
  access_token: await issueAccessToken(
    keys,
    {
      sid,
      sub: user.id,
      BrandId: user.brandId,
      resellername: user.resellerName,
      ResellerId: user.resellerId,
      DisplayName: user.displayName,
      ...(supporter === null ? {} : { su: true, act: { sub: supporter } }),
    },
    now,
  ),
  token_type: 'Bearer',
  expires_in: ACCESS_TOKEN_SECONDS,
  refresh_token: refresh,
})

/**
 * Exchanges a refresh token for its successor and new access. A used token gives the same successor until that is first used, and for
 * `GRACE_MS` after. Later it can only be a stolen copy, and the session ends. A browser must send the session's cookie too.
 * @throws ApiError invalid_grant; 429 after too many
 */
export const signInByRefresh = async (
  deps: SignInDeps,
  context: SignInContext,
  fields: { refresh_token: string; client_id: string; client_secret: string },
): Promise<TokenResponse> => {
  const { now, requestInfo, transactAsSystem } = context
  assertClient(fields, requestInfo)
  const usedHash = secretHash(fields.refresh_token)
  const outcome = await transactAsSystem(async (db) => {
    const found = await lockSessionOfToken(db, usedHash, now)
    if (found === undefined || !found.session.isAlive || found.session.clientId !== fields.client_id) return null
    const { session, counter, successorUsedAt, hasSuccessor } = found
    const cookie = requestInfo.cookie(REFRESH_COOKIE)
    if (session.cookieHash !== null && (cookie === undefined || !session.cookieHash.equals(secretHash(cookie)))) return null
    if (successorUsedAt !== null && addMs(successorUsedAt, GRACE_MS) < now) {
      await endSession(db, session.id, 'reuse', now)
      return { reusedIn: session.id }
    }
    const waitMs = hasSuccessor ? 0 : await consumeRateLimits(db, [rateLimitUse(deps.keys, deps.limits, 'refresh', session.id)], now)
    const user = await userById(db, session.userId)
    if (user === undefined || user.isDisabled) return null
    if (waitMs > 0) return { waitMs }
    const nextToken = refreshToken(deps.keys, session.id, counter + 1)
    const { idleMs } = session.supporter === null ? OWN_SESSION : SUPPORT_SESSION
    await rotateRefreshToken(
      db,
      { sessionId: session.id, usedHash, nextHash: secretHash(nextToken), nextCounter: counter + 1, idleUntil: addMs(now, idleMs) },
      now,
    )
    return { user, issued: { sid: session.id, refresh: nextToken, supporter: session.supporter } }
  })
  if (outcome === null) throw sessionEndedError()
  if ('reusedIn' in outcome) {
    deps.accessCheck.forgetSession(outcome.reusedIn)
    deps.log.warn({ sessionId: outcome.reusedIn }, 'an old refresh token came back: the session was ended')
    throw sessionEndedError()
  }
  if ('waitMs' in outcome) throw tooManyRequests(outcome.waitMs)
  return toTokenResponse(deps.keys, outcome.user, outcome.issued, now)
}

/** Ends the session to which a refresh token belongs; an unknown token gets the same response (RFC 7009 §2.2). */
export const signOut = async (
  deps: SignInDeps,
  { now, transactAsSystem }: SignInContext,
  fields: { token: string; client_id: string },
): Promise<void> => {
  const sessionId = await transactAsSystem(async (db) => {
    const found = await lockSessionOfToken(db, secretHash(fields.token), now)
    if (found === undefined || found.session.clientId !== fields.client_id) return undefined
    await endSession(db, found.session.id, 'logout', now)
    return found.session.id
  })
  if (sessionId !== undefined) deps.accessCheck.forgetSession(sessionId)
}
