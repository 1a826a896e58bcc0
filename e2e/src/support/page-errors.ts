import type { Page } from 'playwright-core'

/** The expected error: a host that no brand claims is answered with 404 (AUTH-11). */
const NO_BRAND_HERE = '/v1/brands-settings?d='

/** Collects the page's errors from now on: console errors and warnings, uncaught errors, violations of the content security policy. */
export const collectPageErrors = async (page: Page): Promise<string[]> => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    const isExpected = message.location().url.includes(NO_BRAND_HERE)
    if (['error', 'warning'].includes(message.type()) && !isExpected) errors.push(`${message.type()}: ${message.text()}`)
  })
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`security policy: ${violatedDirective} refuses ${blockedURI}`)
    })
  })
  return errors
}
