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

test('[TXN-01][TXN-03][TXN-04] the first agreement and its newest period are chosen, also by an address that names nothing of the customer; what is chosen stays in the address; extra columns stand at the end under the labels of type 3, and in the file', async () => {
  const page = await openPageAs('demo', '/transactions?agreement=999999999&period=nonsense')
  await expect(table(page)).toBeVisible()
  const { agreements, periods } = await fetchLoaded(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transactions')
  await expectSelected(page, agreements[0], periods[0])
  const names = agreements.map(({ agreementName }) => agreementName)
  await expectOptions(page, 'Agreement', names)
  await expectOptions(page, 'Period', periods.map(monthName))
  expect(periods.length).toBeGreaterThanOrEqual(13)

  await selectOption(page, 'Agreement', names[1] ?? '')
  await selectOption(page, 'Period', monthName(periods[2]))
  await expect(page).toHaveURL(`/transactions?agreement=${agreements[1]?.id}&period=${periods[2]?.id}`)
  await page.reload()
  await expectSelected(page, agreements[1], periods[2])
  const rows = await fetchTransactions(page, periods[2])
  const labels = await fetchExtraLabels(page)
  await expect.poll(() => readColumns(page)).toEqual([...COLUMNS, ...labels])
  await expect.poll(() => readCells(page)).toEqual(rows.slice(0, 25).map((row) => [...toCells(row, 'A$'), ...toExtraCells(row)]))
  const { content } = await captureDownload(page, () => page.getByRole('button', { name: 'Download Transactions' }).click())
  expect(content.toString()).toBe(toCsv(rows, labels))
})

const expectSelected = async (page: Page, agreement: Agreement | undefined, period: BillingPeriod | undefined): Promise<void> => {
  await expect.poll(() => readSelected(page, 'Agreement')).toBe(agreement?.agreementName)
  await expect.poll(() => readSelected(page, 'Period')).toBe(monthName(period))
}

/** The names of the five extra columns, which the brand of the user demo switches on. */
const fetchExtraLabels = async (page: Page): Promise<string[]> => {
  const all = await getFromApi<ExtraFieldLabels[]>(page, '/v1/ec/extra-fields/labels')
  const own = all.find(({ extraFieldTypeId }) => extraFieldTypeId === 3)
  return [own?.extraField1, own?.extraField2, own?.extraField3, own?.extraField4, own?.extraField5].map((label) => label ?? 'none')
}

const toExtraCells = (row: Transaction): string[] =>
  [row.extraField1, row.extraField2, row.extraField3, row.extraField4, row.extraField5].map((text) => text ?? '–')

test('[TXN-02][TXN-04][TXN-01][GRID-01][GRID-02] each row says what was billed, in the specified columns; every column sorts all of a period by what it means, and the file is called after its period; while another one is on its way nothing can be taken for it', async () => {
  const page = await signInAs('us')
  await page.route('**/v1/ec/billing-periods/*', async (route) => {
    const [newest, ...others] = (await (await route.fetch()).json()) as [BillingPeriod, ...BillingPeriod[]]
    await route.fulfill({ json: [{ ...newest, ...NO_MONTH }, ...others] })
  })
  await page.goto('/transactions')
  await expect(table(page)).toBeVisible()
  const { periods } = await fetchLoaded(page)
  await expect.poll(() => readSelected(page, 'Period')).toBe('16 Sept 2026 – 15 Oct 2026')
  await expectFile(page, periods[0], '2026-09-16_2026-10-15')
  for (const period of periods.slice(1, 3)) {
    await selectOption(page, 'Period', monthName(period))
    await expectFile(page, period, `${String(period.month).padStart(2, '0')}_${period.year}`)
  }
  const rows = await waitForPeriod(page, periods[4])
  await expect.poll(() => readColumns(page)).toEqual(COLUMNS)
  await sortByEveryColumn(page, rows)
})

/** A period that is no calendar month, as the server describes one. */
const NO_MONTH = { month: null, year: null, periodStart: '2026-09-16', periodEnd: '2026-10-15', periodLabel: '2026-09-16 – 2026-10-15' }

/** The transactions of a period, on the screen and, byte for byte, in a file of this name. */
const expectFile = async (page: Page, period: BillingPeriod | undefined, fileName: string): Promise<void> => {
  const rows = await fetchTransactions(page, period)
  await expect.poll(() => readFirstCells(page)).toEqual(rows.slice(0, 25).map(productOf))
  const { name, content } = await captureDownload(page, () => page.getByRole('button', { name: 'Download Transactions' }).click())
  expect([name, content.toString()]).toEqual([`${fileName}_Transactions.csv`, toCsv(rows)])
}

/** While a period is on its way the rows before it stand under a spinner, and there is no file. @returns its transactions */
const waitForPeriod = async (page: Page, period: BillingPeriod | undefined): Promise<Transaction[]> => {
  const { promise: isWaitedFor, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/v1/ec/transactions?*', async (route) => {
    await isWaitedFor
    await route.continue()
  })
  await selectOption(page, 'Period', monthName(period))
  await expect(page.getByText('Loading Transactions')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download Transactions' })).toBeDisabled()
  answer()
  const rows = await fetchTransactions(page, period)
  await expect.poll(() => readCells(page)).toEqual(rows.slice(0, 25).map((row) => toCells(row)))
  await expect(page.getByText('Loading Transactions')).toHaveCount(0)
  return rows
}

const sortByEveryColumn = async (page: Page, rows: Transaction[]): Promise<void> => {
  expect(rows.length).toBeGreaterThan(5)
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
}

test('[TXN-05][GRID-01][GRID-03] another period, another agreement and another sort each begin at page 1 again; by keyboard alone a period is chosen, sorted and turned', async () => {
  const page = await openTransactionsAs('demo')
  const loaded = await fetchLoaded(page)
  await beginAtPageOne(page, loaded)
  await chooseByKeyboard(page, loaded.periods)
})

const beginAtPageOne = async (page: Page, { agreements, periods, rows }: Loaded): Promise<void> => {
  expect(rows.length).toBeGreaterThan(25)
  const pagination = page.getByRole('navigation', { name: 'Transactions: pages' })
  const toPageTwo = async (): Promise<void> => {
    await pagination.getByRole('button', { name: 'Page 2', exact: true }).click()
    await expect.poll(() => readCurrentPage(pagination)).toBe('2')
  }
  await toPageTwo()
  await expect.poll(() => readFirstCells(page)).toEqual(rows.slice(25, 50).map(productOf))

  await selectOption(page, 'Period', monthName(periods[1]))
  const october = await fetchTransactions(page, periods[1])
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
}

const chooseByKeyboard = async (page: Page, periods: BillingPeriod[]): Promise<void> => {
  await picker(page, 'Period').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => readSelected(page, 'Period')).toBe(monthName(periods[2]))
  const cheapest = (await fetchTransactions(page, periods[2])).toSorted((a, b) => a.price - b.price)
  await expect.poll(() => readFirstCells(page)).toEqual(cheapest.slice(0, 25).map(productOf))
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain(monthName(periods[2]))
  for (const name of ['Search', 'Columns', 'Product']) {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('main').getByLabel(name).or(page.getByRole('button', { name })).and(page.locator(':focus'))).toBeVisible()
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('columnheader').first()).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('button', { name: 'Next page' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => readCurrentPage(page.getByRole('navigation', { name: 'Transactions: pages' }))).toBe('2')
}

test('[GRID-02] agreements, periods or transactions that fail to load raise the red banner, which closes, and can be asked for again', async () => {
  const page = await signInAs('us')
  const mends: (() => void)[] = []
  for (const address of ['agreements', 'billing-periods/*', 'transactions?*']) mends.push(await failRequests(page, `**/v1/ec/${address}`))
  await page.goto('/transactions')
  const banner = page.getByRole('alert').filter({ hasText: BANNER })
  for (const mend of mends) {
    await expect(banner).toHaveText(BANNER)
    await banner.getByRole('button', { name: 'Close' }).click()
    await expect(banner).toHaveCount(0)
    await expect(page.getByText('There are no data yet')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Download Transactions' })).toBeDisabled()
    mend()
    await page.getByRole('button', { name: 'Try again: Transactions' }).click()
  }
  await expect(table(page)).toBeVisible()
  await expect(banner).toHaveCount(0)
})

const openTransactionsAs = async (username: string): Promise<Page> => {
  const page = await openPageAs(username, '/transactions')
  await expect(table(page)).toBeVisible()
  return page
}

interface Loaded {
  readonly agreements: Agreement[]
  readonly periods: BillingPeriod[]
  readonly rows: Transaction[]
}

/** What the page has loaded by default, fetched again. */
const fetchLoaded = async (page: Page): Promise<Loaded> => {
  const agreements = await getFromApi<Agreement[]>(page, '/v1/ec/agreements')
  const periods = await getFromApi<BillingPeriod[]>(page, `/v1/ec/billing-periods/${agreements[0]?.id}`)
  return { agreements, periods, rows: await fetchTransactions(page, periods[0]) }
}

const fetchTransactions = (page: Page, period: BillingPeriod | undefined): Promise<Transaction[]> =>
  getFromApi<Transaction[]>(page, `/v1/ec/transactions?period=${period?.id}`)

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
