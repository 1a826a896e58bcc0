import type { TokenResponse, TokenClaims } from '@counterfoil/contract/sign-in'

const AUTH_KEY = 'auth'
const CUSTOMER_KEY = 'current_customer_id'
const SUPER_USER_KEY = 'is_super_user'
const SIGN_IN_ERROR_KEY = 'sign_in_error'

/** The tokens as they are stored in localStorage. */
export interface Auth {
  readonly access_token: string
  readonly refresh_token: string
}

/** The signed-in user, from the access token. For display only: the server checks its own session. */
export interface User {
  readonly userId: string
  readonly displayName: string
  readonly brandId: number
  readonly resellerId: number
  readonly resellerName: string
  /** A support session. */
  readonly isSuperUser: boolean
}

/** The tokens in the local storage; null when there are none or they cannot be parsed. They may have expired. */
export const storedAuth = (): Auth | null => {
  const auth = parseJson(localStorage.getItem(AUTH_KEY))
  return isAuth(auth) ? auth : null
}

/** Are tokens in the local storage? The server is not asked whether they still hold. */
export const isSignedIn = (): boolean => storedAuth() !== null

/** The signed-in user, read from the stored access token; null without one or when the token cannot be parsed. */
export const currentUser = (): User | null => {
  const auth = storedAuth()
  return auth === null ? null : userFromToken(auth.access_token)
}

/** The user in an access token; null when it cannot be parsed. The server checks the signature. */
const userFromToken = (accessToken: string): User | null => {
  const claims = parseClaims(accessToken)
  if (claims === null) return null
  return {
    userId: String(claims.sub ?? ''),
    displayName: String(claims.DisplayName ?? ''),
    brandId: Number(claims.BrandId ?? 0),
    resellerId: Number(claims.ResellerId ?? 0),
    resellerName: String(claims.resellername ?? ''),
    isSuperUser: claims.su === true,
  }
}

/** Stores the tokens of a sign-in in the local storage; `is_super_user` is true for a support session only. */
export const storeSession = (tokens: Pick<TokenResponse, 'access_token' | 'refresh_token'>, isSuperUser = false): void => {
  storeTokens(tokens)
  localStorage.setItem(SUPER_USER_KEY, String(isSuperUser))
}

/** Stores the tokens of a refresh in the local storage; the rest of the session stays. */
export const storeTokens = ({ access_token, refresh_token }: Pick<TokenResponse, 'access_token' | 'refresh_token'>): void =>
  localStorage.setItem(AUTH_KEY, JSON.stringify({ access_token, refresh_token }))

/** Removes tokens, chosen customer and super-user flag from the local storage. The server is not told. */
export const clearSession = (): void => {
  for (const key of [AUTH_KEY, CUSTOMER_KEY, SUPER_USER_KEY]) localStorage.removeItem(key)
}

/** Is this a support session, by the flag in the local storage? It changes what is shown, never what the server allows. */
export const isSuperUser = (): boolean => localStorage.getItem(SUPER_USER_KEY) === 'true'

/** The customer that this page alone acts for, whichever the browser has stored. */
let pageCustomerId: number | null = null

/** Makes this page alone, in memory, act for a customer, and leaves the stored choice to the other tabs. */
export const actForCustomer = (customerId: number): void => {
  pageCustomerId = customerId
}

/** The id of the customer that requests are made for: this page's own, else the one in the local storage; null before one is chosen. */
export const currentCustomerId = (): number | null => {
  if (pageCustomerId !== null) return pageCustomerId
  const id = Number(localStorage.getItem(CUSTOMER_KEY))
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** Keeps the customer whose data is requested in the local storage. The caller reloads the page. */
export const storeCustomerId = (customerId: number): void => localStorage.setItem(CUSTOMER_KEY, String(customerId))

/** Removes the chosen customer from the local storage: the next start chooses one. */
export const clearCustomer = (): void => localStorage.removeItem(CUSTOMER_KEY)

/** Keeps why a sign-in failed in the session storage, for the sign-in page in this tab. */
export const storeSignInError = (message: string): void => sessionStorage.setItem(SIGN_IN_ERROR_KEY, message)

/** Reads why a sign-in failed from this tab's session storage and removes it; null when none did. */
export const takeSignInError = (): string | null => {
  const message = sessionStorage.getItem(SIGN_IN_ERROR_KEY)
  sessionStorage.removeItem(SIGN_IN_ERROR_KEY)
  return message
}

/**
 * Calls `onChange` when another tab signs out, signs in another user, chooses another customer or clears the local storage.
 * A refreshed token does not count.
 * @returns a function that stops listening
 */
export const onSessionChange = (onChange: () => void): (() => void) => {
  const handleStorage = (event: StorageEvent): void => {
    const isCleared = event.key === null
    const isOtherCustomer = event.key === CUSTOMER_KEY && event.oldValue !== event.newValue
    const isOtherUser = event.key === AUTH_KEY && userIdIn(event.oldValue) !== userIdIn(event.newValue)
    if (isCleared || isOtherCustomer || isOtherUser) onChange()
  }
  addEventListener('storage', handleStorage)
  return () => removeEventListener('storage', handleStorage)
}

/**
 * Calls `onChange` when the browser restores this page from its back/forward cache and the session has ended
 * or has another user or customer since.
 * @returns a function that stops listening
 */
export const onStaleRestore = (onChange: () => void): (() => void) => {
  let identityWhenLeft: string | null = null
  const handlePageHide = (): void => {
    identityWhenLeft = sessionIdentity()
  }
  const handlePageShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && (!isSignedIn() || sessionIdentity() !== identityWhenLeft)) onChange()
  }
  addEventListener('pagehide', handlePageHide)
  addEventListener('pageshow', handlePageShow)
  return () => {
    removeEventListener('pagehide', handlePageHide)
    removeEventListener('pageshow', handlePageShow)
  }
}

/** The ids of the stored session's user and customer as one text, to be compared. */
const sessionIdentity = (): string => `${userIdIn(localStorage.getItem(AUTH_KEY))} for ${currentCustomerId()}`

/** The user's id in tokens as they are stored; null when there are none or they cannot be parsed. */
const userIdIn = (stored: string | null): string | null => {
  const auth = parseJson(stored)
  return isAuth(auth) ? (userFromToken(auth.access_token)?.userId ?? null) : null
}

/** The value of a JSON text; null for null and for a text that is not JSON. */
const parseJson = (text: string | null): unknown => {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** Has the value both tokens? */
export const isAuth = (value: unknown): value is Auth =>
  typeof value === 'object' &&
  value !== null &&
  'access_token' in value &&
  'refresh_token' in value &&
  typeof value.access_token === 'string' &&
  typeof value.refresh_token === 'string' &&
  value.access_token !== '' &&
  value.refresh_token !== ''

/** The claims in an access token, whose signature is not checked; null when they cannot be parsed. */
const parseClaims = (accessToken: string): Partial<TokenClaims> | null => {
  try {
    const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' && claims !== null ? claims : null
  } catch {
    return null
  }
}
