import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { getFromApi } from '../support/api.ts'
import { PHONE } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { openScreen } from './portal-screens.ts'

const { openPageAs, signInAs } = usePages()

const WIDTHS = [390, 768, 1024, 1440, 1920]

const leftOf = async (one: Locator): Promise<number> => Math.round((await one.boundingBox())?.x ?? 0)
const topOf = async (one: Locator): Promise<number> => Math.round((await one.boundingBox())?.y ?? 0)

/** Every second one is in collection, whose state is the longest word. */
const bigInvoice = (invoice: Invoice, at: number): Invoice => ({
  ...invoice,
  id: at + 1,
  number: `NMB-220401-${1_000 - at}`,
  amount: 1_234_567,
  amountDue: 1_234_567,
  ...(at % 2 === 1 && { invoiceStatus: INVOICE_STATUS.inCollection, canPay: false }),
})

test('[EASE-10] at five widths 1,000 invoices of seven figures have their numbers on one line, Pay in sight, and sums that cover no row', async () => {
  const page = await signInAs('demo')
  await page.route('**/v1/ec/invoices', async (route) => {
    const [one] = (await (await route.fetch()).json()) as Invoice[]
    if (one === undefined) throw new Error('the demo data has no invoices')
    await route.fulfill({ json: Array.from({ length: 1_000 }, (_, i) => bigInvoice(one, i)) })
  })
  await page.goto('/invoices')
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('table', { name: 'Invoices', exact: true })).toBeVisible()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const heights = await page
      .getByText(/^NMB-220401-\d+$/)
      .evaluateAll((numbers) => numbers.map((number) => number.getBoundingClientRect().height))
    expect([width, Math.max(...heights) < 24]).toEqual([width, true])
    const sums = page.getByRole('row').last()
    await expect(sums).toContainText('Sum of 1,000 invoicesA$1,234,567,000.00')
    const last = page.getByRole('row').nth(-2)
    await last.scrollIntoViewIfNeeded()
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    const [lastBox, sumsBox] = [await last.boundingBox(), await sums.getByRole('rowheader').boundingBox()]
    expect([width, (lastBox?.y ?? 0) + (lastBox?.height ?? 0) <= (sumsBox?.y ?? 0) + 1]).toEqual([width, true])
    if (width < 768) {
      const ends = await page.getByText(/^A\$1,234,567(,000)?\.00$/).evaluateAll((all) =>
        all.map((one) => {
          const text = document.createRange()
          text.selectNodeContents(one)
          return Math.round(text.getBoundingClientRect().right)
        }),
      )
      expect(new Set(ends).size).toBe(1)
      continue
    }
    const pay = await page.getByRole('link', { name: 'Pay NMB-220401-1000', exact: true }).boundingBox()
    expect([width, (pay?.x ?? 0) + (pay?.width ?? 0) <= width - 24]).toEqual([width, true])
  }
})

test('[INV-01][EASE-04][EASE-05][EASE-10][EASE-13][PAY-01] the list of invoices from a laptop to a phone: its sums cover nothing, no amount is cut, a period stands under its number, a payment on one line', async () => {
  const page = await openPageAs('demo', '/invoices')
  await expectSumsAboveBar(page)
  await expectSelectionInForcedColours(page)
  await expectWholeAmounts(page)
  await openScreen(page, '/invoices')
  await expectPeriodUnderNumber(page)
  await expectPaymentOnOneLine(page)
  await page.setViewportSize(PHONE)
  await openScreen(page, '/invoices')
  await expectCards(page)
})

/** Below the sums that stay above the Payment bar no row comes out, and they cover nothing where the table ends. */
const expectSumsAboveBar = async (page: Page): Promise<void> => {
  const sums = page.getByRole('rowheader', { name: /^Sum of/ })
  await expect(sums).toBeVisible()
  /** Are the sums above the bar, and how many places from them down to the end of the window show a row? */
  const rowsBelow = () =>
    sums.evaluate((foot) => {
      const { bottom } = foot.getBoundingClientRect()
      const { left, right } = foot.closest('table')!.getBoundingClientRect()
      const heights = Array.from({ length: Math.floor(innerHeight - bottom) - 2 }, (_, i) => bottom + 2 + i)
      const points = heights.flatMap((y) => [left + 20, (left + right) / 2, right - 20].map((x) => document.elementFromPoint(x, y)))
      return { isAbove: heights.length > 60, rows: points.filter((one) => one === null || one.closest('tbody')).length }
    })
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(() => scrollTo(0, 200))
    await expect.poll(rowsBelow, `at ${width} px`).toEqual({ isAbove: true, rows: 0 })
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Page 2', exact: true }).click({ trial: true })
  }
}

/** Forced colours tell selected rows. */
const expectSelectionInForcedColours = async (page: Page): Promise<void> => {
  await page.emulateMedia({ forcedColors: 'active' })
  const rows = page.getByRole('row')
  await rows.nth(1).getByRole('checkbox').check()
  await page.mouse.move(0, 0)
  const ground = (at: number): Promise<string> =>
    rows
      .nth(at)
      .getByRole('rowheader')
      .evaluate((cell) => getComputedStyle(cell).backgroundColor)
  expect(await ground(1)).not.toBe(await ground(2))
  await rows.nth(1).getByRole('checkbox').uncheck()
  await page.emulateMedia({ forcedColors: 'none' })
}

/** On a tablet no amount is cut or covered, every column is shown and sorts. */
const expectWholeAmounts = async (page: Page): Promise<void> => {
  const table = page.getByRole('table', { name: 'Invoices', exact: true })
  for (const width of [768, 820, 960]) {
    await page.setViewportSize({ width, height: 900 })
    for (const name of ['Invoice', 'Period', 'Issued', 'Due', 'Status', 'Amount', 'Amount due']) {
      await expect(table.getByRole('button', { name, exact: true })).toBeVisible()
    }
    await expect.poll(async () => [width, await amountsOutOfSight(table)]).toEqual([width, []])
  }
  await table.getByRole('button', { name: 'Due', exact: true }).click()
  await expect(table.getByRole('columnheader', { name: 'Issued Due' })).toHaveAttribute('aria-sort', 'ascending')
}

/** On a tablet the period stands under the number of its invoice, and the year beside the search. */
const expectPeriodUnderNumber = async (page: Page): Promise<void> => {
  const row = page.getByRole('rowheader', { name: /NMB-220401-/ }).first()
  for (const width of [960, 768]) {
    await page.setViewportSize({ width, height: 1024 })
    await expect(row).toBeVisible()
    expect(await leftOf(row.getByText(/^[A-Z][a-z]+ \d{4}$/))).toBe(await leftOf(row.getByText(/^NMB-220401-\d+$/)))
    const search = page.getByRole('searchbox', { name: 'Search' })
    expect(await topOf(page.getByRole('button', { name: /Year$/ }))).toBe(await topOf(search))
    expect((await topOf(page.getByRole('radio', { name: /^All/ }))) - (await topOf(search))).toBeLessThan(80)
  }
}

const PAYMENT = {
  id: 1,
  date: '2026-11-25',
  total: 635.8,
  fee: 0,
  invoiceCount: 1,
  currencySymbol: 'A$',
  method: 'Mastercard •••• 4444',
  reference: '51A2-AD22',
  outcome: 'paid',
  message: null,
  hasReceipt: true,
}

/** On a tablet a payment of an invoice is one line: day, amount, method, outcome. */
const expectPaymentOnOneLine = async (page: Page): Promise<void> => {
  await page.route('**/payments?*', (route) => route.fulfill({ json: { totalCount: 1, payments: [PAYMENT] } }))
  await page
    .getByRole('button', { name: /^Payments of NMB-/ })
    .first()
    .click()
  const entry = page.getByRole('region', { name: /^Payments of NMB-/ }).getByRole('listitem')
  await expect(entry).toBeVisible()
  const tops = await Promise.all(['25 Nov 2026', 'A$635.80', PAYMENT.method, 'Paid'].map((text) => topOf(entry.getByText(text))))
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(12)
  expect((await entry.boundingBox())?.height).toBeLessThan(72)
}

/** On a phone the details of an invoice start under its number; without one to pay there are no boxes, and five need no order. */
const expectCards = async (page: Page): Promise<void> => {
  await expect(page.getByRole('table', { name: 'Invoices', exact: true })).toBeVisible()
  const name = (await getFromApi<Invoice[]>(page, '/v1/ec/invoices')).find(({ canPay }) => canPay)?.number ?? ''
  const press = page.getByRole('button', { name: `Details of ${name}`, exact: true })
  await expect(press.locator('svg')).toBeVisible()
  await press.click()
  const number = page.getByText(name, { exact: true })
  expect(await leftOf(page.getByRole('term').first())).toBe(await leftOf(number))
  const withBox = await leftOf(number)
  await openScreen(page, '/invoices?status=paid')
  const paid = page.getByText(/^NMB-220401-\d+$/).first()
  await expect(paid).toBeVisible()
  expect(await leftOf(paid)).toBeLessThan(withBox)
  await expect(page.getByLabel('Sort by')).toBeVisible()
  await openScreen(page, '/invoices?status=overdue')
  await expect(page.getByRole('button', { name: /^Details of / })).toHaveCount(1)
  await expect(page.getByLabel('Sort by')).toHaveCount(0)
}

/** The amounts of a table that end outside its frame or under the cells that stay at its end. */
const amountsOutOfSight = (table: Locator): Promise<string[]> =>
  table.evaluate((grid) => {
    const frame = grid.parentElement!.getBoundingClientRect()
    return [...grid.querySelectorAll('tbody tr')].flatMap((line) => {
      const end = line.querySelector('[data-actions]')?.getBoundingClientRect().left ?? frame.right
      const amounts = [...line.querySelectorAll('td')].filter(({ textContent }) => /\d\.\d\d$/.test(textContent))
      if (amounts.length === 0) return [`no amount in ${line.textContent}`]
      return amounts
        .filter((cell) => {
          const { left, right } = cell.getBoundingClientRect()
          return left < frame.left || right > Math.min(end, frame.right) + 1
        })
        .map(({ textContent }) => textContent)
    })
  })
