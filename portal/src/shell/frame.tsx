import { type MouseEvent, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { Spinner } from '../ui/feedback/spinner.tsx'
import styles from './app.module.css'
import { Crash } from './error-boundary.tsx'
import { dismissBanner, FailureBanner } from '../api/query-client.tsx'
import { Header } from './header/header.tsx'
import { SupportBanner } from './header/support-banner.tsx'

/** What stands around every screen: the skip link, the header, the red banner's place and the content. */
export const Frame = ({ children }: { children: ReactNode }) => {
  const { pathname } = useLocation()
  const content = useRef<HTMLElement>(null)

  const going = useNavigationType()
  const shown = useRef(pathname)

  useEffect(() => {
    // `/` goes on to the first section by itself: what failed on the way is still news.
    if (shown.current !== pathname && going !== 'REPLACE') {
      scrollTo(0, 0)
      dismissBanner()
    }
    shown.current = pathname
  }, [pathname, going])

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
        <Crash key={pathname}>
          <Suspense fallback={<ScreenOnItsWay />}>{children}</Suspense>
        </Crash>
      </main>
    </>
  )
}

const ScreenOnItsWay = () => (
  <div className={styles.waiting}>
    <Spinner label="Loading the page" />
  </div>
)
