import type { Invoice } from '@counterfoil/contract/invoices'
import { dayOf, firstOfMonth } from '@counterfoil/contract/kit/day'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { getFromApi } from '../support/api.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'

const { signInAs } = usePages()

/** A line of text is lower than this. */
const TWO_LINES = 24

const leftOf = async (one: Locator): Promise<number> => Math.round((await one.boundingBox())?.x ?? 0)
const topOf = async (one: Locator): Promise<number> => Math.round((await one.boundingBox())?.y ?? 0)

const openAt = async (path: string, width: number): Promise<Page> => {
  const page = await signInAs('demo')
  await page.setViewportSize({ width, height: 1024 })
  await page.goto(path)
  return page
}

test('[USG-01][EASE-06][EASE-10] from 768 px on every column of usage and the sum of its prices are in sight, and no code or date is broken', async () => {
  const page = await openAt('/usage', 768)
  const table = page.getByRole('table', { name: 'Usage', exact: true })
  for (const width of [768, 1024, 1279, 1280]) {
    await page.setViewportSize({ width, height: 1024 })
    const sum = table
      .getByRole('row')
      .last()
      .getByText(/^A\$[\d,]+\.\d{4}$/)
    await expect(sum).toBeVisible()
    const { x, width: sumWidth } = (await sum.boundingBox())!
    expect(x + sumWidth).toBeLessThanOrEqual(width - 24)
    for (const name of ['Service Item', 'Service Item 2', 'Record Type', 'Units', 'Site', 'Date', 'Price', 'Cost Centre']) {
      await expect(table.getByRole('button', { name, exact: true })).toBeVisible()
    }
    await expect.poll(() => table.evaluate((grid) => grid.clientWidth - grid.parentElement!.clientWidth)).toBeLessThanOrEqual(0)
    const dates = table.locator('time')
    const codes = table.getByText(/^[A-Z]{4,}(-[A-Z]+)+$/)
    for (const texts of [dates, codes]) {
      const heights = await texts.evaluateAll((all) =>
        all.map((one) => {
          const text = document.createRange()
          text.selectNodeContents(one)
          return text.getBoundingClientRect().height
        }),
      )
      expect([width, heights.length > 50, Math.max(...heights) < TWO_LINES]).toEqual([width, true, true])
    }
  }
})

test('[EASE-07][EASE-10] the dates of a range stand in the columns of the filters, which are as wide as without a range', async () => {
  const page = await openAt('/usage?timeframe=custom-range&from=2026-02-01&to=2026-11-26', 768)
  const filter = (name: string): Locator => page.getByRole('button', { name: new RegExp(name) })
  for (const width of [768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 1024 })
    for (const [date, above] of [
      ['From (UTC)', 'Agreement'],
      ['To (UTC)', 'Filter by timeframe'],
    ] as const) {
      const [below, column] = [await page.getByLabel(date).boundingBox(), await filter(above).boundingBox()]
      expect([width, Math.round(below!.x - column!.x), Math.round(below!.width - column!.width)]).toEqual([width, 0, 0])
    }
    const filters = await page.getByRole('group', { name: 'Filters', exact: true }).boundingBox()
    expect([width, Math.round(filters!.x + filters!.width)]).toEqual([width, width - 24])
  }
})

test('[EASE-06][EASE-10] no label under the bars of usage leaves the chart, every month is named, and the legend says what is hatched', async () => {
  const today = dayOf(new Date())
  const page = await openAt(`/usage?timeframe=custom-range&from=${firstOfMonth(today, -9)}&to=${today}`, 768)
  const labels = page.getByRole('group', { name: /^Price per (day|month)$/ }).locator('xpath=following-sibling::div[1]')
  await expect(labels.locator(':scope > :not(:empty)')).toHaveCount(10)
  await expect(page.locator('p').getByText(/^[A-Z][a-z]+ \d{4} so far$/)).toBeVisible()
  const month = firstOfMonth(today, -1).slice(0, 7)
  for (const day of [25, 26, 28]) {
    await page.goto(`/usage?timeframe=custom-range&from=${month}-01&to=${month}-${day}`)
    for (const width of [390, 768]) {
      await page.setViewportSize({ width, height: 1024 })
      await expect(labels).toHaveText(/^1 [A-Z]/)
      const [last, plot] = [await labels.locator(':scope > :not(:empty)').last().boundingBox(), await labels.boundingBox()]
      expect([day, width, last!.x + last!.width <= plot!.x + plot!.width + 0.5]).toEqual([day, width, true])
    }
  }
})

test('[EASE-05][EASE-10] on a tablet the period stands under the number of its invoice, and the year beside the search', async () => {
  const page = await openAt('/invoices', 768)
  const row = page.getByRole('rowheader', { name: /NMB-220401-/ }).first()
  for (const width of [768, 960]) {
    await page.setViewportSize({ width, height: 1024 })
    await expect(row).toBeVisible()
    expect(await leftOf(row.getByText(/^[A-Z][a-z]+ \d{4}$/))).toBe(await leftOf(row.getByText(/^NMB-220401-\d+$/)))
    const search = page.getByRole('searchbox', { name: 'Search' })
    expect(await topOf(page.getByRole('button', { name: /Year$/ }))).toBe(await topOf(search))
    expect((await topOf(page.getByRole('radio', { name: /^All/ }))) - (await topOf(search))).toBeLessThan(80)
  }
})

test('[PAY-01][EASE-10] on a tablet a payment of an invoice is one line: day, amount, method, outcome', async () => {
  const page = await signInAs('demo')
  await page.setViewportSize({ width: 768, height: 1024 })
  await page.route('**/payments?*', (route) =>
    route.fulfill({
      json: {
        totalCount: 1,
        payments: [
          {
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
          },
        ],
      },
    }),
  )
  await page.goto('/invoices')
  await page
    .getByRole('button', { name: /^Payments of NMB-/ })
    .first()
    .click()
  const entry = page.getByRole('region', { name: /^Payments of NMB-/ }).getByRole('listitem')
  await expect(entry).toBeVisible()
  const tops = await Promise.all(['25 Nov 2026', 'A$635.80', 'Mastercard •••• 4444', 'Paid'].map((text) => topOf(entry.getByText(text))))
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(12)
  expect((await entry.boundingBox())?.height).toBeLessThan(72)
})

test('[EASE-01][EASE-11] on a tablet Invoices stand in the header beside More, and the opening balance beside what is due', async () => {
  const page = await openAt('/dashboard', 768)
  const sections = page.getByRole('navigation', { name: 'Sections' })
  // What fits is known when the label of the invoices and the font are there.
  await expect(page.getByRole('heading', { name: 'Opening balance' })).toBeVisible()
  await page.evaluate(() => document.fonts.ready.then(() => new Promise(requestAnimationFrame)))
  await expect(sections.getByRole('button', { name: 'More' })).toBeVisible()
  expect(await sections.getByRole('link', { name: 'Invoices' }).isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('menuitem', { name: 'Change Password' })).toBeVisible()
  await page.keyboard.press('Escape')
  const [due, balance] = ['Total due', 'Opening balance'].map((name) => page.getByRole('heading', { name, exact: true })) as [
    Locator,
    Locator,
  ]
  await expect(balance).toBeVisible()
  expect(await topOf(due)).toBe(await topOf(balance))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(768)
})

test('[EASE-04][EASE-10] on a phone the details of an invoice start under its number; without one to pay there are no boxes, and five need no order', async () => {
  const page = await openAt('/invoices', 390)
  await expect(page.getByRole('table', { name: 'Invoices', exact: true })).toBeVisible()
  const name = (await getFromApi<Invoice[]>(page, '/v1/ec/invoices')).find(({ canPay }) => canPay)?.number ?? ''
  const press = page.getByRole('button', { name: `Details of ${name}`, exact: true })
  await expect(press.locator('svg')).toBeVisible()
  await press.click()
  const number = page.getByText(name, { exact: true })
  expect(await leftOf(page.getByRole('term').first())).toBe(await leftOf(number))
  const withBox = await leftOf(number)
  await page.goto('/invoices?status=paid')
  const paid = page.getByText(/^NMB-220401-\d+$/).first()
  await expect(paid).toBeVisible()
  expect(await leftOf(paid)).toBeLessThan(withBox)
  await expect(page.getByLabel('Sort by')).toBeVisible()
  await page.goto('/invoices?status=overdue')
  await expect(page.getByRole('button', { name: /^Details of / })).toHaveCount(1)
  await expect(page.getByLabel('Sort by')).toHaveCount(0)
})
