import type { TokenResponse, TokenClaims } from '@counterfoil/contract/sign-in'

const AUTH = 'auth'
const CUSTOMER = 'current_customer_id'
const SUPER_USER = 'is_super_user'
const SIGN_IN_ERROR = 'sign_in_error'

/** The tokens as they are stored (portal.md §3, Auth record). */
export interface Auth {
  readonly access_token: string
  readonly refresh_token: string
}

/** Who is signed in, as the access token says. For the screen only: the server decides by its own session. */
export interface Person {
  readonly userId: string
  readonly displayName: string
  readonly brandId: number
  readonly resellerId: number
  readonly resellerName: string
  /** A support session. */
  readonly superUser: boolean
}

/** The stored tokens; null when nobody is signed in or the entry cannot be read. */
export const storedAuth = (): Auth | null => {
  const auth = parsed(localStorage.getItem(AUTH))
  return isAuth(auth) ? auth : null
}

/** Is somebody signed in, as far as this browser knows? */
export const signedIn = (): boolean => storedAuth() !== null

/** Who is signed in; null when nobody is or the token cannot be read. */
export const person = (): Person | null => {
  const auth = storedAuth()
  return auth === null ? null : personOf(auth.access_token)
}

/** The person that an access token speaks of; null when it cannot be read. The signature is the server's affair. */
const personOf = (accessToken: string): Person | null => {
  const claims = claimsOf(accessToken)
  if (claims === null) return null
  return {
    userId: String(claims.sub ?? ''),
    displayName: String(claims.DisplayName ?? ''),
    brandId: Number(claims.BrandId ?? 0),
    resellerId: Number(claims.ResellerId ?? 0),
    resellerName: String(claims.resellername ?? ''),
    superUser: claims.su === true,
  }
}

/** Keeps the tokens of a sign-in; `is_super_user` is false but for a support session (portal.md §4). */
export const storeSession = (answer: Pick<TokenResponse, 'access_token' | 'refresh_token'>, superUser = false): void => {
  storeTokens(answer)
  localStorage.setItem(SUPER_USER, String(superUser))
}

/** Keeps the tokens of a refresh; the rest of the session stays as it is. */
export const storeTokens = ({ access_token, refresh_token }: Pick<TokenResponse, 'access_token' | 'refresh_token'>): void =>
  localStorage.setItem(AUTH, JSON.stringify({ access_token, refresh_token }))

/** Forgets the session: its tokens, the chosen customer and the super-user mark (portal.md §4). */
export const clearSession = (): void => {
  for (const key of [AUTH, CUSTOMER, SUPER_USER]) localStorage.removeItem(key)
}

/** Is this a super-user's session? It changes what is shown, never what the server allows. */
export const isSuperUser = (): boolean => localStorage.getItem(SUPER_USER) === 'true'

/** The id of the customer that calls are made for; null before one is chosen. */
export const currentCustomerId = (): number | null => {
  const id = Number(localStorage.getItem(CUSTOMER))
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** Remembers the customer that calls are made for. The page is then loaded anew by who calls this. */
export const chooseCustomer = (customerId: number): void => localStorage.setItem(CUSTOMER, String(customerId))

/** Forgets which customer calls were made for: the next start chooses one. */
export const forgetCustomer = (): void => localStorage.removeItem(CUSTOMER)

/** Keeps for the sign-in page, in this tab, why a sign-in elsewhere failed. */
export const keepSignInError = (words: string): void => sessionStorage.setItem(SIGN_IN_ERROR, words)

/** Why a sign-in elsewhere failed, told once; null when none did. */
export const takeSignInError = (): string | null => {
  const words = sessionStorage.getItem(SIGN_IN_ERROR)
  sessionStorage.removeItem(SIGN_IN_ERROR)
  return words
}

/**
 * Calls `changed` when another tab signs out, signs somebody else in or chooses another customer: what this page shows
 * is then not what its next call would act on. A refreshed token is no such change.
 * @returns a function that stops listening
 */
export const onOtherTabs = (changed: () => void): (() => void) => {
  const listen = (event: StorageEvent): void => {
    const everything = event.key === null
    const customer = event.key === CUSTOMER && event.oldValue !== event.newValue
    const somebody = event.key === AUTH && userIn(event.oldValue) !== userIn(event.newValue)
    if (everything || customer || somebody) changed()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

/**
 * Calls `changed` when the back button brings this page back as it was left, and the session has ended meanwhile, is somebody else's,
 * or acts for another customer: the browser had put the page aside, and it heard nothing of other pages.
 * @returns a function that stops listening
 */
export const onStaleReturn = (changed: () => void): (() => void) => {
  let left: string | null = null
  const leave = (): void => {
    left = actingAs()
  }
  const comeBack = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && (!signedIn() || actingAs() !== left)) changed()
  }
  addEventListener('pagehide', leave)
  addEventListener('pageshow', comeBack)
  return () => {
    removeEventListener('pagehide', leave)
    removeEventListener('pageshow', comeBack)
  }
}

const actingAs = (): string => `${userIn(localStorage.getItem(AUTH))} for ${currentCustomerId()}`

const userIn = (stored: string | null): string | null => {
  const auth = parsed(stored)
  return isAuth(auth) ? (personOf(auth.access_token)?.userId ?? null) : null
}

const parsed = (text: string | null): unknown => {
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

const claimsOf = (accessToken: string): Partial<TokenClaims> | null => {
  try {
    const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' && claims !== null ? claims : null
  } catch {
    return null
  }
}
