import './shell/theme/tokens.css'
import { createRoot } from 'react-dom/client'
import { InvoicePaymentPage } from './areas/invoice-payment/invoice-payment-page.tsx'
import { takeRedirectedPayment } from './areas/invoice-payment/redirected-payment.ts'
import { applyStoredBrand } from './shell/theme/brand-theme.ts'

/** Where payment links lead: `/pay/{token}`. The server opens this document at no other address (kit/portal-files.ts). */
const PAY_PATH = /^\/pay\/([^/]*)/

const tokenIn = (pathname: string): string => {
  const encoded = PAY_PATH.exec(pathname)?.[1] ?? ''
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

const renderPage = (root: HTMLElement): void => {
  const token = tokenIn(location.pathname)
  const leaving = takeRedirectedPayment(token)
  // What the payment company wrote into the address on the way back is of no use here, and not for whoever copies the address.
  if (location.search !== '') history.replaceState(null, '', location.pathname)
  applyStoredBrand()
  createRoot(root).render(<InvoicePaymentPage token={token} redirectedPayment={leaving} />)
}

// Back from the bank's page may show this one as it was left, in the middle of paying.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

const root = document.getElementById('root')
if (root !== null) renderPage(root)
