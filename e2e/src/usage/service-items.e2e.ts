import type { BrandSettings } from '@counterfoil/contract/brands'
import type { ServiceItem } from '@counterfoil/contract/service-items'
import type { Service } from '@counterfoil/contract/services'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { readConfig } from '../../../server/src/config.ts'
import { openContext } from '../../../server/src/context.ts'
import { openLog } from '../../../server/src/kit/log.ts'
import { insertRow, addTenant, PASSWORD } from '../../../server/test/support/people.ts'
import { enter } from '../support/browser.ts'
import { captureDownload } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { usePages } from '../support/pages.ts'
import { type Product, startProduct } from '../support/product.ts'
import { copyDemoData } from '../support/test-environment.ts'
import { getFromApi } from '../support/api.ts'
import { readStoredSession } from '../support/session.ts'

const { openPage, openPageAs, signInAs } = usePages()

const BANNER = 'Our server returned error, try again later'
const MANY = 10_000
/** Computing time, which a busy machine does not change much. Drawing every row would take far more. */
const MAX_CPU_SECONDS = 2

let product: Product
const usernames = { nothing: '', many: '' }

// Customers that the demo data does not have. They are written into a copy of it before the product starts on it.
beforeAll(async () => {
  const dataDir = await copyDemoData()
  const context = await openContext(readConfig({ DATA_DIR: dataDir }), openLog('warn'))
  usernames.nothing = (await addTenant(context)).person.username
  const many = await addTenant(context, { brand: { end_portal_transactions_extra_tab2: true } })
  usernames.many = many.person.username
  const { resellerId, customerId: customer_id } = many
  const service = await insertRow(context, resellerId, 'service', { reseller_id: resellerId, name: 'Lines' })
  await insertRow(context, resellerId, 'agreement', { customer_id, name: 'Only' })
  const period_id = await insertRow(context, resellerId, 'billing_period', { customer_id, starts_on: '2026-09-16', ends_on: '2026-10-15' })
  await insertRow(context, resellerId, 'billing_transaction', {
    customer_id,
    period_id,
    product_label: '=Fee, "monthly"',
    product_name: 'FEE',
    price: '1.005',
    quantity: '0.125',
    extra_field2: '@project',
  })
  await context.store.transact({ role: 'counterfoil_reseller', resellerId }, (db) =>
    sql`insert into service_item (customer_id, service_id, service_item, description, cost_centre)
      select ${customer_id}, ${service}, 'line ' || lpad(n::text, 5, '0'), 'Desk ' || n, 'CC-' || n % 7 from generate_series(1, ${MANY}::int) n`.execute(
      db,
    ),
  )
  await context.close()
  product = await startProduct({ dataDir })
}, 120_000)
afterAll(() => product.remove())

test.each(['demo', 'us', 'eu'])(
  "[SI-01] %s's service items stand under the brand's own name, in menu, title and column",
  async (username) => {
    const page = await openPageAs(username)
    const { endServiceItemDisplayName: label } = await fetchBrand(page)
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: label, exact: true }).click()
    await expect(page.getByRole('table', { name: label, exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(label)
    const services = new Map((await getFromApi<Service[]>(page, '/v1/ec/services')).map(({ id, name }) => [id, name]))
    const service = services.size > 1 ? ['Service'] : []
    await expect(page.getByRole('columnheader')).toHaveText([label, 'Description', ...service, 'Usage and transactions'])
    const items = await getFromApi<ServiceItem[]>(page, '/v1/ec/service-items')
    expect(items.length).toBeGreaterThan(2)
    await expect.poll(() => readRows(page)).toEqual(items.slice(0, 25).map(toCells))
    if (services.size === 1) return
    const shown = page.getByRole('main').locator('tbody td:nth-child(3)')
    await expect(shown).toHaveText(items.slice(0, 25).map(({ serviceId }) => services.get(serviceId) ?? ''))
  },
)

test('[SI-01] nothing in the grid can be changed', async () => {
  const page = await openPageAs('demo', '/service-items')
  await expect(page.getByRole('table')).toBeVisible()
  await expect(page.getByRole('main').locator('tbody').locator('button, input, [contenteditable]')).toHaveCount(0)
  await page.getByRole('rowheader').first().click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('[EASE-07] items are searched and filtered by service, both in the address, and a row leads to its usage and its transactions', async () => {
  const page = await openPageAs('demo', '/service-items')
  const items = await getFromApi<ServiceItem[]>(page, '/v1/ec/service-items')
  const [item] = items.filter(({ description }) => description !== null) as [ServiceItem]
  const services = await getFromApi<Service[]>(page, '/v1/ec/services')
  await expect(page.getByText(`${items.length} items`, { exact: true })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search' }).fill(item.description?.toUpperCase() ?? '')
  await page
    .getByRole('main')
    .getByRole('button', { name: /Service$/ })
    .first()
    .click()
  await page.getByRole('option', { name: services.find(({ id }) => id === item.serviceId)?.name ?? '', exact: true }).click()
  const found = items.filter(({ serviceId, description }) => serviceId === item.serviceId && description === item.description)
  await expect.poll(() => readRows(page)).toEqual(found.map(toCells))
  await expect(page.getByText(`${found.length} of ${items.length} items`, { exact: true })).toBeVisible()
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({
      search: item.description?.toUpperCase(),
      service: String(item.serviceId),
    })
  await page.reload()
  await expect.poll(() => readRows(page)).toEqual(found.map(toCells))
  await page.getByRole('link', { name: `Usage of ${item.serviceItem}`, exact: true }).click()
  await expect(page).toHaveURL(`/usage?service=${item.serviceId}&connection=${item.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Usage')
  await page.goBack()
  await page.getByRole('link', { name: `Transactions of ${item.serviceItem}`, exact: true }).click()
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue(item.serviceItem)
  expect(new URL(page.url()).pathname).toBe('/transactions')
})

test('[SI-01][GRID-01] both columns sort both ways', async () => {
  const page = await openPageAs('demo', '/service-items')
  await expect(page.getByRole('table')).toBeVisible()
  const items = await getFromApi<ServiceItem[]>(page, '/v1/ec/service-items')
  const { compare } = new Intl.Collator('en-AU', { numeric: true })
  for (const [at, of] of [(item: ServiceItem) => item.serviceItem, (item: ServiceItem) => item.description ?? ''].entries()) {
    for (const [direction, sign] of [['ascending', 1] as const, ['descending', -1] as const]) {
      const head = page.getByRole('columnheader').nth(at)
      await head.getByRole('button').click()
      await expect(head).toHaveAttribute('aria-sort', direction)
      const expected = items.toSorted((a, b) => sign * compare(of(a), of(b)))
      await expect.poll(() => readRows(page)).toEqual(expected.slice(0, 25).map(toCells))
    }
  }
})

test('[GRID-02] a failed load raises the red banner and can be asked for again', async () => {
  const page = await signInAs('us')
  const stopFailing = await failRequests(page, '**/v1/ec/service-items')
  await page.goto('/service-items')
  await expect(page.getByRole('alert').filter({ hasText: BANNER })).toBeVisible()
  stopFailing()
  await page.getByRole('button', { name: /^Try again: / }).click()
  await expect(page.getByRole('table')).toBeVisible()
})

test.each(['/transactions', '/cost-centre', '/service-items'])(
  '[GRID-02] a customer without anything reads "There are no data yet" at %s',
  async (path) => {
    const page = await openPageOfCustomer(usernames.nothing, path)
    await expect(page.getByText('There are no data yet', { exact: true })).toBeVisible()
    await expect(page.getByRole('table')).toHaveCount(0)
    await expect(page.getByText(BANNER)).toHaveCount(0)
    if (path !== '/service-items') await expect(page.getByRole('button', { name: /^Download/ })).toBeDisabled()
  },
)

test('[SI-01] a brand without a name of its own calls them Service Item', async () => {
  const page = await openPageOfCustomer(usernames.many, '/service-items')
  await expect(page.getByRole('heading', { level: 1, name: 'Service Item', exact: true })).toBeVisible()
})

test('[TXN-01][TXN-03][TXN-04] a period that is no month reads as its first and last day, in the choice and in the name of the file', async () => {
  const page = await openPageOfCustomer(usernames.many, '/transactions')
  await expect(page.getByRole('table')).toBeVisible()
  await expect(page.getByRole('button', { name: /Period$/ })).toHaveText('16 Sept 2026 – 15 Oct 2026')
  const { name, content } = await captureDownload(page, () => page.getByRole('button', { name: 'Download Transactions' }).click())
  expect(name).toBe('2026-09-16_2026-10-15_Transactions.csv')
  expect(content.toString()).toBe(
    `\uFEFFProduct,Code,Service,Service Item,Site,Invoice,Price,Qty,From,To,Extra 2\n"'=Fee, ""monthly""",FEE,,,,,1.01,0.125,,,'@project\n`,
  )
})

test('[GRID-01][CC-01][EASE-07] ten thousand rows stand 25 a page, and a page, a sort and a search each cost the browser less than two seconds of computing', async () => {
  const page = await openPageOfCustomer(usernames.many, '/cost-centre')
  await expect(page.getByRole('table')).toBeVisible()
  expect((await readRows(page)).length).toBe(25)
  await expect(page.getByText('1 – 25 of 10,000', { exact: true })).toBeVisible()
  const pagination = page.getByRole('navigation', { name: /: pages$/ })
  await expect(pagination.locator('button')).toHaveText(['', '1', '2', '3', '400', ''])

  await expect(page.getByRole('rowheader').first()).toHaveText('line 00001')
  expect(
    await measureCpuUntilFirstRow(page, () => pagination.getByRole('button', { name: 'Page 400' }).click(), 'line 09976'),
  ).toBeLessThan(MAX_CPU_SECONDS)
  const sort = page.getByRole('columnheader', { name: 'Description' }).getByRole('button')
  expect(await measureCpuUntilFirstRow(page, () => sort.click(), 'line 00001')).toBeLessThan(MAX_CPU_SECONDS)
  expect(await measureCpuUntilFirstRow(page, () => sort.click(), 'line 10000')).toBeLessThan(MAX_CPU_SECONDS)
  const search = page.getByRole('searchbox', { name: 'Description' })
  expect(await measureCpuUntilFirstRow(page, () => search.fill('DESK 77'), 'line 07799')).toBeLessThan(MAX_CPU_SECONDS)

  await page.goto('/service-items')
  await expect(page.getByText('10,000 items', { exact: true })).toBeVisible()
  const itemSearch = page.getByRole('searchbox', { name: 'Search' })
  expect(await measureCpuUntilFirstRow(page, () => itemSearch.fill('desk line 0999'), 'line 00999')).toBeLessThan(MAX_CPU_SECONDS)
})

/** The seconds that the browser computes until the first row is this one. */
const measureCpuUntilFirstRow = async (page: Page, act: () => Promise<void>, first: string): Promise<number> => {
  const before = await readCpuSeconds(page)
  await act()
  await expect(page.getByRole('rowheader').first().getByText(first, { exact: true })).toBeVisible()
  return (await readCpuSeconds(page)) - before
}

const readCpuSeconds = async (page: Page): Promise<number> => {
  const browser = page.context().browser()
  if (browser === null) throw new Error('this page has no browser')
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

const openPageOfCustomer = async (username: string, path: string): Promise<Page> => {
  const page = await openPage({ baseURL: product.url })
  await enter(page, username, PASSWORD, path)
  return page
}

const fetchBrand = async (page: Page): Promise<BrandSettings> => {
  const { auth } = await readStoredSession(page)
  const claims = JSON.parse(Buffer.from(JSON.parse(auth ?? '{}').access_token.split('.')[1], 'base64url').toString())
  return (await page.request.get(`/v1/brands-settings/${claims.BrandId}`)).json()
}

/** The two texts of each row. */
const readRows = (page: Page): Promise<string[][]> =>
  page
    .getByRole('main')
    .evaluate((main) => [...main.querySelectorAll('tbody tr')].map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent)))

const toCells = ({ serviceItem, description }: ServiceItem): string[] => [serviceItem, description ?? '–']
