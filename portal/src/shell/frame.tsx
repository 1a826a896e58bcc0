import { type MouseEvent, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { Spinner } from '../ui/feedback/spinner.tsx'
import styles from './app.module.css'
import { ErrorBoundary } from './error-boundary.tsx'
import { dismissBanner, FailureBanner } from '../api/query-client.tsx'
import { Header } from './header/header.tsx'
import { SupportBanner } from './header/support-banner.tsx'

/** What stands around every screen: the skip link, the header, the red banner's place and the content. */
export const Frame = ({ children }: { children: ReactNode }) => {
  const { pathname } = useLocation()
  const content = useRef<HTMLElement>(null)

  const navigationType = useNavigationType()
  const lastPath = useRef(pathname)

  useEffect(() => {
    // `/` goes on to the first section by itself: what failed on the way is still news.
    if (lastPath.current !== pathname && navigationType !== 'REPLACE') {
      scrollTo(0, 0)
      dismissBanner()
    }
    lastPath.current = pathname
  }, [pathname, navigationType])

  const skip = (event: MouseEvent): void => {
    event.preventDefault()
    content.current?.focus()
  }

  return (
    <>
      <a className={styles.skip} href="#content" onClick={skip}>
        Skip to content
      </a>
      <SupportBanner />
      <Header />
      <div className={styles.news}>
        <FailureBanner />
      </div>
      <main id="content" ref={content} className={styles.content} tabIndex={-1}>
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<PageLoading />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
    </>
  )
}

const PageLoading = () => (
  <div className={styles.waiting}>
    <Spinner label="Loading the page" />
  </div>
)
