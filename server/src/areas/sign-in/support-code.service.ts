import type { TokenResponse } from '@counterfoil/contract/sign-in'
import { ApiError } from '../../kit/api-error.ts'
import { rateLimitHit, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import { parseLinkToken } from '../../session/one-time-links.ts'
import { consumeRateLimits } from '../../session/session.queries.ts'
import { startSession, assertClient, type SignInContext, type SignInDeps } from './sign-in.service.ts'
import { redeemSupportLink } from './support-link.queries.ts'

/** One answer to a code that is unknown, used, too old, or of another brand. */
const invalidCode = (): ApiError => new ApiError('invalid_grant', 'This code is not valid, or it was used before.')

/** The page that receives the code of a support link. */
const SUPPORT_PAGE = /^\/la(\/|$)/

/**
 * Signs somebody of support in as a user, by the code of a support link, once. The session says in whose hands it is.
 * @throws Refusal 400 invalid_grant; 429 after too many tries from one address
 */
export const signInBySupportCode = async (
  deps: SignInDeps,
  context: SignInContext,
  fields: { code: string; redirect_uri?: string; client_id: string; client_secret: string },
): Promise<TokenResponse> => {
  assertClient(fields)
  const { now, requestInfo, transactAsSystem } = context
  const waitMs = await transactAsSystem((db) =>
    consumeRateLimits(db, [rateLimitHit(deps.keys, deps.limits, 'link', requestInfo.address)], now),
  )
  if (waitMs > 0) throw tooManyRequests(waitMs)
  const token = parseLinkToken(fields.code)
  if (token === undefined || !isOurPage(fields.redirect_uri, requestInfo.host)) throw invalidCode()
  const hostBrand = await deps.brandOfHost(requestInfo.host)
  const session = await transactAsSystem((db) => redeemSupportLink(db, deps.keys, token, { hostBrand, source: requestInfo.address }, now))
  if (session === undefined) throw invalidCode()
  return startSession(deps, context, session.user, fields.client_id, { support: session.support })
}

/** Is this, where it is told at all, the page of this host that receives such codes? */
const isOurPage = (redirectUri: string | undefined, host: string): boolean => {
  if (redirectUri === undefined) return true
  if (!URL.canParse(redirectUri)) return false
  const { hostname, pathname, protocol } = new URL(redirectUri)
  return /^https?:$/.test(protocol) && hostname === host && SUPPORT_PAGE.test(pathname)
}
