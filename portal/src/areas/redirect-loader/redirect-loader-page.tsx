import { JASPER_RESELLER } from '@counterfoil/contract/dashboard'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type SignedInAccount, useAccount } from '../../shell/account/account.tsx'
import styles from '../../shell/app.module.css'
import { bundlesQuery, monthUsageQuery, openingBalanceQuery, periodUsageQuery } from '../../api/dashboard.data.ts'
import { invoicesQuery } from '../../api/invoices.data.ts'
import { isScreenPath } from '../../shell/navigation/paths.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { loaderTarget } from './loader-target.ts'

/** The next page loads the rest by itself after this time. */
const MAX_WAIT_MS = 10_000

/** `/redirect-loader`: prefetches the first screens, then opens `r`, even if a request failed (RL-01). */
export const RedirectLoaderPage = () => {
  const account = useAccount()
  const client = useQueryClient()
  const navigate = useNavigate()
  // Read once: the address already names the next page while that page's code is loading.
  const [target] = useState(() => loaderTarget(location.search))
  const hasNavigated = useRef(false)

  useEffect(() => {
    if (!account.isReady) return undefined
    let isUnmounted = false
    const navigateToTarget = (): void => {
      if (isUnmounted || hasNavigated.current) return
      hasNavigated.current = true
      // Navigation inside the app keeps the prefetched data; other paths need a new document.
      if (target === '/' || isScreenPath(new URL(target, location.origin).pathname)) void navigate(target, { replace: true })
      else location.replace(target)
    }
    const timer = setTimeout(navigateToTarget, MAX_WAIT_MS)
    void prefetchAll(client, account).then(navigateToTarget)
    return () => {
      isUnmounted = true
      clearTimeout(timer)
    }
  }, [account, client, navigate, target])

  return (
    <main className={styles.waiting}>
      <Spinner label="Loading your account" />
    </main>
  )
}

/**
 * Loads the data of the first screens into the query client's cache. Resolves when every request has ended, and never rejects: failures are
 * logged, and the page that shows the data retries.
 */
const prefetchAll = async (client: QueryClient, { user }: SignedInAccount): Promise<void> => {
  const hasDataUsage = user.resellerId === JASPER_RESELLER
  await Promise.all([
    client.prefetchQuery(invoicesQuery()),
    client.prefetchQuery(bundlesQuery()),
    client.prefetchQuery(openingBalanceQuery()),
    ...(hasDataUsage ? [client.prefetchQuery(periodUsageQuery()), client.prefetchQuery(monthUsageQuery())] : []),
  ])
}
