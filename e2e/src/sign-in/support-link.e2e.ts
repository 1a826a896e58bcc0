import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { PHONE, submitSignIn } from '../support/browser.ts'
import { collectApiRequests, requestLine } from '../support/api-requests.ts'
import { runCli } from '../support/command-line.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { navigateInApp, usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { getFromApi } from '../support/api.ts'
import { readStoredSession } from '../support/session.ts'

const { openPage, signInAs } = usePages()
const INVALID_CODE_TEXT = 'This code is not valid, or it was used before.'
const LOADER_REQUESTS = [
  '/v1/ec/invoices',
  '/v1/ec/jasper-usage',
  '/v1/ec/jasper-usage/all',
  '/v1/ec/bundle-widget',
  '/v1/ec/opening-balance',
].map((path) => `GET ${path}`)

/** Creates a support link by the command line, and returns it with this product's origin. */
const createSupportLink = async (...args: string[]): Promise<string> => {
  const { url } = await runCli<{ url: string }>(testEnvironment().dataDir, 'support-link', '--as', 'Sam Support', ...args)
  return testEnvironment().url + url.slice(new URL(url).origin.length)
}

const fetchCustomers = async (page: Page): Promise<{ customerId: number; label: string }[]> =>
  (await getFromApi<{ customers: { customerId: number; label: string }[] }>(page, '/v1/ec/me')).customers

test('[SUP-01][RL-01] a link opens the page that it names, for the customer that it names, in a session that says whose it is; End ends it, by keyboard', async () => {
  const customer = (await fetchCustomers(await signInAs('demo')))[2]?.customerId ?? 0
  const link = await createSupportLink('--user', 'demo', '--customer', String(customer), '--redirect', '/invoices')
  expect(new URL(link).search).toBe(`?c=${customer}&r=%2Finvoices`)

  const page = await openPage()
  const requests = collectApiRequests(page)
  const openedPaths: string[] = []
  page.on('framenavigated', (frame) => openedPaths.push(new URL(frame.url()).pathname))
  await page.goto(link)
  await expect(page).toHaveURL('/invoices')
  await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()
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
  const readBanner = async () => ((await banner.textContent()) ?? '').replaceAll(/\s+/g, ' ')
  await expect.poll(readBanner).toContain(`Signed in by support as ${claims.DisplayName}`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('End')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Log In' })).toBeVisible()
  await expect.poll(() => readStoredSession(page)).toEqual({ auth: null, superUser: null, customer: null })

  await page.goto(link)
  await expect(page.getByRole('alert').getByText(INVALID_CODE_TEXT, { exact: true })).toBeVisible()
  await expect(page).toHaveURL('/login')
  await page.reload()
  await expect(page.getByLabel('Username')).toBeVisible()
  await expect(page.getByText(INVALID_CODE_TEXT)).toHaveCount(0)
})

test('[SUP-01] on a phone a link without a page opens the dashboard; the banner stays in sight, and the password is out of reach', async () => {
  const page = await openPage({ viewport: PHONE, hasTouch: true })
  const link = await createSupportLink('--user', 'demo')
  for (const method of ['HEAD', 'GET']) expect((await fetch(link, { method })).status).toBe(200)
  await page.goto(link)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { name: 'Bundles' })).toBeVisible()
  const end = page.getByRole('button', { name: 'End the support session' })
  await page.mouse.wheel(0, 4_000)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
  await expect.poll(async () => (await end.boundingBox())?.y).toBeLessThan(56)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  await navigateInApp(page, '/settings')
  await expect(page.getByText('A support session cannot change the password.')).toBeVisible()
  await expect(page.getByLabel('New Password', { exact: true })).toHaveCount(0)
  await end.tap()
  await expect(page.getByRole('heading', { name: 'Log In' })).toBeVisible()
})

test('[SUP-01][RL-01] an own session gives way to that of support, and is ended; a link that is no good, or a server out of reach, leaves it as it is and says why', async () => {
  const page = await signInAs('us')
  const ownSession = await readStoredSession(page)
  const alert = page.getByRole('alert').getByRole('paragraph')
  const stopFailing = await failRequests(page, '**/token', (route) => route.abort())
  await page.goto('/la/whatever')
  await expect(page).toHaveURL('/login')
  await expect(alert).toHaveText(/\S/)
  stopFailing()
  await page.goto('/la/nobody-was-given-this?r=/invoices')
  await expect(alert).toHaveText(INVALID_CODE_TEXT)
  await expect.poll(() => readStoredSession(page)).toEqual(ownSession)

  // The loader asks for no data usage for customers of this reseller.
  const requests = collectApiRequests(page)
  await page.goto(await createSupportLink('--user', 'us', '--redirect', '/no-such-page?a=1'))
  await expect(page).toHaveURL('/no-such-page?a=1')
  await expect(page.getByRole('complementary', { name: 'Support session' })).toBeVisible()
  const lines = requests.map(requestLine)
  expect(lines).toContain('GET /v1/ec/bundle-widget')
  expect(lines.filter((line) => line.includes('jasper'))).toEqual([])
  const { access_token: token } = JSON.parse(ownSession.auth ?? '{}')
  expect((await page.request.get('/v1/ec/me', { headers: { authorization: `Bearer ${token}` } })).status()).toBe(401)
})

test('[RL-01] without a session the loader goes to sign-in and comes back; a spinner shows until every load has answered, and the loads that fail hold nobody up', async () => {
  const page = await openPage()
  const releases: (() => void)[] = []
  await page.route('**/v1/ec/opening-balance', async (route) => {
    await new Promise<void>((resolve) => releases.push(resolve))
    await route.fulfill({ status: 500, json: { message: 'no' } })
  })
  for (const path of ['jasper-usage/all', 'bundle-widget'])
    await page.route(`**/v1/ec/${path}`, (route) => route.fulfill({ status: 500, json: { message: 'no' } }))
  await page.goto('/redirect-loader?r=/settings')
  await submitSignIn(page, 'demo')
  await expect(page.getByText('Loading your account')).toBeVisible()
  await expect.poll(() => releases.length).toBe(1)
  await expect(page).toHaveURL('/redirect-loader?r=/settings')
  releases[0]?.()
  await expect(page.getByRole('heading', { name: 'Change Password' })).toBeVisible()
  await expect(page).toHaveURL('/settings')
  await expect(page.getByText('Our server returned error')).toHaveCount(0)
})
