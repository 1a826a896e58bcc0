import { dayOf, firstOfMonth, lastOfMonth, type Span } from '@counterfoil/contract/kit/day'
import { timeframeDays, TIMEFRAMES, type Timeframe } from '@counterfoil/contract/kit/timeframe'
import type { Agreement } from '@counterfoil/contract/agreements'
import type { ServiceItem } from '@counterfoil/contract/service-items'
import type { Service } from '@counterfoil/contract/services'
import { type RecordType, USAGE_PAGE_SIZE, type UsageFilterChoices, type UsageRecord, type UsageSummary } from '@counterfoil/contract/usage'
import type { Locator, Page, Request } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { PHONE } from '../support/browser.ts'
import { collectApiRequests, requestLine } from '../support/api-requests.ts'
import { captureDownload, sizeText } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { collectPageErrors } from '../support/page-errors.ts'
import { usePages } from '../support/pages.ts'
import { getFromApi } from '../support/api.ts'

const { signInAs } = usePages()

/** Many pages on every day of the year, whereas a month that has just begun may have none. */
const MANY_RECORDS = { timeframe: 'Last 30 Days', address: '/usage?timeframe=last-30-days' } as const

const FEW_ROWS = 8

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

test('[USG-01][USG-02][USG-05][EASE-07] agreement, timeframe and cost centre start at all and at This Month, and each option shows its own records, those before staying under a spinner meanwhile; a cost centre has its sums and its file; on a phone the filters stand behind one button', async () => {
  const page = await openUsageAs('demo')
  await expectAgreements(page)
  await expectTimeframes(page)
  await expectCostCentres(page)
})

const expectAgreements = async (page: Page): Promise<void> => {
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
}

/** Each of the presets shows its own days of UTC. While they are on their way, the rows before stay under a spinner. */
const expectTimeframes = async (page: Page): Promise<void> => {
  const { months } = await getFromApi<UsageFilterChoices>(page, '/v1/ec/usage/filters')
  const earlier = months.filter((month) => month < firstOfMonth(dayOf(new Date()))).map(monthName)
  await expectOptions(page, 'Filter by timeframe', ['This Month', 'Last Month', 'Last 7 Days', 'Last 30 Days', 'Custom range', ...earlier])
  await expect.poll(() => readSelected(page, 'Filter by timeframe')).toContain('This Month')
  const calls = collectApiRequests(page)
  const before = await readRows(page)
  const { promise: isWaitedFor, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/v1/ec/usage?*', async (route) => {
    await isWaitedFor
    await route.fallback()
  })
  await selectOption(page, 'Filter by timeframe', 'Last Month')
  await expect(page.getByText('Loading Usage')).toBeVisible()
  await expect.poll(() => readRows(page)).toEqual(before)
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(1)
  answer()
  for (const timeframe of ['Last Month', 'Last 7 Days', 'Last 30 Days'] as const) {
    if (timeframe !== 'Last Month') await selectOption(page, 'Filter by timeframe', timeframe)
    await expectPage(page, { timeframe })
    const { from, to } = timeframeDays(timeframe, dayOf(new Date()))
    const asked = calls.map((call) => new URL(call.url()).searchParams).filter((query) => query.get('dateFrom') === from)
    expect(asked.map((query) => query.get('dateTo'))).toContain(to)
  }
  await expect(page.getByText('Loading Usage')).toHaveCount(0)
  await selectOption(page, 'Filter by timeframe', 'This Month')
  await expect(page).toHaveURL('/usage')
}

const expectCostCentres = async (page: Page): Promise<void> => {
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
  const isBesideLink = async () => {
    const [count, link] = [await texts.boundingBox(), await page.getByRole('button', { name: 'Copy link' }).boundingBox()]
    return count !== null && link !== null && link.x > count.x + count.width && link.y < count.y + count.height
  }
  await expect.poll(isBesideLink).toBe(true)
  await page.getByRole('button', { name: 'Filters 1 set' }).click()
  await searchAndSelect(page, 'Filter by cost centre', 'All Cost Centres')
  await expect(page).toHaveURL('/usage')
  await expect(page.getByRole('button', { name: 'Filters', exact: true })).toHaveAttribute('aria-expanded', 'true')
}

test('[USG-03][USG-04] connections and record types are those of the service and found by any part of their name, one of 10,000 too; another service takes both back, and every change of a filter starts at page 1', async () => {
  const page = await openUsageAs('demo')
  const services = await getFromApi<Service[]>(page, '/v1/ec/services')
  const types = await getFromApi<RecordType[]>(page, '/v1/ec/record-types')
  const [first, second, third] = services as [Service, Service, Service]
  await expectOptions(page, 'Filter by service', ['All Services', ...services.map(({ name }) => name)])
  await expectSearchOptions(page, 'Filter by type', ['All Record Types', ...types.map(({ description }) => description)])
  await selectOption(page, 'Filter by timeframe', 'Last Month')
  await fromPageThree(page, () => selectOption(page, 'Filter by timeframe', 'Last 30 Days'))
  await fromPageThree(page, () => selectOption(page, 'Agreement', 1))
  await selectOption(page, 'Agreement', 'All Agreements')
  await fromPageThree(page, () => selectOption(page, 'Filter by service', first.name))
  await chooseOfService(page, first, types)
  await takeBack(page, second)
  await findOneOfMany(page, third)
})

/** Does this on page 3, and expects page 1 afterwards. */
const fromPageThree = async (page: Page, act: () => Promise<void>): Promise<void> => {
  await pagination(page).getByRole('button', { name: 'Page 3', exact: true }).click()
  await expect(page.getByText(/^Page 3 of /)).toBeVisible()
  await act()
  await expect.poll(() => new URL(page.url()).searchParams.has('page')).toBe(false)
  await expect(page.getByText(/^Page 1 of /)).toBeVisible()
}

/** The record types and connections of this service alone; a part of a name finds them, whatever the case. */
const chooseOfService = async (page: Page, service: Service, types: RecordType[]): Promise<void> => {
  const asked = { timeframe: 'Last 30 Days', service: service.id } as const
  const items = await getFromApi<ServiceItem[]>(page, `/v1/ec/service-items?service=${service.id}`)
  const own = types.filter(({ serviceId }) => serviceId === service.id)
  await expectSearchOptions(page, 'Filter by type', ['All Record Types', ...own.map(({ description }) => description)])
  const connections = ['All Connections', ...items.map(({ serviceItem }) => serviceItem)]
  await expectSearchOptions(page, 'Filter by connection', connections.slice(0, 100))

  const type = own.find(({ description }) => /[a-z]{4}/.test(description)) ?? own[0]
  const part = /[a-z]{4}/.exec(type?.description ?? '')?.[0] ?? ''
  await fromPageThree(page, async () => {
    await combobox(page, 'Filter by type').click()
    await combobox(page, 'Filter by type').fill(part.toUpperCase())
    await expect(page.getByRole('option')).toHaveText(
      ['All Record Types', ...own.map(({ description }) => description)].filter((name) => name.toLowerCase().includes(part)),
    )
    await page.getByRole('option', { name: type?.description ?? '', exact: true }).click()
  })
  await expectPage(page, { ...asked, type: type?.id ?? 0 })
  const item = items.at(-1)
  await searchAndSelect(page, 'Filter by connection', item?.serviceItem ?? '')
  await expect(page).toHaveURL(`/usage?timeframe=last-30-days&service=${service.id}&connection=${item?.id}&type=${type?.id}`)
  await expectPage(page, { ...asked, type: type?.id ?? 0, connection: item?.id ?? 0 })
}

const takeBack = async (page: Page, other: Service): Promise<void> => {
  await selectOption(page, 'Filter by service', other.name)
  await expect(page).toHaveURL(`/usage?timeframe=last-30-days&service=${other.id}`)
  await expect.poll(() => readSelected(page, 'Filter by connection')).toBe('All Connections')
  await expect.poll(() => readSelected(page, 'Filter by type')).toBe('All Record Types')
  await expectPage(page, { timeframe: 'Last 30 Days', service: other.id })
}

/** One connection among 10,000 is found by typing a part of it. */
const findOneOfMany = async (page: Page, service: Service): Promise<void> => {
  const nameOf = (n: number): string => `Meter ${String(n).padStart(5, '0')}-Ü`
  const none = { serviceId: service.id, description: null, costCentre: null }
  const items = Array.from({ length: 10_000 }, (_, n) => ({ ...none, id: n + 1, serviceItem: nameOf(n) }))
  await page.route('**/v1/ec/service-items?*', (route) => route.fulfill({ json: items }))
  await selectOption(page, 'Filter by service', service.name)
  await combobox(page, 'Filter by connection').click()
  await combobox(page, 'Filter by connection').pressSequentially('meter 0999')
  await expect(page.getByRole('option')).toHaveCount(10)
  await combobox(page, 'Filter by connection').pressSequentially('7-')
  await expect(page.getByRole('option')).toHaveText(['Meter 09997-Ü'])
  await page.evaluate(typeAndEnter, 'u')
  await expect(page).toHaveURL(`/usage?timeframe=last-30-days&service=${service.id}&connection=9998`)
  await expect.poll(() => readSelected(page, 'Filter by connection')).toBe('Meter 09997-Ü')
}

/** Types this letter into the focused field, and Enter in the same moment: before anything is drawn again that the letter changes. */
const typeAndEnter = async (letter: string): Promise<void> => {
  const field = document.activeElement
  document.execCommand('insertText', false, letter)
  await Promise.resolve()
  field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true }))
}

test('[USG-05][GRID-01] the server pages, 100 at a time, with the exact total in words, and sorts by every column, from page 1; a page behind the end becomes the last one', async () => {
  const pageSize = USAGE_PAGE_SIZE
  const page = await openUsageAs('demo', `${MANY_RECORDS.address}&page=99999999999`, pageSize)
  const { timeframe } = MANY_RECORDS
  const { totalCount } = await fetchRecords(page, { timeframe })
  const last = Math.ceil(totalCount / 100)
  const number = new Intl.NumberFormat('en-AU')
  expect(last).toBeGreaterThan(10)
  await expect(page).toHaveURL(`${MANY_RECORDS.address}&page=${last}`)
  await expectPage(page, { timeframe, pageSize, pageNumber: last })

  await pagination(page).getByRole('button', { name: 'Page 1', exact: true }).click()
  await expect(page.getByText(`${number.format(totalCount)} records · `)).toBeVisible()
  await expect(page.getByText(`Page 1 of ${last}`, { exact: true })).toBeVisible()
  await pagination(page).getByRole('button', { name: 'Next page' }).click()
  await expectPage(page, { timeframe, pageSize, pageNumber: 2 })
  await expect(page.getByText(`101 – 200 of ${number.format(totalCount)}`)).toBeVisible()
  await showFewRows(page)
  await selectOption(page, 'Filter by timeframe', 'Last Month')
  await sortByEveryColumn(page)
})

/** Both ways. The server's own tests show the order of each sort; here three of them are read. */
const sortByEveryColumn = async (page: Page): Promise<void> => {
  const calls = collectApiRequests(page)
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
      await expect(page.locator('[aria-sort]')).toHaveCount(1)
      await expect(page.getByText('Page 1 of')).toBeVisible()
      if (['Record Type', 'Price', 'Date'].includes(column)) await expectPage(page, { timeframe: 'Last Month', sort, order })
      else await expect.poll(() => readLastQuery(calls)).toMatchObject({ sort, order, pageNumber: '1' })
    }
  }
}

/** What the page asked for when it asked for records the last time. */
const readLastQuery = (calls: Request[]): Record<string, string> => {
  const last = calls.findLast((call) => requestLine(call) === 'GET /v1/ec/usage')
  return last === undefined ? {} : Object.fromEntries(new URL(last.url()).searchParams)
}

test('[USG-06][USG-07] columns stand under their labels, the cost centre only where the brand shows it, prices with four decimals; the download is, byte for byte, what the pages hold', async () => {
  const page = await openUsageAs('demo', '/usage', USAGE_PAGE_SIZE)
  await expect(headsOf(page)).toHaveText([...COLUMNS, 'Cost Centre'])
  const prices = (await readRows(page)).map((row) => row[8] ?? '')
  expect(prices.filter((price) => !/^-?A\$[\d,]+\.\d{4}$/.test(price))).toEqual([])
  await selectOption(page, 'Filter by timeframe', MANY_RECORDS.timeframe)
  await expectDownload(page, 'All', 0)
  const [service] = await getFromApi<Service[]>(page, '/v1/ec/services')
  await selectOption(page, 'Filter by service', service?.name ?? '')
  await expectDownload(page, service?.name ?? '', service?.id ?? 0)

  const other = await openUsageAs('us', MANY_RECORDS.address, USAGE_PAGE_SIZE)
  await expect(headsOf(other)).toHaveText(COLUMNS)
  await expect(combobox(other, 'Filter by cost centre')).toHaveCount(0)
  await expectDownload(other, 'All', 0, '$')
})

/** The file of the last 30 days, of this service or of all. */
const expectDownload = async (page: Page, serviceName: string, service: number, symbol = 'A$'): Promise<void> => {
  const { timeframe } = MANY_RECORDS
  await expectPage(page, { timeframe, service, pageSize: USAGE_PAGE_SIZE }, symbol)
  const { name, content } = await captureDownload(page, () => downloadButton(page).click())
  expect(name).toBe(`${serviceName}_Usage.csv`)
  const all: UsageRecord[] = []
  for (let pageNumber = 1, total = 1; all.length < total; pageNumber += 1) {
    const answer = await fetchRecords(page, { timeframe, service, pageNumber, pageSize: 1_000 })
    all.push(...answer.endUsageDetails)
    total = answer.totalCount
  }
  expect(content.toString('utf8')).toBe(toCsv(all, symbol === 'A$'))
  expect(all.length).toBeGreaterThan(symbol === 'A$' ? 1_000 : 50)
  const saved = `Saved ${name}: ${new Intl.NumberFormat('en-AU').format(all.length)} records, ${sizeText(content)}`
  await expect(page.getByText(saved)).toBeVisible()
  await expect(downloadButton(page)).toBeEnabled()
}

test('[USG-07] while a file comes its progress shows, and Cancel ends it; one that comes short is not saved, and a vast one is written to the place that the person chooses', async () => {
  const page = await openUsageAs('demo')
  let saved = 0
  page.on('download', () => {
    saved += 1
  })
  await cancelDownload(page)
  expect(saved).toBe(0)
  await breakDownload(page)
  expect(saved).toBe(1)
  await chooseWhere(page)
  expect(saved).toBe(1)
})

/** While the file comes, the button cannot be pressed. */
const cancelDownload = async (page: Page): Promise<void> => {
  await selectOption(page, 'Filter by timeframe', 'Last 30 Days')
  await expectPage(page, { timeframe: 'Last 30 Days' })
  const { totalCount } = await fetchRecords(page, { timeframe: 'Last 30 Days' })
  const network = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: 10_000, uploadThroughput: -1 }
  await network.send('Network.emulateNetworkConditions', slow)
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
}

/** A file without its last row is not saved, the screen says so, and the next one is. */
const breakDownload = async (page: Page): Promise<void> => {
  const { totalCount } = await fetchRecords(page, { timeframe: 'Last 30 Days' })
  const stopFailing = await failRequests(page, '**/v1/ec/usage/download', async (route) => {
    const response = await route.fetch()
    const whole = await response.text()
    const lines = whole.split('\n')
    await route.fulfill({ response, body: `${lines.slice(0, -2).join('\n')}\n` })
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
}

const chooseWhere = async (page: Page): Promise<void> => {
  await page.evaluate(() => {
    const pick = async ({ suggestedName }: { suggestedName: string }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })
    Object.assign(globalThis, { showSaveFilePicker: pick })
  })
  await page.route('**/v1/ec/usage?*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), totalCount: 1_000_000 } })
  })
  await selectOption(page, 'Filter by timeframe', 'Last 7 Days')
  await expect(page.getByText(/^1,000,000 records/)).toBeVisible()
  const { totalCount } = await fetchRecords(page, { timeframe: 'Last 7 Days' })
  await downloadButton(page).click()
  await expect(page.getByText(`Saved All_Usage.csv: ${new Intl.NumberFormat('en-AU').format(totalCount)} records`)).toBeVisible()
  const written = await page.evaluate(async () => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle('All_Usage.csv')
    return (await handle.getFile()).text()
  })
  expect(written.split('\n')).toHaveLength(totalCount + 2)
}

test('[USG-08] filters, page and sort live in the address: opened anew it has them, and so has Back, and so do two changes before the page is drawn again; an address that says nonsense, or names what this customer does not have, shows the plain page', async () => {
  const page = await openUsageAs('demo')
  const errors = await collectPageErrors(page)
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
  await expect.poll(() => readSelected(page, 'Filter by timeframe')).toContain('Last 30 Days')
  await expect.poll(() => readSelected(page, 'Filter by service')).toContain(service?.name)
  await goBackToPlain(page, service)
  await changeTwice(page)

  const nonsense = 'timeframe=yesterday&type=%F0%9F%92%BE&page=0&sort=secret&order=up'
  await page.goto(`/usage?agreement=999999&service=888888&connection=777777&${nonsense}`)
  await expectPlain(page)
  expect(errors).toEqual([])
})

const goBackToPlain = async (page: Page, service: Service | undefined): Promise<void> => {
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
}

/** Both buttons are pressed before the page is drawn again. */
const changeTwice = async (page: Page): Promise<void> => {
  const price = await page.getByRole('columnheader', { name: 'Price', exact: true }).getByRole('button').elementHandle()
  const next = await pagination(page).getByRole('button', { name: 'Next page' }).elementHandle()
  await page.evaluate((buttons) => buttons.forEach((button) => (button as HTMLElement | null)?.click()), [price, next])
  await expect(page).toHaveURL('/usage?page=2&sort=price&order=asc')
  await expectPage(page, { pageNumber: 2, sort: 'price', order: 'asc' })
}

const expectPlain = async (page: Page): Promise<void> => {
  await expectPage(page, {})
  for (const [label, all] of [
    ['Agreement', 'All Agreements'],
    ['Filter by timeframe', 'This Month'],
    ['Filter by service', 'All Services'],
    ['Filter by connection', 'All Connections'],
    ['Filter by type', 'All Record Types'],
  ] as const)
    await expect.poll(() => readSelected(page, label)).toContain(all)
  await expect(page.getByText(BANNER)).toHaveCount(0)
}

test('[GRID-02] a failed load raises the banner and a way to ask again, failed record types are only logged; where nothing is found the grid says that there are no data yet', async () => {
  const page = await signInAs('demo')
  await showFewRows(page)
  await failRequests(page, '**/v1/ec/record-types')
  const showRecords = await failRequests(page, '**/v1/ec/usage?*', (route) =>
    route.fulfill({ json: { endUsageDetails: [], totalCount: 0 } }),
  )
  const stopFailing = await failRequests(page, '**/v1/ec/usage?*')
  await page.goto('/usage?page=4')
  await expect(page.getByText('Usage could not be loaded.')).toBeVisible()
  await expect(page.getByRole('alert').getByText(BANNER)).toBeVisible()
  stopFailing()
  await page.getByRole('button', { name: 'Try again: Usage' }).click()
  await expect(page.getByText('There are no data yet', { exact: true })).toBeVisible()
  await expect(page.getByText('No records · ')).toBeVisible()
  await expect(page).toHaveURL('/usage')
  // The retry has succeeded, so the banner goes. The pressed button is gone too, so the focus moves to the content.
  await expect(page.getByText(BANNER)).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  showRecords()
  await selectOption(page, 'Filter by timeframe', 'Last Month')
  await expectPage(page, { timeframe: 'Last Month' })
  await expectSearchOptions(page, 'Filter by type', ['All Record Types'])
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

test('[EASE-06][EASE-07][GRID-03] free dates, a month, its bars and one day of it: rows, sums and bars belong together, in the address too, which can be copied, and Back leads back; axe-core finds nothing, and a phone sorts its cards', async () => {
  const today = dayOf(new Date())
  const span = { from: firstOfMonth(today, -3), to: today }
  const address = `/usage?timeframe=custom-range&from=${span.from}&to=${span.to}`
  const page = await openUsageAs('demo', address)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await expectMonths(page, span)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(new URL(address, page.url()).href)
  const month = await openMonthAndDay(page)
  await chooseDates(page, month, span)
  await checkAccessibility(page)
})

/** A range of the address stands in its fields, with a bar for each of its months. */
const expectMonths = async (page: Page, span: Span): Promise<void> => {
  await expectPage(page, { span })
  await expectSums(page, span)
  expect([await page.getByLabel('From (UTC)').inputValue(), await page.getByLabel('To (UTC)').inputValue()]).toEqual([span.from, span.to])
  const months = page.getByRole('table', { name: 'Price per month' }).getByRole('row')
  await expect(months).toHaveCount(5)
  await expect(months.filter({ hasText: 'so far' })).toHaveCount(1)
  await expect(months.last()).toContainText('so far')
}

/** A month, and one day of it by its bar. @returns the days of the month, to which Back leads */
const openMonthAndDay = async (page: Page): Promise<Span> => {
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
  return span
}

/** Days of one's own begin with those that are shown. Dates that are no range are kept, with the reason. */
const chooseDates = async (page: Page, shown: Span, span: Span): Promise<void> => {
  await selectOption(page, 'Filter by timeframe', 'Custom range')
  await expect(page).toHaveURL(`/usage?timeframe=custom-range&from=${shown.from}&to=${shown.to}`)
  const [from, to] = [page.getByLabel('From (UTC)'), page.getByLabel('To (UTC)')]
  await from.fill(span.to)
  await to.fill(span.from)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('The last day lies before the first.')).toBeVisible()
  await expect(to).toBeFocused()
  expect([await from.inputValue(), await to.inputValue()]).toEqual([span.to, span.from])
  await from.fill(span.from)
  await to.fill(span.to)
  await to.press('Enter')
  await expect(page).toHaveURL(`/usage?timeframe=custom-range&from=${span.from}&to=${span.to}`)
  await expectPage(page, { span })
}

/** Few bars have their amounts on them. */
const checkAccessibility = async (page: Page): Promise<void> => {
  await expect(page.getByRole('button', { name: / · A\$/ })).toHaveCount(4)
  await combobox(page, 'Filter by connection').click()
  expect(await findViolations(page, { scheme: 'light' })).toEqual([])
  await page.keyboard.press('Escape')
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: /^Filters/ }).click()
  await combobox(page, 'Filter by connection').click()
  expect(await findViolations(page, { scheme: 'dark' })).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await page.getByLabel('Sort by').selectOption('price')
  await expect(page).toHaveURL(/&sort=price&order=asc$/)
  await page.getByRole('button', { name: 'Ascending' }).click()
  await expect(page).toHaveURL(/&sort=price$/)
}

/** Opens the page with few rows at a time, where it is not the number of rows that is looked at. */
const openUsageAs = async (username: string, address = '/usage', pageSize = FEW_ROWS): Promise<Page> => {
  const page = await signInAs(username)
  if (pageSize === FEW_ROWS) await showFewRows(page)
  await page.goto(address)
  await expect(page.getByRole('table', { name: 'Usage' })).toBeVisible()
  return page
}

/** Asks the server for few rows a page. Drawing and reading a hundred takes the browser ten times as long. */
const showFewRows = async (page: Page): Promise<void> => {
  await page.route('**/v1/ec/usage?*', (route) =>
    route.continue({ url: route.request().url().replace(`pageSize=${USAGE_PAGE_SIZE}`, `pageSize=${FEW_ROWS}`) }),
  )
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

/** Waits until the grid shows exactly the records of this query, few a page by default, and their exact number. */
const expectPage = async (page: Page, asked: UsageQuery, symbol = 'A$'): Promise<void> => {
  const { endUsageDetails, totalCount } = await fetchRecords(page, { pageSize: FEW_ROWS, ...asked })
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
