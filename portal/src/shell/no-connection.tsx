import { useEffect, useState } from 'react'
import { Button } from '../ui/button/button.tsx'
import styles from './app.module.css'
import { serverAnswers } from '../api/load-module.ts'

type Try = 'none' | 'under way' | 'in vain'

/**
 * Stands in place of a screen that could not be fetched because there is no connection. Loads the page anew, by itself when the browser
 * is back on the network or by a press; never before the server answers, for the browser would put its own page in the portal's place.
 */
export const NoConnection = () => {
  const [tried, setTried] = useState<Try>('none')

  useEffect(() => {
    const onLine = (): void => void loadAnew(setTried)
    addEventListener('online', onLine)
    return () => removeEventListener('online', onLine)
  }, [])

  return (
    <div className={styles.lost}>
      <div role="alert">
        <h1 className={styles.title}>No connection</h1>
        <p>This page could not be loaded, because the server could not be reached. Check your connection and try again.</p>
      </div>
      <Button busy={tried === 'under way'} busyText="Trying again" onPress={() => void loadAnew(setTried)}>
        Try again
      </Button>
      <output>{tried === 'in vain' && 'The server still could not be reached.'}</output>
    </div>
  )
}

const loadAnew = async (tell: (tried: Try) => void): Promise<void> => {
  tell('under way')
  if (await serverAnswers()) location.reload()
  else tell('in vain')
}
