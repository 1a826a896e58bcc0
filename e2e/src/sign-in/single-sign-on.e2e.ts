import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { DEMO_PASSWORD, DESKTOP, PHONE } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { readStoredSession } from '../support/session.ts'

const { openPage } = usePages()

const COMMAND = fileURLToPath(new URL('../../../server/bin/counterfoil.js', import.meta.url))

const ORGANIZATIONS = [
  { company: 'orbit', protocol: 'OpenID Connect', row: 'SSO-01' },
  { company: 'orbit-saml', protocol: 'SAML', row: 'SSO-05' },
] as const

const ORGANIZATIONS_AND_WIDTHS = ORGANIZATIONS.flatMap((company) => [
  { ...company, viewport: DESKTOP },
  { ...company, viewport: PHONE },
])

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

test.each(ORGANIZATIONS_AND_WIDTHS)(
  '[AUTH-09][$row] $protocol at $viewport.width px, by keyboard alone: company name, the company’s own form, signed in',
  async ({ company, viewport }) => {
    const page = await openPage({ viewport })
    await page.goto('/login#company-name')
    await page.getByLabel('Company Name').focus()
    await page.keyboard.type(company)
    await page.keyboard.press('Enter')

    await expectProviderForm(page)
    expect(new URL(page.url()).host).toBe(new URL(testEnvironment().sandboxUrl).host.replace('localhost', '127.0.0.1'))
    expect(await findViolations(page)).toEqual([])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
    await page.keyboard.press('Tab')
    await page.keyboard.type('sso@orbit.example')
    await page.keyboard.press('Tab')
    await page.keyboard.type(DEMO_PASSWORD)
    await page.keyboard.press('Enter')

    await expectPortal(page, 'Dashboard')
    await expect(page).toHaveURL('/dashboard')
    await expect.poll(() => readStoredSession(page)).toMatchObject({ auth: expect.stringContaining('refresh_token'), superUser: 'false' })
    const { access_token: token } = JSON.parse((await readStoredSession(page)).auth ?? '{}')
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ BrandId: 3011, resellername: 'Orbit Group', DisplayName: 'Noor Haddad' })
  },
)

test('[SSO-01] what comes back from a provider leaves no code behind: not in the address, nor one step back', async () => {
  const page = await openPage()
  const codes: string[] = []
  page.on('request', (request) => {
    const code = new URL(request.url()).searchParams.get('code')
    if (request.isNavigationRequest() && code !== null && new URL(request.url()).pathname === '/login') codes.push(code)
  })
  await page.goto('/login?b=orbit')
  await signInAtProvider(page)
  await expectPortal(page, 'Dashboard')
  expect(codes).toHaveLength(1)
  await page.goBack().catch(() => undefined)
  expect(page.url()).not.toContain(codes[0])
  const again = await page.request.post('/token', {
    form: {
      grant_type: 'authorization_code',
      code: codes[0] ?? '',
      redirect_uri: `${testEnvironment().url}/login`,
      client_id: 'counterfoil-portal',
      client_secret: 'counterfoil-portal',
    },
  })
  expect([again.status(), (await again.json()).error]).toEqual([400, 'invalid_grant'])
})

test.each(ORGANIZATIONS)('[SSO-03] /login?b=$company starts by itself and comes back to `r`', async ({ company }) => {
  const page = await openPage()
  await page.goto(`/login?b=${company}&r=${encodeURIComponent('/invoices?from=mail')}`)
  await signInAtProvider(page)
  await expectPortal(page, 'Invoices')
  await expect(page).toHaveURL('/invoices?from=mail')
})

test('[SSO-02] a password sign-in with the domain of an organization goes on to its identity provider, and back to the requested page', async () => {
  const page = await openPage()
  await page.goto('/login?r=%2Finvoices')
  await page.getByLabel('Username').fill('sso@orbit.example')
  await page.getByLabel('Password', { exact: true }).fill('whatever it was')
  const refused = page.waitForResponse('**/token')
  const started = page.waitForRequest('**/sso/login?*')
  await page.getByRole('button', { name: 'Sign In' }).click()
  const answer = await refused
  expect([answer.status(), answer.headers()['x-brand-name']]).toEqual([400, 'orbit'])
  expect(Object.fromEntries(new URL((await started).url()).searchParams)).toEqual({ b: 'orbit', ct: '2', r: '/invoices' })
  await signInAtProvider(page)
  await expectPortal(page, 'Invoices')
})

test.each([
  ['nobody knows this one', 'The Company does not exist or blocked'],
  ['Nimbus Mobile Data', 'The Company does not have SSO authentication'],
])('[SSO-04] the company "%s" comes back with "%s" above the company-name form', async (company, words) => {
  const page = await openPage()
  await page.goto('/login#company-name')
  await page.getByLabel('Company Name').fill(company)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectAlert(page).toBe(words)
  await expect(page.getByLabel('Company Name')).toHaveValue(company)
})

test.each(ORGANIZATIONS)(
  '[SSO-04] whoever cancels at the company of $company reads "Authentication failed" and may try again',
  async ({ company }) => {
    const page = await openPage()
    await page.goto(`/login?b=${company}&r=%2Finvoices`)
    await expectProviderForm(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectAlert(page).toBe('Authentication failed')
    await expect(page.getByLabel('Company Name')).toHaveValue(company)
    await page.getByRole('button', { name: 'Continue' }).click()
    await signInAtProvider(page)
    await expectPortal(page, 'Invoices')
  },
)

test('[SSO-04] an organization whose provider does not answer, set by the command line of the running server, shows that it does not respond', async () => {
  const set = runCommand(
    ['sso', 'set', '--reseller', '3011', '--brand', '3011', '--company', 'gone', '--kind', 'oidc', '--issuer', 'http://127.0.0.1:9'],
    ['--client-id', 'portal', '--client-secret-file', '-', '--domain', 'gone.example', 'Gone.Example', '--json'],
    'a secret',
  )
  expect(JSON.parse(set)).toMatchObject({ name: 'gone', domains: ['gone.example'], hasSecret: true })
  const page = await openPage()
  await page.goto('/login?b=gone')
  await expectAlert(page).toBe('Authentication failed')
  await expect(page.getByText("Your company's sign-in is not responding. Please try again in a few minutes.")).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  expect(runCommand(['sso', 'remove', '--reseller', 'Orbit Group'], ['--company', 'gone', '--yes'], '')).toContain(
    'The company gone is removed.',
  )
})

test.each(ORGANIZATIONS)('[SSO-04] a person of $company without a user is refused, and nothing is stored', async ({ company }) => {
  const page = await openPage()
  await page.goto(`/login?b=${company}`)
  await signInAtProvider(page, 'visitor@orbit.example')
  await expectAlert(page).toBe('Authentication failed')
  await expect(page.getByText('You do not have an account here yet. Please ask your provider for one.')).toBeVisible()
  expect((await readStoredSession(page)).auth).toBeNull()
})

test('[SSO-04] a wrong password is handled by the identity provider', async () => {
  for (const { company } of ORGANIZATIONS) {
    const page = await openPage()
    await page.goto(`/login?b=${company}`)
    await expectProviderForm(page)
    await page.getByLabel('Work email').fill('sso@orbit.example')
    await page.getByLabel('Work password').fill('not this')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('The user name or the password is wrong.')).toBeVisible()
    await expect(page.getByLabel('Work email')).toHaveValue('sso@orbit.example')
    await signInAtProvider(page)
    await expectPortal(page, 'Dashboard')
  }
})

test('[SSO-01] single sign-on returns to a brand’s own host, and organizations of other brands are unknown there', async () => {
  const port = new URL(testEnvironment().url).port
  const page = await openPage({ baseURL: `http://orbit.example:${port}` })
  await page.goto('/login?b=orbit')
  await signInAtProvider(page)
  await expectPortal(page, 'Dashboard')
  expect(new URL(page.url()).hostname).toBe('orbit.example')

  const elsewhere = await openPage({ baseURL: `http://nimbus.example:${port}` })
  await elsewhere.goto('/login?b=orbit')
  await expectAlert(elsewhere).toBe('The Company does not exist or blocked')
})
