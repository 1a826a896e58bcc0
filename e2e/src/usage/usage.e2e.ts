import { addDays, dayOf, firstOfMonth, lastOfMonth, type Span } from '@counterfoil/contract/kit/day'
import { timeframeDays, TIMEFRAMES, type Timeframe } from '@counterfoil/contract/kit/timeframe'
import type { Agreement } from '@counterfoil/contract/agreements'
import type { ServiceItem } from '@counterfoil/contract/service-items'
import type { Service } from '@counterfoil/contract/services'
import type { RecordType, UsageFilterChoices, UsageRecord, UsageSummary } from '@counterfoil/contract/usage'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { collectApiRequests } from '../support/api-requests.ts'
import { captureDownload, sizeText } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { collectPageErrors } from '../support/page-errors.ts'
import { usePages } from '../support/pages.ts'
import { getFromApi } from '../support/api.ts'

const { openPageAs, signInAs } = usePages()

/** Many pages on every day of the year, whereas a month that has just begun may have none. */
const MANY_RECORDS = { timeframe: 'Last 30 Days', address: '/usage?timeframe=last-30-days' } as const

const BANNER = 'Our server returned error, try again later'
const COLUMNS = [
  'Service Item',
  'Service Item 2',
  'Service Item 3',
  'Record Type',
  'Units',
  'Service Item Description',
  'Site',
  'Date',
  'Price',
]
const SEARCHABLE = new Set(['Filter by connection', 'Filter by type', 'Filter by cost centre'])
const SORTS = {
  'Service Item': 'serviceItemName',
  'Service Item 2': 'serviceItem2',
  'Service Item 3': 'serviceItem3',
  'Record Type': 'recordType',
  Units: 'units',
  'Service Item Description': 'serviceItemDescription',
  Site: 'siteName',
  Price: 'price',
  'Cost Centre': 'costCentre',
  Date: 'date',
} as const

test('[USG-01] the agreement filter starts at "All Agreements" and each agreement shows its own records', async () => {
  const page = await openUsageAs('demo')
  const agreements = await getFromApi<Agreement[]>(page, '/v1/ec/agreements')
  await expectOptions(page, 'Agreement', ['All Agreements', ...agreements.map(({ agreementName }) => agreementName)])
  await expect.poll(() => readSelected(page, 'Agreement')).toContain('All Agreements')
  for (const { id, agreementName } of agreements) {
    await selectOption(page, 'Agreement', agreementName)
    await expectPage(page, { agreement: id })
    await expect(page).toHaveURL(`/usage?agreement=${id}`)
  }
  await selectOption(page, 'Agreement', 'All Agreements')
  await expectPage(page, {})
})

test('[USG-02] the timeframe starts at This Month, and each of the four presets shows its own days of UTC', async () => {
  const page = await openUsageAs('demo')
  const { months } = await getFromApi<UsageFilterChoices>(page, '/v1/ec/usage/filters')
  const earlier = months.filter((month) => month < firstOfMonth(dayOf(new Date()))).map(monthName)
  await expectOptions(page, 'Filter by timeframe', ['This Month', 'Last Month', 'Last 7 Days', 'Last 30 Days', 'Custom range', ...earlier])
  await expect.poll(() => readSelected(page, 'Filter by timeframe')).toContain('This Month')
  const calls = collectApiRequests(page)
  for (const timeframe of ['Last Month', 'Last 7 Days', 'Last 30 Days'] as const) {
    await selectOption(page, 'Filter by timeframe', timeframe)
    await expectPage(page, { timeframe })
    const { from, to } = timeframeDays(timeframe, dayOf(new Date()))
    const asked = calls.map((call) => new URL(call.url()).searchParams).filter((query) => query.get('dateFrom') === from)
    expect(asked.map((query) => query.get('dateTo'))).toContain(to)
  }
})

test('[USG-03] connections and record types are those of the service, and are found by any part of their name, whatever the case', async () => {
  const page = await openUsageAs('demo')
  const services = await getFromApi<Service[]>(page, '/v1/ec/services')
  const types = await getFromApi<RecordType[]>(page, '/v1/ec/record-types')
  await expectOptions(page, 'Filter by service', ['All Services', ...services.map(({ name }) => name)])
  await expectSearchOptions(page, 'Filter by type', ['All Record Types', ...types.map(({ description }) => description)])

  const [service] = services
  if (service === undefined) throw new Error('the demo data has no service')
  await selectOption(page, 'Filter by service', service.name)
  const items = await getFromApi<ServiceItem[]>(page, `/v1/ec/service-items?service=${service.id}`)
  const own = types.filter(({ serviceId }) => serviceId === service.id)
  await expectSearchOptions(page, 'Filter by type', ['All Record Types', ...own.map(({ description }) => description)])
  const connections = ['All Connections', ...items.map(({ serviceItem }) => serviceItem)]
  await expectSearchOptions(page, 'Filter by connection', connections.slice(0, 100))

  const type = own.find(({ description }) => /[a-z]{4}/.test(description)) ?? own[0]
  const part = /[a-z]{4}/.exec(type?.description ?? '')?.[0] ?? ''
  await combobox(page, 'Filter by type').click()
  await combobox(page, 'Filter by type').fill(part.toUpperCase())
  await expect(page.getByRole('option')).toHaveText(
    ['All Record Types', ...own.map(({ description }) => description)].filter((name) => name.toLowerCase().includes(part)),
  )
  await page.getByRole('option', { name: type?.description ?? '', exact: true }).click()
  await expectPage(page, { service: service.id, type: type?.id ?? 0 })

  const item = items.at(-1)
  await searchAndSelect(page, 'Filter by connection', item?.serviceItem ?? '')
  await expectPage(page, { service: service.id, type: type?.id ?? 0, connection: item?.id ?? 0 })
})

test('[USG-03] one connection among 10,000 is found by typing a part of it', async () => {
  const page = await signInAs('demo')
  const items = Array.from({ length: 10_000 }, (_, n) => ({
    id: n + 1,
    serviceId: 220_401,
    serviceItem: `Meter ${String(n).padStart(5, '0')}-Ü`,
    description: null,
    costCentre: null,
  }))
  await page.route('**/v1/ec/service-items?*', (route) => route.fulfill({ json: items }))
  await page.route('**/v1/ec/service-items', (route) => route.fulfill({ json: items }))
  await page.goto('/usage')
  await combobox(page, 'Filter by connection').click()
  await combobox(page, 'Filter by connection').pressSequentially('meter 0999')
  await expect(page.getByRole('option')).toHaveCount(10)
  await combobox(page, 'Filter by connection').pressSequentially('7-u')
  await expect(page.getByRole('option')).toHaveText(['Meter 09997-Ü'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/usage?connection=9998')
  await expect.poll(() => readSelected(page, 'Filter by connection')).toBe('Meter 09997-Ü')
})

test('[USG-04] another service takes back connection and type, and every change of a filter starts at page 1', async () => {
  const page = await openUsageAs('demo')
  const [first, second] = await getFromApi<Service[]>(page, '/v1/ec/services')
  const [item] = await getFromApi<ServiceItem[]>(page, `/v1/ec/service-items?service=${first?.id}`)
  const type = (await getFromApi<RecordType[]>(page, '/v1/ec/record-types')).find(({ serviceId }) => serviceId === first?.id)
  await page.goto(`/usage?service=${first?.id}&connection=${item?.id}&type=${type?.id}`)
  await expect.poll(() => readSelected(page, 'Filter by connection')).toBe(item?.serviceItem)
  await selectOption(page, 'Filter by service', second?.name ?? '')
  await expect(page).toHaveURL(`/usage?service=${second?.id}`)
  await expect.poll(() => readSelected(page, 'Filter by connection')).toBe('All Connections')
  await expect.poll(() => readSelected(page, 'Filter by type')).toBe('All Record Types')
  await expectPage(page, { service: second?.id ?? 0 })

  for (const act of [
    () => selectOption(page, 'Filter by timeframe', 'Last 30 Days'),
    () => selectOption(page, 'Agreement', 1),
    () => selectOption(page, 'Filter by service', first?.name ?? ''),
    () => searchAndSelect(page, 'Filter by connection', item?.serviceItem ?? ''),
    () => searchAndSelect(page, 'Filter by type', type?.description ?? ''),
  ]) {
    await page.goto('/usage?page=3')
    await expectPage(page, { pageNumber: 3 })
    await act()
    await expect.poll(() => new URL(page.url()).searchParams.has('page')).toBe(false)
  }
})

test('[USG-05] the server pages, 100 at a time, with the exact total in words, and a page behind the end becomes the last one', async () => {
  const page = await openUsageAs('demo', MANY_RECORDS.address)
  const { timeframe } = MANY_RECORDS
  const { totalCount } = await fetchRecords(page, { timeframe })
  const last = Math.ceil(totalCount / 100)
  const number = new Intl.NumberFormat('en-AU')
  expect(last).toBeGreaterThan(10)
  await expect(page.getByText(`${number.format(totalCount)} records · `)).toBeVisible()
  await expect(page.getByText(`Page 1 of ${last}`, { exact: true })).toBeVisible()

  await pagination(page).getByRole('button', { name: 'Next page' }).click()
  await expectPage(page, { timeframe, pageNumber: 2 })
  await expect(page.getByText(`101 – 200 of ${number.format(totalCount)}`)).toBeVisible()
  await pagination(page)
    .getByRole('button', { name: `Page ${last}`, exact: true })
    .click()
  await expectPage(page, { timeframe, pageNumber: last })

  for (const behind of [String(last + 1), '99999999999']) {
    await page.goto(`${MANY_RECORDS.address}&page=${behind}`)
    await expect(page).toHaveURL(`${MANY_RECORDS.address}&page=${last}`)
    await expectPage(page, { timeframe, pageNumber: last })
  }
})

test('[USG-05][GRID-01] every column is sorted by the server, both ways, says so, and starts at page 1', async () => {
  const page = await openUsageAs('demo', MANY_RECORDS.address)
  for (const [column, sort] of Object.entries(SORTS)) {
    await pagination(page).getByRole('button', { name: 'Page 2', exact: true }).click()
    await expect(page.getByText('Page 2 of')).toBeVisible()
    const head = page.getByRole('table', { name: 'Usage' }).getByRole('columnheader', { name: column, exact: true })
    if ((await head.count()) === 0) await page.getByRole('button', { name: 'Show', exact: true }).click()
    for (const [order, direction] of [
      ['asc', 'ascending'],
      ['desc', 'descending'],
    ] as const) {
      await head.getByRole('button').click()
      await expect(head).toHaveAttribute('aria-sort', direction)
      await expectPage(page, { timeframe: MANY_RECORDS.timeframe, sort, order })
      await expect(page.locator('[aria-sort]')).toHaveCount(1)
    }
  }
})

test('[USG-05] while other rows are on their way, the rows before stay under a spinner', async () => {
  const page = await openUsageAs('demo')
  const before = await readRows(page)
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/v1/ec/usage?*', async (route) => {
    await released
    await route.continue()
  })
  await selectOption(page, 'Filter by timeframe', 'Last Month')
  await expect(page.getByText('Loading Usage')).toBeVisible()
  await expect.poll(() => readRows(page)).toEqual(before)
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(1)
  release()
  await expectPage(page, { timeframe: 'Last Month' })
  await expect(page.getByText('Loading Usage')).toHaveCount(0)
})

test('[USG-06] the columns stand under their labels, and the cost centre only where the brand shows it; prices have four decimals', async () => {
  const withCostCentre = await openUsageAs('demo')
  await expect(headsOf(withCostCentre)).toHaveText([...COLUMNS, 'Cost Centre'])
  const prices = (await readRows(withCostCentre)).map((row) => row[8] ?? '')
  expect(prices.filter((price) => !/^-?A\$[\d,]+\.\d{4}$/.test(price))).toEqual([])

  const withoutCostCentre = await openUsageAs('us')
  await expect(headsOf(withoutCostCentre)).toHaveText(COLUMNS)
  await expectPage(withoutCostCentre, {}, '$')
})

test.each([
  ['demo', '?timeframe=last-30-days'],
  ['demo', '?timeframe=last-30-days&service=1'],
  ['us', '?timeframe=last-30-days'],
])('[USG-07] the download of %s (usage%s) is, byte for byte, what the pages hold', async (username, address) => {
  const page = await openUsageAs(username)
  const services = await getFromApi<Service[]>(page, '/v1/ec/services')
  const service = address.includes('service') ? services[0] : undefined
  const { timeframe } = MANY_RECORDS
  await page.goto(`/usage${address.replace('service=1', `service=${service?.id}`)}`)
  await expectPage(page, { timeframe, service: service?.id ?? 0 }, username === 'us' ? '$' : 'A$')

  const { name, content } = await captureDownload(page, () => downloadButton(page).click())
  expect(name).toBe(`${service?.name ?? 'All'}_Usage.csv`)
  const all: UsageRecord[] = []
  for (let pageNumber = 1, total = 1; all.length < total; pageNumber += 1) {
    const answer = await fetchRecords(page, { timeframe, service: service?.id ?? 0, pageNumber, pageSize: 1_000 })
    all.push(...answer.endUsageDetails)
    total = answer.totalCount
  }
  expect(content.toString('utf8')).toBe(toCsv(all, username === 'demo'))
  expect(all.length).toBeGreaterThan(username === 'demo' ? 1_000 : 50)
  await expect(
    page.getByText(`Saved ${name}: ${new Intl.NumberFormat('en-AU').format(all.length)} records, ${sizeText(content)}`),
  ).toBeVisible()
  await expect(downloadButton(page)).toBeEnabled()
})

test('[USG-07] while the file comes, the button cannot be pressed, the progress shows, and Cancel ends it with nothing saved', async () => {
  const page = await openUsageAs('demo')
  await selectOption(page, 'Filter by timeframe', 'Last 30 Days')
  await expectPage(page, { timeframe: 'Last 30 Days' })
  const { totalCount } = await fetchRecords(page, { timeframe: 'Last 30 Days' })
  const network = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: 10_000, uploadThroughput: -1 }
  await network.send('Network.emulateNetworkConditions', slow)
  let saved = 0
  page.on('download', () => {
    saved += 1
  })
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/v1/ec/usage/download'))
  await downloadButton(page).click()
  await expect(downloadButton(page)).toBeDisabled()
  const meter = page.getByRole('meter', { name: 'Download Usage' })
  await expect.poll(async () => Number(await meter.getAttribute('value'))).toBeGreaterThan(0)
  await expect(meter).toHaveAttribute('max', String(totalCount))
  await page.getByRole('button', { name: 'Cancel the download' }).click()
  await ended
  await expect(page.getByText('Cancelled. Nothing was saved.')).toBeVisible()
  await expect(downloadButton(page)).toBeEnabled()
  await expect.poll(() => downloadButton(page).evaluate((button) => button === document.activeElement)).toBe(true)

  await network.send('Network.emulateNetworkConditions', { ...slow, downloadThroughput: -1 })
  await captureDownload(page, () => downloadButton(page).click())
  expect(saved).toBe(1)
})

test('[USG-07] a file that comes short is not saved, and the screen says so', async () => {
  const page = await openUsageAs('demo')
  const { totalCount } = await fetchRecords(page, {})
  const stopFailing = await failRequests(page, '**/v1/ec/usage/download', async (route) => {
    const response = await route.fetch()
    const whole = await response.text()
    const lines = whole.split('\n')
    await route.fulfill({ response, body: `${lines.slice(0, -2).join('\n')}\n` })
  })
  let saved = 0
  page.on('download', () => {
    saved += 1
  })
  await downloadButton(page).click()
  const number = new Intl.NumberFormat('en-AU')
  const words = `The download stopped after ${number.format(totalCount - 1)} of ${number.format(totalCount)} records. Nothing was saved. Try again.`
  await expect(page.getByRole('alert').getByText(words)).toBeVisible()
  await expect(page.getByText(BANNER)).toHaveCount(0)

  stopFailing()
  await captureDownload(page, () => downloadButton(page).click())
  await expect(page.getByText(/^Saved All_Usage\.csv/)).toBeVisible()
  await expect(page.getByText('The download stopped')).toHaveCount(0)
  expect(saved).toBe(1)
})

test('[USG-07] a vast file is written, while it comes, to the place that the person chooses', async () => {
  const page = await signInAs('demo')
  await page.addInitScript(() => {
    const pick = async ({ suggestedName }: { suggestedName: string }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })
    Object.assign(globalThis, { showSaveFilePicker: pick })
  })
  await page.route('**/v1/ec/usage?*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), totalCount: 1_000_000 } })
  })
  await page.goto('/usage')
  await expect(page.getByText(/^1,000,000 records/)).toBeVisible()
  await downloadButton(page).click()
  await expect(page.getByText(/^Saved All_Usage\.csv/)).toBeVisible()
  const written = await page.evaluate(async () => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle('All_Usage.csv')
    return (await handle.getFile()).text()
  })
  const { totalCount } = await fetchRecords(page, {})
  expect(written.split('\n')).toHaveLength(totalCount + 2)
})

test('[USG-08] filters, page and sort live in the address: a reload, a shared link and Back keep them', async () => {
  const page = await openUsageAs('demo')
  const [service] = await getFromApi<Service[]>(page, '/v1/ec/services')
  await selectOption(page, 'Filter by timeframe', 'Last 30 Days')
  await selectOption(page, 'Filter by service', service?.name ?? '')
  await page.getByRole('columnheader', { name: 'Price', exact: true }).getByRole('button').click()
  await pagination(page).getByRole('button', { name: 'Next page' }).click()
  const address = `/usage?timeframe=last-30-days&service=${service?.id}&page=2&sort=price&order=asc`
  await expect(page).toHaveURL(address)
  const shown = { timeframe: 'Last 30 Days', service: service?.id ?? 0, pageNumber: 2, sort: 'price', order: 'asc' } as const
  await expectPage(page, shown)
  await page.reload()
  await expectPage(page, shown)

  const shared = await openPageAs('demo', address)
  await expectPage(shared, shown)
  await expect.poll(() => readSelected(shared, 'Filter by timeframe')).toContain('Last 30 Days')
  await expect.poll(() => readSelected(shared, 'Filter by service')).toContain(service?.name)

  for (const before of [
    `/usage?timeframe=last-30-days&service=${service?.id}&sort=price&order=asc`,
    `/usage?timeframe=last-30-days&service=${service?.id}`,
    '/usage?timeframe=last-30-days',
    '/usage',
  ]) {
    await page.goBack()
    await expect(page).toHaveURL(before)
  }
  await expectPage(page, {})
})

test('[USG-08] two changes before the page is drawn again are both kept', async () => {
  const page = await openUsageAs('demo')
  const price = await page.getByRole('columnheader', { name: 'Price', exact: true }).getByRole('button').elementHandle()
  const next = await pagination(page).getByRole('button', { name: 'Next page' }).elementHandle()
  await page.evaluate((buttons) => buttons.forEach((button) => (button as HTMLElement | null)?.click()), [price, next])
  await expect(page).toHaveURL('/usage?page=2&sort=price&order=asc')
  await expectPage(page, { pageNumber: 2, sort: 'price', order: 'asc' })
})

test('[USG-08] an address that says nonsense, or names what this customer does not have, shows the plain page without an error', async () => {
  const page = await openUsageAs('demo')
  const errors = await collectPageErrors(page)
  for (const query of [
    'agreement=-1&timeframe=yesterday&service=x&connection=1.5&type=%F0%9F%92%BE&page=0&sort=secret&order=up',
    'agreement=999999&service=888888&connection=777777&type=666666',
  ]) {
    await page.goto(`/usage?${query}`)
    await expectPage(page, {})
    await expect.poll(() => readSelected(page, 'Agreement')).toContain('All Agreements')
    await expect.poll(() => readSelected(page, 'Filter by timeframe')).toContain('This Month')
    await expect.poll(() => readSelected(page, 'Filter by service')).toContain('All Services')
    expect([await readSelected(page, 'Filter by connection'), await readSelected(page, 'Filter by type')]).toEqual([
      'All Connections',
      'All Record Types',
    ])
  }
  await expect(page.getByText(BANNER)).toHaveCount(0)
  expect(errors).toEqual([])
})

test('[GRID-02] a failed load raises the banner and a way to ask again; failed record types are only logged', async () => {
  const page = await signInAs('demo')
  await page.route('**/v1/ec/record-types', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await page.goto('/usage')
  await expect(page.getByRole('table', { name: 'Usage' })).toBeVisible()
  await expectSearchOptions(page, 'Filter by type', ['All Record Types'])
  await expect(page.getByText(BANNER)).toHaveCount(0)

  const stopFailing = await failRequests(page, '**/v1/ec/usage?*')
  await page.goto('/usage')
  await expect(page.getByText('Usage could not be loaded.')).toBeVisible()
  await expect(page.getByRole('alert').getByText(BANNER)).toBeVisible()
  stopFailing()
  await page.getByRole('button', { name: 'Try again: Usage' }).click()
  await expectPage(page, {})
  // The retry has succeeded, so the banner goes. The pressed button is gone too, so the focus moves to the content.
  await expect(page.getByText(BANNER)).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
})

test('[GRID-02] where nothing is found, the grid says that there are no data yet', async () => {
  const page = await signInAs('demo')
  await page.route('**/v1/ec/usage?*', (route) => route.fulfill({ json: { endUsageDetails: [], totalCount: 0 } }))
  await page.goto('/usage?page=4')
  await expect(page.getByText('There are no data yet', { exact: true })).toBeVisible()
  await expect(page.getByText('No records · ')).toBeVisible()
  await expect(page).toHaveURL('/usage')
})

test('[GRID-03] filters, sort and pages need no mouse, and a screen reader hears how many records were found', async () => {
  const page = await openUsageAs('demo')
  await page.getByRole('button', { name: /Filter by timeframe/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toBeVisible()
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expectPage(page, { timeframe: 'Last 30 Days' })
  const { totalCount } = await fetchRecords(page, { timeframe: 'Last 30 Days' })
  const number = new Intl.NumberFormat('en-AU')
  await expect(page.getByRole('status').getByText(`${number.format(totalCount)} records · `)).toBeVisible()

  await combobox(page, 'Filter by type').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const [type] = await getFromApi<RecordType[]>(page, '/v1/ec/record-types')
  await expectPage(page, { timeframe: 'Last 30 Days', type: type?.id ?? 0 })
  await expect.poll(() => readSelected(page, 'Filter by type')).toBe(type?.description)

  await page.getByRole('columnheader', { name: 'Units', exact: true }).getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expectPage(page, { timeframe: 'Last 30 Days', type: type?.id ?? 0, sort: 'units', order: 'asc' })
  await pagination(page).getByRole('button', { name: 'Next page' }).focus()
  await page.keyboard.press('Enter')
  await expectPage(page, { timeframe: 'Last 30 Days', type: type?.id ?? 0, sort: 'units', order: 'asc', pageNumber: 2 })
})

test('[GRID-03] axe-core finds nothing on the page and in its open list, light and dark, wide and narrow; a phone sorts its cards', async () => {
  const page = await signInAs('demo')
  // Six rows show axe-core all there is to find in a hundred.
  await page.route('**/v1/ec/usage?*', async (route) => {
    const response = await route.fetch()
    const { endUsageDetails, totalCount } = await response.json()
    await route.fulfill({ response, json: { endUsageDetails: endUsageDetails.slice(0, 6), totalCount } })
  })
  // Few bars have their amounts on them.
  const month = firstOfMonth(dayOf(new Date()), -1)
  await page.goto(`/usage?timeframe=custom-range&from=${month}&to=${addDays(month, 2)}`)
  await expect(page.getByRole('button', { name: / · A\$/ })).toHaveCount(3)
  const findings = await findViolations(page)
  await page.goto('/usage')
  await expect(page.getByRole('table', { name: 'Usage' })).toBeVisible()
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport)
    if (viewport === PHONE) await page.getByRole('button', { name: 'Filters' }).click()
    await combobox(page, 'Filter by connection').click()
    findings.push(...(await findViolations(page)))
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
  }
  expect(findings).toEqual([])
  await page.getByLabel('Sort by').selectOption('price')
  await expect(page).toHaveURL('/usage?sort=price&order=asc')
  await page.getByRole('button', { name: 'Ascending' }).click()
  await expect(page).toHaveURL('/usage?sort=price')
  // The context may be closed while the list is still being fetched for the route.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}, 180_000)

test('[EASE-06][EASE-07] a month, its bars and one day of it: rows, sums and bars belong together, and Back leads back', async () => {
  const page = await openUsageAs('demo')
  const { months } = await getFromApi<UsageFilterChoices>(page, '/v1/ec/usage/filters')
  const month = months.find((one) => one < firstOfMonth(dayOf(new Date()), -1)) ?? ''
  const span = { from: month, to: lastOfMonth(month) }
  await selectOption(page, 'Filter by timeframe', monthName(month))
  await expect(page).toHaveURL(`/usage?timeframe=${month.slice(0, 7)}`)
  await expectPage(page, { span })
  await expectSums(page, span)
  const { bars } = await getFromApi<UsageSummary>(page, `/v1/ec/usage/summary?dateFrom=${span.from}&dateTo=${span.to}`)
  const table = page.getByRole('table', { name: 'Price per day' })
  await expect(table.getByRole('row')).toHaveCount(bars.length + 1)

  const bar = bars.find(({ records }) => records > 0)
  const day = { from: bar?.dateFrom ?? '', to: bar?.dateFrom ?? '' }
  const name = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(day.from),
  )
  await page.getByRole('button', { name: new RegExp(`^${name} · A\\$`) }).press('Enter')
  await expect(page).toHaveURL(`/usage?timeframe=custom-range&from=${day.from}&to=${day.to}`)
  await expectPage(page, { span: day })
  await expectSums(page, day)
  await page.goBack()
  await expectPage(page, { span })
  await expectSums(page, span)
})

test('[EASE-07] free dates are kept when they are no range, live in the address, and the address can be copied', async () => {
  const page = await openUsageAs('demo')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await selectOption(page, 'Filter by timeframe', 'Custom range')
  const today = dayOf(new Date())
  await expect(page).toHaveURL(`/usage?timeframe=custom-range&from=${firstOfMonth(today)}&to=${today}`)
  const [from, to] = [page.getByLabel('From (UTC)'), page.getByLabel('To (UTC)')]
  const span = { from: firstOfMonth(today, -3), to: today }
  await from.fill(span.to)
  await to.fill(span.from)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('The last day lies before the first.')).toBeVisible()
  await expect(to).toBeFocused()
  expect([await from.inputValue(), await to.inputValue()]).toEqual([span.to, span.from])
  await from.fill(span.from)
  await to.fill(span.to)
  await to.press('Enter')
  const address = `/usage?timeframe=custom-range&from=${span.from}&to=${span.to}`
  await expect(page).toHaveURL(address)
  await expectPage(page, { span })
  await expectSums(page, span)
  const months = page.getByRole('table', { name: 'Price per month' }).getByRole('row')
  await expect(months).toHaveCount(5)
  await expect(months.filter({ hasText: 'so far' })).toHaveCount(1)
  await expect(months.last()).toContainText('so far')

  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(new URL(address, page.url()).href)
  await page.reload()
  await expectPage(page, { span })
  expect([await from.inputValue(), await to.inputValue()]).toEqual([span.from, span.to])
})

test('[EASE-07] a cost centre filters rows, sums and file; on a phone the filters stand behind one button', async () => {
  const page = await openUsageAs('demo')
  const { costCentres } = await getFromApi<UsageFilterChoices>(page, '/v1/ec/usage/filters')
  await expectSearchOptions(page, 'Filter by cost centre', ['All Cost Centres', ...costCentres])
  const costCentre = costCentres[0] ?? ''
  await searchAndSelect(page, 'Filter by cost centre', costCentre)
  await expect(page).toHaveURL(`/usage?cost-centre=${encodeURIComponent(costCentre)}`)
  await expectPage(page, { costCentre })
  await expectSums(page, timeframeDays('This Month', dayOf(new Date())), { costCentre })
  const { totalCount } = await fetchRecords(page, { costCentre })
  const { content } = await captureDownload(page, () => downloadButton(page).click())
  expect(content.toString().split('\n')).toHaveLength(totalCount + 2)

  await page.setViewportSize(PHONE)
  await expect(combobox(page, 'Filter by cost centre')).not.toBeVisible()
  const texts = page.getByText(new RegExp(`^${new Intl.NumberFormat('en-AU').format(totalCount)} records? · `))
  const [count, link] = [await texts.boundingBox(), await page.getByRole('button', { name: 'Copy link' }).boundingBox()]
  expect(link!.x).toBeGreaterThan(count!.x + count!.width)
  expect(link!.y).toBeLessThan(count!.y + count!.height)
  await page.getByRole('button', { name: 'Filters 1 set' }).click()
  await searchAndSelect(page, 'Filter by cost centre', 'All Cost Centres')
  await expect(page).toHaveURL('/usage')
  await expect(page.getByRole('button', { name: 'Filters', exact: true })).toHaveAttribute('aria-expanded', 'true')

  const other = await openUsageAs('us')
  await expect(combobox(other, 'Filter by cost centre')).toHaveCount(0)
})

const openUsageAs = async (username: string, address = '/usage'): Promise<Page> => {
  const page = await openPageAs(username, address)
  await expect(page.getByRole('table', { name: 'Usage' })).toBeVisible()
  return page
}

interface UsageQuery {
  readonly timeframe?: Timeframe
  /** In place of a timeframe. */
  readonly span?: Span
  readonly costCentre?: string
  readonly agreement?: number
  readonly service?: number
  readonly connection?: number
  readonly type?: number
  readonly pageNumber?: number
  readonly pageSize?: number
  readonly sort?: string
  readonly order?: 'asc' | 'desc'
}

/** The records that the API returns for this query, newest first by default. */
const fetchRecords = (page: Page, asked: UsageQuery): Promise<{ endUsageDetails: UsageRecord[]; totalCount: number }> => {
  const {
    timeframe = TIMEFRAMES[0],
    span = timeframeDays(timeframe, dayOf(new Date())),
    agreement = 0,
    service = 0,
    connection = 0,
    type = 0,
    ...rest
  } = asked
  const filter = { dateFrom: span.from, dateTo: span.to, agreement, service, recordType: type, serviceItem: connection, ...rest }
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))
  return getFromApi(page, `/v1/ec/usage?${query}`)
}

/** Waits until the grid shows exactly the records of this query, and their exact number. */
const expectPage = async (page: Page, asked: UsageQuery, symbol = 'A$'): Promise<void> => {
  const { endUsageDetails, totalCount } = await fetchRecords(page, asked)
  const hasCostCentre = symbol === 'A$'
  const cells = endUsageDetails.map((record) => toCells(record, symbol, hasCostCentre))
  await expect.poll(() => readAllColumns(page, hasCostCentre)).toEqual(cells)
  const figure = totalCount === 0 ? 'No' : new Intl.NumberFormat('en-AU').format(totalCount)
  const found = `${figure} record${totalCount === 1 ? '' : 's'} · `
  await expect(page.getByText(found)).toHaveCount(1)
}

/** Waits until the foot of the grid shows the exact sum of these days. */
const expectSums = async (page: Page, { from, to }: Span, filter: Record<string, string> = {}): Promise<void> => {
  const query = new URLSearchParams({ dateFrom: from, dateTo: to, ...filter })
  const { records, price } = await getFromApi<UsageSummary>(page, `/v1/ec/usage/summary?${query}`)
  const number = new Intl.NumberFormat('en-AU', { minimumFractionDigits: 4, maximumFractionDigits: 4 })
  const foot = page.getByRole('table', { name: 'Usage' }).getByRole('row').filter({ hasText: 'Sum of' })
  await expect(foot).toContainText(`Sum of ${new Intl.NumberFormat('en-AU').format(records)} record`)
  const sum = `A$${number.format(price as Intl.StringNumericLiteral)}`
  await expect(foot).toContainText(sum)
  // Above the bars as money; what is less than one keeps its decimals.
  const money = new Intl.NumberFormat('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const total = Number(price) < 1 ? sum : `A$${money.format(price as Intl.StringNumericLiteral)}`
  await expect(page.getByText(`Total ${total}`, { exact: true })).toBeVisible()
}

const monthName = (month: string): string =>
  new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(month))

const headsOf = (page: Page): Locator => page.getByRole('table', { name: 'Usage' }).getByRole('columnheader')

/** The visible text of each cell, row by row. */
const readRows = (page: Page): Promise<string[][]> =>
  page
    .getByRole('table', { name: 'Usage' })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim())))

/** The text of every column, row by row: also of those that stepped back because the page has no value in them (EASE-10). */
const readAllColumns = async (page: Page, hasCostCentre: boolean): Promise<string[][]> => {
  const names = hasCostCentre ? [...COLUMNS, 'Cost Centre'] : COLUMNS
  const heads = await headsOf(page).allTextContents()
  return (await readRows(page)).map((row) => names.map((name) => row[heads.indexOf(name)] ?? '–'))
}

const toCells = (record: UsageRecord, symbol: string, hasCostCentre: boolean): string[] => {
  const day = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  const units = new Intl.NumberFormat('en-AU', { maximumFractionDigits: Math.abs(record.units) < 0.01 ? 8 : 2 })
  const price = new Intl.NumberFormat('en-AU', { minimumFractionDigits: 4, maximumFractionDigits: 4 })
  return [
    record.serviceItemName ?? '–',
    record.serviceItem2 ?? '–',
    record.serviceItem3 ?? '–',
    record.recordType,
    units.format(record.units),
    record.serviceItemDescription ?? '–',
    record.siteName ?? '–',
    `${day.format(new Date(record.date))}, ${record.date.slice(11, 16)}`,
    `${record.price < 0 ? '-' : ''}${symbol}${price.format(Math.abs(record.price))}`,
    ...(hasCostCentre ? [record.costCentre ?? '–'] : []),
  ]
}

/** The expected file: the grid's labels, units with 2 and prices with 4 decimals, dates without time, no text that a spreadsheet would run. */
const toCsv = (records: readonly UsageRecord[], hasCostCentre: boolean): string => {
  const fixed = (value: number, digits: number): string =>
    new Intl.NumberFormat('en', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
      signDisplay: 'negative',
    }).format(`${value}` as Intl.StringNumericLiteral)
  const text = (words: string | null): string => {
    const safe = /^([\t\r\n]|[ \u00a0\u3000]*[=+\-@|＝＋－＠])/.test(words ?? '') ? `'${words}` : (words ?? '')
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const line = (record: UsageRecord): string[] => [
    text(record.serviceItemName),
    text(record.serviceItem2),
    text(record.serviceItem3),
    text(record.recordType),
    fixed(record.units, 2),
    text(record.serviceItemDescription),
    text(record.siteName),
    record.date.slice(0, 10),
    fixed(record.price, 4),
    ...(hasCostCentre ? [text(record.costCentre)] : []),
  ]
  const head = [...COLUMNS, ...(hasCostCentre ? ['Cost Centre'] : [])]
  return `\uFEFF${[head, ...records.map(line)].map((cells) => `${cells.join(',')}\n`).join('')}`
}

const downloadButton = (page: Page): Locator => page.getByRole('button', { name: 'Download Usage', exact: true })

const pagination = (page: Page): Locator => page.getByRole('navigation', { name: 'Usage: pages' })

const combobox = (page: Page, label: string): Locator => page.getByRole('combobox', { name: label })

/** The selected option: the value of a searchable filter's field, the text of another one's button. */
const readSelected = async (page: Page, label: string): Promise<string> => {
  if (SEARCHABLE.has(label)) return combobox(page, label).inputValue()
  return (await page.getByRole('button', { name: new RegExp(label) }).textContent()) ?? ''
}

/** Selects an option of a list by its name or its index. */
const selectOption = async (page: Page, label: string, option: string | number): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(label) }).click()
  const options = page.getByRole('listbox').getByRole('option')
  await (typeof option === 'number' ? options.nth(option) : options.getByText(option, { exact: true })).click()
  await expect(page.getByRole('listbox')).toHaveCount(0)
}

const searchAndSelect = async (page: Page, label: string, option: string): Promise<void> => {
  await combobox(page, label).click()
  await combobox(page, label).fill(option)
  await page.getByRole('option', { name: option, exact: true }).click()
}

const expectOptions = async (page: Page, label: string, options: readonly string[]): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(label) }).click()
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(options)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
}

const expectSearchOptions = async (page: Page, label: string, options: readonly string[]): Promise<void> => {
  await combobox(page, label).click()
  await expect(page.getByRole('option')).toHaveText(options)
  await page.keyboard.press('Escape')
}
