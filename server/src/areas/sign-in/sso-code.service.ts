import type { TokenResponse } from '@counterfoil/contract/sign-in'
import { ApiError } from '../../kit/api-error.ts'
import { tooManyRequests } from '../../rate-limits/rate-limits.ts'
import { addressUses } from '../../rate-limits/client-address.ts'
import { consumeRateLimits } from '../../rate-limits/rate-limits.queries.ts'
import { userById } from '../../session/session.queries.ts'
import { secretHash } from '../../session/tokens.ts'
import { consumeCode } from '../../sso/attempts.queries.ts'
import { BROWSER_COOKIE } from './sso.service.ts'
import { startSession, assertClient, type SignInContext, type SignInDeps } from './sign-in.service.ts'

/** Whether a code has the form of single sign-on's; codes of support links are longer. The code itself is not looked up. */
export const isSignOnCode = (code: string): boolean => /^[\w-]{43}$/.test(code)

/** The same error for a code that is unknown, used, expired, or of another browser or brand. */
const invalidCodeError = (): ApiError => new ApiError('invalid_grant', 'This code is not valid, or it was used before.')

/**
 * Starts a session by the code with which single sign-on has ended, in the browser that began it. The first use consumes a code, whether or
 * not it succeeds.
 * @throws ApiError 400 invalid_grant; 429 after too many codes from one address
 */
export const signInByCode = async (
  deps: SignInDeps,
  context: SignInContext,
  fields: { code: string; redirect_uri?: string; client_id: string; client_secret: string },
): Promise<TokenResponse> => {
  const { now, requestInfo, transactAsSystem } = context
  assertClient(fields, requestInfo)
  const uses = addressUses(deps.keys, deps.limits, 'link', requestInfo.address)
  const { waitMs, found } = await transactAsSystem(async (db) => {
    const waitMs = await consumeRateLimits(db, uses, now)
    const consumed = waitMs > 0 ? undefined : await consumeCode(db, secretHash(fields.code), now)
    return { waitMs, found: consumed === undefined ? undefined : { ...consumed, user: await userById(db, consumed.userId) } }
  })
  if (waitMs > 0) throw tooManyRequests(waitMs)
  const browser = requestInfo.cookie(BROWSER_COOKIE)
  if (browser === undefined || found?.browserHash?.equals(secretHash(browser)) !== true) throw invalidCodeError()
  const hostBrand = await deps.brandOfHost(requestInfo.host)
  if (found?.user === undefined || found.user.isDisabled || found.redirectUri !== fields.redirect_uri) throw invalidCodeError()
  if (hostBrand !== undefined && hostBrand !== found.user.brandId) throw invalidCodeError()
  return startSession(deps, context, found.user, fields.client_id, { uses })
}
