import type { BrandSettings } from '@counterfoil/contract/brands'
import type { Transaction } from '@counterfoil/contract/transactions'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { captureDownload } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { readCovered } from '../support/focus.ts'
import { usePages } from '../support/pages.ts'
import { openScreen } from './portal-screens.ts'

const { signInAs } = usePages()

const WIDTHS = [390, 768, 1024, 1440, 1920]
const EXTRAS = ['Bestellnummer', 'Kostenstellenverantwortlichkeit', 'رقم الطلب', 'Asset Tag', 'Project']
const SUM = 'A$1,234,567,000.00'

/** The columns of days, codes and numbers, and the line of each in its cell. */
const FIGURES = {
  sideBySide: [2, 4, 5, 6, 7, 8, 9].map((cell) => [cell, 0] as const),
  underEachOther: [
    [1, 1],
    [3, 0],
    [4, 0],
    [4, 1],
    [5, 0],
    [5, 1],
    [6, 0],
  ] as const,
}
/** In narrower windows some columns of a wide table stand under others. */
const SIDE_BY_SIDE = 1280
/** Three of the 14 stand under others. */
const headCount = (width: number): number => (width < SIDE_BY_SIDE ? 11 : 14)

const row = (id: number, change: Partial<Transaction> = {}): Transaction => ({
  id,
  productLabel: 'Datenübertragungsbereitstellung für Kühlfahrzeuge im Fernverkehr',
  productName: 'KFZ-DÜB-2026/10-GB',
  serviceName: 'خدمة البيانات المتنقلة',
  serviceItem: `0491 570 ${String(id).padStart(3, '0')}`,
  siteLabel: 'Niederlassung Nordrhein-Westfalen, Außenstelle Mönchengladbach',
  invoiceNumber: `NMB-220401-${String(id).padStart(4, '0')}`,
  dateFrom: '2026-09-16',
  dateTo: '2026-12-31',
  currency: 'AUD',
  price: 1_234_567,
  quantity: 1_000_000,
  extraField1: `PO-${70_000 + id}`,
  extraField2: 'Gesellschaft für Kühltransporte mbH & Co. KG',
  extraField3: 'مستودع الشمال الكبير للتبريد',
  extraField4: `AT-${id}`,
  extraField5: 'HEAD-OFFICE',
  ...change,
})

test('[EASE-10][EASE-13] at five widths 14 columns and 1,000 rows of long content stay whole, only the table itself scrolls sideways, and nothing focused lies under a header or the sums', async () => {
  const page = await openTable(Array.from({ length: 1_000 }, (_, i) => row(i + 1)))
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('table', { name: 'Transactions' })).toBeVisible()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    if (width < 768) continue
    await expect(page.getByRole('columnheader')).toHaveCount(headCount(width))
    await expect(page.getByRole('columnheader').getByRole('button')).toHaveCount(14)
    const { broken, isWider, rowCount } = await measureTable(page, width)
    expect({ width, broken, rowCount }).toEqual({ width, broken: [], rowCount: 25 })
    await expect(page.getByRole('region', { name: 'Transactions, scrolls sideways' })).toHaveCount(isWider ? 1 : 0)
    expect(await page.getByRole('main').evaluate(({ clientWidth }) => clientWidth)).toBe(Math.min(width, 1600))
  }

  await expectNothingCovered(page)

  await page.setViewportSize({ width: 390, height: 844 })
  const first = page.getByRole('row').first()
  await expect(first).toContainText('16 Sept – 31 Dec 2026')
  const label = page.getByRole('term').filter({ hasText: /^Kostenstellenverantwortlichkeit$/ })
  await expect(label).toHaveCount(0)
  await first.click()
  await expect(page.getByRole('button', { name: /^Details of Datenübertragung/ }).first()).toHaveAttribute('aria-expanded', 'true')
  await expect(label).toBeVisible()
  await expect(page.getByRole('link', { name: 'NMB-220401-0001' })).toBeVisible()
  await expect(page.getByText(`Total ${SUM}1,000 transactions`, { exact: true })).toBeVisible()
  await expect(page.getByRole('row').last()).toContainText(`Sum of 1,000 transactions${SUM}`)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

/** By Shift+Tab through a long table nothing focused lies under a header or the sums. */
const expectNothingCovered = async (page: Page): Promise<void> => {
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 700 })
    await page.getByRole('button', { name: 'Next page' }).focus()
    const covered: string[] = []
    for (let step = 0; step < 36; step += 1) {
      await page.keyboard.press('Shift+Tab')
      const name = await readCovered(page)
      if (name !== null) covered.push(name ?? 'nothing')
    }
    expect({ width, covered }).toEqual({ width, covered: [] })
  }
}

test('[TXN-02][TXN-03][EASE-10] no width of the window hides a column; a laptop shows all 14 in rows of two lines under a header that stays', async () => {
  const short: Partial<Transaction> = {
    productLabel: 'Additional SIM cards, express delivery',
    productName: 'SIM-EXP',
    serviceName: '4G Data',
    siteLabel: 'Altona North',
    price: 1_083.4,
    quantity: 12,
    extraField2: 'SIM-EX/1',
    extraField3: 'P. Costa',
  }
  const page = await openTable(
    Array.from({ length: 25 }, (_, i) => row(i + 1, short)),
    '/transactions',
    ['Order No.', 'Contract', 'Requested By', 'Asset Tag', 'Project'],
  )
  const heads = page.getByRole('columnheader')
  for (const width of [768, 1024, 1280, 1366]) {
    await page.setViewportSize({ width, height: 768 })
    await expect(heads).toHaveCount(headCount(width))
    await expect(heads.getByRole('button')).toHaveCount(14)
    await expect(page.getByText(/columns? .*hidden/)).toHaveCount(0)
    if (width >= 1024) await expect(page.getByRole('region', { name: 'Transactions, scrolls sideways' })).toHaveCount(0)
    if (width < SIDE_BY_SIDE) {
      await expect(page.getByText('Qty 12', { exact: true })).toHaveCount(25)
      const tops = await heads.evaluateAll((all) => all.map((head) => head.querySelector('button span')?.getBoundingClientRect().top))
      expect([width, new Set(tops).size]).toEqual([width, 1])
      continue
    }
    const heights = await page.getByRole('rowheader').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height))
    expect([width, Math.max(...heights) < 54]).toEqual([width, true])
    await page.getByRole('rowheader').nth(20).scrollIntoViewIfNeeded()
    await expect.poll(async () => (await heads.first().boundingBox())?.y).toBe(64)
    await page.evaluate(() => scrollTo(0, 0))
  }
  const arrow = page.getByRole('button', { name: 'Requested By' })
  const gap = await arrow.evaluate((button) => {
    const words = document.createRange()
    words.selectNodeContents(button)
    const text = [...words.getClientRects()].filter(({ width }) => width > 14).map(({ right }) => right)
    return (button.querySelector('svg')?.getBoundingClientRect().left ?? 0) - Math.max(...text)
  })
  expect(gap).toBeLessThan(8)
})

test('[EASE-10] columns without values step back; a choice of columns is remembered, and the download and cards have them all', async () => {
  const page = await openTable([row(1, { siteLabel: null, extraField4: null }), row(2, { siteLabel: null, extraField4: null })])
  const heads = page.getByRole('columnheader')
  await expect(page.getByText('2 columns without values are hidden')).toBeVisible()
  await expect(heads).toHaveCount(12)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(heads).toHaveCount(14)

  await page.getByRole('button', { name: 'Columns' }).click()
  const choice = page.getByRole('dialog', { name: 'Columns of Transactions' })
  await expect(choice.getByRole('checkbox', { name: 'Product' })).toBeDisabled()
  for (const name of ['Service', 'Qty', 'Asset Tag']) await choice.getByRole('checkbox', { name, exact: true }).uncheck()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()
  await expect(heads).toHaveCount(11)

  await page.reload()
  await expect(page.getByText('1 column without values is hidden')).toBeVisible()
  await expect(heads).toHaveCount(10)
  const { content } = await captureDownload(page, () => page.getByRole('button', { name: 'Download Transactions' }).click())
  expect(content.toString().split('\n')[0]).toMatch(/Service,Service Item,Site.*Qty.*Asset Tag/)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('row').first().click()
  await expect(page.getByRole('term').filter({ hasText: /^Qty$/ })).toBeVisible()

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Reset to default' }).click()
  await expect(page.getByRole('columnheader', { includeHidden: true })).toHaveCount(12)
})

test('[EASE-06][EASE-07] transactions are searched from the address on, summed exactly, downloaded as searched, and lead to their invoice', async () => {
  const prices = [0.1, 0.2, 1_234_567.005]
  const page = await openTable(
    prices.map((price, i) => row(i + 1, { price, productLabel: i === 2 ? 'Router' : 'SIM card', siteLabel: `Depot ${i}` })),
    '/transactions?search=sim+CARD',
  )
  const search = page.getByRole('searchbox', { name: 'Search' })
  const sums = page.getByRole('row').last()
  await expect(search).toHaveValue('sim CARD')
  await expect(sums).toContainText('Sum of 2 transactionsA$0.302,000,000')
  const { content } = await captureDownload(page, () => page.getByRole('button', { name: 'Download Transactions' }).click())
  expect(content.toString().trim().split('\n')).toHaveLength(3)

  await search.fill('')
  await expect(page).toHaveURL('/transactions')
  await expect(sums).toContainText('Sum of 3 transactionsA$1,234,567.31')
  await search.fill('depot 2')
  await expect(page).toHaveURL('/transactions?search=depot+2')
  await expect(page.getByRole('rowheader', { name: /^Router/ })).toBeVisible()
  await search.fill('nothing of the kind')
  await expect(page.getByText('No results match your search')).toBeVisible()
  await openScreen(page, '/transactions?search=0003')
  await page.getByRole('link', { name: 'NMB-220401-0003' }).click()
  await expect(page).toHaveURL('/invoices?search=NMB-220401-0003')
})

/** Opens Transactions with these rows in 14 columns. */
const openTable = async (rows: readonly Transaction[], path = '/transactions', extras: readonly string[] = EXTRAS): Promise<Page> => {
  const page = await signInAs('demo')
  const labels = Object.fromEntries(extras.map((label, i) => [`extraField${i + 1}`, label]))
  await page.route('**/v1/ec/extra-fields/labels', (route) => route.fulfill({ json: [{ extraFieldTypeId: 3, ...labels }] }))
  await page.route('**/v1/ec/transactions?*', (route) => route.fulfill({ json: rows }))
  await page.route('**/v1/brands-settings/*', async (route) => {
    const brand: BrandSettings = await (await route.fetch()).json()
    const flags = extras.map((_, i) => [`endPortalTransactionsExtraTab${i + 1}`, true])
    await route.fulfill({ json: { ...brand, ...Object.fromEntries(flags) } })
  })
  await page.goto(path)
  await expect(page.getByRole('table', { name: 'Transactions' })).toBeVisible()
  return page
}

/** The numbers, days and codes of the table that stand on more than one line; and whether the table is wider than its place. */
const measureTable = (page: Page, width: number): Promise<{ broken: string[]; isWider: boolean; rowCount: number }> =>
  page.getByRole('table').evaluate(
    (table, figures) => {
      const isBroken = (part: Node): boolean => {
        const range = document.createRange()
        range.selectNodeContents(part)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
      }
      const rows = [...table.querySelectorAll('tbody tr')]
      const parts = rows.flatMap((line) => figures.map(([cell, part]) => line.children[cell]!.childNodes[part]!))
      const sums = [...table.querySelectorAll('tfoot :is(th, td)')].flatMap((cell) => [...cell.childNodes])
      return {
        broken: [...parts, ...sums].filter(isBroken).map(({ textContent }) => textContent ?? ''),
        isWider: table.clientWidth > (table.parentElement?.clientWidth ?? 0),
        rowCount: rows.length,
      }
    },
    FIGURES[width < SIDE_BY_SIDE ? 'underEachOther' : 'sideBySide'],
  )
