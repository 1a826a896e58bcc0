import './shell/theme/tokens.css'
import { createRoot } from 'react-dom/client'
import { InvoicePaymentPage } from './areas/invoice-payment/invoice-payment-page.tsx'
import { takeLeaving } from './areas/invoice-payment/redirected-payment.ts'
import { applyRememberedBrand } from './shell/theme/brand-theme.ts'

/** Where payment links lead: `/pay/{token}`. The server opens this document at no other address (kit/portal-files.ts). */
const PAY = /^\/pay\/([^/]*)/

const tokenIn = (pathname: string): string => {
  const written = PAY.exec(pathname)?.[1] ?? ''
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}

const start = (root: HTMLElement): void => {
  const token = tokenIn(location.pathname)
  const leaving = takeLeaving(token)
  // What the payment company wrote into the address on the way back is of no use here, and not for whoever copies the address.
  if (location.search !== '') history.replaceState(null, '', location.pathname)
  applyRememberedBrand()
  createRoot(root).render(<InvoicePaymentPage token={token} leaving={leaving} />)
}

// Back from the bank's page may show this one as it was left, in the middle of paying.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

const root = document.getElementById('root')
if (root !== null) start(root)
