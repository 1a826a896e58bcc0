import { useEffect } from 'react'
import { Spinner } from '../ui/feedback/spinner.tsx'
import { signOut } from '../api/call-api.ts'
import styles from './app.module.css'

/** `/logout`: ends the session here and on the server, then opens /login. */
export const Logout = () => {
  useEffect(() => {
    // Waited for: a late answer would clear the cookie of whoever signs in next.
    void signOut().then(() => location.replace('/login'))
  }, [])
  return (
    <main className={styles.waiting}>
      <Spinner label="Logging out" />
    </main>
  )
}
