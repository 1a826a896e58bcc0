import { FALLBACK_BRAND } from '@counterfoil/contract/brands'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { Banner } from '../ui/feedback/banner.tsx'
import { PageArt } from './page-art.tsx'
import { BrandImage } from './brand-image.tsx'
import styles from './public.module.css'
import { useHostBrand } from './use-host-brand.ts'

const LOAD_ERROR_TEXT = 'Our server returned error, try again later'

interface PublicPageProps {
  readonly title: string
  /** One line under the title; may be empty. */
  readonly intro: string
  /** The heading, which forms move the focus to. */
  readonly headingRef: RefObject<HTMLHeadingElement | null>
  readonly children: ReactNode
}

/** A page before sign-in: a form on the left, the banner of the host's brand on the right. */
export const PublicPage = ({ title, intro, headingRef, children }: PublicPageProps) => {
  const hostBrand = useHostBrand()
  const [isBannerClosed, setIsBannerClosed] = useState(false)
  const name = hostBrand.state === 'known' ? hostBrand.brand.name : ''
  const brandId = hostBrand.state === 'known' ? hostBrand.brand.id : FALLBACK_BRAND

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
            <BrandImage brandId={brandId} kind="logo" alt={name} className={styles.logoImage} fallback={<b>{name}</b>} />
          )}
        </header>
        <main className={styles.panel}>
          <div>
            <h1 ref={headingRef} tabIndex={-1}>
              {title}
            </h1>
            <p className={styles.intro}>{intro}</p>
          </div>
          {children}
        </main>
        <footer className={styles.foot}>{name}</footer>
      </div>
      <div className={styles.art}>
        <PageArt />
        {hostBrand.state !== 'loading' && <BrandImage brandId={brandId} kind="banner" alt="" className={styles.bannerImage} />}
      </div>
    </div>
  )
}
