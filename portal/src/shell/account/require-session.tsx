import { type ReactNode, useEffect, useMemo } from 'react'
import { goToLogin } from '../../api/refresh-token.ts'
import { clearSession, currentUser, storedAuth } from '../../api/session.ts'
import { AccountProvider } from './account-provider.tsx'

/**
 * Shows its children to signed-in users; others go to /login, which returns here.
 * The header needs a display name, so tokens without one count as no session.
 */
export const RequireSession = ({ children }: { children: ReactNode }) => {
  const user = useMemo(() => validUser(), [])
  useEffect(() => {
    if (user === null) goToLogin()
  }, [user])
  return user === null ? null : <AccountProvider user={user}>{children}</AccountProvider>
}

/** The signed-in user; null without one. Stored tokens that give no display name are cleared in this browser. */
const validUser = () => {
  if (storedAuth() === null) return null
  const user = currentUser()
  if (user !== null && user.displayName.trim() !== '') return user
  // Otherwise /login would redirect straight back here.
  clearSession()
  return null
}
