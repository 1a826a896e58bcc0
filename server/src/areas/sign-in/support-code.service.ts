import type { TokenResponse } from '@counterfoil/contract/sign-in'
import { ApiError } from '../../kit/api-error.ts'
import { tooManyRequests } from '../../rate-limits/rate-limits.ts'
import { addressUses } from '../../rate-limits/client-address.ts'
import { parseLinkToken } from '../../session/one-time-links.ts'
import { consumeRateLimits } from '../../rate-limits/rate-limits.queries.ts'
import { startSession, assertClient, type SignInContext, type SignInDeps } from './sign-in.service.ts'
import { redeemSupportLink } from './support-link.queries.ts'

/** The same error for a code that is unknown, used, expired or of another brand. */
const invalidCodeError = (): ApiError => new ApiError('invalid_grant', 'This code is not valid, or it was used before.')

/** The page that a support link opens. */
const SUPPORT_PAGE = /^\/la(\/|$)/

/**
 * Starts a session of a support employee in a user's name, by the code of a support link, once.
 * @throws ApiError 400 invalid_grant; 429 after too many attempts from one address
 */
export const signInBySupportCode = async (
  deps: SignInDeps,
  context: SignInContext,
  fields: { code: string; redirect_uri?: string; client_id: string; client_secret: string },
): Promise<TokenResponse> => {
  const { now, requestInfo, transactAsSystem } = context
  assertClient(fields, requestInfo)
  const waitMs = await transactAsSystem((db) =>
    consumeRateLimits(db, addressUses(deps.keys, deps.limits, 'link', requestInfo.address), now),
  )
  if (waitMs > 0) throw tooManyRequests(waitMs)
  const token = parseLinkToken(fields.code)
  if (token === undefined || !isOurPage(fields.redirect_uri, requestInfo.host)) throw invalidCodeError()
  const hostBrand = await deps.brandOfHost(requestInfo.host)
  const session = await transactAsSystem((db) => redeemSupportLink(db, deps.keys, token, { hostBrand, source: requestInfo.address }, now))
  if (session === undefined) throw invalidCodeError()
  return startSession(deps, context, session.user, fields.client_id, { support: session.support })
}

/** Whether the redirect URI is this host's page for support links; true without one. */
const isOurPage = (redirectUri: string | undefined, host: string): boolean => {
  if (redirectUri === undefined) return true
  if (!URL.canParse(redirectUri)) return false
  const { hostname, pathname, protocol } = new URL(redirectUri)
  return /^https?:$/.test(protocol) && hostname === host && SUPPORT_PAGE.test(pathname)
}
