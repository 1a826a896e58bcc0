import type { Customer } from '@counterfoil/contract/customers'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { collectApiRequests, isTokenRefresh, requestLine } from '../support/api-requests.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { getFromApi } from '../support/api.ts'
import { readStoredSession } from '../support/session.ts'

const { signInAs } = usePages()

const NO_SESSION = { auth: null, superUser: null, customer: null }
const TABS = 4

test('[SESS-02][SESS-03][SESS-06] a server that cannot be reached does not end the session; then one refresh serves all calls that wait for it, and its next refresh token is stored', async () => {
  const page = await signInAs('demo')
  const before = await readStoredTokens(page)
  await tamperWithAccessToken(page)
  const requests = collectApiRequests(page)
  const stopFailing = await failRequests(page, '**/token', (route) => route.abort())
  await page.goto('/invoices')
  await expect(page.getByRole('heading', { name: 'We could not load your account' })).toBeVisible()
  expect((await readStoredSession(page)).auth).not.toBeNull()
  stopFailing()
  requests.length = 0
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()
  expect(requests.filter(isTokenRefresh)).toHaveLength(1)
  const after = await readStoredTokens(page)
  expect(after.refresh_token).not.toBe(before.refresh_token)
  expect(after.access_token).not.toContain('spoilt')

  // Calls that are refused at the same moment.
  await tamperWithAccessToken(page)
  requests.length = 0
  const answers = await holdRefreshUntilRefused(page, [
    'GET /v1/ec/opening-balance',
    'GET /v1/ec/bundle-widget',
    'GET /v1/ec/jasper-usage',
    'GET /v1/ec/jasper-usage/all',
  ])
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByText('Mobile minutes')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Data usage' })).toBeVisible()
  expect(requests.filter(isTokenRefresh)).toHaveLength(1)
  await expect.poll(answers).toEqual([401, 200, 401, 200, 401, 200, 401, 200])
})

test('[SESS-02] tabs whose token runs out at the same moment stay signed in with at most one refresh each', async () => {
  const first = await signInAs('demo')
  const others = await Promise.all(Array.from({ length: TABS - 1 }, () => first.context().newPage()))
  const tabs = [first, ...others]
  await tamperWithAccessToken(first)
  const requests = tabs.map(collectApiRequests)
  await Promise.all(tabs.map((tab) => tab.goto('/dashboard')))
  for (const tab of tabs) await expect(tab.getByText('Mobile minutes')).toBeVisible()

  for (const tab of tabs) await expect(tab).toHaveURL('/dashboard')
  expect(Math.max(...requests.map((ofTab) => ofTab.filter(isTokenRefresh).length))).toBeLessThanOrEqual(1)
  expect(requests.flat().filter(isTokenRefresh).length).toBeGreaterThanOrEqual(1)
  expect((await readStoredTokens(first)).access_token).not.toContain('spoilt')
})

test('[SESS-03] a session that was ended on the server is forgotten at the next call, on the sign-in page, which comes back', async () => {
  const page = await signInAs('demo')
  const status = await revokeToken(page, (await readStoredTokens(page)).refresh_token)
  expect(status).toBe(200)
  const requests = collectApiRequests(page)
  await page.goto('/invoices')
  await expect(page).toHaveURL('/login?r=%2Finvoices')
  expect(requests.filter(isTokenRefresh)).toHaveLength(1)
  await expect.poll(() => readStoredSession(page)).toEqual(NO_SESSION)
  await expect(page.getByLabel('Username')).toBeVisible()
})

test('[SESS-04][SESS-05] a stored customer is kept; Log Out in the Settings menu forgets the session here and ends it on the server', async () => {
  const page = await signInAs('demo')
  const { customers } = await getFromApi<{ customers: Customer[] }>(page, '/v1/ec/me')
  const other = customers.find(({ selected }) => !selected)
  await page.evaluate((id) => localStorage.setItem('current_customer_id', String(id)), other?.customerId)
  await page.goto('/dashboard')
  await expect(page.getByRole('main').getByText(other?.label ?? '')).toBeVisible()
  expect((await readStoredSession(page)).customer).toBe(String(other?.customerId))

  const session = await readFullSession(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByLabel('Username')).toBeVisible()
  await expect.poll(() => readStoredSession(page)).toEqual(NO_SESSION)
  await expectEnded(session)
})

test('[SESS-04][SESS-05] the start asks for me, then settings, then payment details, and marks the chosen customer; the address /logout signs out every tab', async () => {
  const page = await signInAs('demo')
  const requests = collectApiRequests(page)
  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'Change Password', level: 1 })).toBeVisible()
  await expect.poll(() => requests.map(requestLine)).toContain('GET /v1/ec/payments/details')
  const requestLines = requests.map(requestLine).filter((line) => line.startsWith('GET /v1/ec/'))
  expect(requestLines.slice(0, 3)).toEqual(['GET /v1/ec/me', 'GET /v1/ec/settings', 'GET /v1/ec/payments/details'])
  const { customer } = await readStoredSession(page)
  const { customers } = await getFromApi<{ customers: Customer[] }>(page, '/v1/ec/me')
  expect(Number(customer)).toBe(customers.find(({ selected }) => selected)?.customerId)
  const settings = requests.find((call) => requestLine(call) === 'GET /v1/ec/settings')
  expect(settings?.headers()['x-customer-id']).toBe(customer)

  await page.getByRole('link', { name: 'Invoices' }).click()
  await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()
  const session = await readFullSession(page)
  const other = await page.context().newPage()
  await other.goto('/logout')
  await expect(other).toHaveURL('/login')
  await expect.poll(() => readStoredSession(other)).toEqual(NO_SESSION)
  await expect(page).toHaveURL('/login?r=%2Finvoices')
  await expectEnded(session)
})

/**
 * Holds refreshes back until all these calls are refused, so that on a slow machine none comes after it.
 * @returns a function that reads the status of every answer to them, call by call
 */
const holdRefreshUntilRefused = async (page: Page, lines: readonly string[]): Promise<() => number[]> => {
  const answers: [string, number][] = []
  page.on('response', (answer) => answers.push([requestLine(answer.request()), answer.status()]))
  const statusesOf = (line: string): number[] => answers.filter(([answered]) => answered === line).map(([, status]) => status)
  await page.route('**/token', async (route) => {
    await expect.poll(() => lines.filter((line) => statusesOf(line).includes(401))).toEqual(lines)
    await route.continue()
  })
  return () => lines.flatMap(statusesOf)
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const readStoredTokens = async (page: Page): Promise<Tokens> => JSON.parse((await readStoredSession(page)).auth ?? '{}')

/** Breaks the signature of the stored access token. Its claims can still be read, and the server refuses it. */
const tamperWithAccessToken = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const auth = JSON.parse(localStorage.getItem('auth') ?? '{}')
    const [head, claims] = auth.access_token.split('.')
    localStorage.setItem('auth', JSON.stringify({ ...auth, access_token: `${head}.${claims}.spoilt` }))
  })

const client = { client_id: 'counterfoil-portal', client_secret: 'counterfoil-portal' }

const revokeToken = async (page: Page, token: string): Promise<number> => {
  const answer = await page.request.post('/revoke', { form: { token, ...client }, headers: { origin: testEnvironment().url } })
  return answer.status()
}

interface FullSession extends Tokens {
  readonly cookie: string
}

/** All that somebody could have stolen of a session: the tokens, and the cookie that a refresh needs. */
const readFullSession = async (page: Page): Promise<FullSession> => {
  const cookies = await page.context().cookies()
  return { ...(await readStoredTokens(page)), cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
}

/** Expects that the server accepts neither the access token nor the refresh token. */
const expectEnded = async ({ access_token, refresh_token, cookie }: FullSession): Promise<void> => {
  const call = await fetch(`${testEnvironment().url}/v1/ec/me`, { headers: { authorization: `Bearer ${access_token}` } })
  expect(call.status).toBe(401)
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...client })
  const refresh = await fetch(`${testEnvironment().url}/token`, { method: 'POST', body, headers: { cookie } })
  expect(refresh.status).toBe(400)
}
