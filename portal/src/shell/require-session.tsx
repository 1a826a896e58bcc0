import { type ReactNode, useEffect, useMemo } from 'react'
import { goToLogin } from '../api/refresh-token.ts'
import { clearSession, currentUser, storedAuth } from '../api/session.ts'
import { AccountProvider } from './account-provider.tsx'

/**
 * Lets only signed-in people through; others go to /login, which brings them back here (portal.md §2).
 * Tokens without a display name are of no use to the header, so they count as no session.
 */
export const RequireSession = ({ children }: { children: ReactNode }) => {
  const user = useMemo(() => validUser(), [])
  useEffect(() => {
    if (user === null) goToLogin()
  }, [user])
  return user === null ? null : <AccountProvider user={user}>{children}</AccountProvider>
}

const validUser = () => {
  if (storedAuth() === null) return null
  const user = currentUser()
  if (user !== null && user.displayName.trim() !== '') return user
  // Left in place, they would make /login send the browser straight back here.
  clearSession()
  return null
}
