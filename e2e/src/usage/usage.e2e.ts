import { dayOf, timeframeDays, TIMEFRAMES, type Timeframe } from '@counterfoil/contract/kit/day'
import type { Agreement } from '@counterfoil/contract/agreements'
import type { ServiceItem } from '@counterfoil/contract/service-items'
import type { Service } from '@counterfoil/contract/services'
import type { RecordType, UsageRecord } from '@counterfoil/contract/usage'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { callsOf } from '../support/api-requests.ts'
import { savedBy } from '../support/downloads.ts'
import { troubleOn } from '../support/page-errors.ts'
import { answerTo, eventually, pathOf, people } from '../support/people.ts'
import { stillnessOf } from '../screens/portal-screens.ts'

const { signedIn } = people()

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
const SEARCHED = new Set(['Filter by connection', 'Filter by type'])
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
  const page = await usageOf('demo')
  const agreements = await answerTo<Agreement[]>(page, '/v1/ec/agreements')
  expect(await optionsOf(page, 'Agreement')).toEqual(['All Agreements', ...agreements.map(({ agreementName }) => agreementName)])
  expect(await chosenIn(page, 'Agreement')).toContain('All Agreements')
  for (const { id, agreementName } of agreements) {
    await choose(page, 'Agreement', agreementName)
    await showsPage(page, { agreement: id })
    expect(pathOf(page)).toBe(`/usage?agreement=${id}`)
  }
  await choose(page, 'Agreement', 'All Agreements')
  await showsPage(page, {})
})

test('[USG-02] the timeframe starts at This Month, and each of the four shows its own days of UTC', async () => {
  const page = await usageOf('demo')
  expect(await optionsOf(page, 'Filter by timeframe')).toEqual(['This Month', 'Last Month', 'Last 7 Days', 'Last 30 Days'])
  expect(await chosenIn(page, 'Filter by timeframe')).toContain('This Month')
  const calls = callsOf(page)
  for (const timeframe of ['Last Month', 'Last 7 Days', 'Last 30 Days'] as const) {
    await choose(page, 'Filter by timeframe', timeframe)
    await showsPage(page, { timeframe })
    const { from, to } = timeframeDays(timeframe, dayOf(new Date()))
    const asked = calls.map((call) => new URL(call.url()).searchParams).filter((query) => query.get('dateFrom') === from)
    expect(asked.map((query) => query.get('dateTo'))).toContain(to)
  }
})

test('[USG-03] connections and record types are those of the service, and are found by any part of their name, whatever the case', async () => {
  const page = await usageOf('demo')
  const services = await answerTo<Service[]>(page, '/v1/ec/services')
  const types = await answerTo<RecordType[]>(page, '/v1/ec/record-types')
  expect(await optionsOf(page, 'Filter by service')).toEqual(['All Services', ...services.map(({ name }) => name)])
  expect(await openedOptions(page, 'Filter by type')).toEqual(['All Record Types', ...types.map(({ description }) => description)])

  const [service] = services
  if (service === undefined) throw new Error('the demo world has no service')
  await choose(page, 'Filter by service', service.name)
  const items = await answerTo<ServiceItem[]>(page, `/v1/ec/service-items?service=${service.id}`)
  const own = types.filter(({ serviceId }) => serviceId === service.id)
  expect(await openedOptions(page, 'Filter by type')).toEqual(['All Record Types', ...own.map(({ description }) => description)])
  const connections = ['All Connections', ...items.map(({ serviceItem }) => serviceItem)]
  expect(await openedOptions(page, 'Filter by connection')).toEqual(connections.slice(0, 100))

  const type = own.find(({ description }) => /[a-z]{4}/.test(description)) ?? own[0]
  const part = /[a-z]{4}/.exec(type?.description ?? '')?.[0] ?? ''
  await picker(page, 'Filter by type').click()
  await picker(page, 'Filter by type').fill(part.toUpperCase())
  const found = await page.getByRole('option').allTextContents()
  expect(found).toEqual(
    ['All Record Types', ...own.map(({ description }) => description)].filter((name) => name.toLowerCase().includes(part)),
  )
  await page.getByRole('option', { name: type?.description ?? '', exact: true }).click()
  await showsPage(page, { service: service.id, type: type?.id ?? 0 })

  const item = items.at(-1)
  await choosePicked(page, 'Filter by connection', item?.serviceItem ?? '')
  await showsPage(page, { service: service.id, type: type?.id ?? 0, connection: item?.id ?? 0 })
})

test('[USG-03] one connection among 10,000 is found by typing a part of it', async () => {
  const page = await signedIn('demo')
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
  await picker(page, 'Filter by connection').click()
  await picker(page, 'Filter by connection').pressSequentially('meter 0999')
  await eventually(() => page.getByRole('option').count()).toBe(10)
  await picker(page, 'Filter by connection').pressSequentially('7-u')
  await eventually(() => page.getByRole('option').allTextContents()).toEqual(['Meter 09997-Ü'])
  await page.keyboard.press('Enter')
  await eventually(() => pathOf(page)).toBe('/usage?connection=9998')
  await eventually(() => chosenIn(page, 'Filter by connection')).toBe('Meter 09997-Ü')
})

test('[USG-04] another service takes back connection and type, and every change of a filter starts at page 1', async () => {
  const page = await usageOf('demo')
  const [first, second] = await answerTo<Service[]>(page, '/v1/ec/services')
  const [item] = await answerTo<ServiceItem[]>(page, `/v1/ec/service-items?service=${first?.id}`)
  const type = (await answerTo<RecordType[]>(page, '/v1/ec/record-types')).find(({ serviceId }) => serviceId === first?.id)
  await page.goto(`/usage?service=${first?.id}&connection=${item?.id}&type=${type?.id}`)
  await eventually(() => chosenIn(page, 'Filter by connection')).toBe(item?.serviceItem)
  await choose(page, 'Filter by service', second?.name ?? '')
  await eventually(() => pathOf(page)).toBe(`/usage?service=${second?.id}`)
  expect(await chosenIn(page, 'Filter by connection')).toBe('All Connections')
  expect(await chosenIn(page, 'Filter by type')).toBe('All Record Types')
  await showsPage(page, { service: second?.id ?? 0 })

  for (const act of [
    () => choose(page, 'Filter by timeframe', 'Last 30 Days'),
    () => choose(page, 'Agreement', 1),
    () => choose(page, 'Filter by service', first?.name ?? ''),
    () => choosePicked(page, 'Filter by connection', item?.serviceItem ?? ''),
    () => choosePicked(page, 'Filter by type', type?.description ?? ''),
  ]) {
    await page.goto('/usage?page=3')
    await showsPage(page, { pageNumber: 3 })
    await act()
    await eventually(() => new URL(page.url()).searchParams.has('page')).toBe(false)
  }
})

test('[USG-05] the server pages, 100 at a time, with the exact total in words, and a page behind the end becomes the last one', async () => {
  const page = await usageOf('demo')
  const { totalCount } = await recordsOf(page, {})
  const last = Math.ceil(totalCount / 100)
  const number = new Intl.NumberFormat('en-AU')
  expect(last).toBeGreaterThan(10)
  await page.getByText(`${number.format(totalCount)} records · `).waitFor()
  await page.getByText(`Page 1 of ${last}`, { exact: true }).waitFor()

  await turn(page).getByRole('button', { name: 'Next page' }).click()
  await showsPage(page, { pageNumber: 2 })
  await page.getByText(`101 – 200 of ${number.format(totalCount)}`).waitFor()
  await turn(page)
    .getByRole('button', { name: `Page ${last}`, exact: true })
    .click()
  await showsPage(page, { pageNumber: last })

  for (const behind of [String(last + 1), '99999999999']) {
    await page.goto(`/usage?page=${behind}`)
    await eventually(() => pathOf(page)).toBe(`/usage?page=${last}`)
    await showsPage(page, { pageNumber: last })
  }
})

test('[USG-05][GRID-01] every column is sorted by the server, both ways, says so, and starts at page 1', async () => {
  const page = await usageOf('demo')
  for (const [column, sort] of Object.entries(SORTS)) {
    await turn(page).getByRole('button', { name: 'Page 2', exact: true }).click()
    await page.getByText('Page 2 of').waitFor()
    const head = page.getByRole('columnheader', { name: column, exact: true })
    for (const [order, direction] of [
      ['asc', 'ascending'],
      ['desc', 'descending'],
    ] as const) {
      await head.getByRole('button').click()
      await eventually(() => head.getAttribute('aria-sort')).toBe(direction)
      await showsPage(page, { sort, order })
      expect(await page.locator('[aria-sort]').count()).toBe(1)
    }
  }
})

test('[USG-05] while other rows are on their way, the rows before stay under a spinner', async () => {
  const page = await usageOf('demo')
  const before = await rowsOf(page)
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/v1/ec/usage?*', async (route) => {
    await held
    await route.continue()
  })
  await choose(page, 'Filter by timeframe', 'Last Month')
  await page.getByText('Loading Usage').waitFor()
  expect(await rowsOf(page)).toEqual(before)
  expect(await page.locator('[aria-busy="true"]').count()).toBe(1)
  letGo()
  await showsPage(page, { timeframe: 'Last Month' })
  expect(await page.getByText('Loading Usage').count()).toBe(0)
})

test('[USG-06] the columns stand under their labels, and the cost centre only where the brand shows it; prices have four decimals', async () => {
  const withIt = await usageOf('demo')
  expect(await withIt.getByRole('columnheader').allTextContents()).toEqual([...COLUMNS, 'Cost Centre'])
  const prices = (await rowsOf(withIt)).map((row) => row[8] ?? '')
  expect(prices.filter((price) => !/^-?A\$[\d,]+\.\d{4}$/.test(price))).toEqual([])

  const without = await usageOf('us')
  expect(await without.getByRole('columnheader').allTextContents()).toEqual(COLUMNS)
  await showsPage(without, {}, '$')
})

test.each([
  ['demo', ''],
  ['demo', '?timeframe=last-30-days&service=1'],
  ['us', '?timeframe=last-30-days'],
])('[USG-07] the download of %s (usage%s) is, byte for byte, what the pages hold', async (username, address) => {
  const page = await usageOf(username)
  const services = await answerTo<Service[]>(page, '/v1/ec/services')
  const service = address.includes('service') ? services[0] : undefined
  const timeframe = address === '' ? 'This Month' : 'Last 30 Days'
  await page.goto(`/usage${address.replace('service=1', `service=${service?.id}`)}`)
  await showsPage(page, { timeframe, service: service?.id ?? 0 }, username === 'us' ? '$' : 'A$')

  const { name, content } = await savedBy(page, () => download(page).click())
  expect(name).toBe(`${service?.name ?? 'All'}_Usage.csv`)
  const all: UsageRecord[] = []
  for (let pageNumber = 1, total = 1; all.length < total; pageNumber += 1) {
    const answer = await recordsOf(page, { timeframe, service: service?.id ?? 0, pageNumber, pageSize: 1_000 })
    all.push(...answer.endUsageDetails)
    total = answer.totalCount
  }
  expect(content.toString('utf8')).toBe(csvOf(all, username === 'demo'))
  expect(all.length).toBeGreaterThan(username === 'demo' ? 1_000 : 50)
  await page.getByText(`Saved ${name}: ${new Intl.NumberFormat('en-AU').format(all.length)} records`).waitFor()
  expect(await download(page).isEnabled()).toBe(true)
})

test('[USG-07] while the file comes, the button cannot be pressed, the progress shows, and Cancel ends it with nothing saved', async () => {
  const page = await usageOf('demo')
  await choose(page, 'Filter by timeframe', 'Last 30 Days')
  await showsPage(page, { timeframe: 'Last 30 Days' })
  const { totalCount } = await recordsOf(page, { timeframe: 'Last 30 Days' })
  const network = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: 40_000, uploadThroughput: -1 }
  await network.send('Network.emulateNetworkConditions', slow)
  let saved = 0
  page.on('download', () => {
    saved += 1
  })
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/v1/ec/usage/download'))
  await download(page).click()
  await eventually(() => download(page).isDisabled()).toBe(true)
  const meter = page.getByRole('meter', { name: 'Download Usage' })
  await eventually(async () => Number(await meter.getAttribute('value'))).toBeGreaterThan(0)
  expect(await meter.getAttribute('max')).toBe(String(totalCount))
  await page.getByRole('button', { name: 'Cancel the download' }).click()
  await ended
  await page.getByText('Cancelled. Nothing was saved.').waitFor()
  expect(await download(page).isEnabled()).toBe(true)
  expect(await download(page).evaluate((button) => button === document.activeElement)).toBe(true)

  await network.send('Network.emulateNetworkConditions', { ...slow, downloadThroughput: -1 })
  await savedBy(page, () => download(page).click())
  expect(saved).toBe(1)
})

test('[USG-07] a file that comes short is not saved, and the screen says so', async () => {
  const page = await usageOf('demo')
  const { totalCount } = await recordsOf(page, {})
  await page.route('**/v1/ec/usage/download', async (route) => {
    const response = await route.fetch()
    const whole = await response.text()
    const lines = whole.split('\n')
    await route.fulfill({ response, body: `${lines.slice(0, -2).join('\n')}\n` })
  })
  let saved = 0
  page.on('download', () => {
    saved += 1
  })
  await download(page).click()
  const number = new Intl.NumberFormat('en-AU')
  const words = `The download broke off after ${number.format(totalCount - 1)} of ${number.format(totalCount)} records. Nothing was saved. Try again.`
  await page.getByRole('alert').getByText(words).waitFor()
  expect(await page.getByText(BANNER).count()).toBe(0)

  await page.unroute('**/v1/ec/usage/download')
  await savedBy(page, () => download(page).click())
  await page.getByText(/^Saved All_Usage\.csv/).waitFor()
  expect(await page.getByText('The download broke off').count()).toBe(0)
  expect(saved).toBe(1)
})

test('[USG-07] a vast file is written, while it comes, to the place that the person chooses', async () => {
  const page = await signedIn('demo')
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
  await page.getByText('1,000,000 records').waitFor()
  await download(page).click()
  await page.getByText(/^Saved All_Usage\.csv/).waitFor()
  const written = await page.evaluate(async () => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle('All_Usage.csv')
    return (await handle.getFile()).text()
  })
  const { totalCount } = await recordsOf(page, {})
  expect(written.split('\n')).toHaveLength(totalCount + 2)
})

test('[USG-08] filters, page and sort live in the address: a reload, a shared link and Back keep them', async () => {
  const page = await usageOf('demo')
  const [service] = await answerTo<Service[]>(page, '/v1/ec/services')
  await choose(page, 'Filter by timeframe', 'Last 30 Days')
  await choose(page, 'Filter by service', service?.name ?? '')
  await page.getByRole('columnheader', { name: 'Price', exact: true }).getByRole('button').click()
  await turn(page).getByRole('button', { name: 'Next page' }).click()
  const address = `/usage?timeframe=last-30-days&service=${service?.id}&page=2&sort=price&order=asc`
  await eventually(() => pathOf(page)).toBe(address)
  const shown = { timeframe: 'Last 30 Days', service: service?.id ?? 0, pageNumber: 2, sort: 'price', order: 'asc' } as const
  await showsPage(page, shown)
  await page.reload()
  await showsPage(page, shown)

  const shared = await signedIn('demo')
  await shared.goto(address)
  await showsPage(shared, shown)
  expect(await chosenIn(shared, 'Filter by timeframe')).toContain('Last 30 Days')
  expect(await chosenIn(shared, 'Filter by service')).toContain(service?.name)

  for (const before of [
    `/usage?timeframe=last-30-days&service=${service?.id}&sort=price&order=asc`,
    `/usage?timeframe=last-30-days&service=${service?.id}`,
    '/usage?timeframe=last-30-days',
    '/usage',
  ]) {
    await page.goBack()
    await eventually(() => pathOf(page)).toBe(before)
  }
  await showsPage(page, {})
})

test('[USG-08] an address that says nonsense, or names what this customer does not have, shows the plain page without an error', async () => {
  const page = await usageOf('demo')
  const trouble = await troubleOn(page)
  for (const query of [
    'agreement=-1&timeframe=yesterday&service=x&connection=1.5&type=%F0%9F%92%BE&page=0&sort=secret&order=up',
    'agreement=999999&service=888888&connection=777777&type=666666',
  ]) {
    await page.goto(`/usage?${query}`)
    await showsPage(page, {})
    expect(await chosenIn(page, 'Agreement')).toContain('All Agreements')
    expect(await chosenIn(page, 'Filter by timeframe')).toContain('This Month')
    expect(await chosenIn(page, 'Filter by service')).toContain('All Services')
    expect([await chosenIn(page, 'Filter by connection'), await chosenIn(page, 'Filter by type')]).toEqual([
      'All Connections',
      'All Record Types',
    ])
  }
  expect(await page.getByText(BANNER).count()).toBe(0)
  expect(trouble).toEqual([])
})

test('[GRID-02] a failed load raises the banner and a way to ask again; failed record types are only logged', async () => {
  const page = await signedIn('demo')
  await page.route('**/v1/ec/record-types', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await page.goto('/usage')
  await page.getByRole('table', { name: 'Usage' }).waitFor()
  expect(await openedOptions(page, 'Filter by type')).toEqual(['All Record Types'])
  expect(await page.getByText(BANNER).count()).toBe(0)

  await page.route('**/v1/ec/usage?*', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await page.goto('/usage')
  await page.getByText('Usage could not be loaded.').waitFor()
  await page.getByRole('alert').getByText(BANNER).waitFor()
  await page.unroute('**/v1/ec/usage?*')
  await page.getByRole('button', { name: 'Try again: Usage' }).click()
  await showsPage(page, {})
  // What failed has gone well: the banner would tell a falsehood now. The button is gone, and the focus is in its place.
  await eventually(() => page.getByText(BANNER).count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
})

test('[GRID-02] where nothing is found, the grid says that there are no data yet', async () => {
  const page = await signedIn('demo')
  await page.route('**/v1/ec/usage?*', (route) => route.fulfill({ json: { endUsageDetails: [], totalCount: 0 } }))
  await page.goto('/usage?page=4')
  await page.getByText('There are no data yet', { exact: true }).waitFor()
  await page.getByText('No records · ').waitFor()
  await eventually(() => pathOf(page)).toBe('/usage')
})

test('[GRID-03] filters, sort and pages need no mouse, and a screen reader hears how many records were found', async () => {
  const page = await usageOf('demo')
  await page.getByRole('button', { name: /Filter by timeframe/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await showsPage(page, { timeframe: 'Last 30 Days' })
  const { totalCount } = await recordsOf(page, { timeframe: 'Last 30 Days' })
  const number = new Intl.NumberFormat('en-AU')
  await page
    .getByRole('status')
    .getByText(`${number.format(totalCount)} records · `)
    .waitFor()

  await picker(page, 'Filter by type').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const [type] = await answerTo<RecordType[]>(page, '/v1/ec/record-types')
  await showsPage(page, { timeframe: 'Last 30 Days', type: type?.id ?? 0 })
  expect(await chosenIn(page, 'Filter by type')).toBe(type?.description)

  await page.getByRole('columnheader', { name: 'Units', exact: true }).getByRole('button').focus()
  await page.keyboard.press('Enter')
  await showsPage(page, { timeframe: 'Last 30 Days', type: type?.id ?? 0, sort: 'units', order: 'asc' })
  await turn(page).getByRole('button', { name: 'Next page' }).focus()
  await page.keyboard.press('Enter')
  await showsPage(page, { timeframe: 'Last 30 Days', type: type?.id ?? 0, sort: 'units', order: 'asc', pageNumber: 2 })
})

test('[GRID-03] axe-core finds nothing on the page and in its open list, light and dark, wide and narrow; a phone sorts its cards', async () => {
  const page = await signedIn('demo')
  // Of a hundred rows the first few say all that axe-core can find, in a tenth of the time.
  await page.route('**/v1/ec/usage?*', async (route) => {
    const response = await route.fetch()
    const { endUsageDetails, totalCount } = await response.json()
    await route.fulfill({ response, json: { endUsageDetails: endUsageDetails.slice(0, 6), totalCount } })
  })
  await page.goto('/usage')
  await page.getByRole('table', { name: 'Usage' }).waitFor()
  const findings: string[] = []
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport)
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await picker(page, 'Filter by connection').click()
      await stillnessOf(page)
      const { violations } = await new AxeBuilder({ page }).analyze()
      findings.push(...violations.map(({ id, nodes }) => `${viewport.width} ${scheme}: ${id} ${nodes[0]?.html.slice(0, 160)}`))
      await page.keyboard.press('Escape')
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
  }
  expect(findings).toEqual([])
  await page.getByLabel('Sort by').selectOption('price')
  await eventually(() => pathOf(page)).toBe('/usage?sort=price&order=asc')
  await page.getByRole('button', { name: 'Ascending' }).click()
  await eventually(() => pathOf(page)).toBe('/usage?sort=price')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}, 180_000)

const usageOf = async (username: string): Promise<Page> => {
  const page = await signedIn(username)
  await page.goto('/usage')
  await page.getByRole('table', { name: 'Usage' }).waitFor()
  return page
}

interface Asked {
  readonly timeframe?: Timeframe
  readonly agreement?: number
  readonly service?: number
  readonly connection?: number
  readonly type?: number
  readonly pageNumber?: number
  readonly pageSize?: number
  readonly sort?: string
  readonly order?: 'asc' | 'desc'
}

/** What the API answers to the same question, newest first where nothing is said. */
const recordsOf = (page: Page, asked: Asked): Promise<{ endUsageDetails: UsageRecord[]; totalCount: number }> => {
  const { timeframe = TIMEFRAMES[0], agreement = 0, service = 0, connection = 0, type = 0, ...rest } = asked
  const { from, to } = timeframeDays(timeframe, dayOf(new Date()))
  const filter = { dateFrom: from, dateTo: to, agreement, service, recordType: type, serviceItem: connection, ...rest }
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))
  return answerTo(page, `/v1/ec/usage?${query}`)
}

/** Waits until the grid holds exactly the records of this page, and its words the exact number. */
const showsPage = async (page: Page, asked: Asked, symbol = 'A$'): Promise<void> => {
  const { endUsageDetails, totalCount } = await recordsOf(page, asked)
  const hasCostCentre = symbol === 'A$'
  await eventually(() => rowsOf(page)).toEqual(endUsageDetails.map((record) => shown(record, symbol, hasCostCentre)))
  const figure = totalCount === 0 ? 'No' : new Intl.NumberFormat('en-AU').format(totalCount)
  const found = `${figure} record${totalCount === 1 ? '' : 's'} · `
  await eventually(() => page.getByText(found).count()).toBe(1)
}

/** The grid's rows, cell by cell, as a person sees them. */
const rowsOf = (page: Page): Promise<string[][]> =>
  page
    .getByRole('table', { name: 'Usage' })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim())))

const shown = (record: UsageRecord, symbol: string, hasCostCentre: boolean): string[] => {
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

/** The file as decisions.md has it: the grid's labels, units to 2 and prices to 4 decimals, days, texts that no spreadsheet runs. */
const csvOf = (records: readonly UsageRecord[], hasCostCentre: boolean): string => {
  const fixed = (value: number, digits: number): string =>
    new Intl.NumberFormat('en', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
      signDisplay: 'negative',
    }).format(`${value}` as Intl.StringNumericLiteral)
  const text = (words: string | null): string => {
    const safe = /^[=+\-@\t\r|]/.test(words ?? '') ? `'${words}` : (words ?? '')
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
  return [head, ...records.map(line)].map((cells) => `${cells.join(',')}\n`).join('')
}

const download = (page: Page): Locator => page.getByRole('button', { name: 'Download Usage', exact: true })

const turn = (page: Page): Locator => page.getByRole('navigation', { name: 'Usage: pages' })

const picker = (page: Page, label: string): Locator => page.getByRole('combobox', { name: label })

/** What a filter says: a searched one in its field, another in its button. */
const chosenIn = async (page: Page, label: string): Promise<string> => {
  if (SEARCHED.has(label)) return picker(page, label).inputValue()
  return (await page.getByRole('button', { name: new RegExp(label) }).textContent()) ?? ''
}

/** Chooses from a short list, by name or by place. */
const choose = async (page: Page, label: string, option: string | number): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(label) }).click()
  const options = page.getByRole('listbox').getByRole('option')
  await (typeof option === 'number' ? options.nth(option) : options.getByText(option, { exact: true })).click()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
}

const choosePicked = async (page: Page, label: string, option: string): Promise<void> => {
  await picker(page, label).click()
  await picker(page, label).fill(option)
  await page.getByRole('option', { name: option, exact: true }).click()
}

const optionsOf = async (page: Page, label: string): Promise<string[]> => {
  await page.getByRole('button', { name: new RegExp(label) }).click()
  const options = await page.getByRole('listbox').getByRole('option').allTextContents()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  return options
}

const openedOptions = async (page: Page, label: string): Promise<string[]> => {
  await picker(page, label).click()
  const options = await page.getByRole('option').allTextContents()
  await page.keyboard.press('Escape')
  return options
}
