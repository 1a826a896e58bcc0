import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { DEMO_PASSWORD, signInByForm } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { readStoredSession } from '../support/session.ts'

const { openPage, openPageAs } = usePages()

test('[AUTH-01] the sign-in page offers username, password with Show and Hide, Sign In and its two links', async () => {
  const page = await openPage()
  await page.goto('/login')
  const password = page.getByLabel('Password', { exact: true })
  await expect(page.getByLabel('Username')).toBeVisible()
  await password.fill('secret')
  await expect(password).toHaveAttribute('type', 'password')

  await page.getByRole('button', { name: 'Show' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveValue('secret')
  await page.getByRole('button', { name: 'Hide' }).click()
  await expect(password).toHaveAttribute('type', 'password')

  await expect(page.getByRole('button', { name: 'Sign In' })).toBeEnabled()
  await expect(page.getByRole('link', { name: 'I know my company name!', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Forgot your password?', exact: true })).toBeVisible()
})

test('[AUTH-01] each mode has an address, and Back returns to signing in', async () => {
  const page = await openPage()
  await page.goto('/login')
  await page.getByRole('link', { name: 'I know my company name!' }).click()
  await expect(page.getByLabel('Company Name')).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByLabel('Email')).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Username')).toBeVisible()
})

test('[AUTH-02][SESS-01] signing in stores the tokens with their claims, says that this is no super-user and goes to the first section', async () => {
  const page = await openPage()
  const asked = page.waitForRequest('**/token')
  await signInByForm(page, 'demo')

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

  await expect(page).toHaveURL('/dashboard')
  const { auth, superUser } = await readStoredSession(page)
  expect(superUser).toBe('false')
  const tokens = JSON.parse(auth ?? '{}')
  expect(Object.keys(tokens).toSorted()).toEqual(['access_token', 'refresh_token'])
  const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1], 'base64url').toString())
  expect(claims).toMatchObject({ BrandId: 2204, ResellerId: 2204, resellername: 'Nimbus Mobile Data', DisplayName: 'Mara Holt' })
})

test('[AUTH-02] signing in clears the fields before it goes on', async () => {
  const page = await openPage()
  await page.addInitScript(() => {
    addEventListener('pagehide', () => {
      const left = [...document.querySelectorAll('input')].map(({ name, value }) => [name, value])
      if (left.length > 0) sessionStorage.setItem('left in the fields', JSON.stringify(left))
    })
  })
  await signInByForm(page, 'demo')
  const left = await page.evaluate(() => sessionStorage.getItem('left in the fields'))
  expect(JSON.parse(left ?? 'null')).toEqual([
    ['username', ''],
    ['password', ''],
  ])
})

test('[AUTH-03] a wrong password shows the message of the server, the same as for an unknown user, and what was typed stays', async () => {
  const page = await openPage()
  await page.goto('/login')
  for (const username of ['moneris', 'nobody-at-all']) {
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    const answered = page.waitForResponse('**/token')
    await page.getByRole('button', { name: 'Sign In' }).click()
    const answer = await answered
    expect(answer.status()).toBe(400)
    const alert = page.getByRole('alert').getByRole('paragraph')
    await expect(alert).toHaveText((await answer.json()).error_description)
    await expect(alert).toHaveText('Invalid username or password')
    await expect(page.getByLabel('Username')).toHaveValue(username)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('not the password')
    for (const label of ['Username', 'Password'])
      await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('aria-invalid', 'true')
  }
  await expect.poll(() => readStoredSession(page)).toEqual({ auth: null, superUser: null, customer: null })
})

test('[AUTH-03] a failure for which the server has no words reads "Invalid username or password"', async () => {
  const page = await openPage()
  await page.route('**/token', (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/login')
  await page.getByLabel('Username').fill('demo')
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText('Invalid username or password')
  await expect(page.getByLabel('Username')).not.toHaveAttribute('aria-invalid')
})

test('[AUTH-03] an empty form shows errors beside its fields and sends no request', async () => {
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
})

test('[AUTH-04] the sign-in page sends whoever is signed in to `r`, or to the first section', async () => {
  const page = await openPageAs('demo', '/login?r=%2Finvoices')
  await expect(page).toHaveURL('/invoices')
  await page.goto('/login')
  await expect(page).toHaveURL('/dashboard')
})

test('[AUTH-02] an `r` of another origin is dropped at sign-in too', async () => {
  const page = await openPage()
  await page.goto('/login?r=%2F%2Fevil.example%2Finvoices')
  await page.getByLabel('Username').fill('demo')
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(`${testEnvironment().url}/dashboard`)
})

test('[AUTH-05] a page that wants a session goes to sign-in and comes back to where it started, its query included', async () => {
  const page = await openPage()
  await page.goto('/invoices?from=mail')
  await expect(page).toHaveURL('/login?r=%2Finvoices%3Ffrom%3Dmail')
  await expect(page.getByText('Sign in to continue where you left off.')).toBeVisible()
  await page.getByLabel('Username').fill('demo')
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { name: 'Invoices' })).toBeVisible()
  await expect(page).toHaveURL('/invoices?from=mail')
})

test('[AUTH-10] a host of no brand shows the banner and the logo of brand 0', async () => {
  const page = await openPage()
  await page.goto('/login')
  await pictureLoaded(page, '/brand-images/0/banner')
  await pictureLoaded(page, '/brand-images/0/logo')
})

test("[AUTH-10][AUTH-11] a brand's own host shows that brand's pictures and colours, and signs its users in", async () => {
  const page = await openPage({ baseURL: hostOf('nimbus.example') })
  await page.goto('/login')
  await pictureLoaded(page, '/brand-images/2204/banner')
  await pictureLoaded(page, '/brand-images/2204/logo')
  await expect(page).toHaveTitle('Log In · Nimbus Mobile Data')
  await expect.poll(() => page.evaluate(() => document.documentElement.style.getPropertyValue('--primary'))).toBe('#1261c9')
  await signInByForm(page, 'demo')
  expect(new URL(page.url()).hostname).toBe('nimbus.example')
})

test("[AUTH-11] a brand's own host signs in nobody else's users", async () => {
  const page = await openPage({ baseURL: hostOf('nimbus.example') })
  await page.goto('/login')
  await page.getByLabel('Username').fill('us')
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText('Invalid username or password')
})

test("[AUTH-10] pictures that fail to load give way to brand 0's, on the sign-in page and in the header", async () => {
  const page = await openPage({ baseURL: hostOf('nimbus.example') })
  await page.route('**/brand-images/2204/*', (route) => route.abort())
  await page.goto('/login')
  await pictureLoaded(page, '/brand-images/0/banner')
  await pictureLoaded(page, '/brand-images/0/logo')
  await signInByForm(page, 'demo')
  await pictureLoaded(page, '/brand-images/0/logo')
})

test("[AUTH-10] no other picture is drawn before the brand's banner; without any banner there are rings", async () => {
  const rings = (page: Page) => page.locator('circle')
  const page = await openPage({ baseURL: hostOf('nimbus.example') })
  const { promise: known, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/v1/brands-settings?d=*', (route) => known.then(() => route.continue()))
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(rings(page)).toHaveCount(0)
  release()
  await pictureLoaded(page, '/brand-images/2204/banner')
  await expect(rings(page)).toHaveCount(0)
  await page.route('**/brand-images/*/banner', (route) => route.abort())
  await page.reload()
  await expect(rings(page).first()).toBeVisible()
})

test('[AUTH-11] a host that no brand claims is looked up by its domain, and the 404 raises no banner', async () => {
  const page = await openPage()
  const lookup = page.waitForResponse('**/v1/brands-settings?d=*')
  await page.goto('/login')
  const answer = await lookup
  expect([answer.status(), new URL(answer.url()).searchParams.get('d')]).toEqual([404, 'localhost'])
  await page.waitForResponse('**/v1/brands-settings/0')
  await pictureLoaded(page, '/brand-images/0/logo')
  await expect(page.getByText('Our server returned error, try again later')).toHaveCount(0)
})

test('[AUTH-11] a lookup that fails otherwise raises the red banner, which can be closed', async () => {
  const page = await openPage()
  await page.route('**/v1/brands-settings?d=*', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await page.goto('/login')
  const banner = page.getByRole('alert').filter({ hasText: 'Our server returned error, try again later' })
  await expect(banner).toBeVisible()
  await banner.getByRole('button', { name: 'Close' }).click()
  await expect(banner).toHaveCount(0)
})

test('the sign-in document fetches its own small program and nothing of the app', async () => {
  const page = await openPage()
  const scripts: string[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.url())
  })
  await page.goto('/login')
  await pictureLoaded(page, '/brand-images/0/banner')
  const html = await (await page.request.get('/login')).text()
  const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? '')
  expect(scripts.map((url) => new URL(url).pathname).toSorted()).toEqual(named.toSorted())
  const app = await (await page.request.get('/dashboard')).text()
  const main = /<script[^>]+src="(\/assets\/[^"]+\.js)"/.exec(app)?.[1]
  expect(main).toBeDefined()
  expect(named).not.toContain(main)
})

/** The product's URL on a brand's own host. */
const hostOf = (domain: string): string => `http://${domain}:${new URL(testEnvironment().url).port}`

/** Waits until the page shows an image from this path. */
const pictureLoaded = async (page: Page, path: string): Promise<void> => {
  await page.waitForFunction(
    (path) => [...document.images].some((image) => new URL(image.src).pathname === path && image.complete && image.naturalWidth > 0),
    path,
  )
}
