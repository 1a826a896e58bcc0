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
import { goTo } from './portal-screens.ts'

const { openPageAs, signInAs } = usePages()

const CUSTOMER_SWITCH = /Customer$/

/** The sections of the demo brand, and the headings of their screens. */
const SECTIONS = [
  ['Invoices', 'Invoices', '/invoices'],
  ['Transactions', 'Transactions', '/transactions'],
  ['Usage', 'Usage', '/usage'],
  ['Reports', 'Reports', '/reports'],
  ['Cost Centre Allocation', 'Cost Centre Allocation', '/cost-centre'],
] as const

test('[NAV-01][NAV-02][NAV-04][NAV-05][NAV-09][BRAND-01] a brand with everything starts on the dashboard, under a header with logo, sections, customer and Settings, which needs no mouse; on a phone a burger menu has them all, and each section says its title', async () => {
  const page = await openPageAs('demo')
  await expect(page).toHaveURL('/dashboard')
  await expect.poll(async () => (await readMenu(page)).slice(0, 2)).toEqual(['Dashboard', 'Invoices'])
  const header = page.getByRole('banner')
  await expect(header.getByText('Mara Holt')).toBeVisible()
  await expectBrand(page, '#1261c9', 2204)
  await expectCustomerFits(page)
  await expectRestUnderMore(page)

  await header.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('menuitem').first()).toHaveText('Profile')
  await expect(page.getByRole('menuitem').last()).toHaveText('Log Out')
  await page.getByRole('menuitem', { name: 'Change Password' }).click()
  await expect(page).toHaveURL('/settings')
  await header.getByRole('link', { name: 'Nimbus Mobile Data' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expectSettingsByKeyboard(page)
  await expectBurgerMenu(page)
})

/** A long customer name keeps to its place in the header and is whole for a screen reader. */
const expectCustomerFits = async (page: Page): Promise<void> => {
  const chosen = page.getByRole('banner').getByRole('button', { name: /Harbourline Freight & Cold Chain Logistics \(Australia\) Pty Ltd/ })
  const settings = page.getByRole('banner').getByRole('button', { name: 'Settings' })
  const [left, right] = [await chosen.boundingBox(), await settings.boundingBox()]
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0)
  expect((right?.x ?? 0) + (right?.width ?? 0)).toBeLessThanOrEqual(1440)
}

/** Sections for which the header has no room are in the menu under More, by mouse and by keyboard. */
const expectRestUnderMore = async (page: Page): Promise<void> => {
  const more = page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: 'More' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Cost Centre Allocation' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Cost Centre Allocation' })).toBeVisible()
  await more.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')
}

/** The Settings menu opens, moves and closes by keyboard and gives the focus back. */
const expectSettingsByKeyboard = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Settings' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Change Password' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect.poll(() => hasFocus(page, 'Settings')).toBe(true)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Change Password' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/profile')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
}

/** On a phone a burger menu holds sections, customer and settings, and closes on Escape and on going somewhere; each section says its title. */
const expectBurgerMenu = async (page: Page): Promise<void> => {
  await page.setViewportSize(PHONE)
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

  for (const [name, title, path] of SECTIONS) {
    await burger.click()
    await page.getByRole('banner').getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect(page).toHaveURL(path)
    await expect(burger).toHaveAttribute('aria-expanded', 'false')
  }
  await burger.click()
  await page.getByRole('link', { name: 'Change Password' }).click()
  await expect(page).toHaveURL('/settings')
  await expect(burger).toHaveAttribute('aria-expanded', 'false')
}

test('[NAV-02][NAV-05][NAV-07][BRAND-03] from an unknown path to the invoices, with their money; another customer is stored, loads the page anew, and every later call carries it', async () => {
  const page = await openPageAs('demo', '/no/such/page')
  await expectNotFound(page)
  const link = page.getByRole('link', { name: 'Invoices', exact: true })
  await link.click()
  await expect(page.getByRole('heading', { name: 'Invoices', level: 1 })).toBeVisible()
  await expect(link).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()
  await expectMoney(page)

  const { customers } = await getFromApi<{ customers: Customer[] }>(page, '/v1/ec/me')
  expect(customers).toHaveLength(3)
  const other = customers.find(({ selected }) => !selected)
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

/** Money has thousands separators and two decimals. */
const expectMoney = async (page: Page): Promise<void> => {
  const amounts = await readColumn(page, 'Amount')
  const invoices = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
  expect(amounts).toHaveLength(Math.min(25, invoices.length)) // a page of the table
  expect(amounts.filter((amount) => !/^-?A\$\d{1,3}(,\d{3})*\.\d\d$/.test(amount))).toEqual([])
  expect(amounts.some((amount) => amount.includes(','))).toBe(true)
}

const expectNotFound = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(page).toHaveURL('/no/such/page')
  await expect(page.getByRole('link', { name: 'Go to the start page' })).toBeVisible()
}

test('[NAV-01][NAV-02][NAV-05][NAV-08][EASE-14] a brand without dashboard and help starts on the invoices, has neither the menu entry nor the screen nor its calls, and no switch; settings and logout are open', async () => {
  const page = await openPageAs('none')
  await expect(page).toHaveURL('/invoices')
  await expect.poll(() => readMenu(page)).toContain('Invoices')
  expect(await readMenu(page)).not.toContain('Dashboard')
  await expect(page.getByRole('banner').getByRole('button', { name: CUSTOMER_SWITCH })).toHaveCount(0)
  await expect(page.getByRole('contentinfo').getByRole('link')).toHaveCount(0)
  const { auth, customer } = await readStoredSession(page)
  const { access_token: token } = JSON.parse(auth ?? '{}')
  const headers = { authorization: `Bearer ${token}`, 'x-customer-id': customer ?? '' }
  expect((await page.request.get('/v1/ec/opening-balance', { headers })).status()).toBe(404)
  await goTo(page, '/dashboard')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()

  await goTo(page, '/settings')
  await expect(page.getByRole('heading', { name: 'Change Password', level: 1 })).toBeVisible()
  await goTo(page, '/logout')
  await expect(page).toHaveURL('/login')
})

test('[NAV-04][NAV-07] tokens without a display name count as no session, in which an unknown path shows the not-found screen too', async () => {
  const page = await signInAs('demo')
  await page.evaluate(() => {
    const claims = btoa(JSON.stringify({ sub: '1', BrandId: 2204, DisplayName: '' })).replaceAll('=', '')
    localStorage.setItem('auth', JSON.stringify({ access_token: `e30.${claims}.x`, refresh_token: 'none' }))
  })
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login?r=%2Fdashboard')
  await expect(page.getByLabel('Username')).toBeVisible()
  await page.goto('/no/such/page')
  await expectNotFound(page)
})

/** Each with a language, and one of the two places on earth that are farthest apart in time. */
const PLACES = [
  { locale: 'de-DE', timezoneId: 'Pacific/Kiritimati' },
  { locale: 'en-US', timezoneId: 'Pacific/Pago_Pago' },
]

test.each(PLACES)(
  "[NAV-03][BRAND-01][BRAND-02][BRAND-03] another brand has its own logo, colours and name for invoices; days, numbers and money follow the browser's language ($locale), days nowhere the place",
  async ({ locale, timezoneId }) => {
    const page = await openPageAs('eu', '/settings', { locale, timezoneId })
    await expectBrand(page, '#0b6b4f', 3003)
    await page.getByRole('link', { name: 'Rechnungen', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Rechnungen', level: 1 })).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Rechnung', exact: true })).toBeVisible()
    await expect(page).toHaveTitle(/^Rechnungen · Rhein Datennetz/)

    await expect(page.getByRole('row').nth(1)).toBeVisible()
    const [newest] = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
    const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    expect((await readColumn(page, 'Issued'))[0]).toBe(day.format(new Date(newest?.dateInvoice ?? '')))
    const [amount] = await readColumn(page, 'Amount')
    expect(amount).toBe(`€${money.format(newest?.amount ?? 0)}`)
    expect(amount).toMatch(locale === 'de-DE' ? /,\d\d$/ : /\.\d\d$/)
  },
)

/** The signed-in portal wears the primary colour and the logo of its brand. */
const expectBrand = async (page: Page, colour: string, id: number): Promise<void> => {
  await expect.poll(() => page.evaluate(() => document.documentElement.style.getPropertyValue('--primary'))).toBe(colour)
  await page.waitForFunction(() => [...document.images].some(({ src, naturalWidth }) => src.endsWith('/logo') && naturalWidth > 0))
  expect(await page.evaluate(() => document.images[0]?.getAttribute('src'))).toBe(`/brand-images/${id}/logo`)
}

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
