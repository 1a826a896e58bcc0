import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { DEMO_PASSWORD, submitSignIn } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { readStoredSession } from '../support/session.ts'

const { openPage } = usePages()

test('[AUTH-01][AUTH-10][AUTH-11] at a host of no brand the sign-in page fetches its own small program, shows brand 0’s pictures and no banner, and has three modes', async () => {
  const page = await openPage()
  const scripts: string[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(new URL(response.url()).pathname)
  })
  const [lookup] = await Promise.all([
    page.waitForResponse('**/v1/brands-settings?d=*'),
    page.waitForResponse('**/v1/brands-settings/0'),
    page.goto('/login'),
  ])
  expect([lookup.status(), new URL(lookup.url()).searchParams.get('d')]).toEqual([404, 'localhost'])
  for (const picture of ['banner', 'logo']) await pictureLoaded(page, `/brand-images/0/${picture}`)
  await expect(page.getByText('Our server returned error, try again later')).toHaveCount(0)
  await expectScriptsOfSignInAlone(page, scripts)

  await expect(page.getByLabel('Username')).toBeVisible()
  await expectShowAndHide(page)
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeEnabled()

  // Each mode has an address, and Back returns to signing in.
  await page.getByRole('link', { name: 'I know my company name!', exact: true }).click()
  await expect(page.getByLabel('Company Name')).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await page.getByRole('link', { name: 'Forgot your password?', exact: true }).click()
  await expect(page.getByLabel('Email')).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Username')).toBeVisible()
})

test('[AUTH-03] an empty form sends nothing; a wrong password and an unknown user get the same message of the server; a failure without words has its own', async () => {
  const page = await openPage()
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/token')) asked += 1
  })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Enter your username.')).toBeVisible()
  await expect(page.getByText('Enter your password.')).toBeVisible()
  await expect.poll(() => page.getByLabel('Username').evaluate((field) => field === document.activeElement)).toBe(true)
  expect(asked).toBe(0)

  const alert = page.getByRole('alert').getByRole('paragraph')
  for (const username of ['moneris', 'nobody-at-all']) {
    const answered = page.waitForResponse('**/token')
    await submitSignIn(page, username, 'not the password')
    const answer = await answered
    expect(answer.status()).toBe(400)
    await expect(alert).toHaveText((await answer.json()).error_description)
    await expect(alert).toHaveText('Invalid username or password')
    await expect(page.getByLabel('Username')).toHaveValue(username)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('not the password')
    for (const label of ['Username', 'Password'])
      await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('aria-invalid', 'true')
  }

  await page.route('**/token', (route) => route.fulfill({ status: 500, body: '' }))
  await submitSignIn(page, 'demo')
  await expect(page.getByLabel('Username')).not.toHaveAttribute('aria-invalid')
  await expect(alert).toHaveText('Invalid username or password')
  await expect.poll(() => readStoredSession(page)).toEqual({ auth: null, superUser: null, customer: null })
})

test('[AUTH-02][SESS-01] signing in clears the fields, stores the tokens with their claims, says that this is no super-user and goes to the first section, whatever foreign `r` there was', async () => {
  const page = await openPage()
  await page.addInitScript(() => {
    addEventListener('pagehide', () => {
      const left = [...document.querySelectorAll('input')].map(({ name, value }) => [name, value])
      if (left.length > 0) sessionStorage.setItem('left in the fields', JSON.stringify(left))
    })
  })
  await page.goto('/login?r=%2F%2Fevil.example%2Finvoices')
  const asked = page.waitForRequest('**/token')
  await submitSignIn(page, 'demo')
  const request = await asked
  expect(request.method()).toBe('POST')
  expect(request.headers()['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
  expect(Object.fromEntries(new URLSearchParams(request.postData() ?? ''))).toEqual({
    grant_type: 'password',
    username: 'demo',
    password: DEMO_PASSWORD,
    client_id: 'counterfoil-portal',
    client_secret: 'counterfoil-portal',
  })

  await expect(page).toHaveURL(`${testEnvironment().url}/dashboard`)
  const left = await page.evaluate(() => sessionStorage.getItem('left in the fields'))
  expect(JSON.parse(left ?? 'null')).toEqual([
    ['username', ''],
    ['password', ''],
  ])
  const { auth, superUser } = await readStoredSession(page)
  expect(superUser).toBe('false')
  const tokens = JSON.parse(auth ?? '{}')
  expect(Object.keys(tokens).toSorted()).toEqual(['access_token', 'refresh_token'])
  const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1], 'base64url').toString())
  expect(claims).toMatchObject({ BrandId: 2204, ResellerId: 2204, resellername: 'Nimbus Mobile Data', DisplayName: 'Mara Holt' })
})

test('[AUTH-04][AUTH-05] a page that wants a session goes to sign-in and comes back to where it started, its query included; whoever is signed in is sent to `r` at once', async () => {
  const page = await openPage()
  await page.goto('/invoices?from=mail')
  await expect(page).toHaveURL('/login?r=%2Finvoices%3Ffrom%3Dmail')
  await expect(page.getByText('Sign in to continue where you left off.')).toBeVisible()
  await submitSignIn(page, 'demo')
  await expect(page.getByRole('heading', { name: 'Invoices' })).toBeVisible()
  await expect(page).toHaveURL('/invoices?from=mail')
  await page.goto('/login?r=%2Fsettings')
  await expect(page).toHaveURL('/settings')
})

test("[AUTH-10][AUTH-11] a brand's own host draws no other picture before the brand's banner, wears its pictures and colours, signs its users in and nobody else's", async () => {
  const page = await openPage({ baseURL: hostOf('nimbus.example') })
  const { promise: known, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/v1/brands-settings?d=*', (route) => known.then(() => route.continue()))
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(rings(page)).toHaveCount(0)
  release()
  for (const picture of ['banner', 'logo']) await pictureLoaded(page, `/brand-images/2204/${picture}`)
  await expect(rings(page)).toHaveCount(0)
  await expect(page).toHaveTitle('Log In · Nimbus Mobile Data')
  await expect.poll(() => page.evaluate(() => document.documentElement.style.getPropertyValue('--primary'))).toBe('#1261c9')

  await submitSignIn(page, 'us')
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText('Invalid username or password')
  await submitSignIn(page, 'demo')
  await expect(page).toHaveURL('/dashboard')
  expect(new URL(page.url()).hostname).toBe('nimbus.example')
})

test("[AUTH-10][AUTH-11] pictures that fail to load give way to brand 0's, also in the header, and without any banner there are rings; a lookup that fails raises the red banner, which can be closed", async () => {
  const page = await openPage({ baseURL: hostOf('nimbus.example') })
  await page.route('**/brand-images/2204/*', (route) => route.abort())
  await page.goto('/login')
  for (const picture of ['banner', 'logo']) await pictureLoaded(page, `/brand-images/0/${picture}`)

  const stopFailing = await failRequests(page, '**/v1/brands-settings?d=*')
  await page.route('**/brand-images/*/banner', (route) => route.abort())
  await page.reload()
  await expect(rings(page).first()).toBeVisible()
  const banner = page.getByRole('alert').filter({ hasText: 'Our server returned error, try again later' })
  await expect(banner).toBeVisible()
  await banner.getByRole('button', { name: 'Close' }).click()
  await expect(banner).toHaveCount(0)

  stopFailing()
  await submitSignIn(page, 'demo')
  await expect(page).toHaveURL('/dashboard')
  await pictureLoaded(page, '/brand-images/0/logo')
})

/** What is drawn where there is no banner. */
const rings = (page: Page): Locator => page.locator('circle')

const expectShowAndHide = async (page: Page): Promise<void> => {
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('secret')
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveValue('secret')
  await page.getByRole('button', { name: 'Hide' }).click()
  await expect(password).toHaveAttribute('type', 'password')
}

/** Expects that the scripts that were loaded are those that the sign-in document names, and not the app's. */
const expectScriptsOfSignInAlone = async (page: Page, scripts: readonly string[]): Promise<void> => {
  const html = await (await page.request.get('/login')).text()
  const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? '')
  expect(scripts.toSorted()).toEqual(named.toSorted())
  const app = await (await page.request.get('/dashboard')).text()
  const main = /<script[^>]+src="(\/assets\/[^"]+\.js)"/.exec(app)?.[1]
  expect(main).toBeDefined()
  expect(named).not.toContain(main)
}

/** The product's URL on a brand's own host. */
const hostOf = (domain: string): string => `http://${domain}:${new URL(testEnvironment().url).port}`

/** Waits until the page shows an image from this path. */
const pictureLoaded = async (page: Page, path: string): Promise<void> => {
  await page.waitForFunction(
    (path) => [...document.images].some((image) => new URL(image.src).pathname === path && image.complete && image.naturalWidth > 0),
    path,
  )
}
