import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import styles from '../app.module.css'
import { NoConnection } from '../failures/no-connection.tsx'
import { isPaymentPath } from './payment-paths.ts'

/** Whether the server sent a payment document for this page load. Navigation inside the app does not change it. */
const IS_PAYMENT_DOCUMENT = isPaymentPath(location.pathname)

/**
 * Shows a screen only in a document whose content security policy fits its path. After navigating from the other kind of
 * document, by a link, Back or a redirect, the page is reloaded; the history entry and its state stay (docs/decisions/0058).
 */
export const EnsurePaymentCsp = ({ children }: { children: ReactNode }) => {
  const { pathname } = useLocation()
  const isWrongDocument = isPaymentPath(pathname) !== IS_PAYMENT_DOCUMENT
  const isOffline = isWrongDocument && !navigator.onLine

  useEffect(() => {
    if (isWrongDocument && !isOffline) location.reload()
  }, [isWrongDocument, isOffline])

  useEffect(() => {
    // The browser may restore the page from its back/forward cache, in the middle of paying.
    const reloadRestoredPage = ({ persisted }: PageTransitionEvent): void => {
      if (persisted && IS_PAYMENT_DOCUMENT) location.reload()
    }
    addEventListener('pageshow', reloadRestoredPage)
    return () => removeEventListener('pageshow', reloadRestoredPage)
  }, [])

  if (isOffline) return <NoConnection />
  return isWrongDocument ? <PageLoading /> : children
}

/** Stands for the screen until the page is reloaded. */
const PageLoading = () => (
  <div className={styles.waiting}>
    <Spinner label="Loading the page" />
  </div>
)
