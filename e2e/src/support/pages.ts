import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
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
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
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

/** Retries an assertion for ten seconds. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 10_000, interval: 50 })

/** The path of the page's URL, with its query. */
export const currentPath = (page: Page): string => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}
