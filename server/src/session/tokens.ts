import { createHash, randomBytes } from 'node:crypto'
import type { TokenClaims } from '@counterfoil/contract/sign-in'
import { jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Keys } from '../kit/keys.ts'
import { signInRequired } from '../kit/api-error.ts'

export const ACCESS_TOKEN_SECONDS = 300

/** The claims of an access token: what the portal reads, and the session, whose row decides. */
export interface AccessClaims extends Omit<TokenClaims, 'exp'> {
  readonly sid: string
}

const ISSUER = 'counterfoil'
const TYPE = 'at+jwt'

/** Signs an access token (a JWT) that lasts ACCESS_TOKEN_SECONDS. Stores nothing. */
export const issueAccessToken = (keys: Keys, claims: AccessClaims, now: Date): Promise<string> => {
  const issuedAt = Math.floor(now.getTime() / 1_000)
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ: TYPE })
    .setIssuer(ISSUER)
    .setAudience(ISSUER)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
    .sign(keys.tokenPrivate)
}

/** Whose an access token is. */
export interface TokenOwner {
  readonly sessionId: string
  readonly userId: string
}

/** Verifies an access token. @returns its session and user @throws ApiError 401 for any other token */
export type AccessTokenVerifier = (token: string, now: Date) => Promise<TokenOwner>

type VerifiedToken = TokenOwner & { readonly endsAt: number }

/**
 * How a signature of 64 bytes ends in base64url. Decoders ignore the last four bits, so that sixteen spellings of one token would each be
 * verified and cached anew.
 */
const SIGNATURE_END = /[AQgw]$/

/** Verified tokens are cached until they expire, up to this number. */
const MAX_CACHED_TOKENS = 10_000

/** Makes the verifier of access tokens, which caches verified ones until they expire. Whether the session has ended is not asked. */
export const accessTokenVerifier = (keys: Keys): AccessTokenVerifier => {
  const cache = new LRUCache<string, VerifiedToken>({ max: MAX_CACHED_TOKENS })
  return async (token, now) => {
    const cached = cache.get(token)
    if (cached !== undefined && cached.endsAt > now.getTime()) return cached
    const verified = await verifyAccessToken(keys, token, now)
    cache.set(token, verified)
    return verified
  }
}

/** Verifies the signature, time and claims of an access token. @throws ApiError 401 for any other token */
const verifyAccessToken = async (keys: Keys, token: string, now: Date): Promise<VerifiedToken> => {
  if (!SIGNATURE_END.test(token)) throw signInRequired()
  try {
    const { payload } = await jwtVerify(token, keys.tokenPublic, {
      algorithms: ['EdDSA'],
      typ: TYPE,
      issuer: ISSUER,
      audience: ISSUER,
      currentDate: now,
      requiredClaims: ['exp', 'iat', 'sid', 'sub'],
    })
    const { sid, sub, exp = 0 } = payload
    if (typeof sid === 'string' && sub !== undefined) return { sessionId: sid, userId: sub, endsAt: exp * 1_000 }
  } catch {
    // Every reason gets the same answer, which reveals nothing.
  }
  throw signInRequired()
}

/** The refresh token with this number in a session: derived, so that a repeated request gets the same token. */
export const refreshToken = (keys: Keys, sessionId: string, counter: number): string =>
  keys.mac('refresh', sessionId, String(counter)).toString('base64url')

/** A random secret of 256 bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The SHA-256 of a high-entropy secret, as it is stored. Without a key. */
export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest()
