import { useEffect, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import styles from '../app.module.css'
import { isServerReachable } from '../../api/load-module.ts'

type Attempt = 'none' | 'running' | 'failed'

/**
 * Shown when a screen's chunk could not be loaded without a connection. Reloads the page when the browser is online again or
 * on click, but only after the server has responded: otherwise the browser would replace the portal by its own error page.
 */
export const NoConnection = () => {
  const [attempt, setAttempt] = useState<Attempt>('none')

  useEffect(() => {
    const retry = (): void => void reloadIfReachable(setAttempt)
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [])

  return (
    <div className={styles.lost}>
      <div role="alert">
        <h1 className={styles.title}>No connection</h1>
        <p>This page could not be loaded, because the server could not be reached. Check your connection and try again.</p>
      </div>
      <Button busy={attempt === 'running'} busyText="Trying again" onPress={() => void reloadIfReachable(setAttempt)}>
        Try again
      </Button>
      <output>{attempt === 'failed' && 'The server still could not be reached.'}</output>
    </div>
  )
}

/** Reloads the page once the server has responded; otherwise reports a failed attempt. */
const reloadIfReachable = async (setAttempt: (attempt: Attempt) => void): Promise<void> => {
  setAttempt('running')
  if (await isServerReachable()) location.reload()
  else setAttempt('failed')
}
