import './shell/theme/tokens.css'
import { InvoicePaymentPage } from './areas/invoice-payment/invoice-payment-page.tsx'
import { takeRedirectedPayment } from './areas/invoice-payment/redirected-payment.ts'
import { renderPage } from './ui/render-page.ts'
import { applyStoredBrand } from './shell/theme/brand-theme.ts'

/** The path of a payment link: `/pay/{token}`. The server serves this document at no other path. */
const PAY_PATH = /^\/pay\/([^/]*)/

/** The token in the URL path of a payment link, percent-decoded where that is possible; empty without one. */
const tokenIn = (pathname: string): string => {
  const encoded = PAY_PATH.exec(pathname)?.[1] ?? ''
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/** Shows the payment page of the address's token, with the payment that the browser comes back from the bank with. */
const openPage = (): void => {
  const token = tokenIn(location.pathname)
  const redirectedPayment = takeRedirectedPayment(token)
  // Remove the payment provider's query parameters, so that nobody copies them with the address.
  if (location.search !== '') history.replaceState(null, '', location.pathname)
  applyStoredBrand()
  renderPage(<InvoicePaymentPage token={token} redirectedPayment={redirectedPayment} />)
}

// The browser may restore this page from its back/forward cache, in the middle of paying.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

openPage()
