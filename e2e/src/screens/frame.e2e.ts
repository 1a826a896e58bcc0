import type { Customer } from '@counterfoil/contract/customers'
import type { Invoice } from '@counterfoil/contract/invoices'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PHONE } from '../support/browser.ts'
import { callsOf } from '../support/api-requests.ts'
import { answerTo, eventually, pathOf, people, storedSession } from '../support/people.ts'

const { person, signedIn } = people()

const SWITCH = /Customer$/

test('[NAV-01] the root goes to the first section that the brand shows', async () => {
  const everything = await signedIn('demo')
  await everything.goto('/')
  await everything.waitForURL('**/dashboard')
  const little = await signedIn('none')
  await little.goto('/')
  await little.waitForURL('**/invoices')
})

test('[NAV-02] a brand without the dashboard has neither its menu entry, nor its screen, nor its calls', async () => {
  const page = await signedIn('none')
  expect(await menuOf(page)).not.toContain('Dashboard')
  expect(await menuOf(page)).toContain('Invoices')
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  const { auth, customer } = await storedSession(page)
  const { access_token: token } = JSON.parse(auth ?? '{}')
  const headers = { authorization: `Bearer ${token}`, 'x-customer-id': customer ?? '' }
  expect((await page.request.get('/v1/ec/opening-balance', { headers })).status()).toBe(404)
})

test('[NAV-02] a brand with everything has dashboard and invoices in its menu, in that order', async () => {
  const page = await signedIn('demo')
  expect((await menuOf(page)).slice(0, 2)).toEqual(['Dashboard', 'Invoices'])
  await page.getByRole('link', { name: 'Invoices', exact: true }).click()
  await page.getByRole('heading', { name: 'Invoices', level: 1 }).waitFor()
  expect(await page.getByRole('link', { name: 'Invoices', exact: true }).getAttribute('aria-current')).toBe('page')
})

test('[NAV-03] invoices carry the label of the portal settings in the menu, the title and the grid', async () => {
  const page = await signedIn('eu')
  await page.getByRole('link', { name: 'Rechnungen', exact: true }).click()
  await page.getByRole('heading', { name: 'Rechnungen', level: 1 }).waitFor()
  await page.getByRole('columnheader', { name: 'Rechnung', exact: true }).waitFor()
  expect(await page.title()).toMatch(/^Rechnungen · Rhein Datennetz/)
})

test('[NAV-04] the header shows logo, display name and the Settings menu', async () => {
  const page = await signedIn('demo')
  const header = page.getByRole('banner')
  expect(await header.getByText('Mara Holt').isVisible()).toBe(true)
  await header.getByRole('button', { name: 'Settings' }).click()
  const entries = await page.getByRole('menuitem').allTextContents()
  expect([entries[0], entries.at(-1)]).toEqual(['Change Password', 'Log Out'])
  await page.getByRole('menuitem', { name: 'Change Password' }).click()
  await page.waitForURL('**/settings')
  await header.getByRole('link', { name: 'Nimbus Mobile Data' }).click()
  await page.waitForURL('**/dashboard')
})

test('[NAV-04] the Settings menu opens, moves and closes by keyboard and gives the focus back', async () => {
  const page = await signedIn('demo')
  const settings = page.getByRole('button', { name: 'Settings' })
  await settings.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Change Password' }).waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => page.getByRole('menu').count()).toBe(0)
  await eventually(() => hasFocus(page, 'Settings')).toBe(true)
  await page.keyboard.press('ArrowDown')
  await page.getByRole('menuitem', { name: 'Change Password' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/settings')
})

test('[NAV-04] on a phone a burger menu holds sections, customer and settings, and closes on Escape and on going somewhere', async () => {
  const page = await signedIn('demo', { viewport: PHONE })
  const burger = page.getByRole('button', { name: 'Menu' })
  expect(await burger.getAttribute('aria-expanded')).toBe('false')
  await burger.click()
  expect(await menuOf(page)).toContain('Invoices')
  await page.getByRole('banner').getByRole('button', { name: SWITCH }).waitFor()
  await page.getByRole('banner').getByText('Mara Holt').waitFor()
  await page.getByRole('link', { name: 'Log Out' }).waitFor()

  await page.keyboard.press('Escape')
  await eventually(() => burger.getAttribute('aria-expanded')).toBe('false')
  expect(await hasFocus(page, 'Menu')).toBe(true)

  await burger.click()
  await page.getByRole('link', { name: 'Change Password' }).click()
  await page.waitForURL('**/settings')
  await eventually(() => burger.getAttribute('aria-expanded')).toBe('false')
})

test('[NAV-04] tokens without a display name count as no session', async () => {
  const page = await signedIn('demo')
  await page.evaluate(() => {
    const claims = btoa(JSON.stringify({ sub: '1', BrandId: 2204, DisplayName: '' })).replaceAll('=', '')
    localStorage.setItem('auth', JSON.stringify({ access_token: `e30.${claims}.x`, refresh_token: 'none' }))
  })
  await page.goto('/dashboard')
  await page.waitForURL('**/login?r=%2Fdashboard')
  await page.getByLabel('Username').waitFor()
})

test('[NAV-05] choosing another customer stores it, loads the page anew, and every later call carries it', async () => {
  const page = await signedIn('demo')
  const { customers } = await answerTo<{ customers: Customer[] }>(page, '/v1/ec/me')
  expect(customers).toHaveLength(3)
  const other = customers.find(({ selected }) => !selected)
  await page.goto('/invoices')
  await page.getByRole('table', { name: 'Invoices' }).waitFor()
  const before = await page.getByRole('rowheader').first().textContent()

  await page.getByRole('banner').getByRole('button', { name: SWITCH }).click()
  const calls = callsOf(page)
  const loaded = page.waitForEvent('load')
  await page.getByRole('option', { name: other?.label ?? '' }).click()
  await loaded
  await page.getByRole('table', { name: 'Invoices' }).waitFor()

  expect((await storedSession(page)).customer).toBe(String(other?.customerId))
  expect(pathOf(page)).toBe('/invoices')
  await page
    .getByRole('banner')
    .getByRole('button', { name: other?.label ?? '' })
    .waitFor()
  expect(await page.getByRole('rowheader').first().textContent()).not.toBe(before)
  const signedInCalls = calls.filter((call) => call.url().includes('/v1/ec/'))
  expect(signedInCalls.length).toBeGreaterThan(3)
  expect(new Set(signedInCalls.map((call) => call.headers()['x-customer-id']))).toEqual(new Set([String(other?.customerId)]))
})

test('[NAV-05] a long customer name keeps to its place in the header and is whole for a screen reader', async () => {
  const page = await signedIn('demo')
  const chosen = page.getByRole('banner').getByRole('button', { name: /Harbourline Freight & Cold Chain Logistics \(Australia\) Pty Ltd/ })
  const settings = page.getByRole('banner').getByRole('button', { name: 'Settings' })
  const [left, right] = [await chosen.boundingBox(), await settings.boundingBox()]
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0)
  expect((right?.x ?? 0) + (right?.width ?? 0)).toBeLessThanOrEqual(1440)
})

test('[NAV-05] a user of one customer has no switch', async () => {
  const page = await signedIn('none')
  expect(await page.getByRole('banner').getByRole('button', { name: SWITCH }).count()).toBe(0)
})

test('[NAV-07] an unknown path shows the not-found screen, signed in or not', async () => {
  for (const page of [await signedIn('demo'), await person()]) {
    await page.goto('/no/such/page')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(pathOf(page)).toBe('/no/such/page')
    await page.getByRole('link', { name: 'Go to the start page' }).waitFor()
  }
})

test('[NAV-08] settings and logout are open whatever the brand shows', async () => {
  const page = await signedIn('none')
  await page.goto('/settings')
  await page.getByRole('heading', { name: 'Change Password', level: 1 }).waitFor()
  await page.goto('/logout')
  await page.waitForURL('**/login')
})

test('[BRAND-01] the signed-in portal wears the logo and the colours of its brand', async () => {
  const worn: unknown[] = []
  for (const username of ['demo', 'eu']) {
    const page = await signedIn(username)
    worn.push(await page.evaluate(() => document.documentElement.style.getPropertyValue('--primary')))
    await page.waitForFunction(() => [...document.images].some(({ src, naturalWidth }) => src.endsWith('/logo') && naturalWidth > 0))
    worn.push(await page.evaluate(() => document.images[0]?.getAttribute('src')))
  }
  expect(worn).toEqual(['#1261c9', '/brand-images/2204/logo', '#0b6b4f', '/brand-images/3003/logo'])
})

test('[BRAND-01] a primary colour that is too pale for a button is darkened, its hue kept', async () => {
  const page = await signedIn('bpoint')
  const worn = await page.evaluate(() => document.documentElement.style.getPropertyValue('--primary'))
  expect(worn).toMatch(/^#[0-9a-f]{6}$/)
  expect(worn).not.toBe('#ffe27a')
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(worn.slice(at, at + 2), 16))
  expect(red).toBeGreaterThan(green)
  expect(green).toBeGreaterThan(blue)
})

test("[BRAND-02][BRAND-03] dates, numbers and money follow the browser's language", async () => {
  const written: Record<string, readonly (string | null)[]> = {}
  const expected: Record<string, readonly string[]> = {}
  for (const locale of ['de-DE', 'en-US', 'en-AU']) {
    const page = await signedIn('eu', { locale })
    await page.goto('/invoices')
    const row = page.getByRole('row').nth(1)
    await row.waitFor()
    const [newest] = await answerTo<Invoice[]>(page, '/v1/ec/invoices')
    const cells = await row.getByRole('cell').allTextContents()
    written[locale] = ['Issued', 'Amount'].map((label) => cells.find((cell) => cell.startsWith(label))?.slice(label.length) ?? null)
    const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    expected[locale] = [day.format(new Date(newest?.dateInvoice ?? '')), `€${money.format(newest?.amount ?? 0)}`]
  }
  expect(written).toEqual(expected)
  expect(written['de-DE']?.[1]).toMatch(/,\d\d$/)
  expect(written['en-US']?.[1]).toMatch(/\.\d\d$/)
})

test('[BRAND-02] a day is the same day everywhere on earth', async () => {
  const days: (string | null)[] = []
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const page = await signedIn('demo', { timezoneId })
    await page.goto('/invoices')
    await page.getByRole('table', { name: 'Invoices' }).waitFor()
    days.push(await page.getByRole('row').nth(1).getByRole('cell').filter({ hasText: 'Issued' }).textContent())
  }
  expect(days[0]).toBe(days[1])
})

test('[BRAND-03] money has thousands separators and two decimals', async () => {
  const page = await signedIn('demo')
  await page.goto('/invoices')
  await page.getByRole('table', { name: 'Invoices' }).waitFor()
  const amounts = await page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
    .evaluateAll((rows) =>
      rows.map((row) => {
        const cell = [...row.querySelectorAll('td')].find(({ firstChild }) => firstChild?.textContent === 'Amount')
        return cell?.lastChild?.textContent ?? ''
      }),
    )
  const invoices = await answerTo<Invoice[]>(page, '/v1/ec/invoices')
  expect(amounts).toHaveLength(invoices.length)
  expect(amounts.filter((amount) => !/^-?A\$\d{1,3}(,\d{3})*\.\d\d$/.test(amount))).toEqual([])
  expect(amounts.some((amount) => amount.includes(','))).toBe(true)
})

/** The names of the sections in the menu. */
const menuOf = (page: Page): Promise<string[]> => page.getByRole('navigation', { name: 'Sections' }).getByRole('link').allTextContents()

/** Does the element of this name have the focus? */
const hasFocus = (page: Page, name: string): Promise<boolean> =>
  page.getByRole('button', { name }).evaluate((element) => element === document.activeElement)
