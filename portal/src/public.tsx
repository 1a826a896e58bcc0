import './shell/theme/tokens.css'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { RegistrationPage } from './areas/registration/registration-page.tsx'
import { ResetPasswordPage } from './areas/reset-password/reset-password-page.tsx'
import { SupportPage } from './areas/support/support-page.tsx'
import { enterAsSupport } from './areas/support/support-sign-in.ts'
import { applyRememberedBrand } from './shell/theme/brand-theme.ts'

/** Where links lead that work once. The server opens this document at no other address (kit/portal-files.ts). */
const DOOR = /^\/(reset-password|finish-registration|la)\/([^/]*)/

const PAGES: Readonly<Record<string, (token: string) => ReactNode>> = {
  'reset-password': (token) => <ResetPasswordPage token={token} />,
  'finish-registration': (token) => <RegistrationPage token={token} />,
  la: () => <SupportPage />,
}

const start = (root: HTMLElement): void => {
  const [, door = '', token = ''] = DOOR.exec(location.pathname) ?? []
  applyRememberedBrand()
  createRoot(root).render(PAGES[door]?.(token))
  if (door === 'la') void enterAsSupport(token, location.search).then((target) => location.replace(target))
}

const root = document.getElementById('root')
if (root !== null) start(root)
