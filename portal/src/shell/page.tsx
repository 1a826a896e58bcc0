import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useAccount } from './account/account.tsx'
import styles from './app.module.css'

/** The path of the last heading; null after a page load, when the browser decides about the focus. */
let lastFocusedPath: string | null = null

export interface PageProps {
  /** The heading, and with the company's name the document's title. */
  title: string
  /** Content at the end of the heading's line. */
  aside?: ReactNode
  children: ReactNode
}

/** A screen inside the shell's `main`: its heading, which gets the focus after navigation, and its content. */
export const Page = ({ title, aside, children }: PageProps) => {
  const { settings } = useAccount()
  return (
    <>
      <div className={styles.head}>
        <PageTitle title={title} companyName={settings.companyName} />
        {aside}
      </div>
      {children}
    </>
  )
}

/** The heading alone, for screens without an account. Sets the document's title, and takes the focus after a navigation. */
export const PageTitle = ({ title, companyName = '' }: { title: string; companyName?: string }) => {
  const headingRef = useRef<HTMLHeadingElement>(null)
  const { pathname } = useLocation()

  useEffect(() => {
    document.title = companyName === '' ? title : `${title} · ${companyName}`
  }, [title, companyName])

  useEffect(() => {
    if (lastFocusedPath !== null && lastFocusedPath !== pathname) headingRef.current?.focus({ preventScroll: true })
    lastFocusedPath = pathname
  }, [pathname])

  return (
    <h1 ref={headingRef} className={styles.title} tabIndex={-1}>
      {title}
    </h1>
  )
}
