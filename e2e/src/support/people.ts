import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { enter, launchBrowser, newPerson } from './browser.ts'
import { world } from './world.ts'

export interface People {
  /** A page of somebody with a browser of their own, nothing opened yet. */
  readonly person: (options?: BrowserContextOptions) => Promise<Page>
  /** The same, signed in and on the first section. */
  readonly signedIn: (username: string, options?: BrowserContextOptions) => Promise<Page>
}

/** A browser for a file of tests; whoever came in during a test leaves at its end. */
export const people = (): People => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
  afterAll(() => browser.close())

  const person = async (options: BrowserContextOptions = {}): Promise<Page> => (await newPerson(browser, world().url, options)).newPage()
  return {
    person,
    signedIn: async (username, options = {}) => {
      const page = await person(options)
      await enter(page, username)
      return page
    },
  }
}

/** What a page comes to within ten seconds. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 10_000, interval: 50 })

/** The path of the page's address, with its query. */
export const pathOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** What the browser keeps under the three keys of a session; null for each that is not there. */
export const storedSession = (page: Page): Promise<{ auth: string | null; superUser: string | null; customer: string | null }> =>
  page.evaluate(() => ({
    auth: localStorage.getItem('auth'),
    superUser: localStorage.getItem('is_super_user'),
    customer: localStorage.getItem('current_customer_id'),
  }))

/** What the server answers the signed-in person of a page, for the customer that the page acts for. */
export const answerTo = async <T>(page: Page, path: string): Promise<T> => {
  const { auth, customer } = await storedSession(page)
  const { access_token: token } = JSON.parse(auth ?? '{}')
  const answer = await page.request.get(path, { headers: { authorization: `Bearer ${token}`, 'x-customer-id': customer ?? '' } })
  expect(answer.status()).toBe(200)
  return answer.json()
}
