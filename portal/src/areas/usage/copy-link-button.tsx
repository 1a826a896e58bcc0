import { useState } from 'react'
import { useLocation } from 'react-router'
import { Button } from '../../ui/button/button.tsx'
import styles from './usage.module.css'

/** "Copy link": copies the page's address, which has all filters in it, and says so until the address changes. */
export const CopyLinkButton = () => {
  const { pathname, search } = useLocation()
  const address = pathname + search
  const [outcome, setOutcome] = useState<{ address: string; text: string } | null>(null)

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.origin + address)
      setOutcome({ address, text: 'Link copied' })
    } catch {
      setOutcome({ address, text: 'Copying is not allowed here. Copy the address of this page instead.' })
    }
  }

  return (
    <span className={styles.copy}>
      <output>{outcome?.address === address && outcome.text}</output>
      <Button kind="plain" onPress={() => void copy()}>
        Copy link
      </Button>
    </span>
  )
}
