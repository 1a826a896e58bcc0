import type { Customer } from '@counterfoil/contract/customers'
import type { Invoice } from '@counterfoil/contract/invoices'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { PHONE } from '../support/browser.ts'
import { collectApiRequests } from '../support/api-requests.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { getFromApi } from '../support/api.ts'
import { readStoredSession } from '../support/session.ts'

const { openPage, openPageAs, signInAs } = usePages()

const CUSTOMER_SWITCH = /Customer$/

test('[NAV-01] the root goes to the first section that the brand shows', async () => {
  const everything = await openPageAs('demo')
  await expect(everything).toHaveURL('/dashboard')
  const limited = await openPageAs('none')
  await expect(limited).toHaveURL('/invoices')
})

test('[NAV-02] a brand without the dashboard has neither its menu entry, nor its screen, nor its calls', async () => {
  const page = await openPageAs('none')
  await expect.poll(() => readMenu(page)).toContain('Invoices')
  expect(await readMenu(page)).not.toContain('Dashboard')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  const { auth, customer } = await readStoredSession(page)
  const { access_token: token } = JSON.parse(auth ?? '{}')
  const headers = { authorization: `Bearer ${token}`, 'x-customer-id': customer ?? '' }
  expect((await page.request.get('/v1/ec/opening-balance', { headers })).status()).toBe(404)
})

test('[NAV-02] a brand with everything has dashboard and invoices in its menu, in that order', async () => {
  const page = await openPageAs('demo')
  await expect.poll(async () => (await readMenu(page)).slice(0, 2)).toEqual(['Dashboard', 'Invoices'])
  await page.getByRole('link', { name: 'Invoices', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Invoices', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Invoices', exact: true })).toHaveAttribute('aria-current', 'page')
})

test('[NAV-03] invoices carry the label of the portal settings in the menu, the title and the grid', async () => {
  const page = await openPageAs('eu')
  await page.getByRole('link', { name: 'Rechnungen', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Rechnungen', level: 1 })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Rechnung', exact: true })).toBeVisible()
  await expect(page).toHaveTitle(/^Rechnungen · Rhein Datennetz/)
})

test('[NAV-04] the header shows logo, display name and the Settings menu', async () => {
  const page = await openPageAs('demo')
  const header = page.getByRole('banner')
  await expect(header.getByText('Mara Holt')).toBeVisible()
  await header.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('menuitem').first()).toHaveText('Profile')
  await expect(page.getByRole('menuitem').last()).toHaveText('Log Out')
  await page.getByRole('menuitem', { name: 'Change Password' }).click()
  await expect(page).toHaveURL('/settings')
  await header.getByRole('link', { name: 'Nimbus Mobile Data' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('[NAV-04] the Settings menu opens, moves and closes by keyboard and gives the focus back', async () => {
  const page = await openPageAs('demo')
  const settings = page.getByRole('button', { name: 'Settings' })
  await settings.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Change Password' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect.poll(() => hasFocus(page, 'Settings')).toBe(true)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Change Password' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/profile')
})

test('[NAV-04] on a phone a burger menu holds sections, customer and settings, and closes on Escape and on going somewhere', async () => {
  const page = await openPageAs('demo', undefined, { viewport: PHONE })
  const burger = page.getByRole('button', { name: 'Menu' })
  await expect(burger).toHaveAttribute('aria-expanded', 'false')
  await burger.click()
  await expect.poll(() => readMenu(page)).toContain('Invoices')
  await expect(page.getByRole('banner').getByRole('button', { name: CUSTOMER_SWITCH })).toBeVisible()
  await expect(page.getByRole('banner').getByText('Mara Holt')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Log Out' })).toBeVisible()

  await page.keyboard.press('Escape')
  await expect(burger).toHaveAttribute('aria-expanded', 'false')
  await expect.poll(() => hasFocus(page, 'Menu')).toBe(true)

  await burger.click()
  await page.getByRole('link', { name: 'Change Password' }).click()
  await expect(page).toHaveURL('/settings')
  await expect(burger).toHaveAttribute('aria-expanded', 'false')
})

test('[NAV-04] tokens without a display name count as no session', async () => {
  const page = await signInAs('demo')
  await page.evaluate(() => {
    const claims = btoa(JSON.stringify({ sub: '1', BrandId: 2204, DisplayName: '' })).replaceAll('=', '')
    localStorage.setItem('auth', JSON.stringify({ access_token: `e30.${claims}.x`, refresh_token: 'none' }))
  })
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login?r=%2Fdashboard')
  await expect(page.getByLabel('Username')).toBeVisible()
})

test('[NAV-05] choosing another customer stores it, loads the page anew, and every later call carries it', async () => {
  const page = await signInAs('demo')
  const { customers } = await getFromApi<{ customers: Customer[] }>(page, '/v1/ec/me')
  expect(customers).toHaveLength(3)
  const other = customers.find(({ selected }) => !selected)
  await page.goto('/invoices')
  await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()
  const before = (await page.getByRole('rowheader').first().textContent()) ?? ''

  await page.getByRole('banner').getByRole('button', { name: CUSTOMER_SWITCH }).click()
  const requests = collectApiRequests(page)
  const loaded = page.waitForEvent('load')
  await page.getByRole('option', { name: other?.label ?? '' }).click()
  await loaded
  await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()

  expect((await readStoredSession(page)).customer).toBe(String(other?.customerId))
  await expect(page).toHaveURL('/invoices')
  await expect(page.getByRole('banner').getByRole('button', { name: other?.label ?? '' })).toBeVisible()
  await expect(page.getByRole('rowheader').first()).not.toHaveText(before)
  const apiRequests = requests.filter((call) => call.url().includes('/v1/ec/'))
  expect(apiRequests.length).toBeGreaterThan(3)
  expect(new Set(apiRequests.map((call) => call.headers()['x-customer-id']))).toEqual(new Set([String(other?.customerId)]))
})

test('[NAV-05] a long customer name keeps to its place in the header and is whole for a screen reader', async () => {
  const page = await openPageAs('demo')
  const chosen = page.getByRole('banner').getByRole('button', { name: /Harbourline Freight & Cold Chain Logistics \(Australia\) Pty Ltd/ })
  const settings = page.getByRole('banner').getByRole('button', { name: 'Settings' })
  const [left, right] = [await chosen.boundingBox(), await settings.boundingBox()]
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0)
  expect((right?.x ?? 0) + (right?.width ?? 0)).toBeLessThanOrEqual(1440)
})

test('[NAV-05] a user of one customer has no switch', async () => {
  const page = await openPageAs('none')
  await expect(page.getByRole('banner').getByRole('button', { name: CUSTOMER_SWITCH })).toHaveCount(0)
})

test('[NAV-07] an unknown path shows the not-found screen, signed in or not', async () => {
  for (const page of [await signInAs('demo'), await openPage()]) {
    await page.goto('/no/such/page')
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expect(page).toHaveURL('/no/such/page')
    await expect(page.getByRole('link', { name: 'Go to the start page' })).toBeVisible()
  }
})

test('[NAV-08] settings and logout are open whatever the brand shows', async () => {
  const page = await openPageAs('none', '/settings')
  await expect(page.getByRole('heading', { name: 'Change Password', level: 1 })).toBeVisible()
  await page.goto('/logout')
  await expect(page).toHaveURL('/login')
})

test('[BRAND-01] the signed-in portal wears the logo and the colours of its brand', async () => {
  const appearance: unknown[] = []
  for (const username of ['demo', 'eu']) {
    const page = await openPageAs(username)
    appearance.push(await page.evaluate(() => document.documentElement.style.getPropertyValue('--primary')))
    await page.waitForFunction(() => [...document.images].some(({ src, naturalWidth }) => src.endsWith('/logo') && naturalWidth > 0))
    appearance.push(await page.evaluate(() => document.images[0]?.getAttribute('src')))
  }
  expect(appearance).toEqual(['#1261c9', '/brand-images/2204/logo', '#0b6b4f', '/brand-images/3003/logo'])
})

test('[BRAND-01] a primary colour that is too pale for a button is darkened, its hue kept', async () => {
  const page = await openPageAs('bpoint')
  const appearance = await page.evaluate(() => document.documentElement.style.getPropertyValue('--primary'))
  expect(appearance).toMatch(/^#[0-9a-f]{6}$/)
  expect(appearance).not.toBe('#ffe27a')
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(appearance.slice(at, at + 2), 16))
  expect(red).toBeGreaterThan(green)
  expect(green).toBeGreaterThan(blue)
})

test("[BRAND-02][BRAND-03] dates, numbers and money follow the browser's language", async () => {
  const written: Record<string, readonly string[]> = {}
  const expected: Record<string, readonly string[]> = {}
  for (const locale of ['de-DE', 'en-US', 'en-AU']) {
    const page = await openPageAs('eu', '/invoices', { locale })
    const row = page.getByRole('row').nth(1)
    await expect(row).toBeVisible()
    const [newest] = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
    written[locale] = [(await readColumn(page, 'Issued'))[0] ?? '', (await readColumn(page, 'Amount'))[0] ?? '']
    const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    expected[locale] = [day.format(new Date(newest?.dateInvoice ?? '')), `€${money.format(newest?.amount ?? 0)}`]
  }
  expect(written).toEqual(expected)
  expect(written['de-DE']?.[1]).toMatch(/,\d\d$/)
  expect(written['en-US']?.[1]).toMatch(/\.\d\d$/)
})

test('[BRAND-02] a day is the same day everywhere on earth', async () => {
  const days: string[] = []
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const page = await openPageAs('demo', '/invoices', { timezoneId })
    await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()
    days.push((await readColumn(page, 'Issued'))[0] ?? '')
  }
  expect(days[0]).toBe(days[1])
})

test('[BRAND-03] money has thousands separators and two decimals', async () => {
  const page = await openPageAs('demo', '/invoices')
  await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()
  const amounts = await readColumn(page, 'Amount')
  const invoices = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
  expect(amounts).toHaveLength(Math.min(25, invoices.length)) // a page of the table
  expect(amounts.filter((amount) => !/^-?A\$\d{1,3}(,\d{3})*\.\d\d$/.test(amount))).toEqual([])
  expect(amounts.some((amount) => amount.includes(','))).toBe(true)
})

/** The names of the menu's entries. */
const readMenu = (page: Page): Promise<string[]> => page.getByRole('navigation', { name: 'Sections' }).getByRole('link').allTextContents()

/** Whether the button of this name has the focus. */
const hasFocus = (page: Page, name: string): Promise<boolean> =>
  page.getByRole('button', { name }).evaluate((element) => element === document.activeElement)

/** The texts of a column of the page's table. */
const readColumn = (page: Page, label: string): Promise<string[]> =>
  page
    .getByRole('table')
    .first()
    .evaluate((table, label) => {
      const at = [...table.querySelectorAll('thead th')].findIndex(({ textContent }) => textContent === label)
      return [...table.querySelectorAll('tbody tr')].map(({ children }) => children[at]?.textContent ?? '')
    }, label)
