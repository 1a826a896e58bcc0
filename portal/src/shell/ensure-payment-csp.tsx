import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router'
import { Spinner } from '../ui/feedback/spinner.tsx'
import styles from './app.module.css'
import { NoConnection } from './no-connection.tsx'
import { isPaymentPath } from '../payments/payment-paths.ts'

/** Which kind of document the server sent when this page was loaded; what is shown since then does not change it. */
const IS_PAYMENT_DOCUMENT = isPaymentPath(location.pathname)

/**
 * Shows a screen only in the kind of document that its address asks for. Whoever comes here from the other kind, by a link, by Back
 * or by a redirect, has the page loaded anew; the entry of the history, and the state in it, stay (docs/decisions/0058).
 */
export const EnsurePaymentCsp = ({ children }: { children: ReactNode }) => {
  const { pathname } = useLocation()
  const isWrongDocument = isPaymentPath(pathname) !== IS_PAYMENT_DOCUMENT
  const isOffline = isWrongDocument && !navigator.onLine

  useEffect(() => {
    if (isWrongDocument && !isOffline) location.reload()
  }, [isWrongDocument, isOffline])

  useEffect(() => {
    // The browser can bring a page back as it was left: in the middle of paying.
    const reloadRestoredPage = ({ persisted }: PageTransitionEvent): void => {
      if (persisted && IS_PAYMENT_DOCUMENT) location.reload()
    }
    addEventListener('pageshow', reloadRestoredPage)
    return () => removeEventListener('pageshow', reloadRestoredPage)
  }, [])

  if (isOffline) return <NoConnection />
  return isWrongDocument ? <PageLoading /> : children
}

const PageLoading = () => (
  <div className={styles.waiting}>
    <Spinner label="Loading the page" />
  </div>
)
