import { useEffect, useState } from 'react'
import { Button } from '../ui/button/button.tsx'
import styles from './app.module.css'
import { isServerReachable } from '../api/load-module.ts'

type Attempt = 'none' | 'under way' | 'in vain'

/**
 * Stands in place of a screen that could not be fetched because there is no connection. Loads the page anew, by itself when the browser
 * is back on the network or by a press; never before the server answers, for the browser would put its own page in the portal's place.
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
      <Button busy={attempt === 'under way'} busyText="Trying again" onPress={() => void reloadIfReachable(setAttempt)}>
        Try again
      </Button>
      <output>{attempt === 'in vain' && 'The server still could not be reached.'}</output>
    </div>
  )
}

const reloadIfReachable = async (setAttempt: (attempt: Attempt) => void): Promise<void> => {
  setAttempt('under way')
  if (await isServerReachable()) location.reload()
  else setAttempt('in vain')
}
