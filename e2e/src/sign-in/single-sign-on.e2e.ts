import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { DEMO_PASSWORD, DESKTOP, PHONE, submitSignIn } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { readStoredSession } from '../support/session.ts'

const { openPage } = usePages()

const COMMAND = fileURLToPath(new URL('../../../server/bin/counterfoil.js', import.meta.url))

const ORGANIZATIONS = [
  { company: 'orbit', protocol: 'OpenID Connect', row: 'SSO-01', host: 'orbit.example' },
  { company: 'orbit-saml', protocol: 'SAML', row: 'SSO-05', host: 'localhost' },
] as const

/** Runs a command of the running product, and returns its output. */
const runCommand = (command: readonly string[], more: readonly string[], input: string): string =>
  execFileSync(process.execPath, [COMMAND, ...command, ...more], {
    env: { ...process.env, DATA_DIR: testEnvironment().dataDir },
    input,
    encoding: 'utf8',
  })

const expectProviderForm = (page: Page): Promise<void> =>
  expect(page.getByRole('heading', { name: 'Sign in to Orbit Group' })).toBeVisible()

const signInAtProvider = async (page: Page, username = 'sso@orbit.example'): Promise<void> => {
  await expectProviderForm(page)
  await page.getByLabel('Work email').fill(username)
  await page.getByLabel('Work password').fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const expectPortal = async (page: Page, heading: string): Promise<void> =>
  expect(page.getByRole('main').getByRole('heading', { level: 1, name: heading })).toBeVisible()

const expectAlert = (page: Page) => expect.poll(() => page.getByRole('alert').getByRole('paragraph').textContent())

test.each(ORGANIZATIONS)(
  '[AUTH-09][$row] $protocol by keyboard alone: company name, the company’s own form, wide and narrow, and signed in at $host, with no code left behind',
  async ({ company, host }) => {
    const page = await openPage({ baseURL: hostOf(host) })
    const codes = collectCodes(page)
    await page.goto('/login#company-name')
    await page.getByLabel('Company Name').focus()
    await page.keyboard.type(company)
    await page.keyboard.press('Enter')

    await expectProviderForm(page)
    expect(new URL(page.url()).host).toBe(new URL(testEnvironment().sandboxUrl).host.replace('localhost', '127.0.0.1'))
    expect(await findViolations(page)).toEqual([])
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport)
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
    }
    await page.keyboard.press('Tab')
    await page.keyboard.type('sso@orbit.example')
    await page.keyboard.press('Tab')
    await page.keyboard.type(DEMO_PASSWORD)
    await page.keyboard.press('Enter')

    await expectPortal(page, 'Dashboard')
    await expect(page).toHaveURL('/dashboard')
    expect(new URL(page.url()).hostname).toBe(host)
    await expect.poll(() => readStoredSession(page)).toMatchObject({ auth: expect.stringContaining('refresh_token'), superUser: 'false' })
    const { access_token: token } = JSON.parse((await readStoredSession(page)).auth ?? '{}')
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ BrandId: 3011, resellername: 'Orbit Group', DisplayName: 'Noor Haddad' })

    // The code is worth nothing any more, and stands neither in the address nor one step back.
    expect(codes).toHaveLength(1)
    expect(await page.evaluate(exchangeAgain, codes[0] ?? '')).toEqual([400, 'invalid_grant'])
    await page.goBack().catch(() => undefined)
    expect(page.url()).not.toContain(codes[0])
  },
)

test.each(ORGANIZATIONS)(
  '[SSO-03][SSO-04] /login?b=$company starts by itself: who cancels, or has no user here, reads why and may try again; a wrong password is the provider’s matter; then it comes back to `r`',
  async ({ company }) => {
    const page = await openPage()
    await page.goto(`/login?b=${company}&r=${encodeURIComponent('/invoices?from=mail')}`)
    await expectProviderForm(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectAlert(page).toBe('Authentication failed')
    await expect(page.getByLabel('Company Name')).toHaveValue(company)

    await page.getByRole('button', { name: 'Continue' }).click()
    await signInAtProvider(page, 'visitor@orbit.example')
    await expect(page.getByText('You do not have an account here yet. Please ask your provider for one.')).toBeVisible()
    await expectAlert(page).toBe('Authentication failed')
    expect((await readStoredSession(page)).auth).toBeNull()
    // The provider forgets whom it knows.
    await page.context().clearCookies({ domain: '127.0.0.1' })

    await page.getByRole('button', { name: 'Continue' }).click()
    await expectProviderForm(page)
    await page.getByLabel('Work email').fill('sso@orbit.example')
    await page.getByLabel('Work password').fill('not this')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('The user name or the password is wrong.')).toBeVisible()
    await expect(page.getByLabel('Work email')).toHaveValue('sso@orbit.example')
    await signInAtProvider(page)
    await expectPortal(page, 'Invoices')
    await expect(page).toHaveURL('/invoices?from=mail')
  },
)

test('[SSO-02] a password sign-in with the domain of an organization goes on to its identity provider, and back to the requested page', async () => {
  const page = await openPage()
  await page.goto('/login?r=%2Finvoices')
  const refused = page.waitForResponse('**/token')
  const started = page.waitForRequest('**/sso/login?*')
  await submitSignIn(page, 'sso@orbit.example', 'whatever it was')
  const answer = await refused
  expect([answer.status(), answer.headers()['x-brand-name']]).toEqual([400, 'orbit'])
  expect(Object.fromEntries(new URL((await started).url()).searchParams)).toEqual({ b: 'orbit', ct: '2', r: '/invoices' })
  await signInAtProvider(page)
  await expectPortal(page, 'Invoices')
})

test('[SSO-01][SSO-04] a company that is unknown, has no single sign-on, is another brand’s, or whose provider does not answer comes back with words above the company-name form', async () => {
  const set = runCommand(
    ['sso', 'set', '--reseller', '3011', '--brand', '3011', '--company', 'gone', '--kind', 'oidc', '--issuer', 'http://127.0.0.1:9'],
    ['--client-id', 'portal', '--client-secret-file', '-', '--domain', 'gone.example', 'Gone.Example', '--json'],
    'a secret',
  )
  expect(JSON.parse(set)).toMatchObject({ name: 'gone', domains: ['gone.example'], hasSecret: true })
  const page = await openPage()
  await page.goto('/login#company-name')
  for (const [company, words] of [
    ['nobody knows this one', 'The Company does not exist or blocked'],
    ['Nimbus Mobile Data', 'The Company does not have SSO authentication'],
    ['gone', 'Authentication failed'],
  ] as const) {
    await page.getByLabel('Company Name').fill(company)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectAlert(page).toBe(words)
    await expect(page.getByLabel('Company Name')).toHaveValue(company)
  }
  await expect(page.getByText("Your company's sign-in is not responding. Please try again in a few minutes.")).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  expect(runCommand(['sso', 'remove', '--reseller', 'Orbit Group'], ['--company', 'gone', '--yes'], '')).toContain(
    'The company gone is removed.',
  )
  await page.goto(`${hostOf('nimbus.example')}/login?b=orbit`)
  await expectAlert(page).toBe('The Company does not exist or blocked')
})

/** The product's URL on a brand's own host. */
const hostOf = (domain: string): string => `http://${domain}:${new URL(testEnvironment().url).port}`

/** Collects the one-time codes with which single sign-on comes back to the sign-in page. */
const collectCodes = (page: Page): string[] => {
  const codes: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const code = searchParams.get('code')
    if (request.isNavigationRequest() && code !== null && pathname === '/login') codes.push(code)
  })
  return codes
}

/** Exchanges a code once more, in the page, as the sign-in page did. */
const exchangeAgain = async (code: string): Promise<[number, string]> => {
  const client = { client_id: 'counterfoil-portal', client_secret: 'counterfoil-portal' }
  const form = { grant_type: 'authorization_code', code, redirect_uri: `${location.origin}/login`, ...client }
  const answer = await fetch('/token', { method: 'POST', body: new URLSearchParams(form) })
  return [answer.status, ((await answer.json()) as { error: string }).error]
}
