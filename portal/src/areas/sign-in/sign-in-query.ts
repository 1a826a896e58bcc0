import { safePath } from '../../public/safe-path.ts'

/** The query parameters of the sign-in page. */
export interface SignInQuery {
  /** The path to open after sign-in, on this portal. */
  readonly target: string
  /** True when the address names a page to return to. */
  readonly hasReturnPath: boolean
  /** The organization whose single sign-on starts automatically. */
  readonly organization: string | null
  /** The text of an error that single sign-on returned. */
  readonly error: string | null
  /** What to do about the error, if the server gives a reason. */
  readonly advice: string | null
  /** The one-time code from single sign-on. */
  readonly code: string | null
}

const UNKNOWN_ORGANIZATION = 'Unexpected redirect error'
const NO_SINGLE_SIGN_ON = 'The Company does not have SSO authentication'

/** Advice shown below "Authentication failed", by the server's reason code (docs/decisions/0030). */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['away', "Your company's sign-in is not responding. Please try again in a few minutes."],
  ['unbelievable', "The response of your company's sign-in could not be verified. If this happens again, please contact your provider."],
  ['denied', "Your company's sign-in denied you access."],
  ['stranger', 'You do not have an account here yet. Please ask your provider for one.'],
  ['often', 'Too many attempts. Please try again in a minute.'],
  ['stale', 'This sign-in has expired or was already used. Please start again.'],
])

/** Parses `e`, `why`, `b`, `r` and `code` of the sign-in page's address. */
export const parseSignInQuery = (search: string, origin: string = location.origin): SignInQuery => {
  const query = new URLSearchParams(search)
  const target = safePath(query.get('r'), origin)
  return {
    target,
    hasReturnPath: target !== '/',
    organization: query.get('b') || null,
    error: errorText(query.get('e')),
    advice: query.get('e') ? (ADVICE.get(query.get('why') ?? '') ?? null) : null,
    code: query.get('code') || null,
  }
}

/** The URL path on our server that starts single sign-on for an organization and then returns to `target`. */
export const singleSignOnPath = (organization: string, target: string): string => {
  const query = new URLSearchParams({ b: organization, ct: '2' })
  if (target !== '/') query.set('r', target)
  return `/sso/login?${query}`
}

/** The text to show for an error code of single sign-on; null without one. Two codes have their own texts (SSO-04). */
const errorText = (error: string | null): string | null => {
  if (!error) return null
  if (error === UNKNOWN_ORGANIZATION) return 'The Company does not exist or blocked'
  return error === NO_SINGLE_SIGN_ON ? NO_SINGLE_SIGN_ON : 'Authentication failed'
}
