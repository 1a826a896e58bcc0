import type { Customer } from '@counterfoil/contract/customers'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { DESKTOP, signIn } from '../support/browser.ts'
import { createPayer } from '../payments/payer.ts'
import { selectAndPay, expectNewestPayment, openInvoiceList } from '../payments/invoice-list.ts'
import { getFromApi } from '../support/api.ts'
import { storeCard } from '../payments/payable-invoices.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { payButton } from '../payments/pay-button.ts'
import { openScreen } from './portal-screens.ts'

const { openPage, signInAs } = usePages()

/** The width of A4 between the margins, in CSS pixels. */
const PORTRAIT = 703
const LANDSCAPE = 1032

const PRINTED = [
  { path: '/invoices', name: 'Invoices', width: PORTRAIT, heads: ['Invoice', 'Period', 'Issued', 'Due', 'Amount', 'Amount due', 'Status'] },
  {
    path: '/usage?timeframe=last-month',
    name: 'Usage',
    width: PORTRAIT,
    heads: ['Service Item', 'Record Type', 'Units', 'Date', 'Price', 'Cost Centre'],
    above: ['Last Month', 'All Services', 'All Agreements', /^1 – 100 of [\d,]+$/],
  },
  { path: '/transactions', name: 'Transactions', width: LANDSCAPE, heads: ['Product', 'Price', 'Qty', 'From', 'To'] },
]

test('[GRID-03][EASE-13] a table prints whole, black on white, without what can only be pressed, and lies on its paper when it has many columns; above it stand whose it is, of which day, and what it was asked for', async () => {
  const page = await signInAs('demo', { colorScheme: 'dark' })
  for (const { path, name, width, heads, above = [] } of PRINTED) {
    await page.emulateMedia({ media: null })
    await page.setViewportSize(DESKTOP)
    await openScreen(page, path)
    const table = page.getByRole('table', { name })
    await expect(table).toBeVisible()
    const owner = await findOwner(page)
    expect(await owner.isVisible()).toBe(false)
    expect({ name, lies: await liesOnPaper(page) }).toEqual({ name, lies: width === LANDSCAPE })

    await switchToPrint(page, width)
    await expect(owner).toBeVisible()
    await expectNothingToPress(page)
    for (const words of above) await expect(page.getByText(words).first()).toBeVisible()
    for (const head of heads) await expect(table.getByRole('columnheader', { name: head, exact: true })).toBeVisible()
    await expect(table.getByRole('row').nth(1).getByRole('rowheader')).toBeVisible()
    await expect.poll(() => rightmostEdge(page)).toBeLessThanOrEqual(width)
    await expect.poll(() => readColours(page)).toEqual({ paper: 'rgb(255, 255, 255)', ink: 'rgb(0, 0, 0)', scheme: 'light' })
  }
})

/** The line that says whose a printed page is, and of which day. */
const findOwner = async (page: Page): Promise<Locator> => {
  const { customers } = await getFromApi<{ customers: Customer[] }>(page, '/v1/ec/me')
  const day = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date())
  return page.getByText(`${customers.find(({ selected }) => selected)?.label} · ${day}`, { exact: true })
}

/** Is the paper of the printed page wider than high? */
const liesOnPaper = async (page: Page): Promise<boolean> => {
  const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const [, width, height] = /MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(paper) ?? []
  return Number(width) > Number(height)
}

test('[GRID-03][BP-04] what became of a payment prints, on its screen and under its invoice, without the buttons', async () => {
  const { username, password, numbers } = await createPayer(testEnvironment().dataDir, 1)
  const [number = ''] = numbers
  const page = await openPage({ colorScheme: 'dark' })
  await signIn(page, username, password)
  await openInvoiceList(page)
  await storeCard(page, 'pm_card_visa')
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
