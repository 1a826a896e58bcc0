import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD, PHONE } from '../support/browser.ts'
import { collectApiRequests, requestLine } from '../support/api-requests.ts'
import { runCli } from '../support/command-line.ts'
import { eventually, currentPath, usePages } from '../support/pages.ts'
import { world } from '../support/world.ts'
import { getFromApi } from '../support/api.ts'
import { readStoredSession } from '../support/session.ts'

const { openPage, openPageAs } = usePages()
const INVALID_CODE_TEXT = 'This code is not valid, or it was used before.'
const LOADER_REQUESTS = [
  '/v1/ec/invoices',
  '/v1/ec/jasper-usage',
  '/v1/ec/jasper-usage/all',
  '/v1/ec/bundle-widget',
  '/v1/ec/opening-balance',
].map((path) => `GET ${path}`)

/** Creates a support link by the command line, and returns it with this world's origin. */
const createSupportLink = async (...args: string[]): Promise<string> => {
  const { url } = await runCli<{ url: string }>(world().dataDir, 'support-link', '--as', 'Sam Support', ...args)
  return world().url + url.slice(new URL(url).origin.length)
}

const fetchCustomers = async (page: Page): Promise<{ customerId: number; label: string }[]> =>
  (await getFromApi<{ customers: { customerId: number; label: string }[] }>(page, '/v1/ec/me')).customers

const requestTokens = async (username: string): Promise<object> => {
  const form = { grant_type: 'password', username, password: DEMO_PASSWORD, client_id: 'e2e', client_secret: 'e2e' }
  const answer = await fetch(`${world().url}/token`, { method: 'POST', body: new URLSearchParams(form) })
  return (await answer.json()) as object
}

test('[SUP-01][RL-01] a link opens the page that it names, for the customer that it names, in a session that says whose it is; End ends it, by keyboard', async () => {
  const customer = (await fetchCustomers(await openPageAs('demo')))[2]?.customerId ?? 0
  const link = await createSupportLink('--user', 'demo', '--customer', String(customer), '--redirect', '/invoices')
  expect(new URL(link).search).toBe(`?c=${customer}&r=%2Finvoices`)

  const page = await openPage()
  const requests = collectApiRequests(page)
  const openedPaths: string[] = []
  page.on('framenavigated', (frame) => openedPaths.push(new URL(frame.url()).pathname))
  await page.goto(link)
  await page.waitForURL('**/invoices')
  await page.getByRole('table', { name: 'Invoices' }).waitFor()
  expect([...new Set(openedPaths)].slice(1)).toEqual(['/redirect-loader', '/invoices'])
  expect(
    requests
      .map(requestLine)
      .filter((line) => LOADER_REQUESTS.includes(line))
      .toSorted(),
  ).toEqual(LOADER_REQUESTS.toSorted())
  const stored = await readStoredSession(page)
  expect(stored).toEqual({ auth: expect.any(String), superUser: 'true', customer: String(customer) })
  const claims = JSON.parse(atob(JSON.parse(stored.auth ?? '{}').access_token.split('.')[1]))
  expect(claims).toMatchObject({ su: true, act: { sub: 'Sam Support' } })
  expect(await fetchCustomers(page)).toMatchObject([{ customerId: customer }])

  const banner = page.getByRole('complementary', { name: 'Support session' })
  expect(((await banner.textContent()) ?? '').replaceAll(/\s+/g, ' ')).toContain(`Signed in by support as ${claims.DisplayName}`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('End')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Log In' }).waitFor()
  expect(await readStoredSession(page)).toEqual({ auth: null, superUser: null, customer: null })

  await page.goto(link)
  await page.getByRole('alert').getByText(INVALID_CODE_TEXT, { exact: true }).waitFor()
  expect(currentPath(page)).toBe('/login')
  await page.reload()
  await page.getByLabel('Username').waitFor()
  expect(await page.getByText(INVALID_CODE_TEXT).count()).toBe(0)
})

test('[SUP-01] on a phone a link without a page opens the dashboard; the banner stays in sight, and the password is out of reach', async () => {
  const page = await openPage({ viewport: PHONE, hasTouch: true })
  const link = await createSupportLink('--user', 'demo')
  for (const method of ['HEAD', 'GET']) expect((await fetch(link, { method })).status).toBe(200)
  await page.goto(link)
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { name: 'Bundles' }).waitFor()
  const end = page.getByRole('button', { name: 'End the support session' })
  await page.mouse.wheel(0, 4_000)
  await eventually(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
  expect((await end.boundingBox())?.y).toBeLessThan(56)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  await page.goto('/settings')
  await page.getByText('A support session cannot change the password.').waitFor()
  expect(await page.getByLabel('New Password', { exact: true }).count()).toBe(0)
  await end.tap()
  await page.getByRole('heading', { name: 'Log In' }).waitFor()
})

test('[SUP-01] an own session gives way to that of support, and is ended; a link that is no good leaves it as it is and says why', async () => {
  const page = await openPageAs('us')
  const ownSession = await readStoredSession(page)
  await page.goto('/la/nobody-was-given-this?r=/invoices')
  await page.getByRole('alert').getByText(INVALID_CODE_TEXT, { exact: true }).waitFor()
  expect(await readStoredSession(page)).toEqual(ownSession)
  await page.goto(await createSupportLink('--user', 'us'))
  await page.waitForURL('**/dashboard')
  await page.getByRole('complementary', { name: 'Support session' }).waitFor()
  const { access_token: token } = JSON.parse(ownSession.auth ?? '{}')
  expect((await page.request.get('/v1/ec/me', { headers: { authorization: `Bearer ${token}` } })).status()).toBe(401)
})

test('[SUP-01] a server that cannot be reached is told on the sign-in page', async () => {
  const page = await openPage()
  await page.route('**/token', (route) => route.abort())
  await page.goto('/la/whatever')
  await page.waitForURL('**/login')
  expect(await page.getByRole('alert').getByRole('paragraph').textContent()).not.toBe('')
})

test('[SUP-01] a `c` that is no number is no customer', async () => {
  const page = await openPage()
  const tokens = await requestTokens('demo')
  await page.route('**/token', (route) => route.fulfill({ json: tokens }))
  await page.goto('/la/any-code?c=1%3Balert')
  await page.waitForURL('**/dashboard')
  expect(String((await readStoredSession(page)).customer)).not.toContain('alert')
})

test('[RL-01] a spinner shows until every load has answered, and the loads that fail hold nobody up', async () => {
  const page = await openPageAs('demo')
  const releases: (() => void)[] = []
  await page.route('**/v1/ec/opening-balance', async (route) => {
    await new Promise<void>((resolve) => releases.push(resolve))
    await route.fulfill({ status: 500, json: { message: 'no' } })
  })
  for (const path of ['jasper-usage/all', 'bundle-widget'])
    await page.route(`**/v1/ec/${path}`, (route) => route.fulfill({ status: 500, json: { message: 'no' } }))
  await page.goto('/redirect-loader?r=/settings')
  await page.getByText('Loading your account').waitFor()
  await eventually(() => releases.length).toBe(1)
  expect(currentPath(page)).toBe('/redirect-loader?r=/settings')
  releases[0]?.()
  await page.getByRole('heading', { name: 'Change Password' }).waitFor()
  expect(currentPath(page)).toBe('/settings')
  expect(await page.getByText('Our server returned error').count()).toBe(0)
})

test('[RL-01] customers of other resellers ask for no data usage; a page that is not there says so', async () => {
  const page = await openPageAs('us')
  const requests = collectApiRequests(page)
  await page.goto('/redirect-loader?r=%2Fno-such-page%3Fa%3D1')
  await page.waitForURL('**/no-such-page?a=1')
  const lines = requests.map(requestLine)
  expect(lines).toContain('GET /v1/ec/bundle-widget')
  expect(lines.filter((line) => line.includes('jasper'))).toEqual([])
})

test('[RL-01] without a session the loader goes to sign-in and comes back', async () => {
  const page = await openPage()
  await page.goto('/redirect-loader?r=/invoices')
  await page.getByLabel('Username').fill('demo')
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('**/invoices')
})
