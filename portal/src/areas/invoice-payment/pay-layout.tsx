import type { BrandSettings } from '@counterfoil/contract/brands'
import { type ReactNode, useEffect } from 'react'
import { BrandImage } from '../../shell/theme/brand-image.tsx'
import { SiteFooter, supportHref } from '../../shell/help/site-footer.tsx'
import { SupportHref } from '../../ui/feedback/support-text.tsx'
import styles from './pay-page.module.css'

interface PayLayoutProps {
  readonly title: string
  /** Null until it is loaded. */
  readonly brand: BrandSettings | null
  /** Without a panel around the content, which has its own. */
  readonly isOpen?: boolean
  /** With room for the second child beside the others. */
  readonly isWide?: boolean
  /** Only one column wide. */
  readonly isNarrow?: boolean
  /** The way back, above the heading. */
  readonly back?: ReactNode
  readonly children: ReactNode
}

/** The layout of the payment page: logo, heading, content, footer with the brand's help. Also sets the document's title. */
export const PayLayout = ({ title, brand, isOpen = false, isWide = false, isNarrow = false, back, children }: PayLayoutProps) => {
  const name = brand?.name ?? ''
  useEffect(() => {
    document.title = name === '' ? title : `${title} · ${name}`
  }, [title, name])
  return (
    <div className={styles.page}>
      <header className={styles.logo}>
        {brand !== null && <BrandImage brand={brand} kind="logo" alt={name} className={styles.logoImage} fallback={<b>{name}</b>} />}
      </header>
      <main className={isOpen ? `${styles.open} ${isNarrow ? styles.narrow : ''}` : `${styles.panel} ${isWide ? styles.wide : ''}`}>
        <div>
          {back}
          <h1>{title}</h1>
        </div>
        <SupportHref value={supportHref(brand)}>{children}</SupportHref>
      </main>
      <div className={styles.footer}>
        <SiteFooter name={name} help={brand} />
      </div>
    </div>
  )
}
