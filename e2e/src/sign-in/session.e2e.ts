import type { Customer } from '@counterfoil/contract/customers'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { callsOf, isRefresh, lineOf } from '../support/api-requests.ts'
import { answerTo, eventually, pathOf, people, storedSession } from '../support/people.ts'
import { world } from '../support/world.ts'

const { signedIn } = people()

const NOBODY = { auth: null, superUser: null, customer: null }
const TABS = 8

test('[SESS-02] while one refresh is under way the other calls wait, and then all of them are made again', async () => {
  const page = await signedIn('demo')
  await spoilAccessToken(page)
  const calls = callsOf(page)
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Bundles' }).waitFor()
  await page.getByText('Mobile minutes').waitFor()
  expect(calls.filter(isRefresh)).toHaveLength(1)
})

test('[SESS-02] calls that are refused at the same moment share one refresh', async () => {
  const page = await signedIn('demo')
  await page.goto('/invoices')
  await page.getByRole('table', { name: 'Invoices' }).waitFor()
  await spoilAccessToken(page)
  const calls = callsOf(page)
  const answers: [string, number][] = []
  page.on('response', (answer) => {
    answers.push([lineOf(answer.request()), answer.status()])
  })
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByText('Mobile minutes').waitFor()
  await page.getByRole('table', { name: 'Data usage' }).waitFor()

  expect(calls.filter(isRefresh)).toHaveLength(1)
  const together = ['GET /v1/ec/opening-balance', 'GET /v1/ec/bundle-widget', 'GET /v1/ec/jasper-usage', 'GET /v1/ec/jasper-usage/all']
  for (const line of together) {
    const statuses = answers.filter(([answered]) => answered === line).map(([, status]) => status)
    expect({ line, statuses }).toEqual({ line, statuses: [401, 200] })
  }
})

test('[SESS-02] tabs whose token runs out at the same moment stay signed in with at most one refresh each', async () => {
  const first = await signedIn('demo')
  const others = await Promise.all(Array.from({ length: TABS - 1 }, () => first.context().newPage()))
  const tabs = [first, ...others]
  for (const tab of others) {
    await tab.goto('/dashboard')
    await tab.getByRole('heading', { name: 'Bundles' }).waitFor()
  }
  await spoilAccessToken(first)
  const calls = tabs.map(callsOf)
  await Promise.all(tabs.map((tab) => tab.reload()))
  for (const tab of tabs) await tab.getByText('Mobile minutes').waitFor()

  expect(tabs.map(pathOf)).toEqual(tabs.map(() => '/dashboard'))
  expect(Math.max(...calls.map((ofTab) => ofTab.filter(isRefresh).length))).toBeLessThanOrEqual(1)
  expect(calls.flat().filter(isRefresh).length).toBeGreaterThanOrEqual(1)
  await first.reload()
  await first.getByRole('heading', { name: 'Bundles' }).waitFor()
})

test('[SESS-03] a refused refresh forgets the session and lands on the sign-in page, which comes back', async () => {
  const page = await signedIn('demo')
  await page.evaluate(() =>
    localStorage.setItem(
      'auth',
      (localStorage.getItem('auth') ?? '').replaceAll(/"(access_token|refresh_token)":"[^"]{12}/g, '"$1":"spoilt'),
    ),
  )
  await page.goto('/invoices')
  await page.waitForURL('**/login?r=%2Finvoices')
  expect(await storedSession(page)).toEqual(NOBODY)
})

test('[SESS-03] a session that was ended on the server is forgotten at the next call', async () => {
  const page = await signedIn('demo')
  const status = await revoke(page, (await storedTokens(page)).refresh_token)
  expect(status).toBe(200)
  const calls = callsOf(page)
  await page.goto('/invoices')
  await page.waitForURL('**/login?r=%2Finvoices')
  expect(calls.filter(isRefresh)).toHaveLength(1)
  expect(await storedSession(page)).toEqual(NOBODY)
  await page.getByLabel('Username').waitFor()
})

test('[SESS-03] a server that cannot be reached does not end the session', async () => {
  const page = await signedIn('demo')
  await spoilAccessToken(page)
  await page.route('**/token', (route) => route.abort())
  await page.goto('/invoices')
  await page.getByRole('heading', { name: 'We could not load your account' }).waitFor()
  expect((await storedSession(page)).auth).not.toBeNull()
  await page.unroute('**/token')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Invoices' }).waitFor()
})

test('[SESS-04] Log Out in the Settings menu forgets the session here and ends it on the server', async () => {
  const page = await signedIn('demo')
  const session = await wholeSession(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await page.waitForURL('**/login')
  await page.getByLabel('Username').waitFor()
  expect(await storedSession(page)).toEqual(NOBODY)
  await isOver(session)
})

test('[SESS-04] the address /logout does the same, and what was open in another tab goes to the sign-in page', async () => {
  const page = await signedIn('demo')
  const other = await page.context().newPage()
  await other.goto('/invoices')
  await other.getByRole('table', { name: 'Invoices' }).waitFor()
  const session = await wholeSession(page)
  await page.goto('/logout')
  await page.waitForURL('**/login')
  expect(await storedSession(page)).toEqual(NOBODY)
  await other.waitForURL('**/login?r=%2Finvoices')
  await isOver(session)
})

test('[SESS-05] the start asks for me, then settings, then payment details, and marks the chosen customer', async () => {
  const page = await signedIn('demo')
  await page.evaluate(() => localStorage.removeItem('current_customer_id'))
  await page.goto('about:blank') // the dashboard's own calls end here
  const calls = callsOf(page)
  await page.goto('/settings')
  await page.getByRole('heading', { name: 'Change Password', level: 1 }).waitFor()
  await eventually(() => calls.map(lineOf)).toContain('GET /v1/ec/payments/details')

  const asked = calls.map(lineOf).filter((line) => line.startsWith('GET /v1/ec/'))
  expect(asked.slice(0, 3)).toEqual(['GET /v1/ec/me', 'GET /v1/ec/settings', 'GET /v1/ec/payments/details'])
  const { customer } = await storedSession(page)
  const { customers } = await answerTo<{ customers: Customer[] }>(page, '/v1/ec/me')
  expect(Number(customer)).toBe(customers.find(({ selected }) => selected)?.customerId)
  const settings = calls.find((call) => lineOf(call) === 'GET /v1/ec/settings')
  expect(settings?.headers()['x-customer-id']).toBe(customer)
})

test('[SESS-05] a stored customer is kept; one that is not among mine gives way to the selected one', async () => {
  const page = await signedIn('demo')
  const { customers } = await answerTo<{ customers: Customer[] }>(page, '/v1/ec/me')
  const other = customers.find(({ selected }) => !selected)
  const selected = customers.find(({ selected }) => selected)
  for (const [stored, chosen] of [
    [other?.customerId, other],
    [999_999_999, selected],
  ] as const) {
    await page.evaluate((id) => localStorage.setItem('current_customer_id', String(id)), stored)
    await page.goto('/dashboard')
    await page
      .getByRole('main')
      .getByText(chosen?.label ?? '')
      .waitFor()
    expect((await storedSession(page)).customer).toBe(String(chosen?.customerId))
  }
})

test('[SESS-06] a refresh stores the next refresh token', async () => {
  const page = await signedIn('demo')
  const before = await storedTokens(page)
  await spoilAccessToken(page)
  await page.goto('/settings')
  await page.getByRole('heading', { name: 'Change Password', level: 1 }).waitFor()
  const after = await storedTokens(page)
  expect(after.refresh_token).not.toBe(before.refresh_token)
  expect(after.access_token).not.toBe(before.access_token)
})

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const storedTokens = async (page: Page): Promise<Tokens> => JSON.parse((await storedSession(page)).auth ?? '{}')

/** Breaks the signature of the stored access token: it can still be read, and every call with it is refused. */
const spoilAccessToken = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const auth = JSON.parse(localStorage.getItem('auth') ?? '{}')
    const [head, claims] = auth.access_token.split('.')
    localStorage.setItem('auth', JSON.stringify({ ...auth, access_token: `${head}.${claims}.spoilt` }))
  })

const client = { client_id: 'counterfoil-portal', client_secret: 'counterfoil-portal' }

const revoke = async (page: Page, token: string): Promise<number> => {
  const answer = await page.request.post('/revoke', { form: { token, ...client }, headers: { origin: world().url } })
  return answer.status()
}

interface WholeSession extends Tokens {
  readonly cookie: string
}

/** Everything that a thief could have taken while the session lived: the tokens, and the cookie that a refresh needs. */
const wholeSession = async (page: Page): Promise<WholeSession> => {
  const cookies = await page.context().cookies()
  return { ...(await storedTokens(page)), cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
}

/** None of it is good for anything any more. */
const isOver = async ({ access_token, refresh_token, cookie }: WholeSession): Promise<void> => {
  const call = await fetch(`${world().url}/v1/ec/me`, { headers: { authorization: `Bearer ${access_token}` } })
  expect(call.status).toBe(401)
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...client })
  const refresh = await fetch(`${world().url}/token`, { method: 'POST', body, headers: { cookie } })
  expect(refresh.status).toBe(400)
}
