import { type ReactNode, useEffect, useMemo } from 'react'
import { goToLogin } from '../api/refresh-token.ts'
import { clearSession, person, storedAuth } from '../api/session.ts'
import { StartUp } from './account-provider.tsx'

/**
 * Lets only signed-in people through; others go to /login, which brings them back here (portal.md §2).
 * Tokens without a display name are of no use to the header, so they count as no session.
 */
export const RequireSession = ({ children }: { children: ReactNode }) => {
  const who = useMemo(() => signedInPerson(), [])
  useEffect(() => {
    if (who === null) goToLogin()
  }, [who])
  return who === null ? null : <StartUp person={who}>{children}</StartUp>
}

const signedInPerson = () => {
  if (storedAuth() === null) return null
  const who = person()
  if (who !== null && who.displayName.trim() !== '') return who
  // Left in place, they would make /login send the browser straight back here.
  clearSession()
  return null
}
