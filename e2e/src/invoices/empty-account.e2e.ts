import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../server/src/config.ts'
import { openHouse } from '../../../server/src/house.ts'
import { openLog } from '../../../server/src/kit/log.ts'
import { addFamily, addInvoice, changeBrand, PASSWORD } from '../../../server/src/test-people.ts'
import { enter } from '../support/browser.ts'
import { usePages } from '../support/pages.ts'
import { type Product, startProduct } from '../support/product.ts'

const { openPage } = usePages()

let product: Product
const usernames = { nothing: '', noBalance: '', settled: '' }

// Customers that the demo world does not have: written into an empty folder before the product starts on it.
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-empty-'))
  const house = await openHouse(readConfig({ DATA_DIR: dataDir }), openLog('warn'))
  usernames.nothing = (await addFamily(house)).person.username
  const noBalance = await addFamily(house)
  await changeBrand(house, noBalance.resellerId, noBalance.brandId, { end_show_opening_balance: false })
  usernames.noBalance = noBalance.person.username
  const settled = await addFamily(house)
  await addInvoice(house, settled.resellerId, settled.customerId, { status: 11, amount_due_minor: 0 })
  usernames.settled = settled.person.username
  await house.close()
  product = await startProduct({ dataDir })
}, 120_000)
afterAll(() => product.remove())

test('[INV-01] a customer without invoices reads "There are no invoices yet"', async () => {
  const page = await openPageAs(usernames.nothing)
  await page.goto('/invoices')
  await page.getByText('There are no invoices yet', { exact: true }).waitFor()
  expect(await page.getByRole('table').count()).toBe(0)
})

test('[DASH-01][DASH-03] a customer without anything has a balance of 0.00 and a recent-invoice tile of 97 px', async () => {
  const page = await openPageAs(usernames.nothing)
  await page.getByRole('region', { name: 'Opening balance' }).getByText('$0.00', { exact: true }).waitFor()
  const recent = page.getByRole('region', { name: 'Recent invoice' })
  await recent.getByText('There are no invoices yet', { exact: true }).waitFor()
  expect(await recent.evaluate((tile) => getComputedStyle(tile).minHeight)).toBe('97px')
  expect(await page.getByRole('region', { name: 'Bundles' }).count()).toBe(0)
})

test('[DASH-01] a brand without the opening balance has no tile for it and no call', async () => {
  const page = await openPage({ baseURL: product.url })
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  await enter(page, usernames.noBalance, PASSWORD)
  await page.getByText('There are no invoices yet', { exact: true }).waitFor()
  expect(await page.getByRole('region', { name: 'Opening balance' }).count()).toBe(0)
  expect(requestedUrls.filter((url) => url.includes('opening-balance'))).toEqual([])
})

test('[DASH-03] a recent invoice that asks for nothing stands 201 px tall, with its PDF and nothing to pay', async () => {
  const page = await openPageAs(usernames.settled)
  const recent = page.getByRole('region', { name: 'Recent invoice' })
  await recent.getByRole('button', { name: /^Download PDF/ }).waitFor()
  expect(await recent.evaluate((tile) => getComputedStyle(tile).minHeight)).toBe('201px')
  expect(await recent.getByRole('link', { name: 'Pay' }).count()).toBe(0)
})

const openPageAs = async (username: string): Promise<Page> => {
  const page = await openPage({ baseURL: product.url })
  await enter(page, username, PASSWORD)
  return page
}
