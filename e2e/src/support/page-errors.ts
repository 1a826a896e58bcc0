import type { Page } from 'playwright-core'

/** The one error that is expected: a host of no brand, answered with 404 (portal.md §8, last but two). */
const NO_BRAND_HERE = '/v1/brands-settings?d='

/** Everything that goes wrong on a page from now on: errors on the console, errors that nobody caught, breaches of the security policy. */
export const troubleOn = async (page: Page): Promise<string[]> => {
  const trouble: string[] = []
  page.on('pageerror', (error) => trouble.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    const isExpected = message.location().url.includes(NO_BRAND_HERE)
    if (['error', 'warning'].includes(message.type()) && !isExpected) trouble.push(`${message.type()}: ${message.text()}`)
  })
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`security policy: ${violatedDirective} refuses ${blockedURI}`)
    })
  })
  return trouble
}
