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
 * The npm package's headless shell, unpacked at the first call on a machine, the same for everybody; a system's Chromium only where
 * `CHROMIUM` names it or the package cannot run.
 */
export const browserPath = async (): Promise<string> => {
  const named = process.env['CHROMIUM']
  if (named !== undefined) return named
  if (process.platform === 'linux' && process.arch === 'x64') return sparticuz.executablePath()
  const system = SYSTEM_BROWSERS.find((path) => existsSync(path))
  if (system === undefined) throw new Error('Set CHROMIUM to a Chromium: the one that npm brings runs on Linux with x64 processors only.')
  return system
}

/** Launches a browser. The arguments that the npm package proposes are not used: they run everything in one process and switch web security off. */
export const launchBrowser = async (): Promise<Browser> =>
  // Its own date fields follow the language of the machine, not that of a context.
  chromium.launch({ executablePath: await browserPath(), args: ARGS, env: { ...process.env, LANGUAGE: 'en_AU', LC_ALL: 'en_AU.UTF-8' } })

let shared: Promise<Browser> | undefined
/** The browser of this worker, launched for its first file. It ends with the worker. */
export const sharedBrowser = (): Promise<Browser> => (shared ??= launchBrowser())

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
  await submitSignIn(page, username, password)
  await page.waitForURL(({ pathname }) => pathname !== '/login')
  await waitForHeading(page)
}

/** Fills in the sign-in form that a page shows, and submits it. */
export const submitSignIn = async (page: Page, username: string, password = DEMO_PASSWORD): Promise<void> => {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** Waits until a section shows its heading. Looks at every frame, because a locator looks only every half second after its first misses. */
const waitForHeading = async (page: Page): Promise<void> => {
  const heading = await page.waitForFunction(() => (document.querySelector('main h1')?.getClientRects().length ?? 0) > 0)
  await heading.dispose()
}

/** Signs in by a token request, which gives the context its cookie, and stores the tokens. The page shows no screen yet. */
export const signIn = async (page: Page, username: string, password = DEMO_PASSWORD): Promise<void> => {
  const form = { grant_type: 'password', username, password, client_id: PORTAL_CLIENT.id, client_secret: PORTAL_CLIENT.secret }
  const answer = await page.request.post('/token', { form })
  if (!answer.ok()) throw new Error(`nobody could sign in: ${answer.status()} ${await answer.text()}`)
  const { access_token, refresh_token } = (await answer.json()) as Record<string, string>
  await page.goto('/healthz')
  await page.evaluate((auth) => {
    localStorage.setItem('auth', auth)
    localStorage.setItem('is_super_user', 'false')
  }, JSON.stringify({ access_token, refresh_token }))
}

/** Signs in without the sign-in page, and opens this path. */
export const enter = async (page: Page, username: string, password = DEMO_PASSWORD, to = '/'): Promise<void> => {
  await signIn(page, username, password)
  await page.goto(to)
  await waitForHeading(page)
}
