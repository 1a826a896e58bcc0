import { type MouseEvent, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { formatDay, todayUtc } from '../format/format.ts'
import { SupportHref } from '../ui/feedback/support-text.tsx'
import styles from './app.module.css'
import { ErrorBoundary } from './failures/error-boundary.tsx'
import { dismissBanner, FailureBanner } from './failures/failure-banner.tsx'
import { useAccount } from './account/account.tsx'
import { Header } from './header/header.tsx'
import { SiteFooter, supportHref } from './help/site-footer.tsx'
import { ScreenPending } from './screen-pending.tsx'
import { SupportBanner } from './header/support-banner.tsx'

/** The frame of every screen: skip link, header, failure banner and content. */
export const Frame = ({ children }: { children: ReactNode }) => {
  const { pathname } = useLocation()
  const { branding, customer, settings, isReady } = useAccount()
  const contentRef = useRef<HTMLElement>(null)

  const navigationType = useNavigationType()
  const lastPath = useRef(pathname)

  useEffect(() => {
    // Keep the banner when `/` redirects to the first section.
    if (lastPath.current !== pathname && navigationType !== 'REPLACE') {
      scrollTo(0, 0)
      dismissBanner()
    }
    lastPath.current = pathname
  }, [pathname, navigationType])

  const focusContent = (event: MouseEvent): void => {
    event.preventDefault()
    contentRef.current?.focus()
  }

  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content" onClick={focusContent}>
        Skip to content
      </a>
      <SupportBanner />
      <Header />
      <div className={styles.news}>
        <FailureBanner />
      </div>
      <p className={styles.printed}>
        {customer.label} · {formatDay(todayUtc())}
      </p>
      <main id="content" ref={contentRef} className={styles.content} tabIndex={-1}>
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<ScreenPending />}>
            <SupportHref value={supportHref(branding.help)}>{isReady ? children : <ScreenPending />}</SupportHref>
          </Suspense>
        </ErrorBoundary>
      </main>
      <div className={styles.foot}>
        <SiteFooter name={settings.companyName} help={branding.help} />
      </div>
    </div>
  )
}
