import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useAccount } from './account.tsx'
import styles from './app.module.css'

/** Where the last heading stood: the first one after a load leaves the focus where the browser put it. */
let lastFocusedPath: string | null = null

export interface PageProps {
  /** The heading and, with the company's name, the document's title. */
  title: string
  /** At the end of the heading's line. */
  aside?: ReactNode
  children: ReactNode
}

/** A screen: its heading, which takes the focus when one comes here from another screen, and its content. */
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

/** The heading alone, for screens outside a started account. */
export const PageTitle = ({ title, companyName = '' }: { title: string; companyName?: string }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const { pathname } = useLocation()

  useEffect(() => {
    document.title = companyName === '' ? title : `${title} · ${companyName}`
  }, [title, companyName])

  useEffect(() => {
    if (lastFocusedPath !== null && lastFocusedPath !== pathname) heading.current?.focus({ preventScroll: true })
    lastFocusedPath = pathname
  }, [pathname])

  return (
    <h1 ref={heading} className={styles.title} tabIndex={-1}>
      {title}
    </h1>
  )
}
