import type { Bundle, DataUsage, Spending } from '@counterfoil/contract/dashboard'
import type { Invoice } from '@counterfoil/contract/invoices'
import type { PortalSettings } from '@counterfoil/contract/portal-settings'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { collectApiRequests, requestLine } from '../support/api-requests.ts'
import { isCompletePdf, captureDownload } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { usePages } from '../support/pages.ts'
import { getFromApi } from '../support/api.ts'

const { openPageAs, signInAs } = usePages()

const BANNER = 'Our server returned error, try again later'

test('[DASH-01][EASE-01] the opening balance stands with its symbol, two decimals and its day', async () => {
  const page = await openDashboardAs('demo')
  const { balance, asOf } = await getFromApi<{ balance: number; asOf: string }>(page, '/v1/ec/opening-balance')
  await expect(tile(page, 'Opening balance').getByText(formatMoney(balance, 'A$'), { exact: true })).toBeVisible()
  await expect(tile(page, 'Opening balance').getByText(`On ${formatDay(asOf)}`, { exact: true })).toBeVisible()
})

test('[DASH-02] the graph of the latest five invoices has five gridlines over 180 px, and bars whose heights are their amounts', async () => {
  const page = await openDashboardAs('demo')
  const chart = page.getByRole('group', { name: 'Latest 5 Invoices' })
  const lines = await chart.locator('line').evaluateAll((all) => all.map((line) => Number(line.getAttribute('y1'))))
  expect(lines).toHaveLength(5)
  expect(Math.max(...lines) - Math.min(...lines)).toBe(180)

  const invoices = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
  const amounts = invoices
    .slice(0, 5)
    .toReversed()
    .map(({ amount }) => amount)
  const heights = await chart
    .getByRole('img')
    .evaluateAll((bars) => bars.map((bar) => bar.querySelectorAll('rect')[1]?.height.baseVal.value ?? 0))
  const scale = Math.max(...heights) / Math.max(...amounts)
  for (const [i, height] of heights.entries()) expect(height).toBeCloseTo((amounts[i] ?? 0) * scale, 1)
})

test('[DASH-02] a screen reader finds the same five invoices as a table, and each bar shows its invoice on focus', async () => {
  const page = await openDashboardAs('demo')
  const invoices = (await getFromApi<Invoice[]>(page, '/v1/ec/invoices')).slice(0, 5).toReversed()
  const table = page.getByRole('table', { name: 'Latest 5 Invoices' })
  await expect(table.getByRole('columnheader')).toHaveText(['Invoice', 'Amount'])
  await expect(table.getByRole('cell')).toHaveText(invoices.map(({ amount }) => formatMoney(amount, 'A$')))
  const readRows = async () => (await table.getByRole('rowheader').allTextContents()).map((row) => row.split(',')[0])
  await expect.poll(readRows).toEqual(invoices.map(({ number }) => number))

  const [oldest] = invoices
  const bar = page.getByRole('img', { name: new RegExp(oldest?.number ?? 'none') })
  await bar.focus()
  await expect(page.getByText(`${formatMoney(oldest?.amount ?? 0, 'A$')}`, { exact: false }).first()).toBeVisible()
})

test('[EASE-13] a chart is one tab stop: arrows, Home and End lead along its bars, and Tab comes back to the last one', async () => {
  const page = await openDashboardAs('demo')
  const chart = page.getByRole('group', { name: 'Latest 5 Invoices' })
  const bars = chart.getByRole('img')
  await expect(bars).toHaveCount(5)
  await expect(chart.locator('[tabindex="0"]')).toHaveCount(1)
  await bars.first().focus()
  for (const [key, at] of [
    ['ArrowLeft', 0],
    ['ArrowRight', 1],
    ['End', 4],
    ['ArrowRight', 4],
    ['Home', 0],
    ['ArrowRight', 1],
  ] as const) {
    await page.keyboard.press(key)
    await expect(bars.nth(at)).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(chart.locator(':focus')).toHaveCount(0)
  await page.keyboard.press('Shift+Tab')
  await expect(bars.nth(1)).toBeFocused()
})

test('[NAV-03][DASH-04] the tiles call invoices as the portal settings do', async () => {
  const page = await openPageAs('eu')
  for (const name of ['Recent Rechnung', 'Previous Rechnungen', 'Latest 5 Rechnungen']) {
    await expect(tile(page, name)).toBeVisible()
  }
  await expect(tile(page, 'Total due').getByRole('link', { name: 'Choose Rechnungen' })).toBeVisible()
  await expect(page.getByRole('main').getByText(/\binvoices?\b/i)).toHaveCount(0)
})

test('[DASH-03] the recent invoice stands 252 px tall with its way to pay and its PDF, which is saved under its number', async () => {
  const page = await openDashboardAs('demo')
  const [newest] = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
  const recent = tile(page, 'Recent Invoice')
  await expect.poll(() => minHeight(recent)).toBe(252)
  await expect(recent.getByText(formatMoney(newest?.amount ?? 0, 'A$')).first()).toBeVisible()
  await expect(recent.getByRole('link', { name: 'Pay' })).toHaveAttribute('href', `/pay/${newest?.payToken}`)
  const { name, content } = await captureDownload(page, () => recent.getByRole('button', { name: /^Download PDF/ }).click())
  expect(name).toBe(`${newest?.number}.pdf`)
  expect(isCompletePdf(content)).toBe(true)
})

test('[DASH-04] the four invoices before it can each be opened in a new tab and saved', async () => {
  const page = await openDashboardAs('demo')
  const previous = (await getFromApi<Invoice[]>(page, '/v1/ec/invoices')).slice(1, 5)
  const items = tile(page, 'Previous Invoices').getByRole('listitem')
  await expect(items).toHaveCount(4)
  for (const [i, { number, amount }] of previous.entries()) {
    await expect(items.nth(i)).toContainText(number)
    await expect(items.nth(i)).toContainText(formatMoney(amount, 'A$'))
  }
  const [second] = previous
  const { name, content } = await captureDownload(page, () =>
    page.getByRole('button', { name: `Download PDF of ${second?.number}` }).click(),
  )
  expect(name).toBe(`${second?.number}.pdf`)
  expect(isCompletePdf(content)).toBe(true)

  const fetched = page.waitForResponse(`**/v1/ec/invoices/${second?.id}`)
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: `Open ${second?.number} in a new tab` }).click(),
  ])
  expect((await fetched).headers()['content-type']).toBe('application/pdf')
  expect(tab).toBeDefined()
})

test('[DASH-04][EASE-01] the first tile says what is due and since when, pays all of it at once, and leads to the unpaid ones', async () => {
  const page = await openDashboardAs('demo')
  const invoices = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
  const sumDue = (list: Invoice[]): string =>
    formatMoney(list.reduce((cents, { amountDue }) => cents + Math.round(amountDue * 100), 0) / 100, 'A$')
  const due = invoices.filter(({ canPay }) => canPay).toSorted((one, other) => one.dateDue.localeCompare(other.dateDue))
  const overdue = due.filter(({ invoiceStatus }) => invoiceStatus === 5)
  const first = page.getByRole('main').getByRole('region').first()
  await expect(first.getByRole('heading')).toHaveText('Total due')
  for (const text of [
    sumDue(due),
    `${due.length} invoices, the oldest due since ${formatDay(overdue[0]?.dateDue ?? '')}`,
    `${overdue.length} overdue`,
    `${sumDue(invoices.filter(({ invoiceStatus }) => invoiceStatus === 7))} on its way by bank debit`,
  ])
    await expect(first.getByText(text, { exact: true })).toBeVisible()
  await expect(first.getByRole('definition')).toHaveText([String(invoices.length), sumDue(overdue)])

  const previous = tile(page, 'Previous Invoices')
  const payable = invoices.slice(1, 5).filter(({ canPay }) => canPay)
  expect(payable.length).toBeGreaterThan(0)
  await expect(previous.getByRole('link', { name: /^Pay / })).toHaveCount(payable.length)
  for (const { number, payToken } of payable)
    await expect(previous.getByRole('link', { name: `Pay ${number}` })).toHaveAttribute('href', `/pay/${payToken}`)

  await first.getByRole('link', { name: 'Choose invoices' }).click()
  await expect(page).toHaveURL('/invoices?status=unpaid')
  await page.goBack()
  const created = page.waitForRequest('**/v1/ec/payments/intents')
  await first.getByRole('button', { name: 'Pay all due' }).click()
  expect((await created).postDataJSON()).toEqual({ invoiceIds: due.map(({ id }) => id) })
  await expect(page).toHaveURL('/bulk-pay')
})

test('[EASE-01][BP-01] what paying all adds to the invoices stands with its reason beside the sum that is due, and again in the summary', async () => {
  const page = await openDashboardAs('us')
  const due = (await getFromApi<Invoice[]>(page, '/v1/ec/invoices')).filter(({ canPay }) => canPay)
  const { payments } = await getFromApi<PortalSettings>(page, '/v1/ec/settings')
  expect(payments.adjustments[0]).toMatchObject({ description: 'Late payment fee, August', amount: 12.5 })
  const together = due.reduce((sum, { amountDue }) => sum + amountDue, 12.5).toLocaleString('en', { minimumFractionDigits: 2 })
  const first = tile(page, 'Total due')
  await expect(
    first.getByText(`Pay all due adds $12.50 (Late payment fee, August): together $${together}, before payment fees`, { exact: true }),
  ).toBeVisible()
  await first.getByRole('button', { name: 'Pay all due' }).click()
  const line = tile(page, 'Payment summary').locator('dl > div').filter({ hasText: 'Adjustments' })
  await expect(line.getByText('$12.50', { exact: true })).toBeVisible()
  await expect(line.getByText('Late payment fee, August', { exact: true })).toBeVisible()
})

test('[EASE-01][BP-06] where several invoices cannot be paid at once, nothing pays all of them, and the list leads to each', async () => {
  const page = await signInAs('demo')
  await page.route('**/v1/ec/settings', async (route) => {
    const settings = (await (await route.fetch()).json()) as PortalSettings
    await route.fulfill({ json: { ...settings, payments: { ...settings.payments, bulk: false } } })
  })
  await page.goto('/dashboard')
  const first = tile(page, 'Total due')
  await expect(first.getByRole('link', { name: 'Choose invoices' })).toBeVisible()
  await expect(first.getByText(/^\d+ invoices, the oldest due since /)).toBeVisible()
  await expect(first.getByRole('button')).toHaveCount(0)
})

test('[EASE-01] the tiles leave no hole between them at any width', async () => {
  const page = await openDashboardAs('demo')
  await expect(page.getByRole('table', { name: 'Spending over 12 months' })).toBeVisible()
  for (const width of [390, 768, 1024, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.getByRole('main').evaluate(findHoles), `at ${width} px`).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
})

/** The points of the dashboard that are farther from every tile than the gap between two. */
const findHoles = (main: Element): [number, number][] => {
  const GAP = 17
  const boxes = [...main.querySelectorAll('section')].map((section) => section.getBoundingClientRect())
  const edge = (pick: (...all: number[]) => number, side: 'left' | 'right' | 'top' | 'bottom'): number =>
    pick(...boxes.map((box) => box[side]))
  const holes: [number, number][] = []
  for (let x = edge(Math.min, 'left'); x <= edge(Math.max, 'right'); x += 20)
    for (let y = edge(Math.min, 'top'); y <= edge(Math.max, 'bottom'); y += 20)
      if (!boxes.some((box) => x >= box.left - GAP && x <= box.right + GAP && y >= box.top - GAP && y <= box.bottom + GAP))
        holes.push([x, y])
  return holes
}

test('[EASE-08] spending over 12 months stands on the dashboard and on a page, beside the year before, by month and by service', async () => {
  const page = await openDashboardAs('demo')
  const months = await getFromApi<Spending[]>(page, '/v1/ec/spending?months=24')
  const total = (one: Spending | undefined): number => one?.sums[0]?.total ?? 0
  const sum = (amounts: number[]): string => formatMoney(amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100, 'A$')
  const whole = sum(months.slice(12).map(total))
  const overview = tile(page, 'Spending over 12 months')
  await expect(overview.getByText(whole, { exact: true })).toBeVisible()
  await expect(overview.getByText(/^A\$[\d,.]+ \(\d+ %\) more than in the same 11 months a year before$/)).toBeVisible()
  await expect(overview.getByText('The comparison leaves out the running month.', { exact: true })).toBeVisible()
  const rows = page.getByRole('table', { name: 'Spending over 12 months' }).getByRole('row')
  await expect(rows).toHaveCount(13)
  await expect(rows.nth(12)).toHaveText(new RegExp(`so far${escape(sum([total(months[23])]))}${escape(sum([total(months[11])]))}$`))

  await overview.getByRole('link', { name: 'All spending' }).click()
  await expect(page).toHaveURL('/spending')
  await expect(page.getByRole('heading', { level: 1, name: 'Spending' })).toBeFocused()
  const byService = page.getByRole('table', { name: 'By service' })
  await expect(
    byService
      .getByRole('row', { name: /^Total/ })
      .getByRole('cell')
      .first(),
  ).toHaveText(whole)
  const [service] = months[23]?.sums[0]?.services ?? []
  await byService.getByRole('link', { name: service?.serviceName ?? 'none', exact: true }).click()
  const amountIn = (one: Spending | undefined): number =>
    one?.sums[0]?.services.find(({ serviceName }) => serviceName === service?.serviceName)?.amount ?? 0
  const newest = page.getByRole('table', { name: 'By month' }).getByRole('row').nth(1)
  const [running, before] = [amountIn(months[23]), amountIn(months[11])]
  const change = running > before ? `+${sum([running, -before])}` : `-${sum([before, -running])}`
  await expect(newest.getByRole('cell')).toHaveText([sum([running]), sum([before]), change])
  await page.reload()
  await expect(tile(page, service?.serviceName ?? 'none').getByText(sum(months.slice(12).map(amountIn)), { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'All services' }).click()
  await expect(tile(page, 'The last 12 months').getByText(whole, { exact: true })).toBeVisible()
})

test('[DASH-05] each bundle stands 120 px tall and 70 more for every product beyond the first, with a meter for each', async () => {
  const page = await openDashboardAs('demo')
  const bundles = await getFromApi<Bundle[]>(page, '/v1/ec/bundle-widget')
  expect(bundles.map(({ bundle_products }) => bundle_products.length).toSorted()).toEqual([1, 2, 3])
  for (const { bundleName, bundle_products: products } of bundles) {
    const bundle = page.getByRole('region', { name: bundleName })
    await expect.poll(() => minHeight(bundle)).toBe(120 + 70 * (products.length - 1))
    await expect.poll(async () => (await bundle.boundingBox())?.height).toBeGreaterThanOrEqual(120 + 70 * (products.length - 1))
    for (const { productName, consumption, quantity, unitLabel } of products) {
      const meter = bundle.getByRole('meter', { name: new RegExp(`^${productName}`) })
      const figure = new Intl.NumberFormat('en-AU', { maximumFractionDigits: 2 })
      await expect(meter).toHaveAttribute('aria-valuetext', `${figure.format(consumption)} of ${figure.format(quantity)} ${unitLabel}`)
    }
  }
})

test('[EASE-13] in dark a red brand tells what is over its limit from what is not by stripes, and not by its colour alone', async () => {
  const page = await openDashboardAs('uk', { colorScheme: 'dark' })
  const bundles = await getFromApi<Bundle[]>(page, '/v1/ec/bundle-widget')
  const products = bundles.flatMap(({ bundle_products }) => bundle_products)
  const isOver = products.map(({ consumption, quantity }) => consumption > quantity)
  expect(new Set(isOver).size).toBe(2)
  const areStriped = await page
    .getByRole('meter')
    .evaluateAll((meters) =>
      meters.map((meter) => getComputedStyle(meter.nextElementSibling ?? meter).backgroundImage.includes('gradient')),
    )
  expect(areStriped).toEqual(isOver)
})

test('[DASH-06] reseller 2204 sees the data usage of the first five periods and of the current month', async () => {
  const page = await openDashboardAs('demo')
  const figure = new Intl.NumberFormat('en-AU', { maximumFractionDigits: 2 })
  const periods = (await getFromApi<DataUsage[]>(page, '/v1/ec/jasper-usage/all')).slice(0, 5).toReversed()
  const month = await getFromApi<DataUsage[]>(page, '/v1/ec/jasper-usage')
  const monthName = new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const shortDay = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const days = (usage: DataUsage): string => shortDay.formatRange(new Date(usage.periodStart), new Date(usage.periodEnd))
  for (const [title, usage, nameOf] of [
    ['Data usage', periods, ({ periodStart }: DataUsage) => monthName.format(new Date(periodStart))],
    ['4G WAN data consumption', month, days],
  ] as const) {
    const table = page.getByRole('table', { name: title })
    await expect(table).toBeVisible()
    await expect(table.getByRole('rowheader')).toHaveText(usage.map(nameOf))
    await expect(table.getByRole('cell')).toHaveText(usage.map(({ dataUsage }) => figure.format(dataUsage)))
  }
  expect(periods).toHaveLength(5)
})

test('[DASH-06] the portal of another reseller has no usage charts and never asks for them', async () => {
  const page = await signInAs('us')
  const requests = collectApiRequests(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('meter').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Data usage' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: '4G WAN data consumption' })).toHaveCount(0)
  expect(requests.map(requestLine).filter((line) => line.includes('jasper'))).toEqual([])
})

test.each([
  { path: '/v1/ec/opening-balance', what: 'The opening balance', stands: 'Total due' },
  { path: '/v1/ec/bundle-widget', what: 'Bundles', stands: 'Opening balance' },
  { path: '/v1/ec/jasper-usage', what: '4G WAN data consumption', stands: 'Data usage' },
  { path: '/v1/ec/jasper-usage/all', what: 'Data usage', stands: '4G WAN data consumption' },
  { path: '/v1/ec/spending*', what: 'Spending over 12 months', stands: 'Total due' },
  { path: '/v1/ec/invoices', what: 'Invoices', stands: 'Bundles' },
])(
  '[DASH-07] a failed load of $path is only logged, leaves the rest standing, and can be asked for again',
  async ({ path, what, stands }) => {
    const page = await signInAs('demo')
    const logged: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') logged.push(message.text())
    })
    const stopFailing = await failRequests(page, `**${path}`, (route) =>
      route.fulfill({ status: 500, json: { message: 'broken by the test' } }),
    )
    await page.goto('/dashboard')
    await expect(page.getByText(`${what} could not be loaded.`)).toBeVisible()
    await expect(tile(page, stands)).toBeVisible()
    await expect(tile(page, stands).getByText(/^Loading /)).toHaveCount(0)
    await expect(tile(page, stands).getByText('could not be loaded')).toHaveCount(0)
    await expect(page.getByText(BANNER)).toHaveCount(0)
    expect(logged.join('\n')).toContain('broken by the test')

    stopFailing()
    await page.getByRole('button', { name: `Try again: ${what}` }).click()
    await expect(page.getByText('could not be loaded')).toHaveCount(0)
  },
)

test('[DASH-03][DASH-07] without its invoices the recent-invoice tile stands 97 px tall', async () => {
  const page = await signInAs('demo')
  await page.route('**/v1/ec/invoices', (route) => route.abort())
  await page.goto('/dashboard')
  await expect(page.getByText('Invoices could not be loaded.')).toBeVisible()
  await expect.poll(() => minHeight(tile(page, 'Recent Invoice'))).toBe(97)
})

test('[DASH-07] a spinner names what is being waited for, and keeps the space', async () => {
  const page = await signInAs('demo')
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/v1/ec/invoices', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByText('Loading Invoices')).toBeVisible()
  await expect(page.getByText('Loading Latest 5 Invoices')).toBeVisible()
  const before = await tile(page, 'Latest 5 Invoices').boundingBox()
  release()
  await expect(page.getByRole('table', { name: 'Latest 5 Invoices' })).toBeVisible()
  await expect(page.getByText('Loading Invoices')).toHaveCount(0)
  const after = await tile(page, 'Latest 5 Invoices').boundingBox()
  expect(Math.abs((after?.height ?? 0) - (before?.height ?? 0))).toBeLessThanOrEqual(12)
})

const openDashboardAs = async (username: string, options?: BrowserContextOptions): Promise<Page> => {
  const page = await openPageAs(username, undefined, options)
  await expect(page.getByRole('table', { name: 'Latest 5 Invoices' })).toBeVisible()
  await expect(page.getByRole('meter').first()).toBeVisible()
  return page
}

const tile = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true })

const minHeight = (place: Locator): Promise<number> => place.evaluate((element) => Number.parseFloat(getComputedStyle(element).minHeight))

const formatMoney = (amount: number, symbol: string): string =>
  `${symbol}${new Intl.NumberFormat('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount)}`

const formatDay = (day: string): string =>
  new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date(day))

const escape = (text: string): string => text.replaceAll(/[$.]/g, String.raw`\$&`)
