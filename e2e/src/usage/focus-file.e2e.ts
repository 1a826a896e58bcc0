import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addDays, dayOf, firstOfMonth } from '@counterfoil/contract/kit/day'
import type { ServiceItem } from '@counterfoil/contract/service-items'
import type { Transaction } from '@counterfoil/contract/transactions'
import type { UsageRecord } from '@counterfoil/contract/usage'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { enter } from '../support/browser.ts'
import { importFocusFile } from '../support/command-line.ts'
import { captureDownload } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { openSection } from '../support/open-section.ts'
import { usePages } from '../support/pages.ts'
import { getFromApi } from '../support/api.ts'
import { testEnvironment } from '../support/test-environment.ts'

/** A FOCUS file of another vendor, tested where it lies beside the repository. */
const SAMPLE = fileURLToPath(new URL('../../../../shared/data/focus/focus_sample.csv', import.meta.url))

const COLUMNS =
  'BilledCost,BillingAccountId,BillingAccountName,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ChargePeriodStart,ServiceName,SkuId,ResourceId,RegionName,ConsumedQuantity,Tags'

const { openPage } = usePages()

/** A FOCUS file with last month's bill of one account: two services, five machines and a mailbox. */
const focusFile = (): string => {
  const today = dayOf(new Date())
  const [from, to] = [firstOfMonth(today, -1), firstOfMonth(today)]
  const rows: string[] = []
  for (let at = 0; at < 84; at += 1) {
    const isMail = at % 6 === 5
    const day = addDays(from, at % 28)
    const [service, resource, centre] = isMail
      ? ['Mail', 'box-1', '']
      : ['Hosting', `machine-${at % 6}`, at % 2 === 0 ? 'Research' : 'Sales']
    const tags = centre === '' ? '' : `"{""CostCenter"":""${centre}""}"`
    rows.push(
      `${(at + 1) / 4},acct-1,Paper Mill,EUR,${from}T00:00:00Z,${to}T00:00:00Z,Usage,${day}T0${at % 10}:00:00Z,${service},sku-${at % 3},${resource},Perth,${at + 0.5},${tags}`,
    )
  }
  return [COLUMNS, ...rows, ''].join('\n')
}

const expectTotal = (page: Page, figure: string) => expect.poll(() => page.getByText(new RegExp(`^${figure} records? · `)).count()).toBe(1)

const selectOption = async (page: Page, label: RegExp, option: string): Promise<void> => {
  await page.getByRole('main').getByRole('button', { name: label }).click()
  await page.getByRole('listbox').getByRole('option', { name: option, exact: true }).click()
  await expect(page.getByRole('listbox')).toHaveCount(0)
}

test('[USG-02] [USG-03] [USG-05] [TXN-01] [TXN-02] [CC-01] [SI-01] [RPT-03] [RPT-04] an imported FOCUS file is usage with its exact total, transactions under the month that was billed, cost centres of its tags, service items and a report', async () => {
  const page = await openImported(focusFile(), '/usage')
  await expectUsage(page)
  await expectTransactions(page)
  await expectResources(page)
  await expectReport(page)
})

/** Imports the text of a file for a new reseller, and opens a page of it as the user that the import makes. */
const openImported = async (text: string, address: string): Promise<Page> => {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-focus-'))
  const file = join(folder, 'focus.csv')
  await writeFile(file, text)
  const { username, password } = await importFocusFile(testEnvironment().dataDir, file, `focus-${Date.now()}`)
  await rm(folder, { recursive: true })
  const page = await openPage()
  await enter(page, username, password, address)
  return page
}

/** The records of last month, filtered by timeframe and service. */
const expectUsage = async (page: Page): Promise<void> => {
  await selectOption(page, /Filter by timeframe/, 'Last Month')
  await expectTotal(page, '84')
  await selectOption(page, /Filter by service/, 'Mail')
  await expectTotal(page, '14')
  await selectOption(page, /Filter by service/, 'Hosting')
  await expectTotal(page, '70')
  const from = firstOfMonth(dayOf(new Date()), -1)
  const list = `/v1/ec/usage?dateFrom=${from}&dateTo=${addDays(firstOfMonth(from, 1), -1)}&sort=price&pageSize=1`
  const { endUsageDetails } = await getFromApi<{ endUsageDetails: UsageRecord[] }>(page, list)
  expect(endUsageDetails).toMatchObject([{ price: 21, units: 83.5, serviceItemName: 'box-1', siteName: 'Perth' }])
}

/** The transactions stand under the account and the month that were billed. */
const expectTransactions = async (page: Page): Promise<void> => {
  await openSection(page, 'Transactions')
  const table = page.getByRole('table', { name: 'Transactions' })
  await expect(table).toBeVisible()
  const prices = await table.locator('tbody tr').evaluateAll((rows) => rows.length)
  const month = new Date(`${firstOfMonth(dayOf(new Date()), -1)}T00:00:00Z`)
  const name = month.toLocaleDateString('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  await expect(page.getByRole('main').getByRole('button', { name: new RegExp(`${name}.*Period`) })).toBeVisible()
  expect(prices).toBeGreaterThan(1)
  const [agreement] = await getFromApi<{ id: number }[]>(page, '/v1/ec/agreements')
  const [period] = await getFromApi<{ id: number }[]>(page, `/v1/ec/billing-periods/${agreement?.id}`)
  const rows = await getFromApi<Transaction[]>(page, `/v1/ec/transactions?period=${period?.id}`)
  expect(rows).toHaveLength(prices)
}

/** The resources are the service items, with the cost centres of their tags. A brand without a name of its own calls them Service Item. */
const expectResources = async (page: Page): Promise<void> => {
  await openSection(page, 'Cost Centre Allocation')
  const rows = () =>
    page
      .getByRole('main')
      .locator('tbody tr')
      .evaluateAll((found) => found.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim())))
  await expect
    .poll(async () => (await rows()).map((cells) => [cells[0], cells.at(-2)]))
    .toEqual([
      ['machine-0', 'Research'],
      ['machine-1', 'Sales'],
      ['machine-2', 'Research'],
      ['machine-3', 'Sales'],
      ['machine-4', 'Research'],
    ])
  const items = await getFromApi<ServiceItem[]>(page, '/v1/ec/service-items')
  await openSection(page, 'Service Item')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Service Item')
  await expect
    .poll(async () => (await rows()).map(([item]) => item).toSorted())
    .toEqual(['box-1', ...[0, 1, 2, 3, 4].map((at) => `machine-${at}`)])
  expect(items).toHaveLength(6)
}

/** Usage by Service of it is made and saved. */
const expectReport = async (page: Page): Promise<void> => {
  await openSection(page, 'Reports')
  await page.getByRole('button', { name: 'Generate Usage by Service' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /\bDate range$/ }).click()
  await page.getByRole('listbox').getByRole('option', { name: 'Last Month', exact: true }).click()
  const { content } = await captureDownload(page, () => dialog.getByRole('button', { name: 'Generate' }).click())
  const [head = '', ...lines] = content.toString('utf8').trimEnd().split('\n')
  const at = head.split(',').indexOf('Records')
  expect(lines.map((line) => line.split(',')[0]).filter((service) => service === 'Mail')).not.toEqual([])
  expect(lines.reduce((sum, line) => sum + Number(line.split(',')[at]), 0)).toBe(84)
}

test.skipIf(!existsSync(SAMPLE))('[TXN-01] a billing file of another maker is imported and shown as well', async () => {
  const page = await openImported(await readFile(SAMPLE, 'utf8'), '/transactions')
  await expect(page.getByRole('table', { name: 'Transactions' }).locator('tbody tr').first()).toBeVisible()
  await openSection(page, 'Service Item')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Service Item')
  await expect(page.getByRole('main').locator('tbody tr').first()).toBeVisible()
})
