import './shell/tokens.css'
import { createRoot } from 'react-dom/client'
import { ResetPasswordPage } from './areas/reset-password/reset-password-page.tsx'
import { applyRememberedBrand } from './shell/brand-theme.ts'

/** Where links from mails lead: `/reset-password/{id}`. The server opens this document at no other address (kit/portal-files.ts). */
const RESET = /^\/reset-password\/([^/]*)/

const start = (root: HTMLElement): void => {
  const token = RESET.exec(location.pathname)?.[1] ?? ''
  applyRememberedBrand()
  createRoot(root).render(<ResetPasswordPage token={token} />)
}

const root = document.getElementById('root')
if (root !== null) start(root)
