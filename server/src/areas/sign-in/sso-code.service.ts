import type { TokenResponse } from '@counterfoil/contract/sign-in'
import { ApiError } from '../../kit/api-error.ts'
import { charge, tooMany } from '../../rate-limits/rate-limits.ts'
import { takeFromBuckets, userById } from '../../session/session.queries.ts'
import { secretHash } from '../../session/tokens.ts'
import { takeCode } from '../../sso/attempts.queries.ts'
import { begin, checkClient, type SignInAsk, type SignInDeps } from './sign-in.service.ts'

/** Has it the form of a sign-on code? Those of support links are longer. */
export const isSignOnCode = (code: string): boolean => /^[\w-]{43}$/.test(code)

const wrongCode = (): ApiError => new ApiError(400, 'This code is not valid, or it was used before.', { oauth: 'invalid_grant' })

/**
 * Signs a person in by the code that single sign-on came back with. A code is used up by whoever shows it, rightly or not.
 * @throws Refusal 400 invalid_grant; 429 after too many codes from one address
 */
export const signInByCode = async (
  deps: SignInDeps,
  ask: SignInAsk,
  given: { code: string; redirect_uri?: string; client_id: string; client_secret: string },
): Promise<TokenResponse> => {
  checkClient(given)
  const { now, requestInfo, transactAsSystem } = ask
  const charges = [charge(deps.keys, deps.limits, 'link', requestInfo.address)]
  const { waitMs, found } = await transactAsSystem(async (db) => {
    const waitMs = await takeFromBuckets(db, charges, now)
    const taken = waitMs > 0 ? undefined : await takeCode(db, secretHash(given.code), now)
    return { waitMs, found: taken === undefined ? undefined : { ...taken, user: await userById(db, taken.userId) } }
  })
  if (waitMs > 0) throw tooMany(waitMs)
  const hostBrand = await deps.brandOfHost(requestInfo.host)
  if (found?.user === undefined || found.user.isDisabled || found.redirectUri !== given.redirect_uri) throw wrongCode()
  if (hostBrand !== undefined && hostBrand !== found.user.brandId) throw wrongCode()
  return begin(deps, ask, found.user, given.client_id, { charges })
}
