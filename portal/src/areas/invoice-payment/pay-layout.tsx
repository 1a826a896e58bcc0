import { type BrandSettings, FALLBACK_BRAND } from '@counterfoil/contract/brands'
import { type ReactNode, useEffect } from 'react'
import { BrandImage } from '../../public/brand-image.tsx'
import styles from './pay-page.module.css'

interface PayLayoutProps {
  readonly title: string
  /** Null until it is loaded. */
  readonly brand: BrandSettings | null
  readonly children: ReactNode
}

/** The layout of the payment page: logo, heading, content, brand name. */
export const PayLayout = ({ title, brand, children }: PayLayoutProps) => {
  const name = brand?.name ?? ''
  useEffect(() => {
    document.title = name === '' ? title : `${title} · ${name}`
  }, [title, name])
  return (
    <div className={styles.page}>
      <header className={styles.logo}>
        {brand !== null && (
          <BrandImage brandId={brand.id ?? FALLBACK_BRAND} kind="logo" alt={name} className={styles.logoImage} fallback={<b>{name}</b>} />
        )}
      </header>
      <main className={styles.panel}>
        <h1>{title}</h1>
        {children}
      </main>
      <footer className={styles.footer}>{name}</footer>
    </div>
  )
}
