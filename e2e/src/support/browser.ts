import { existsSync } from 'node:fs'
import { PORTAL_CLIENT } from '@counterfoil/contract/sign-in'
import sparticuz from '@sparticuz/chromium'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Chromium would otherwise ask hosts on the internet at every start. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The demo brands' own hosts are this machine. */
const ARGS = [...QUIET, '--host-resolver-rules=MAP *.example 127.0.0.1']

/**
 * The system's Chromium, or the one that comes along from npm. Of the latter only the program is used: the arguments that its
 * package proposes put everything into one process, which ends with the first window, and switch the web's security off.
 */
export const launchBrowser = async (): Promise<Browser> => {
  const system = process.env['CHROMIUM'] ?? SYSTEM.find((path) => existsSync(path))
  return chromium.launch({ executablePath: system ?? (await sparticuz.executablePath()), args: ARGS })
}

export const DESKTOP = { width: 1440, height: 900 } as const
export const PHONE = { width: 390, height: 844 } as const

/** A person with a browser of their own: nothing stored, English of Australia unless told otherwise. */
export const newPerson = (browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<BrowserContext> =>
  browser.newContext({
    baseURL,
    locale: 'en-AU',
    timezoneId: 'Australia/Sydney',
    viewport: DESKTOP,
    acceptDownloads: true,
    // A colour on its way from one state to the next is neither: what is looked at stands still.
    reducedMotion: 'reduce',
    ...options,
  })

export const DEMO_PASSWORD = 'Counterfoil-2026!'

/** Signs in on the sign-in page and waits for the portal's header. */
export const signIn = async (page: Page, username: string, password = DEMO_PASSWORD): Promise<void> => {
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/login')
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
}

/**
 * Signs in as the sign-in page does, without loading it: for all tests that are about what lies behind it. The address is asked from inside
 * the browser, which gets the cookie and keeps the tokens where the portal looks for them.
 * @param to the screen to begin on
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
