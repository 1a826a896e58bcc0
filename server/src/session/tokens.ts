import { createHash, randomBytes } from 'node:crypto'
import type { TokenClaims } from '@counterfoil/contract/sign-in'
import { jwtVerify, SignJWT } from 'jose'
import type { Keys } from '../kit/keys.ts'
import { unauthorized } from '../kit/refusal.ts'

export const ACCESS_TOKEN_SECONDS = 300

/** What an access token says besides what the portal reads: the session whose row decides. */
export interface AccessClaims extends Omit<TokenClaims, 'exp'> {
  readonly sid: string
}

const ISSUER = 'counterfoil'
const TYPE = 'at+jwt'

/** A signed access token of 5 minutes. */
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

/**
 * The session that an access token names.
 * @throws Refusal 401 for anything but a token of ours, whole and in time
 */
export const sessionOfToken = async (keys: Keys, token: string, now: Date): Promise<string> => {
  try {
    const { payload } = await jwtVerify(token, keys.tokenPublic, {
      algorithms: ['EdDSA'],
      typ: TYPE,
      issuer: ISSUER,
      audience: ISSUER,
      currentDate: now,
      requiredClaims: ['exp', 'sid', 'sub'],
    })
    if (typeof payload['sid'] === 'string') return payload['sid']
  } catch {
    // Why a token is refused is nobody's business but ours, and every reason has the same answer.
  }
  throw unauthorized()
}

/** The refresh token number `counter` of a session: derived, so that a repeated request gets the same one. */
export const refreshToken = (keys: Keys, sessionId: string, counter: number): string =>
  keys.mac('refresh', sessionId, String(counter)).toString('base64url')

/** A secret that nobody can guess: 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** How a high-entropy secret is kept. */
export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest()
