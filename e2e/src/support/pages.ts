import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterEach } from 'vitest'
import { DEMO_PASSWORD, enter, newContext, sharedBrowser, signIn } from './browser.ts'
import { testEnvironment } from './test-environment.ts'

export interface Pages {
  /** Opens an empty page in a new browser context. */
  readonly openPage: (options?: BrowserContextOptions) => Promise<Page>
  /** The same, signed in, for a test that prepares something before it opens the first screen. */
  readonly signInAs: (username: string, options?: BrowserContextOptions, password?: string) => Promise<Page>
  /** The same, signed in and at this path, by default on the first section. */
  readonly openPageAs: (username: string, path?: string, options?: BrowserContextOptions) => Promise<Page>
}

const openPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
  const context = await newContext(await sharedBrowser(), testEnvironment().url, options)
  return context.newPage()
}

/** Closes a context. Handlers of its routes that still wait for an answer may fail then. */
const closeContext = async (context: BrowserContext): Promise<void> => {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.close()
}

/** Pages for the tests of a file. Contexts that a test opens are closed at its end. */
export const usePages = (): Pages => {
  afterEach(async ({ task }) => {
    const contexts = (await sharedBrowser()).contexts()
    if (task.result?.state === 'fail') for (const page of contexts.flatMap((context) => context.pages())) await describePage(page)
    await Promise.all(contexts.map(closeContext))
  })

  return {
    openPage,
    signInAs: async (username, options = {}, password = DEMO_PASSWORD) => {
      const page = await openPage(options)
      await signIn(page, username, password)
      return page
    },
    openPageAs: async (username, path = '/', options = {}) => {
      const page = await openPage(options)
      await enter(page, username, undefined, path)
      return page
    },
  }
}

/**
 * Opens a path of the app as its own links do, without a new document.
 * @param state what the app's router finds with the entry of the history
 */
export const navigateInApp = (page: Page, path: string, state: unknown = null): Promise<void> =>
  page.evaluate(
    ([to, entry]) => {
      history.pushState(entry, '', to)
      dispatchEvent(new PopStateEvent('popstate', { state: entry }))
    },
    [path, state] as const,
  )

const MAX_SNAPSHOT_LENGTH = 4_000

/** Prints what a page shows when its test fails. */
const describePage = async (page: Page): Promise<void> => {
  const snapshot = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String)
  console.error(`The page at ${page.url()} shows:\n${snapshot.slice(0, MAX_SNAPSHOT_LENGTH)}`)
}
