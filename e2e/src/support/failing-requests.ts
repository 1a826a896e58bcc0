import type { Page, Route } from 'playwright-core'

const answerWithServerError = (route: Route): Promise<void> => route.fulfill({ status: 500, json: { message: 'broken' } })

/**
 * Lets requests of the page to an address fail, with an answer of 500 unless `fail` does something else, until the returned function is
 * called. The route stays: when a page's last route is taken away, Chromium loses answers that are on their way.
 */
export const failRequests = async (page: Page, url: string, fail = answerWithServerError): Promise<() => void> => {
  let isFailing = true
  await page.route(url, (route) => (isFailing ? fail(route) : route.fallback()))
  return () => {
    isFailing = false
  }
}
