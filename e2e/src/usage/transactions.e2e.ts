import type { Agreement, BillingPeriod } from '@counterfoil/contract/agreements'
import type { ExtraFieldLabels, Transaction } from '@counterfoil/contract/transactions'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { savedBy } from '../support/downloads.ts'
import { answerTo, eventually, pathOf, people } from '../support/people.ts'

const { signedIn } = people()

const BANNER = 'Our server returned error, try again later'
const HEADS = ['Product', 'Service', 'Service Item', 'Site', 'Invoice', 'Price', 'Qty', 'From', 'To']

test('[TXN-01] the first agreement and the newest period are chosen, and every period reads as its month and year, newest first', async () => {
  const page = await transactionsOf('demo')
  const { agreements, periods } = await loadedBy(page)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Transactions')
  expect(await chosenIn(page, 'Agreement')).toBe(agreements[0]?.agreementName)
  expect(await chosenIn(page, 'Period')).toBe(monthName(periods[0]))
  expect(await optionsOf(page, 'Agreement')).toEqual(agreements.map(({ agreementName }) => agreementName))
  expect(await optionsOf(page, 'Period')).toEqual(periods.map(monthName))
  expect(periods.length).toBeGreaterThanOrEqual(13)
})

test('[TXN-01] what is chosen stays in the address, over a reload; an address that names nothing of the customer shows the first', async () => {
  const page = await transactionsOf('demo')
  const { agreements, periods } = await loadedBy(page)
  await choose(page, 'Agreement', agreements[1]?.agreementName ?? '')
  await choose(page, 'Period', monthName(periods[2]))
  const address = `/transactions?agreement=${agreements[1]?.id}&period=${periods[2]?.id}`
  await eventually(() => pathOf(page)).toBe(address)
  await page.reload()
  await table(page).waitFor()
  expect([await chosenIn(page, 'Agreement'), await chosenIn(page, 'Period')]).toEqual([agreements[1]?.agreementName, monthName(periods[2])])
  const rows = await answerTo<Transaction[]>(page, `/v1/ec/transactions?period=${periods[2]?.id}`)
  expect(await firstCells(page)).toEqual(rows.slice(0, 25).map(productOf))

  await page.goto('/transactions?agreement=999999999&period=nonsense')
  await table(page).waitFor()
  expect([await chosenIn(page, 'Agreement'), await chosenIn(page, 'Period')]).toEqual([agreements[0]?.agreementName, monthName(periods[0])])
})

test('[TXN-02] the columns stand in the specified order, and each row says what was billed', async () => {
  const page = await transactionsOf('us')
  const { rows } = await loadedBy(page)
  expect(await heads(page)).toEqual(HEADS)
  expect(await cells(page)).toEqual(rows.slice(0, 25).map((row) => shown(row)))
  expect(rows.length).toBeGreaterThan(5)
})

test('[TXN-03] the extra columns that the brand switches on stand at the end, under the labels of type 3', async () => {
  const page = await transactionsOf('demo')
  const labels = await answerTo<ExtraFieldLabels[]>(page, '/v1/ec/extra-fields/labels')
  const own = labels.find(({ extraFieldTypeId }) => extraFieldTypeId === 3)
  const extras = [own?.extraField1, own?.extraField2, own?.extraField3, own?.extraField4, own?.extraField5]
  expect(await heads(page)).toEqual([...HEADS, ...extras])
  const { rows } = await loadedBy(page)
  const withExtras = (row: Transaction): string[] => [
    ...shown(row, 'A$'),
    ...[row.extraField1, row.extraField2, row.extraField3, row.extraField4, row.extraField5].map((text) => text ?? '–'),
  ]
  expect(await cells(page)).toEqual(rows.slice(0, 25).map(withExtras))
})

test('[TXN-04] the download is called after the period and holds every transaction, byte for byte', async () => {
  const page = await transactionsOf('us')
  const { periods } = await loadedBy(page)
  for (const period of periods.slice(0, 3)) {
    await choose(page, 'Period', monthName(period))
    const rows = await answerTo<Transaction[]>(page, `/v1/ec/transactions?period=${period.id}`)
    await eventually(() => firstCells(page)).toEqual(rows.slice(0, 25).map(productOf))
    const { name, content } = await savedBy(page, () => page.getByRole('button', { name: 'Download Transactions' }).click())
    expect(name).toBe(`${String(period.month).padStart(2, '0')}_${period.year}_Transactions.csv`)
    expect(content.toString()).toBe(csv(rows))
  }
})

test('[TXN-03][TXN-04] the download has the extra columns too', async () => {
  const page = await transactionsOf('demo')
  const { rows } = await loadedBy(page)
  const labels = (await heads(page)).slice(HEADS.length)
  const { content } = await savedBy(page, () => page.getByRole('button', { name: 'Download Transactions' }).click())
  expect(content.toString()).toBe(csv(rows, labels))
})

test('[TXN-05] another period, another agreement and another sort each begin at page 1 again', async () => {
  const page = await transactionsOf('demo')
  const { agreements, periods, rows } = await loadedBy(page)
  expect(rows.length).toBeGreaterThan(25)
  const turn = page.getByRole('navigation', { name: 'Transactions: pages' })
  const toPageTwo = async (): Promise<void> => {
    await turn.getByRole('button', { name: 'Page 2', exact: true }).click()
    await eventually(() => current(turn)).toBe('2')
  }
  await toPageTwo()
  expect(await firstCells(page)).toEqual(rows.slice(25, 50).map(productOf))

  await choose(page, 'Period', monthName(periods[1]))
  const october = await answerTo<Transaction[]>(page, `/v1/ec/transactions?period=${periods[1]?.id}`)
  await eventually(() => firstCells(page)).toEqual(october.slice(0, 25).map(productOf))
  expect(await current(turn)).toBe('1')

  await toPageTwo()
  await choose(page, 'Agreement', agreements[1]?.agreementName ?? '')
  await eventually(() => current(turn)).toBe('1')
  await eventually(() => firstCells(page)).toEqual(october.slice(0, 25).map(productOf))

  // And back to what was turned before: page 1, not the page that was left.
  await toPageTwo()
  await choose(page, 'Agreement', agreements[0]?.agreementName ?? '')
  await eventually(() => current(turn)).toBe('1')

  await toPageTwo()
  await sortBy(page, 'Price')
  await eventually(() => current(turn)).toBe('1')
  const cheapest = october.toSorted((a, b) => a.price - b.price).map(({ price }) => money(price, 'A$'))
  expect((await cells(page)).map((row) => row[5])).toEqual(cheapest.slice(0, 25))
})

test('[GRID-01] every column sorts all transactions both ways, by what it means', async () => {
  const page = await transactionsOf('us')
  const { rows } = await loadedBy(page)
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
      await sortBy(page, HEADS[at] ?? '')
      const head = page.getByRole('columnheader').nth(at)
      await eventually(() => head.getAttribute('aria-sort')).toBe(direction)
      const expected = rows.toSorted((a, b) => sign * order(a, b)).map((row) => shown(row))
      expect({ column: HEADS[at], direction, rows: await cells(page) }).toEqual({
        column: HEADS[at],
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
  const page = await signedIn('us')
  await page.route(address, (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await page.goto('/transactions')
  const banner = page.getByRole('alert').filter({ hasText: BANNER })
  await banner.waitFor()
  expect((await banner.textContent())?.trim()).toBe(BANNER)
  await banner.getByRole('button', { name: 'Close' }).click()
  await eventually(() => banner.count()).toBe(0)
  expect(await page.getByText('There are no data yet').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Download Transactions' }).isDisabled()).toBe(true)
  await page.unroute(address)
  await page.getByRole('button', { name: 'Try again: Transactions' }).click()
  await table(page).waitFor()
  expect(await banner.count()).toBe(0)
})

test('[GRID-02] while another period is on its way its rows stand under a spinner and cannot be taken for it', async () => {
  const page = await transactionsOf('us')
  const { periods } = await loadedBy(page)
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/v1/ec/transactions?*', async (route) => {
    await held
    await route.continue()
  })
  await choose(page, 'Period', monthName(periods[4]))
  await page.getByText('Loading Transactions').waitFor()
  expect(await page.getByRole('button', { name: 'Download Transactions' }).isDisabled()).toBe(true)
  letGo()
  const rows = await answerTo<Transaction[]>(page, `/v1/ec/transactions?period=${periods[4]?.id}`)
  await eventually(() => cells(page)).toEqual(rows.slice(0, 25).map((row) => shown(row)))
  expect(await page.getByText('Loading Transactions').count()).toBe(0)
})

test('[GRID-03] a period is chosen, sorted and turned by keyboard alone', async () => {
  const page = await transactionsOf('demo')
  const { periods } = await loadedBy(page)
  await picker(page, 'Period').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await eventually(() => chosenIn(page, 'Period')).toBe(monthName(periods[1]))
  const rows = await answerTo<Transaction[]>(page, `/v1/ec/transactions?period=${periods[1]?.id}`)
  await eventually(() => firstCells(page)).toEqual(rows.slice(0, 25).map(productOf))
  await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toContain(monthName(periods[1]))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await eventually(() => page.getByRole('columnheader').first().getAttribute('aria-sort')).toBe('ascending')
  await page.getByRole('button', { name: 'Next page' }).focus()
  await page.keyboard.press('Enter')
  await eventually(() => current(page.getByRole('navigation', { name: 'Transactions: pages' }))).toBe('2')
})

const transactionsOf = async (username: string): Promise<Page> => {
  const page = await signedIn(username)
  await page.goto('/transactions')
  await table(page).waitFor()
  return page
}

/** What a page has loaded by itself, asked for once more. */
const loadedBy = async (page: Page): Promise<{ agreements: Agreement[]; periods: BillingPeriod[]; rows: Transaction[] }> => {
  const agreements = await answerTo<Agreement[]>(page, '/v1/ec/agreements')
  const periods = await answerTo<BillingPeriod[]>(page, `/v1/ec/billing-periods/${agreements[0]?.id}`)
  const rows = await answerTo<Transaction[]>(page, `/v1/ec/transactions?period=${periods[0]?.id}`)
  return { agreements, periods, rows }
}

const table = (page: Page): Locator => page.getByRole('table', { name: 'Transactions' })
const heads = (page: Page): Promise<string[]> => page.getByRole('columnheader').allTextContents()
const firstCells = (page: Page): Promise<string[]> => page.getByRole('rowheader').allTextContents()
const sortBy = (page: Page, column: string): Promise<void> =>
  page.getByRole('columnheader', { name: column, exact: true }).getByRole('button').click()
const current = (turn: Locator): Promise<string | null> => turn.locator('[aria-current=page]').textContent()

/** What each row of the page shows, cell by cell, without the labels that only cards show. */
const cells = (page: Page): Promise<string[][]> =>
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
const chosenIn = async (page: Page, label: string): Promise<string> => (await picker(page, label).textContent()) ?? ''

const optionsOf = async (page: Page, label: string): Promise<string[]> => {
  await picker(page, label).click()
  const options = await page.getByRole('option').allTextContents()
  await page.keyboard.press('Escape')
  return options
}

const choose = async (page: Page, label: string, option: string): Promise<void> => {
  // The agreement's periods may still be loading: a list that is opened too early closes again, as it would under a person's hand.
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
  await page.getByRole('listbox').waitFor({ state: 'detached' })
}

const productOf = ({ productLabel, productName }: Transaction): string => `${productLabel} ${productName}`

const monthName = (period: BillingPeriod | undefined): string =>
  new Date(`${period?.year}-${String(period?.month).padStart(2, '0')}-01`).toLocaleDateString('en-AU', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

const money = (amount: number, symbol: string): string =>
  `${amount < 0 ? '-' : ''}${symbol}${Math.abs(amount).toLocaleString('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

const day = (text: string | null): string =>
  text === null ? '–' : new Date(text).toLocaleDateString('en-AU', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A transaction as its row shows it. */
const shown = (row: Transaction, symbol = '$'): string[] => [
  productOf(row),
  row.serviceName ?? '–',
  row.serviceItem ?? '–',
  row.siteLabel ?? '–',
  row.invoiceNumber ?? '–',
  money(row.price, symbol),
  row.quantity.toLocaleString('en-AU', { maximumFractionDigits: 6 }),
  day(row.dateFrom),
  day(row.dateTo),
]

/** The file that the transactions should make; none of the demo world's texts begins like a formula, and its prices have whole cents. */
const csv = (rows: readonly Transaction[], extraLabels: readonly string[] = []): string => {
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
  return [head, ...lines].map((line) => `${line.map(quoted).join(',')}\n`).join('')
}
