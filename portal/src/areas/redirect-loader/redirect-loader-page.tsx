import { JASPER_RESELLER } from '@counterfoil/contract/dashboard'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Account, useAccount } from '../../shell/account.tsx'
import styles from '../../shell/app.module.css'
import { bundlesQuery, monthUsageQuery, openingBalanceQuery, periodUsageQuery } from '../../api/dashboard.data.ts'
import { invoicesQuery } from '../../api/invoices.data.ts'
import { isScreenPath } from '../../shell/paths.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { loaderTarget } from './loader-target.ts'

/** Nobody waits longer than this for what the next page could load by itself. */
const MAX_WAIT_MS = 10_000

/** `/redirect-loader`: loads what the first screens show, then goes on to `r`, whatever became of the loads (payments.md §2). */
export const RedirectLoaderPage = () => {
  const account = useAccount()
  const client = useQueryClient()
  const navigate = useNavigate()
  // Read once: while the next screen's program is being fetched this page still stands, under the next page's address.
  const [target] = useState(() => loaderTarget(location.search))
  const hasNavigated = useRef(false)

  useEffect(() => {
    let isUnmounted = false
    const navigateToTarget = (): void => {
      if (isUnmounted || hasNavigated.current) return
      hasNavigated.current = true
      // Within the app what was loaded stays in memory; every other address is a document of its own.
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

/** Resolves when every load has an answer, good or bad: what fails is logged, and asked for again by whoever shows it. */
const prefetchAll = async (client: QueryClient, { user }: Account): Promise<void> => {
  const hasDataUsage = user.resellerId === JASPER_RESELLER
  await Promise.all([
    client.prefetchQuery(invoicesQuery()),
    client.prefetchQuery(bundlesQuery()),
    client.prefetchQuery(openingBalanceQuery()),
    ...(hasDataUsage ? [client.prefetchQuery(periodUsageQuery()), client.prefetchQuery(monthUsageQuery())] : []),
  ])
}
