import { FALLBACK_BRAND } from '@counterfoil/contract/brands'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { DoorArt } from './page-art.tsx'
import { DoorBanner } from './load-error-banner.tsx'
import { BrandImage } from './brand-image.tsx'
import styles from './public.module.css'
import { useHostBrand } from './use-host-brand.ts'

interface DoorPageProps {
  readonly title: string
  /** What one does here, in a line; may be empty. */
  readonly lead: string
  /** The heading, for those who move the focus there. */
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly children: ReactNode
}

/** A page before the portal: a form on the left, the banner of the host's brand on the right (portal.md §2, Login). */
export const DoorPage = ({ title, lead, heading, children }: DoorPageProps) => {
  const found = useHostBrand()
  const name = found.state === 'known' ? found.brand.name : ''
  const brandId = found.state === 'known' ? found.brand.id : FALLBACK_BRAND

  useEffect(() => {
    document.title = name === '' ? title : `${title} · ${name}`
  }, [title, name])

  return (
    <div className={styles.split}>
      <div className={styles.left}>
        {found.state === 'failed' && <DoorBanner />}
        <header className={styles.logo}>
          {found.state !== 'loading' && (
            <BrandImage brandId={brandId} kind="logo" alt={name} className={styles.logoImage} otherwise={<b>{name}</b>} />
          )}
        </header>
        <main className={styles.panel}>
          <div>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            <p className={styles.lead}>{lead}</p>
          </div>
          {children}
        </main>
        <footer className={styles.foot}>{name}</footer>
      </div>
      <div className={styles.art}>
        <DoorArt />
        {found.state !== 'loading' && <BrandImage brandId={brandId} kind="banner" alt="" className={styles.bannerImage} />}
      </div>
    </div>
  )
}
