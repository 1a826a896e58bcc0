import type { TokenResponse } from '@counterfoil/contract/sign-in'
import { ApiError } from '../../kit/api-error.ts'
import { charge, tooMany } from '../../rate-limits/rate-limits.ts'
import { linkTokenOf } from '../../session/one-time-links.ts'
import { takeFromBuckets } from '../../session/session.queries.ts'
import { begin, checkClient, type SignInAsk, type SignInDeps } from './sign-in.service.ts'
import { redeemSupportLink } from './support-link.queries.ts'

/** One answer to a code that is unknown, used, too old, or of another brand. */
const noCode = (): ApiError => new ApiError(400, 'This code is not valid, or it was used before.', { oauth: 'invalid_grant' })

/** The page that receives the code of a support link. */
const SUPPORT_PAGE = /^\/la(\/|$)/

/**
 * Signs somebody of support in as a user, by the code of a support link, once. The session says in whose hands it is.
 * @throws Refusal 400 invalid_grant; 429 after too many tries from one address
 */
export const signInBySupportCode = async (
  deps: SignInDeps,
  ask: SignInAsk,
  given: { code: string; redirect_uri?: string; client_id: string; client_secret: string },
): Promise<TokenResponse> => {
  checkClient(given)
  const { now, requestInfo, transactAsSystem } = ask
  const waitMs = await transactAsSystem((db) => takeFromBuckets(db, [charge(deps.keys, deps.limits, 'link', requestInfo.address)], now))
  if (waitMs > 0) throw tooMany(waitMs)
  const token = linkTokenOf(given.code)
  if (token === undefined || !isOurPage(given.redirect_uri, requestInfo.host)) throw noCode()
  const hostBrand = await deps.brandOfHost(requestInfo.host)
  const redeemed = await transactAsSystem((db) => redeemSupportLink(db, deps.keys, token, { hostBrand, source: requestInfo.address }, now))
  if (redeemed === undefined) throw noCode()
  return begin(deps, ask, redeemed.user, given.client_id, { support: redeemed.support })
}

/** Is this, where it is told at all, the page of this host that receives such codes? */
const isOurPage = (redirectUri: string | undefined, host: string): boolean => {
  if (redirectUri === undefined) return true
  if (!URL.canParse(redirectUri)) return false
  const { hostname, pathname, protocol } = new URL(redirectUri)
  return /^https?:$/.test(protocol) && hostname === host && SUPPORT_PAGE.test(pathname)
}
