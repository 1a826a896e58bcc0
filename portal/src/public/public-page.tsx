import { FALLBACK_BRAND } from '@counterfoil/contract/brands'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { BrandImage } from '../shell/theme/brand-image.tsx'
import { SiteFooter, supportHref } from '../shell/help/site-footer.tsx'
import { Banner } from '../ui/feedback/banner.tsx'
import { SupportHref } from '../ui/feedback/support-text.tsx'
import { PageArt } from './page-art.tsx'
import styles from './public.module.css'
import type { fetchHostBrand } from './host-brand.data.ts'
import { useHostBrand } from './use-host-brand.ts'

/** Its pictures stand in for those of a brand that could not be loaded. */
const UNKNOWN_BRAND = { id: FALLBACK_BRAND, hasDarkLogo: false }
const LOAD_ERROR_TEXT = 'Our server returned error, try again later'

interface PublicPageProps {
  readonly title: string
  /** One line under the title; may be empty. */
  readonly intro: string
  /** The heading, which forms move the focus to. */
  readonly headingRef: RefObject<HTMLHeadingElement | null>
  /** Loads the brand where it is not the host's. */
  readonly fetchBrand?: typeof fetchHostBrand
  readonly children: ReactNode
}

/** A page before sign-in: a form on the left, the banner of the host's brand on the right. */
export const PublicPage = ({ title, intro, headingRef, fetchBrand, children }: PublicPageProps) => {
  const hostBrand = useHostBrand(fetchBrand)
  const [isBannerClosed, setIsBannerClosed] = useState(false)
  const known = hostBrand.state === 'known' ? hostBrand.brand : null
  const name = known?.name ?? ''
  const brand = known ?? UNKNOWN_BRAND

  useEffect(() => {
    document.title = name === '' ? title : `${title} · ${name}`
  }, [title, name])

  return (
    <div className={styles.split}>
      <div className={styles.left}>
        {hostBrand.state === 'failed' && !isBannerClosed && (
          <Banner tone="bad" onClose={() => setIsBannerClosed(true)}>
            {LOAD_ERROR_TEXT}
          </Banner>
        )}
        <header className={styles.logo}>
          {hostBrand.state !== 'loading' && (
            <BrandImage brand={brand} kind="logo" alt={name} className={styles.logoImage} fallback={<b>{name}</b>} />
          )}
        </header>
        <main className={styles.panel}>
          <div>
            <h1 ref={headingRef} tabIndex={-1}>
              {title}
            </h1>
            <p className={styles.intro}>{intro}</p>
          </div>
          <SupportHref value={supportHref(known)}>{children}</SupportHref>
        </main>
        <SiteFooter name={name} help={known} />
      </div>
      <div className={styles.art}>
        {hostBrand.state !== 'loading' && (
          <BrandImage brand={brand} kind="banner" alt="" className={styles.bannerImage} fallback={<PageArt />} />
        )}
      </div>
    </div>
  )
}
