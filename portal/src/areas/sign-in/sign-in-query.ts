import { safePath } from '../../public/safe-path.ts'

/** What the address of the sign-in page asks for. */
export interface SignInQuery {
  /** Where to go after sign-in: a path of this portal. */
  readonly target: string
  /** Did the address name a place to come back to? */
  readonly hasReturnPath: boolean
  /** The company whose single sign-on starts by itself. */
  readonly company: string | null
  /** The words for an error that came back from single sign-on. */
  readonly error: string | null
  /** What one may do about it, where the server knows. */
  readonly advice: string | null
  /** The one-time code that single sign-on came back with. */
  readonly code: string | null
}

const NO_SUCH_COMPANY = 'Unexpected redirect error'
const NO_SINGLE_SIGN_ON = 'The Company does not have SSO authentication'

/** Words beside "Authentication failed", by what the server says was the trouble (docs/decisions/0030). */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['away', "Your company's sign-in does not answer just now. Please try again in a few minutes."],
  ['unbelievable', "What your company's sign-in answered could not be checked. If this happens again, please tell your provider."],
  ['denied', "Your company's sign-in did not let you in."],
  ['stranger', 'Your company knows you, but you have no account here yet. Please ask your provider for one.'],
  ['often', 'Too many attempts from where you are. Please try again in a minute.'],
  ['stale', 'This sign-in took too long, or was opened a second time. Please start again.'],
])

/** Reads `e`, `why`, `b`, `r` and `code` of the sign-in page's address (portal.md §2 and §4; decisions.md, Sign-in paths). */
export const parseSignInQuery = (search: string, origin: string = location.origin): SignInQuery => {
  const query = new URLSearchParams(search)
  const target = safePath(query.get('r'), origin)
  return {
    target,
    hasReturnPath: target !== '/',
    company: query.get('b') || null,
    error: errorText(query.get('e')),
    advice: query.get('e') ? (ADVICE.get(query.get('why') ?? '') ?? null) : null,
    code: query.get('code') || null,
  }
}

/** The server's address that starts single sign-on for a company and comes back to `target`. */
export const singleSignOnAddress = (company: string, target: string): string => {
  const query = new URLSearchParams({ b: company, ct: '2' })
  if (target !== '/') query.set('r', target)
  return `/sso/login?${query}`
}

/** portal.md §8: two errors have words of their own. */
const errorText = (error: string | null): string | null => {
  if (!error) return null
  if (error === NO_SUCH_COMPANY) return 'The Company does not exist or blocked'
  return error === NO_SINGLE_SIGN_ON ? NO_SINGLE_SIGN_ON : 'Authentication failed'
}
