import { PORTAL_CLIENT, signIn } from '@counterfoil/contract/sign-in'
import { ApiError, throwNoResponse } from './api-error.ts'
import { sendRequest } from './send-request.ts'
import { type Auth, clearSession, isAuth, storedAuth, storeTokens } from './session.ts'

const LOCK_NAME = 'counterfoil-refresh'

let pendingRefresh: Promise<string> | null = null

/**
 * Gets an access token newer than `rejectedToken`, with one refresh for all waiting requests of all tabs.
 *
 * @param rejectedToken  the access token that got a 401
 * @throws ApiError 401 when the session is over: it has been cleared and /login is being opened;
 *                   any other status, or 0, when the refresh failed: the session stays
 */
export const refreshAccessToken = (rejectedToken: string): Promise<string> => {
  pendingRefresh ??= withTabLock(() => refresh(rejectedToken)).finally(() => {
    pendingRefresh = null
  })
  return pendingRefresh
}

/**
 * Runs the work while no other tab runs such work, by a Web Lock. Web Locks exist on https and localhost only: elsewhere the work runs at
 * once, and the server gives every tab one and the same new token.
 */
const withTabLock = async (work: () => Promise<string>): Promise<string> => {
  const locks: LockManager | undefined = navigator.locks
  return locks === undefined ? work() : await locks.request(LOCK_NAME, work)
}

/** The access token of another tab's refresh, if any; else asks for new tokens and stores them, unless the user signed out meanwhile. */
const refresh = async (rejectedToken: string): Promise<string> => {
  const auth = storedAuth()
  if (auth === null) return endSession()
  // Another tab may have refreshed already.
  if (auth.access_token !== rejectedToken) return auth.access_token

  const response = await exchangeRefreshToken(auth.refresh_token)
  // The user may have signed out meanwhile: do not store their tokens again.
  const current = storedAuth()
  if (current === null) return endSession()
  if (current.refresh_token !== auth.refresh_token) return current.access_token
  storeTokens(response)
  return response.access_token
}

/** Asks the server for new tokens and stores nothing. A refused refresh token ends the session, which throws. */
const exchangeRefreshToken = async (refreshToken: string): Promise<Auth> => {
  const body = {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: PORTAL_CLIENT.id,
    client_secret: PORTAL_CLIENT.secret,
  }
  const response = await sendRequest(signIn.token, { body }).catch(endSessionIfRejected)
  const tokens: unknown = await response.json().catch(throwNoResponse(undefined))
  return isAuth(tokens) ? tokens : throwNoResponse(undefined)(tokens)
}

/**
 * A rejection handler: a 400 or 401 ends the session, which throws. Any other failure, of an unreachable server too, is rethrown, and the
 * session stays.
 */
const endSessionIfRejected = (failure: unknown): never => {
  if (failure instanceof ApiError && (failure.status === 400 || failure.status === 401)) return endSession()
  throw failure
}

/** What happens to the page when its session ends: the sign-in page opens, unless `stayWithoutSession` was called. */
let leavePage = (): void => goToLogin()

/** From now on, keeps this page open when its session ends: it is there for people without one, too. */
export const stayWithoutSession = (): void => {
  leavePage = () => undefined
}

/** Clears the session, opens the sign-in page (unless `stayWithoutSession` was called), and always throws an ApiError 401. */
export const endSession = (): never => {
  clearSession()
  leavePage()
  throw new ApiError(401, 'Your session has ended. Sign in again.')
}

/**
 * Opens the sign-in page, which returns to this page, and clears nothing. A full navigation, so that nothing of the session stays in
 * memory.
 */
export const goToLogin = (): void => {
  const here = location.pathname + location.search + location.hash
  location.assign(here === '/' ? '/login' : `/login?r=${encodeURIComponent(here)}`)
}
