import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { readConfig } from '../../../server/src/config.ts'
import { openContext } from '../../../server/src/context.ts'
import { openLog } from '../../../server/src/kit/log.ts'
import { addTenant, addInvoice, changeBrand, PASSWORD } from '../../../server/test/support/people.ts'
import { enter, PHONE } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { type Product, startProduct } from '../support/product.ts'
import { copyDemoData } from '../support/test-environment.ts'

const { openPage } = usePages()

let product: Product
const usernames = { nothing: '', noBalance: '', settled: '' }

// Customers that the demo data does not have. They are written into a copy of it before the product starts on it.
beforeAll(async () => {
  const dataDir = await copyDemoData()
  const context = await openContext(readConfig({ DATA_DIR: dataDir }), openLog('warn'))
  usernames.nothing = (await addTenant(context)).person.username
  const noBalance = await addTenant(context)
  await changeBrand(context, noBalance.resellerId, noBalance.brandId, { end_show_opening_balance: false })
  usernames.noBalance = noBalance.person.username
  const settled = await addTenant(context)
  await addInvoice(context, settled.resellerId, settled.customerId, { status: 11, amount_due_minor: 0 })
  usernames.settled = settled.person.username
  await context.close()
  product = await startProduct({ dataDir })
}, 120_000)
afterAll(() => product.remove())

test('[INV-01] a customer without invoices reads "There are no invoices yet"', async () => {
  const page = await openPageAs(usernames.nothing, '/invoices')
  await expect(page.getByText('There are no invoices yet', { exact: true })).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
})

test('[DASH-01][DASH-03][EASE-01][EASE-08] a customer without anything owes nothing, has a balance of 0.00 and a recent-invoice tile of 97 px', async () => {
  const page = await openPageAs(usernames.nothing)
  const due = page.getByRole('region', { name: 'Total due' })
  await expect(due.getByText('Nothing is due', { exact: true })).toBeVisible()
  await expect(due.getByRole('link').or(due.getByRole('button'))).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Spending' }).getByText('There are no data yet', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Opening balance' }).getByText('$0.00', { exact: true })).toBeVisible()
  const recent = page.getByRole('region', { name: 'Recent Invoice' })
  await expect(recent.getByText('There are no invoices yet', { exact: true })).toBeVisible()
  await expect.poll(() => recent.evaluate((tile) => getComputedStyle(tile).minHeight)).toBe('97px')
  await page.setViewportSize(PHONE)
  await expect.poll(() => recent.evaluate((tile) => tile.getBoundingClientRect().height)).toBe(97)
  await expect(page.getByRole('region', { name: 'Bundles' })).toHaveCount(0)
})

test('[DASH-01] a brand without the opening balance has no tile for it and no call', async () => {
  const page = await openPage({ baseURL: product.url })
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  await enter(page, usernames.noBalance, PASSWORD)
  await expect(page.getByText('There are no invoices yet', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Opening balance' })).toHaveCount(0)
  expect(requestedUrls.filter((url) => url.includes('opening-balance'))).toEqual([])
})

test('[DASH-03] a recent invoice that asks for nothing stands 201 px tall, with its PDF and nothing to pay', async () => {
  const page = await openPageAs(usernames.settled)
  const recent = page.getByRole('region', { name: 'Recent Invoice' })
  await expect(recent.getByRole('button', { name: /^Download PDF/ })).toBeVisible()
  await expect.poll(() => recent.evaluate((tile) => getComputedStyle(tile).minHeight)).toBe('201px')
  await expect(recent.getByRole('link', { name: 'Pay' })).toHaveCount(0)
  await expect(page.getByText(/^The latest invoice, INV-\d+ of 1 Nov 2026, came to /)).toBeVisible()
})

const openPageAs = async (username: string, path?: string): Promise<Page> => {
  const page = await openPage({ baseURL: product.url })
  await enter(page, username, PASSWORD, path)
  return page
}
