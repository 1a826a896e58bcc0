import type { Agreement, BillingPeriod } from '@counterfoil/contract/agreements'
import type { ExtraFieldLabels, Transaction } from '@counterfoil/contract/transactions'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { captureDownload } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { usePages } from '../support/pages.ts'
import { getFromApi } from '../support/api.ts'

const { openPageAs, signInAs } = usePages()

const BANNER = 'Our server returned error, try again later'
const COLUMNS = ['Product', 'Service', 'Service Item', 'Site', 'Invoice', 'Price', 'Qty', 'From', 'To']

test('[TXN-01] the first agreement and the newest period are chosen, and every period reads as its month and year, newest first', async () => {
  const page = await openTransactionsAs('demo')
  const { agreements, periods } = await fetchLoaded(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transactions')
  await expect.poll(() => readSelected(page, 'Agreement')).toBe(agreements[0]?.agreementName)
  await expect.poll(() => readSelected(page, 'Period')).toBe(monthName(periods[0]))
  await expectOptions(
    page,
    'Agreement',
    agreements.map(({ agreementName }) => agreementName),
  )
  await expectOptions(page, 'Period', periods.map(monthName))
  expect(periods.length).toBeGreaterThanOrEqual(13)
})

test('[TXN-01] what is chosen stays in the address, over a reload; an address that names nothing of the customer shows the first', async () => {
  const page = await openTransactionsAs('demo')
  const { agreements, periods } = await fetchLoaded(page)
  await selectOption(page, 'Agreement', agreements[1]?.agreementName ?? '')
  await selectOption(page, 'Period', monthName(periods[2]))
  const address = `/transactions?agreement=${agreements[1]?.id}&period=${periods[2]?.id}`
  await expect(page).toHaveURL(address)
  await page.reload()
  await expect(table(page)).toBeVisible()
  expect([await readSelected(page, 'Agreement'), await readSelected(page, 'Period')]).toEqual([
    agreements[1]?.agreementName,
    monthName(periods[2]),
  ])
  const rows = await getFromApi<Transaction[]>(page, `/v1/ec/transactions?period=${periods[2]?.id}`)
  await expect.poll(() => readFirstCells(page)).toEqual(rows.slice(0, 25).map(productOf))

  await page.goto('/transactions?agreement=999999999&period=nonsense')
  await expect(table(page)).toBeVisible()
  expect([await readSelected(page, 'Agreement'), await readSelected(page, 'Period')]).toEqual([
    agreements[0]?.agreementName,
    monthName(periods[0]),
  ])
})

test('[TXN-02] the columns stand in the specified order, and each row says what was billed', async () => {
  const { page, rows } = await openLastMonthAs('us')
  await expect.poll(() => readColumns(page)).toEqual(COLUMNS)
  await expect.poll(() => readCells(page)).toEqual(rows.slice(0, 25).map((row) => toCells(row)))
  expect(rows.length).toBeGreaterThan(5)
})

test('[TXN-03] the extra columns that the brand switches on stand at the end, under the labels of type 3', async () => {
  const { page, rows } = await openLastMonthAs('demo')
  const labels = await getFromApi<ExtraFieldLabels[]>(page, '/v1/ec/extra-fields/labels')
  const own = labels.find(({ extraFieldTypeId }) => extraFieldTypeId === 3)
  const extras = [own?.extraField1, own?.extraField2, own?.extraField3, own?.extraField4, own?.extraField5]
  await expect.poll(() => readColumns(page)).toEqual([...COLUMNS, ...extras])
  const withExtras = (row: Transaction): string[] => [
    ...toCells(row, 'A$'),
    ...[row.extraField1, row.extraField2, row.extraField3, row.extraField4, row.extraField5].map((text) => text ?? '–'),
  ]
  await expect.poll(() => readCells(page)).toEqual(rows.slice(0, 25).map(withExtras))
})

test('[TXN-04] the download is called after the period and holds every transaction, byte for byte', async () => {
  const page = await openTransactionsAs('us')
  const { periods } = await fetchLoaded(page)
  for (const period of periods.slice(0, 3)) {
    await selectOption(page, 'Period', monthName(period))
    const rows = await getFromApi<Transaction[]>(page, `/v1/ec/transactions?period=${period.id}`)
    await expect.poll(() => readFirstCells(page)).toEqual(rows.slice(0, 25).map(productOf))
    const { name, content } = await captureDownload(page, () => page.getByRole('button', { name: 'Download Transactions' }).click())
    expect(name).toBe(`${String(period.month).padStart(2, '0')}_${period.year}_Transactions.csv`)
    expect(content.toString()).toBe(toCsv(rows))
  }
})

test('[TXN-03][TXN-04] the download has the extra columns too', async () => {
  const { page, rows } = await openLastMonthAs('demo')
  const labels = (await readColumns(page)).slice(COLUMNS.length)
  const { content } = await captureDownload(page, () => page.getByRole('button', { name: 'Download Transactions' }).click())
  expect(content.toString()).toBe(toCsv(rows, labels))
})

test('[TXN-05] another period, another agreement and another sort each begin at page 1 again', async () => {
  const page = await openTransactionsAs('demo')
  const { agreements, periods, rows } = await fetchLoaded(page)
  expect(rows.length).toBeGreaterThan(25)
  const pagination = page.getByRole('navigation', { name: 'Transactions: pages' })
  const toPageTwo = async (): Promise<void> => {
    await pagination.getByRole('button', { name: 'Page 2', exact: true }).click()
    await expect.poll(() => readCurrentPage(pagination)).toBe('2')
  }
  await toPageTwo()
  await expect.poll(() => readFirstCells(page)).toEqual(rows.slice(25, 50).map(productOf))

  await selectOption(page, 'Period', monthName(periods[1]))
  const october = await getFromApi<Transaction[]>(page, `/v1/ec/transactions?period=${periods[1]?.id}`)
  await expect.poll(() => readFirstCells(page)).toEqual(october.slice(0, 25).map(productOf))
  await expect.poll(() => readCurrentPage(pagination)).toBe('1')

  await toPageTwo()
  await selectOption(page, 'Agreement', agreements[1]?.agreementName ?? '')
  await expect.poll(() => readCurrentPage(pagination)).toBe('1')
  await expect.poll(() => readFirstCells(page)).toEqual(october.slice(0, 25).map(productOf))

  // Back at the first agreement, the list starts at page 1, not at the page that was left.
  await toPageTwo()
  await selectOption(page, 'Agreement', agreements[0]?.agreementName ?? '')
  await expect.poll(() => readCurrentPage(pagination)).toBe('1')

  await toPageTwo()
  await sortBy(page, 'Price')
  await expect.poll(() => readCurrentPage(pagination)).toBe('1')
  const cheapest = october.toSorted((a, b) => a.price - b.price).map(({ price }) => formatMoney(price, 'A$'))
  expect((await readCells(page)).map((row) => row[5])).toEqual(cheapest.slice(0, 25))
})

test('[GRID-01] every column sorts all transactions both ways, by what it means', async () => {
  const { page, rows } = await openLastMonthAs('us')
  const byText = new Intl.Collator('en-AU', { numeric: true })
  const text = (of: (row: Transaction) => string | null) => (a: Transaction, b: Transaction) => byText.compare(of(a) ?? '', of(b) ?? '')
  const orders: ((a: Transaction, b: Transaction) => number)[] = [
    text(productOf),
    text(({ serviceName }) => serviceName),
    text(({ serviceItem }) => serviceItem),
    text(({ siteLabel }) => siteLabel),
    text(({ invoiceNumber }) => invoiceNumber),
    (a, b) => a.price - b.price,
    (a, b) => a.quantity - b.quantity,
    text(({ dateFrom }) => dateFrom),
    text(({ dateTo }) => dateTo),
  ]
  for (const [at, order] of orders.entries()) {
    for (const [direction, sign] of [['ascending', 1] as const, ['descending', -1] as const]) {
      await sortBy(page, COLUMNS[at] ?? '')
      const head = page.getByRole('columnheader').nth(at)
      await expect(head).toHaveAttribute('aria-sort', direction)
      const expected = rows.toSorted((a, b) => sign * order(a, b)).map((row) => toCells(row))
      expect({ column: COLUMNS[at], direction, rows: await readCells(page) }).toEqual({
        column: COLUMNS[at],
        direction,
        rows: expected.slice(0, 25),
      })
    }
  }
})

test.each([
  ['the agreements', '**/v1/ec/agreements'],
  ['the periods', '**/v1/ec/billing-periods/*'],
  ['the transactions', '**/v1/ec/transactions?*'],
])('[GRID-02] a failed load of %s raises the red banner, which closes, and can be asked for again', async (_, address) => {
  const page = await signInAs('us')
  const stopFailing = await failRequests(page, address)
  await page.goto('/transactions')
  const banner = page.getByRole('alert').filter({ hasText: BANNER })
  await expect(banner).toBeVisible()
  await expect(banner).toHaveText(BANNER)
  await banner.getByRole('button', { name: 'Close' }).click()
  await expect(banner).toHaveCount(0)
  await expect(page.getByText('There are no data yet')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Download Transactions' })).toBeDisabled()
  stopFailing()
  await page.getByRole('button', { name: 'Try again: Transactions' }).click()
  await expect(table(page)).toBeVisible()
  await expect(banner).toHaveCount(0)
})

test('[GRID-02] while another period is on its way its rows stand under a spinner and cannot be taken for it', async () => {
  const page = await openTransactionsAs('us')
  const { periods } = await fetchLoaded(page)
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/v1/ec/transactions?*', async (route) => {
    await released
    await route.continue()
  })
  await selectOption(page, 'Period', monthName(periods[4]))
  await expect(page.getByText('Loading Transactions')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download Transactions' })).toBeDisabled()
  release()
  const rows = await getFromApi<Transaction[]>(page, `/v1/ec/transactions?period=${periods[4]?.id}`)
  await expect.poll(() => readCells(page)).toEqual(rows.slice(0, 25).map((row) => toCells(row)))
  await expect(page.getByText('Loading Transactions')).toHaveCount(0)
})

test('[GRID-03] a period is chosen, sorted and turned by keyboard alone', async () => {
  const page = await openTransactionsAs('demo')
  const { periods } = await fetchLoaded(page)
  await picker(page, 'Period').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => readSelected(page, 'Period')).toBe(monthName(periods[1]))
  const rows = await getFromApi<Transaction[]>(page, `/v1/ec/transactions?period=${periods[1]?.id}`)
  await expect.poll(() => readFirstCells(page)).toEqual(rows.slice(0, 25).map(productOf))
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain(monthName(periods[1]))
  for (const name of ['Search', 'Columns', 'Product']) {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('main').getByLabel(name).or(page.getByRole('button', { name })).and(page.locator(':focus'))).toBeVisible()
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('columnheader').first()).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('button', { name: 'Next page' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => readCurrentPage(page.getByRole('navigation', { name: 'Transactions: pages' }))).toBe('2')
})

const openTransactionsAs = async (username: string): Promise<Page> => {
  const page = await openPageAs(username, '/transactions')
  await expect(table(page)).toBeVisible()
  return page
}

/** The transactions of last month, which have invoices whatever day it is; the column of a month that has just begun steps back. */
const openLastMonthAs = async (username: string): Promise<{ page: Page; rows: Transaction[] }> => {
  const page = await openTransactionsAs(username)
  const { periods } = await fetchLoaded(page)
  await selectOption(page, 'Period', monthName(periods[1]))
  const rows = await getFromApi<Transaction[]>(page, `/v1/ec/transactions?period=${periods[1]?.id}`)
  await expect.poll(() => readFirstCells(page)).toEqual(rows.slice(0, 25).map(productOf))
  return { page, rows }
}

/** What the page has loaded by default, fetched again. */
const fetchLoaded = async (page: Page): Promise<{ agreements: Agreement[]; periods: BillingPeriod[]; rows: Transaction[] }> => {
  const agreements = await getFromApi<Agreement[]>(page, '/v1/ec/agreements')
  const periods = await getFromApi<BillingPeriod[]>(page, `/v1/ec/billing-periods/${agreements[0]?.id}`)
  const rows = await getFromApi<Transaction[]>(page, `/v1/ec/transactions?period=${periods[0]?.id}`)
  return { agreements, periods, rows }
}

const table = (page: Page): Locator => page.getByRole('table', { name: 'Transactions' })
const readColumns = (page: Page): Promise<string[]> => page.getByRole('columnheader').allTextContents()
const readFirstCells = (page: Page): Promise<string[]> => table(page).locator('tbody').getByRole('rowheader').allTextContents()
const sortBy = (page: Page, column: string): Promise<void> =>
  page.getByRole('columnheader', { name: column, exact: true }).getByRole('button').click()
const readCurrentPage = (pagination: Locator): Promise<string | null> => pagination.locator('[aria-current=page]').textContent()

/** The cells of each row, without the labels that are shown on a phone only. */
const readCells = (page: Page): Promise<string[][]> =>
  table(page)
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.children].map((cell) => {
          const own = cell.cloneNode(true) as HTMLElement
          for (const label of own.querySelectorAll('[aria-hidden=true]')) label.remove()
          return own.textContent
        }),
      ),
    )

const picker = (page: Page, label: string): Locator => page.getByRole('main').getByRole('button', { name: new RegExp(`${label}$`) })
const readSelected = async (page: Page, label: string): Promise<string> => (await picker(page, label).textContent()) ?? ''

const expectOptions = async (page: Page, label: string, options: readonly string[]): Promise<void> => {
  await picker(page, label).click()
  await expect(page.getByRole('option')).toHaveText(options)
  await page.keyboard.press('Escape')
}

const selectOption = async (page: Page, label: string, option: string): Promise<void> => {
  // A list that is opened while the agreement's periods still load closes again.
  for (let attempt = 1; ; attempt += 1) {
    await picker(page, label).click()
    try {
      await page.getByRole('option', { name: option, exact: true }).click({ timeout: 10_000 })
      break
    } catch (error) {
      if (attempt === 5) throw error
      await page.keyboard.press('Escape')
    }
  }
  await expect(page.getByRole('listbox')).toHaveCount(0)
}

const productOf = ({ productLabel, productName }: Transaction): string => `${productLabel} ${productName}`

const monthName = (period: BillingPeriod | undefined): string =>
  new Date(`${period?.year}-${String(period?.month).padStart(2, '0')}-01`).toLocaleDateString('en-AU', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

const formatMoney = (amount: number, symbol: string): string =>
  `${amount < 0 ? '-' : ''}${symbol}${Math.abs(amount).toLocaleString('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

const formatDay = (text: string | null): string =>
  text === null ? '–' : new Date(text).toLocaleDateString('en-AU', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** The cells that a transaction's row shows. */
const toCells = (row: Transaction, symbol = '$'): string[] => [
  productOf(row),
  row.serviceName ?? '–',
  row.serviceItem ?? '–',
  row.siteLabel ?? '–',
  row.invoiceNumber ?? '–',
  formatMoney(row.price, symbol),
  row.quantity.toLocaleString('en-AU', { maximumFractionDigits: 6 }),
  formatDay(row.dateFrom),
  formatDay(row.dateTo),
]

/** The expected file. In the demo data no text begins like a formula, and all prices have whole cents. */
const toCsv = (rows: readonly Transaction[], extraLabels: readonly string[] = []): string => {
  const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = rows.map((row) => [
    row.productLabel,
    row.productName,
    row.serviceName ?? '',
    row.serviceItem ?? '',
    row.siteLabel ?? '',
    row.invoiceNumber ?? '',
    row.price.toFixed(2),
    String(row.quantity),
    row.dateFrom ?? '',
    row.dateTo ?? '',
    ...[row.extraField1, row.extraField2, row.extraField3, row.extraField4, row.extraField5]
      .slice(0, extraLabels.length)
      .map((text) => text ?? ''),
  ])
  const head = ['Product', 'Code', 'Service', 'Service Item', 'Site', 'Invoice', 'Price', 'Qty', 'From', 'To', ...extraLabels]
  return `\uFEFF${[head, ...lines].map((line) => `${line.map(quoted).join(',')}\n`).join('')}`
}
