import { existsSync } from 'node:fs'
import { PORTAL_CLIENT } from '@counterfoil/contract/sign-in'
import sparticuz from '@sparticuz/chromium'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Without these Chromium sends requests to the internet at every start. */
const QUIET_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The hosts of the demo brands resolve to this machine. */
const ARGS = [...QUIET_ARGS, '--host-resolver-rules=MAP *.example 127.0.0.1']

/**
 * Launches the system's Chromium, or the npm package's headless shell. The arguments that this package proposes are not used: they run
 * everything in one process and switch web security off.
 */
export const launchBrowser = async (): Promise<Browser> => {
  const system = process.env['CHROMIUM'] ?? SYSTEM_BROWSERS.find((path) => existsSync(path))
  return chromium.launch({ executablePath: system ?? (await sparticuz.executablePath()), args: ARGS })
}

export const DESKTOP = { width: 1440, height: 900 } as const
export const PHONE = { width: 390, height: 844 } as const

/** A new browser context with nothing stored, in Australian English by default. */
export const newContext = (browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<BrowserContext> =>
  browser.newContext({
    baseURL,
    locale: 'en-AU',
    timezoneId: 'Australia/Sydney',
    viewport: DESKTOP,
    acceptDownloads: true,
    // Without transitions a colour is never measured halfway between two states.
    reducedMotion: 'reduce',
    ...options,
  })

export const DEMO_PASSWORD = 'Counterfoil-2026!'

/** Signs in on the sign-in page and waits for the first section. */
export const signInByForm = async (page: Page, username: string, password = DEMO_PASSWORD): Promise<void> => {
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/login')
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
}

/**
 * Signs in without the sign-in page, by a token request from inside the browser, which so gets the cookie and stores the tokens.
 * @param to the path to open afterwards
 */
export const enter = async (page: Page, username: string, password = DEMO_PASSWORD, to = '/'): Promise<void> => {
  await page.goto('/healthz')
  await page.evaluate(
    async (form) => {
      const answer = await fetch('/token', { method: 'POST', body: new URLSearchParams(form) })
      if (!answer.ok) throw new Error(`nobody could sign in: ${answer.status} ${await answer.text()}`)
      const { access_token, refresh_token } = (await answer.json()) as Record<string, string>
      localStorage.setItem('auth', JSON.stringify({ access_token, refresh_token }))
      localStorage.setItem('is_super_user', 'false')
    },
    { grant_type: 'password', username, password, client_id: PORTAL_CLIENT.id, client_secret: PORTAL_CLIENT.secret },
  )
  await page.goto(to)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
}
