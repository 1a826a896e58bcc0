import './shell/theme/tokens.css'
import type { ReactNode } from 'react'
import { RegistrationPage } from './areas/registration/registration-page.tsx'
import { ResetPasswordPage } from './areas/reset-password/reset-password-page.tsx'
import { SupportPage } from './areas/support/support-page.tsx'
import { signInAsSupport } from './areas/support/support-sign-in.ts'
import { renderPage } from './ui/render-page.ts'
import { applyStoredBrand } from './shell/theme/brand-theme.ts'

/** Paths of links that work once. The server serves this document at no other path. */
const PUBLIC_PATH = /^\/(reset-password|finish-registration|la)\/([^/]*)/

const PAGES: Readonly<Record<string, (token: string) => ReactNode>> = {
  'reset-password': (token) => <ResetPasswordPage token={token} />,
  'finish-registration': (token) => <RegistrationPage token={token} />,
  la: () => <SupportPage />,
}

/** Shows the page that the URL path names. For a support link it also signs in with the code, then opens the next page. */
const openPage = (): void => {
  const [, page = '', token = ''] = PUBLIC_PATH.exec(location.pathname) ?? []
  applyStoredBrand()
  renderPage(PAGES[page]?.(token))
  if (page === 'la') void signInAsSupport(token, location.search).then((target) => location.replace(target))
}

openPage()
