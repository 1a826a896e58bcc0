import { dayOf, firstOfMonth } from '@counterfoil/contract/kit/day'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { openScreen } from './portal-screens.ts'

const { signInAs } = usePages()

/** A line of text is lower than this. */
const TWO_LINES = 24

const topOf = async (one: Locator): Promise<number> => Math.round((await one.boundingBox())?.y ?? 0)
const resize = (page: Page, width: number): Promise<void> => page.setViewportSize({ width, height: 1024 })

test('[EASE-01][EASE-11][USG-01][EASE-06][EASE-07][EASE-10] on a tablet Invoices stand beside More, and the opening balance beside what is due; every column of usage, the sum of its prices and the dates of a range are in sight; no code or date is broken, and no label leaves the chart', async () => {
  const page = await signInAs('demo')
  await resize(page, 768)
  await page.goto('/dashboard')
  await expectHeaderAndBalance(page)
  await openScreen(page, '/usage')
  await expectWholeUsage(page)
  await openScreen(page, '/usage?timeframe=custom-range&from=2026-02-01&to=2026-11-26')
  await expectRangeInColumns(page)
  await expectLabelsInChart(page)
})

/** Every column of usage and the sum of its prices are in sight, and no code or date is broken. */
const expectWholeUsage = async (page: Page): Promise<void> => {
  const table = page.getByRole('table', { name: 'Usage', exact: true })
  for (const width of [768, 1024, 1279, 1280]) {
    await resize(page, width)
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
}

/** The dates of a range stand in the columns of the filters, which are as wide as without a range. */
const expectRangeInColumns = async (page: Page): Promise<void> => {
  const filter = (name: string): Locator => page.getByRole('button', { name: new RegExp(name) })
  for (const width of [768, 1024, 1440]) {
    await resize(page, width)
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
}

/** No label under the bars leaves the chart, every month is named, and the legend says what is hatched. */
const expectLabelsInChart = async (page: Page): Promise<void> => {
  const today = dayOf(new Date())
  await resize(page, 768)
  await openScreen(page, `/usage?timeframe=custom-range&from=${firstOfMonth(today, -9)}&to=${today}`)
  const labels = page.getByRole('group', { name: /^Price per (day|month)$/ }).locator('xpath=following-sibling::div[1]')
  await expect(labels.locator(':scope > :not(:empty)')).toHaveCount(10)
  await expect(page.locator('p').getByText(/^[A-Z][a-z]+ \d{4} so far$/)).toBeVisible()
  const month = firstOfMonth(today, -1).slice(0, 7)
  for (const day of [25, 26, 28]) {
    await openScreen(page, `/usage?timeframe=custom-range&from=${month}-01&to=${month}-${day}`)
    for (const width of [390, 768]) {
      await resize(page, width)
      await expect(labels).toHaveText(/^1 [A-Z]/)
      const [last, plot] = [await labels.locator(':scope > :not(:empty)').last().boundingBox(), await labels.boundingBox()]
      expect([day, width, last!.x + last!.width <= plot!.x + plot!.width + 0.5]).toEqual([day, width, true])
    }
  }
}

/** Invoices stand in the header beside More, and the opening balance beside what is due. */
const expectHeaderAndBalance = async (page: Page): Promise<void> => {
  const sections = page.getByRole('navigation', { name: 'Sections' })
  // What fits is known when the label of the invoices and the font are there.
  await expect(page.getByRole('heading', { name: 'Opening balance' })).toBeVisible()
  await page.evaluate(() => document.fonts.ready.then(() => new Promise(requestAnimationFrame)))
  await expect(sections.getByRole('button', { name: 'More' })).toBeVisible()
  await expect(sections.getByRole('link', { name: 'Invoices' })).toBeVisible()
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
}
