import { useEffect } from 'react'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { signOut } from '../../api/sign-in.ts'
import styles from '../app.module.css'

/** `/logout`: ends the session in the browser and on the server, then opens /login. */
export const Logout = () => {
  useEffect(() => {
    // Wait for the response: a late one would clear the cookie of the next user.
    void signOut().then(() => location.replace('/login'))
  }, [])
  return (
    <main className={styles.waiting}>
      <Spinner label="Signing out" />
    </main>
  )
}
