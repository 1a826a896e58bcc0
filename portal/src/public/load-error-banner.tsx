import { useState } from 'react'
import styles from './public.module.css'

/** The red banner of a failed load, until it is closed. */
export const LoadErrorBanner = () => {
  const [isOpen, setIsOpen] = useState(true)
  if (!isOpen) return null
  return (
    <div className={styles.banner} role="alert">
      <span>Our server returned error, try again later</span>
      <button type="button" aria-label="Close" onClick={() => setIsOpen(false)}>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M3 3l10 10M13 3L3 13" />
        </svg>
      </button>
    </div>
  )
}
