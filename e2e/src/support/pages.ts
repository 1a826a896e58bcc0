import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { enter, launchBrowser, newContext } from './browser.ts'
import { world } from './world.ts'

export interface Pages {
  /** Opens an empty page in a new browser context. */
  readonly openPage: (options?: BrowserContextOptions) => Promise<Page>
  /** The same, signed in and on the first section. */
  readonly openPageAs: (username: string, options?: BrowserContextOptions) => Promise<Page>
}

/** A browser for a file of tests. Contexts that a test opens are closed at its end. */
export const usePages = (): Pages => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterEach(async ({ task }) => {
    const contexts = browser.contexts()
    if (task.result?.state === 'fail') for (const page of contexts.flatMap((context) => context.pages())) await describePage(page)
    await Promise.all(contexts.map((context) => context.close()))
  })
  afterAll(() => browser.close())

  const openPage = async (options: BrowserContextOptions = {}): Promise<Page> => (await newContext(browser, world().url, options)).newPage()
  return {
    openPage,
    openPageAs: async (username, options = {}) => {
      const page = await openPage(options)
      await enter(page, username)
      return page
    },
  }
}

const MAX_SNAPSHOT_LENGTH = 4_000

/** Prints what a page shows when its test fails. */
const describePage = async (page: Page): Promise<void> => {
  const snapshot = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String)
  console.error(`The page at ${page.url()} shows:\n${snapshot.slice(0, MAX_SNAPSHOT_LENGTH)}`)
}
