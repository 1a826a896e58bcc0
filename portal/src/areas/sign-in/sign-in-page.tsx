import { FALLBACK_BRAND } from '@counterfoil/contract/brands'
import { useEffect, useRef } from 'react'
import { Art } from './art.tsx'
import { BrandImage } from './brand-image.tsx'
import { ModeForm } from './mode-form.tsx'
import type { Mode } from './modes.ts'
import { ServerBanner } from './server-banner.tsx'
import styles from './sign-in.module.css'
import type { SignInQuery } from './sign-in-query.ts'
import { useBrandOfHost } from './use-brand-of-host.ts'
import { useMode } from './use-mode.ts'

const TITLES: Readonly<Record<Mode, string>> = {
  'log-in': 'Log In',
  'forgot-password': 'Forgot your password?',
  'reset-sent': 'Check your email',
  'company-name': 'Company sign-in',
}

const LEADS: Readonly<Record<Mode, string>> = {
  'log-in': 'See your invoices and usage, and pay what is due.',
  'forgot-password': 'We will send a link that lets you choose a new one.',
  'reset-sent': '',
  'company-name': 'Sign in with the account that you have at your company.',
}

const COME_BACK = 'Sign in to go on to where you were.'

/** The sign-in page: the form of the mode on the left, the brand's banner on the right (portal.md §2, Login). */
export const SignInPage = ({ query }: { readonly query: SignInQuery }) => {
  const found = useBrandOfHost()
  const mode = useMode(query.error === null ? 'log-in' : 'company-name')
  const name = found.state === 'known' ? found.brand.name : ''
  const brandId = found.state === 'known' ? found.brand.id : FALLBACK_BRAND
  const title = TITLES[mode]

  const heading = useHeadingFocus(mode)

  useEffect(() => {
    document.title = name === '' ? title : `${title} · ${name}`
  }, [title, name])

  return (
    <div className={styles.split}>
      <div className={styles.left}>
        {found.state === 'failed' && <ServerBanner />}
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
            <p className={styles.lead}>{mode === 'log-in' && query.comesBack ? COME_BACK : LEADS[mode]}</p>
          </div>
          <ModeForm mode={mode} query={query} />
        </main>
        <footer className={styles.foot}>{name}</footer>
      </div>
      <div className={styles.art}>
        <Art />
        {found.state !== 'loading' && <BrandImage brandId={brandId} kind="banner" alt="" className={styles.bannerImage} />}
      </div>
    </div>
  )
}

/** Moves the focus to the heading when the mode changes, so that a screen reader says where one is now. */
const useHeadingFocus = (mode: Mode) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef(mode)
  useEffect(() => {
    if (last.current !== mode) heading.current?.focus()
    last.current = mode
  }, [mode])
  return heading
}
