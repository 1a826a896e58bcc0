import type { BrandSettings } from '@counterfoil/contract/brands'
import type { Bundle, DataUsage, Spending } from '@counterfoil/contract/dashboard'
import type { Invoice } from '@counterfoil/contract/invoices'
import type { PortalSettings } from '@counterfoil/contract/portal-settings'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { collectApiRequests, requestLine } from '../support/api-requests.ts'
import { isCompletePdf, captureDownload } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { PHONE } from '../support/browser.ts'
import { usePages } from '../support/pages.ts'
import { getFromApi } from '../support/api.ts'

const { openPageAs, signInAs } = usePages()

const BANNER = 'Our server returned error, try again later'

test('[DASH-01][DASH-02][DASH-05][DASH-06][EASE-01][EASE-13] balance, graph, bundles and data usage stand on the dashboard, exact, by keyboard and for a screen reader too, and leave no hole at any width', async () => {
  const page = await openDashboardAs('demo')
  const latest = (await getFromApi<Invoice[]>(page, '/v1/ec/invoices')).slice(0, 5).toReversed()
  await expectOpeningBalance(page)
  await expectGraph(page, latest)
  await expectTableOfGraph(page, latest)
  await expectBundles(page)
  await expectDataUsage(page)
  await expectNoHoles(page)
  await walkThroughBars(page, latest)
})

/** The balance with its symbol, two decimals and its day. */
const expectOpeningBalance = async (page: Page): Promise<void> => {
  const { balance, asOf } = await getFromApi<{ balance: number; asOf: string }>(page, '/v1/ec/opening-balance')
  await expect(tile(page, 'Opening balance').getByText(formatMoney(balance, 'A$'), { exact: true })).toBeVisible()
  await expect(tile(page, 'Opening balance').getByText(`On ${formatDay(asOf)}`, { exact: true })).toBeVisible()
}

/** Five gridlines over 180 px, and bars whose heights are their amounts. */
const expectGraph = async (page: Page, invoices: Invoice[]): Promise<void> => {
  const chart = page.getByRole('group', { name: 'Latest 5 Invoices' })
  const lines = await chart.locator('line').evaluateAll((all) => all.map((line) => Number(line.getAttribute('y1'))))
  expect(lines).toHaveLength(5)
  expect(Math.max(...lines) - Math.min(...lines)).toBe(180)
  const heights = await chart
    .getByRole('img')
    .evaluateAll((bars) => bars.map((bar) => bar.querySelectorAll('rect')[1]?.height.baseVal.value ?? 0))
  expect(heights).toHaveLength(invoices.length)
  const scale = Math.max(...heights) / Math.max(...invoices.map(({ amount }) => amount))
  for (const [i, height] of heights.entries()) expect(height).toBeCloseTo((invoices[i]?.amount ?? 0) * scale, 1)
}

const expectTableOfGraph = async (page: Page, invoices: Invoice[]): Promise<void> => {
  const table = page.getByRole('table', { name: 'Latest 5 Invoices' })
  await expect(table.getByRole('columnheader')).toHaveText(['Invoice', 'Amount'])
  await expect(table.getByRole('cell')).toHaveText(invoices.map(({ amount }) => formatMoney(amount, 'A$')))
  await expect(table.getByRole('rowheader')).toHaveText(invoices.map(({ number, dateInvoice }) => `${number}, ${formatDay(dateInvoice)}`))
}

/**
 * A chart is one tab stop: arrows, Home and End lead along its bars, each shows its invoice, and Tab comes back to the last one. On a phone
 * what they show stays on the page.
 */
const walkThroughBars = async (page: Page, invoices: Invoice[]): Promise<void> => {
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
  const { number = '', dateInvoice = '', amount = 0 } = invoices[1] ?? {}
  await expect(page.getByText(`${number} · ${formatDay(dateInvoice)} · ${formatMoney(amount, 'A$')}`, { exact: true })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(chart.locator(':focus')).toHaveCount(0)
  await page.keyboard.press('Shift+Tab')
  await expect(bars.nth(1)).toBeFocused()
  await page.setViewportSize(PHONE)
  for (const bar of await bars.all()) {
    await bar.focus()
    await expect(page.getByText((await bar.getAttribute('aria-label')) ?? '', { exact: true })).toBeVisible()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  }
}

/** Each bundle stands 120 px tall and 70 more for every product beyond the first, with a meter for each. */
const expectBundles = async (page: Page): Promise<void> => {
  const bundles = await getFromApi<Bundle[]>(page, '/v1/ec/bundle-widget')
  expect(bundles.map(({ bundle_products }) => bundle_products.length).toSorted()).toEqual([1, 2, 3])
  for (const { bundleName, bundle_products: products } of bundles) {
    const bundle = page.getByRole('region', { name: bundleName })
    await expect.poll(() => minHeight(bundle)).toBe(120 + 70 * (products.length - 1))
    await expect.poll(async () => (await bundle.boundingBox())?.height).toBeGreaterThanOrEqual(120 + 70 * (products.length - 1))
    for (const { productName, consumption, quantity, unitLabel } of products) {
      const meter = bundle.getByRole('meter', { name: new RegExp(`^${productName}`) })
      const reading = `${formatFigure(consumption)} of ${formatFigure(quantity)} ${unitLabel}`
      await expect(meter).toHaveAttribute('aria-valuetext', reading)
    }
  }
}

/** Reseller 2204 sees the data usage of the first five periods and of the current month. */
const expectDataUsage = async (page: Page): Promise<void> => {
  const periods = (await getFromApi<DataUsage[]>(page, '/v1/ec/jasper-usage/all')).slice(0, 5).toReversed()
  expect(periods).toHaveLength(5)
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
    await expect(table.getByRole('cell')).toHaveText(usage.map(({ dataUsage }) => formatFigure(dataUsage)))
  }
}

const expectNoHoles = async (page: Page): Promise<void> => {
  await expect(page.getByRole('table', { name: 'Spending over 12 months' })).toBeVisible()
  for (const width of [390, 768, 1024, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => page.getByRole('main').evaluate(findHoles), `at ${width} px`).toEqual([])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
}

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

test('[DASH-03][DASH-04][EASE-01][EASE-08] invoices are saved and opened from the dashboard, spending is followed by month and by service, and all that is due is paid at once', async () => {
  const page = await openDashboardAs('demo')
  const invoices = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
  await saveRecentInvoice(page, invoices[0])
  await savePreviousInvoice(page, invoices.slice(1, 5))
  await followSpending(page)
  await expectTotalDue(page, invoices)
  await payAllDue(page, invoices)
})

/** The recent invoice stands 252 px tall with its way to pay and its PDF, which is saved under its number. */
const saveRecentInvoice = async (page: Page, newest: Invoice | undefined): Promise<void> => {
  const recent = tile(page, 'Recent Invoice')
  await expect.poll(() => minHeight(recent)).toBe(252)
  await expect(recent.getByText(formatMoney(newest?.amount ?? 0, 'A$')).first()).toBeVisible()
  await expect(recent.getByRole('link', { name: 'Pay' })).toHaveAttribute('href', `/pay/${newest?.payToken}`)
  const { name, content } = await captureDownload(page, () => recent.getByRole('button', { name: /^Download PDF/ }).click())
  expect([name, isCompletePdf(content)]).toEqual([`${newest?.number}.pdf`, true])
}

/** The four invoices before it can each be opened in a new tab, saved, and paid where they are payable. */
const savePreviousInvoice = async (page: Page, previous: Invoice[]): Promise<void> => {
  const shown = tile(page, 'Previous Invoices')
  const items = shown.getByRole('listitem')
  await expect(items).toHaveCount(4)
  for (const [i, { number, amount }] of previous.entries()) {
    await expect(items.nth(i)).toContainText(number)
    await expect(items.nth(i)).toContainText(formatMoney(amount, 'A$'))
  }
  const payable = previous.filter(({ canPay }) => canPay)
  expect(payable.length).toBeGreaterThan(0)
  await expect(shown.getByRole('link', { name: /^Pay / })).toHaveCount(payable.length)
  for (const { number, payToken } of payable)
    await expect(shown.getByRole('link', { name: `Pay ${number}` })).toHaveAttribute('href', `/pay/${payToken}`)

  const [second] = previous
  const saved = page.getByRole('button', { name: `Download PDF of ${second?.number}` })
  const { name, content } = await captureDownload(page, () => saved.click())
  expect([name, isCompletePdf(content)]).toEqual([`${second?.number}.pdf`, true])
  const fetched = page.waitForResponse(`**/v1/ec/invoices/${second?.id}`)
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: `Open ${second?.number} in a new tab` }).click(),
  ])
  expect((await fetched).headers()['content-type']).toBe('application/pdf')
  await tab.close()
}

/** Twelve months stand beside the year before; a page has them by month and by service. It ends on the dashboard. */
const followSpending = async (page: Page): Promise<void> => {
  const months = await getFromApi<Spending[]>(page, '/v1/ec/spending?months=24')
  const total = (one: Spending | undefined): number => one?.sums[0]?.total ?? 0
  const whole = sumOf(months.slice(12).map(total))
  const overview = tile(page, 'Spending over 12 months')
  await expect(overview.getByText(whole, { exact: true })).toBeVisible()
  await expect(overview.getByText(/^A\$[\d,.]+ \(\d+ %\) more than in the same 11 months a year before$/)).toBeVisible()
  await expect(overview.getByText('The comparison leaves out the running month.', { exact: true })).toBeVisible()
  const rows = page.getByRole('table', { name: 'Spending over 12 months' }).getByRole('row')
  await expect(rows).toHaveCount(13)
  const [running, yearBefore] = [sumOf([total(months[23])]), sumOf([total(months[11])])]
  await expect(rows.nth(12)).toHaveText(new RegExp(`so far${escape(running)}${escape(yearBefore)}$`))

  await overview.getByRole('link', { name: 'All spending' }).click()
  await expect(page).toHaveURL('/spending')
  await expect(page.getByRole('heading', { level: 1, name: 'Spending' })).toBeFocused()
  const byService = page.getByRole('table', { name: 'By service' })
  const totals = byService.getByRole('row', { name: /^Total/ }).getByRole('cell')
  await expect(totals.first()).toHaveText(whole)
  await followService(page, months)
  await page.getByRole('link', { name: 'All services' }).click()
  await expect(tile(page, 'The last 12 months').getByText(whole, { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Back to the dashboard' }).click()
}

/** One service has a page of its own, with its amount of each month and how it has changed in a year. */
const followService = async (page: Page, months: Spending[]): Promise<void> => {
  const [{ serviceName = 'none' } = {}] = months[23]?.sums[0]?.services ?? []
  await page.getByRole('table', { name: 'By service' }).getByRole('link', { name: serviceName, exact: true }).click()
  await expect(page).toHaveURL(`/spending?${new URLSearchParams({ service: serviceName })}`)
  const amountIn = (one: Spending | undefined): number =>
    one?.sums[0]?.services.find((service) => service.serviceName === serviceName)?.amount ?? 0
  const [running, before] = [amountIn(months[23]), amountIn(months[11])]
  const change = running > before ? `+${sumOf([running, -before])}` : `-${sumOf([before, -running])}`
  const newest = page.getByRole('table', { name: 'By month' }).getByRole('row').nth(1)
  await expect(newest.getByRole('cell')).toHaveText([sumOf([running]), sumOf([before]), change])
  await expect(tile(page, serviceName).getByText(sumOf(months.slice(12).map(amountIn)), { exact: true })).toBeVisible()
}

/** The first tile says what is due and since when, and how much is overdue or on its way. */
const expectTotalDue = async (page: Page, invoices: Invoice[]): Promise<void> => {
  const sumDue = (list: Invoice[]): string => sumOf(list.map(({ amountDue }) => amountDue))
  const due = dueOf(invoices)
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
}

/** It leads to the unpaid ones, and pays all of them at once, what is due first at the front. */
const payAllDue = async (page: Page, invoices: Invoice[]): Promise<void> => {
  const first = tile(page, 'Total due')
  await first.getByRole('link', { name: 'Choose invoices' }).click()
  await expect(page).toHaveURL('/invoices?status=unpaid')
  await page.goBack()
  const created = page.waitForRequest('**/v1/ec/payments/intents')
  await first.getByRole('button', { name: 'Pay all due' }).click()
  expect((await created).postDataJSON()).toEqual({ invoiceIds: dueOf(invoices).map(({ id }) => id) })
  await expect(page).toHaveURL('/bulk-pay')
}

test('[NAV-03][DASH-04][EASE-01][BP-06] the portal settings name the invoices on every tile; where several cannot be paid at once nothing pays all of them, and the list leads to each', async () => {
  const page = await signInAs('eu')
  await page.route('**/v1/ec/settings', async (route) => {
    const settings = (await (await route.fetch()).json()) as PortalSettings
    await route.fulfill({ json: { ...settings, payments: { ...settings.payments, bulk: false } } })
  })
  await page.goto('/dashboard')
  for (const name of ['Recent Rechnung', 'Previous Rechnungen', 'Latest 5 Rechnungen']) await expect(tile(page, name)).toBeVisible()
  const due = tile(page, 'Total due')
  await expect(due.getByRole('link', { name: 'Choose Rechnungen' })).toBeVisible()
  await expect(due.getByText(/^\d+ Rechnungen, the oldest due since /)).toBeVisible()
  await expect(page.getByRole('main').getByText(/\binvoices?\b/i)).toHaveCount(0)
  await expect(due.getByRole('button')).toHaveCount(0)
})

test('[DASH-01][DASH-06][EASE-01][BP-01] what brand and reseller do not show is not asked for either; what paying all adds stands with its reason beside what is due, and in the summary', async () => {
  const page = await signInAs('us')
  await page.route('**/v1/brands-settings/*', async (route) => {
    const brand = (await (await route.fetch()).json()) as BrandSettings
    await route.fulfill({ json: { ...brand, endShowOpeningBalance: false } })
  })
  const requests = collectApiRequests(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('meter').first()).toBeVisible()
  for (const name of ['Opening balance', 'Data usage', '4G WAN data consumption']) await expect(tile(page, name)).toHaveCount(0)
  expect(requests.map(requestLine).filter((line) => /jasper|opening-balance/.test(line))).toEqual([])

  const due = (await getFromApi<Invoice[]>(page, '/v1/ec/invoices')).filter(({ canPay }) => canPay)
  const { payments } = await getFromApi<PortalSettings>(page, '/v1/ec/settings')
  expect(payments.adjustments[0]).toMatchObject({ description: 'Late payment fee, August', amount: 12.5 })
  const together = due.reduce((sum, { amountDue }) => sum + amountDue, 12.5).toLocaleString('en', { minimumFractionDigits: 2 })
  const first = tile(page, 'Total due')
  const words = `Pay all due adds $12.50 (Late payment fee, August): together $${together}, before payment fees`
  await expect(first.getByText(words, { exact: true })).toBeVisible()
  await first.getByRole('button', { name: 'Pay all due' }).click()
  const line = tile(page, 'Payment summary').locator('dl > div').filter({ hasText: 'Adjustments' })
  await expect(line.getByText('$12.50', { exact: true })).toBeVisible()
  await expect(line.getByText('Late payment fee, August', { exact: true })).toBeVisible()
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

/** The loads of the dashboard, each with what cannot be loaded without it and the title of a tile that it fills. */
const LOADS = [
  { path: '/v1/ec/opening-balance', subject: 'The opening balance', title: 'Opening balance' },
  { path: '/v1/ec/bundle-widget', subject: 'Bundles', title: 'Bundles' },
  { path: '/v1/ec/jasper-usage', subject: '4G WAN data consumption', title: '4G WAN data consumption' },
  { path: '/v1/ec/jasper-usage/all', subject: 'Data usage', title: 'Data usage' },
  { path: '/v1/ec/spending*', subject: 'Spending over 12 months', title: 'Spending over 12 months' },
  { path: '/v1/ec/invoices', subject: 'Invoices', title: 'Recent Invoice' },
] as const

test('[DASH-03][DASH-07] what is on its way says so and keeps its space; every load that fails is only logged, and comes alone when it is asked for again', async () => {
  const page = await signInAs('demo')
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  const { promise: areWaitedFor, resolve: answer } = Promise.withResolvers<void>()
  const mends: (() => void)[] = []
  for (const { path } of LOADS)
    mends.push(
      await failRequests(page, `**${path}`, async (route) => {
        await areWaitedFor
        await route.fulfill({ status: 500, json: { message: `broken by the test: ${path}` } })
      }),
    )
  await page.goto('/dashboard')
  for (const subject of ['Invoices', 'Latest 5 Invoices', ...LOADS.map((load) => load.subject)])
    await expect(page.getByText(`Loading ${subject}…`, { exact: true })).toBeVisible()
  const graph = tile(page, 'Latest 5 Invoices')
  const before = await graph.boundingBox()

  answer()
  for (const { subject } of LOADS) await expect(failureOf(page, subject)).toBeVisible()
  await expect.poll(() => minHeight(tile(page, 'Recent Invoice'))).toBe(97)
  await expect(page.getByText(BANNER)).toHaveCount(0)
  for (const { path } of LOADS) expect(logged.join('\n')).toContain(`broken by the test: ${path}\n`)

  for (const [at, { subject, title }] of LOADS.entries()) {
    mends[at]?.()
    await page.getByRole('button', { name: `Try again: ${subject}`, exact: true }).click()
    await expect(tile(page, title).getByText(/^Loading |could not be loaded/)).toHaveCount(0)
    for (const later of LOADS.slice(at + 1)) await expect(failureOf(page, later.subject)).toBeVisible()
  }
  await expect(page.getByText('could not be loaded')).toHaveCount(0)
  await expect(page.getByRole('table', { name: 'Latest 5 Invoices' })).toBeVisible()
  expect(Math.abs(((await graph.boundingBox())?.height ?? 0) - (before?.height ?? 0))).toBeLessThanOrEqual(12)
})

const failureOf = (page: Page, subject: string): Locator => page.getByText(`${subject} could not be loaded.`, { exact: true })

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

/** A sum to the cent, in Australian dollars. */
const sumOf = (amounts: number[]): string => formatMoney(amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100, 'A$')

const formatFigure = (figure: number): string => new Intl.NumberFormat('en-AU', { maximumFractionDigits: 2 }).format(figure)

/** The invoices that can be paid, what is due first at the front. */
const dueOf = (invoices: Invoice[]): Invoice[] =>
  invoices.filter(({ canPay }) => canPay).toSorted((one, other) => one.dateDue.localeCompare(other.dateDue))

const escape = (text: string): string => text.replaceAll(/[$.]/g, String.raw`\$&`)
