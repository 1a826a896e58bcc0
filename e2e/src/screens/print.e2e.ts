import type { Customer } from '@counterfoil/contract/customers'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { DESKTOP, enter } from '../support/browser.ts'
import { createPayer } from '../payments/payer.ts'
import { selectAndPay, expectNewestPayment, openInvoiceList } from '../payments/invoice-list.ts'
import { getFromApi } from '../support/api.ts'
import { storeCard } from '../payments/payable-invoices.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { payButton } from '../payments/pay-button.ts'

const { openPage, openPageAs, signInAs } = usePages()

/** The width of A4 between the margins, in CSS pixels. */
const PORTRAIT = 703
const LANDSCAPE = 1032

const PRINTED = [
  { path: '/invoices', name: 'Invoices', width: PORTRAIT, heads: ['Invoice', 'Period', 'Issued', 'Due', 'Amount', 'Amount due', 'Status'] },
  { path: '/usage', name: 'Usage', width: PORTRAIT, heads: ['Service Item', 'Record Type', 'Units', 'Date', 'Price', 'Cost Centre'] },
  { path: '/transactions', name: 'Transactions', width: LANDSCAPE, heads: ['Product', 'Price', 'Qty', 'From', 'To'] },
] as const

test.each(PRINTED)('[GRID-03] $name prints as a whole table, black on white, without what can only be pressed', async (screen) => {
  const { path, name, width, heads } = screen
  const page = await openPageAs('demo', path, { colorScheme: 'dark' })
  await expect(page.getByRole('table', { name })).toBeVisible()
  await switchToPrint(page, width)

  await expectNothingToPress(page)
  for (const head of heads)
    await expect(page.getByRole('table', { name }).getByRole('columnheader', { name: head, exact: true })).toBeVisible()
  await expect(page.getByRole('table', { name }).getByRole('row').nth(1).getByRole('rowheader')).toBeVisible()
  await expect.poll(() => rightmostEdge(page)).toBeLessThanOrEqual(width)
  await expect.poll(() => readColours(page)).toEqual({ paper: 'rgb(255, 255, 255)', ink: 'rgb(0, 0, 0)', scheme: 'light' })
})

test('[GRID-03] what a printed table was asked for stands above it, and where it is a part, of how many', async () => {
  const page = await openPageAs('demo', '/usage?timeframe=last-month')
  await expect(page.getByRole('table', { name: 'Usage' })).toBeVisible()
  await switchToPrint(page, PORTRAIT)
  for (const words of ['Last Month', 'All Services', 'All Agreements']) await expect(page.getByText(words).first()).toBeVisible()
  await expect(page.getByText(/^1 – 100 of [\d,]+$/)).toBeVisible()
})

test('[EASE-13] a printed page says whose it is and of which day; a screen does not', async () => {
  const page = await openPageAs('demo', '/invoices')
  await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()
  const { customers } = await getFromApi<{ customers: Customer[] }>(page, '/v1/ec/me')
  const day = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date())
  const line = page.getByText(`${customers.find(({ selected }) => selected)?.label} · ${day}`, { exact: true })
  expect(await line.isVisible()).toBe(false)
  await switchToPrint(page, PORTRAIT)
  await expect(line).toBeVisible()
})

test('[GRID-03] a table of many columns lies on its paper, and no other does', async () => {
  const page = await signInAs('demo')
  for (const { path, name, width } of PRINTED) {
    await page.goto(path)
    await expect(page.getByRole('table', { name })).toBeVisible()
    const [, paperWidth, paperHeight] =
      /MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec((await page.pdf({ preferCSSPageSize: true })).toString('latin1')) ?? []
    expect({ name, lies: Number(paperWidth) > Number(paperHeight) }).toEqual({ name, lies: width === LANDSCAPE })
  }
})

test('[GRID-03][BP-04] what became of a payment prints, on its screen and under its invoice, without the buttons', async () => {
  const { username, password, numbers } = await createPayer(testEnvironment().dataDir, 1)
  const [number = ''] = numbers
  const page = await openPage({ colorScheme: 'dark' })
  await enter(page, username, password)
  await storeCard(page, 'pm_card_visa')
  await openInvoiceList(page)
  await selectAndPay(page, [number])
  await page.getByRole('radio').first().check()
  await payButton(page).click()
  const heading = page.getByRole('heading', { name: 'Payment Successful' })
  await expect(heading).toBeVisible()
  await switchToPrint(page, PORTRAIT)
  await expectNothingToPress(page)
  for (const locator of [heading, page.getByText(/^You paid /)]) await expect(locator).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(PORTRAIT)

  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize(DESKTOP)
  await openInvoiceList(page)
  await expectNewestPayment(page, number, ['Paid'])
  await switchToPrint(page, PORTRAIT)
  await expectNothingToPress(page)
  await expect(
    page
      .getByRole('region', { name: `Payments of ${number}` })
      .getByText('Paid')
      .first(),
  ).toBeVisible()
  await expect.poll(() => rightmostEdge(page)).toBeLessThanOrEqual(PORTRAIT)
})

const switchToPrint = async (page: Page, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 1000 })
  await page.emulateMedia({ media: 'print' })
}

/** Expects no navigation and no buttons, except those of column headings, filters and charts, which print as text and bars. */
const expectNothingToPress = async (page: Page): Promise<void> => {
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  const readButtons = () =>
    page
      .getByRole('button')
      .evaluateAll((all) =>
        all
          .filter((button) => button.closest('th, fieldset, figure') === null && button.getAttribute('aria-haspopup') !== 'listbox')
          .map(({ textContent, ariaLabel }) => ariaLabel ?? textContent),
      )
  await expect.poll(readButtons).toEqual([])
}

/** The right edge of the widest part of the table, in pixels. */
const rightmostEdge = (page: Page): Promise<number> =>
  page
    .getByRole('table')
    .last()
    .evaluate((table) => Math.max(...[table, ...table.querySelectorAll('*')].map((part) => part.getBoundingClientRect().right)))

const readColours = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => {
    const { backgroundColor: paper, color: ink } = getComputedStyle(document.body)
    return { paper, ink, scheme: getComputedStyle(document.documentElement).colorScheme }
  })
