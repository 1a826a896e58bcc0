import './shell/theme/tokens.css'
import { SignInPage } from './areas/sign-in/sign-in-page.tsx'
import { type SignInQuery, parseSignInQuery, singleSignOnPath } from './areas/sign-in/sign-in-query.ts'
import { signInWithCode } from './api/sign-in.ts'
import { renderPage } from './ui/render-page.ts'
import { applyStoredBrand } from './shell/theme/brand-theme.ts'
import { currentUser, takeSignInError } from './api/session.ts'

/** Redirects a signed-in user, or to single sign-on when the address names an organization. Returns whether it redirected. */
const redirectIfDone = ({ target, organization, error, code }: SignInQuery): boolean => {
  // A session without a display name is sent here by RequireSession and must not be sent back.
  if (currentUser()?.displayName) {
    location.replace(target)
    return true
  }
  if (organization === null || error !== null || code !== null) return false
  location.replace(singleSignOnPath(organization, target))
  return true
}

/**
 * Signs in with a one-time code and opens `target`; when the code is rejected, opens the sign-in page with an error instead. Never throws.
 */
const exchangeCode = async (code: string, target: string): Promise<void> => {
  try {
    await signInWithCode(code, `${location.origin}/login`)
    location.replace(target)
  } catch {
    location.replace(`/login?${new URLSearchParams({ e: 'Authentication failed', r: target })}`)
  }
}

/** Shows the sign-in page, unless a redirect is due, and exchanges the one-time code of the address, if any. */
const openPage = (): void => {
  const query = parseSignInQuery(location.search)
  const signInError = takeSignInError()
  if (signInError === null && redirectIfDone(query)) return
  applyStoredBrand()
  renderPage(<SignInPage query={query} initialError={signInError} />)
  if (query.code !== null) void exchangeCode(query.code, query.target)
}

// The browser may restore this page from its back/forward cache, in the middle of signing in.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

openPage()
