import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { enter, DESKTOP, PHONE } from '../support/browser.ts'
import { runCli } from '../support/command-line.ts'
import { expect } from '../support/expect.ts'
import { openSection } from '../support/open-section.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'

const { openPage } = usePages()

const BANNER = 'Our server returned error, try again later'
/** A name of its own, so that the file can run again on a product that is kept. */
const CUSTOMER = `new${Date.now().toString(36)}`
/** The reseller and the brand of the user us. */
const RESELLER = ['--reseller', '3001']
const BRAND = ['--brand', 'Atlantic Voice']

test('[DASH-01][DASH-03][EASE-01][EASE-08][INV-01][GRID-02] a customer without anything owes nothing and reads so on every screen; its first invoice, which asks for nothing, stands with its PDF and nothing to pay', async () => {
  const page = await openPage()
  const { dataDir } = testEnvironment()
  await runCli(dataDir, 'customer', 'add', 'New Here', '--external-id', CUSTOMER, ...BRAND, ...RESELLER)
  const user = ['user', 'add', CUSTOMER, '--customer', CUSTOMER, ...BRAND, ...RESELLER]
  const { password } = await runCli<{ password: string }>(dataDir, ...user)
  await enter(page, CUSTOMER, password, '/dashboard')
  await expectEmptyDashboard(page)
  await expectEmptyLists(page)
  await importPaidInvoice(dataDir)
  await page.goto('/dashboard')
  await expectSettledInvoice(page)
})

/** Nothing due, no spending, a balance of 0.00, and a recent-invoice tile of 97 px. */
const expectEmptyDashboard = async (page: Page): Promise<void> => {
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
  await page.setViewportSize(DESKTOP)
  await expect(page.getByRole('region', { name: 'Bundles' })).toHaveCount(0)
}

/** Each list says that it is empty, and there is no file of it to save. */
const expectEmptyLists = async (page: Page): Promise<void> => {
  for (const [section, text, hasDownload] of [
    ['Invoices', 'There are no invoices yet', false],
    ['Transactions', 'There are no data yet', true],
    ['Cost Centre Allocation', 'There are no data yet', true],
    ['Phone Number', 'There are no data yet', false],
  ] as const) {
    await openSection(page, section)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(section)
    await expect(page.getByText(text, { exact: true })).toBeVisible()
    await expect(page.getByRole('table')).toHaveCount(0)
    await expect(page.getByText(BANNER)).toHaveCount(0)
    if (hasDownload) await expect(page.getByRole('button', { name: /^Download/ })).toBeDisabled()
  }
}

const importPaidInvoice = async (dataDir: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-invoice-'))
  const file = join(folder, 'invoices.csv')
  const head = 'customer,externalId,number,netAmount,amount,amountDue,status,dateInvoice,dateDue'
  await writeFile(file, `${head}\n${CUSTOMER},INV-1,INV-1,100.00,110.00,0.00,paid,2026-11-01,2026-11-30\n`)
  await runCli(dataDir, 'import', 'invoices', file, ...RESELLER)
  await rm(folder, { recursive: true })
}

/** A recent invoice that asks for nothing stands 201 px tall, and what is due names it. */
const expectSettledInvoice = async (page: Page): Promise<void> => {
  const recent = page.getByRole('region', { name: 'Recent Invoice' })
  await expect(recent.getByRole('button', { name: /^Download PDF/ })).toBeVisible()
  await expect.poll(() => recent.evaluate((tile) => getComputedStyle(tile).minHeight)).toBe('201px')
  await expect(recent.getByRole('link', { name: 'Pay' })).toHaveCount(0)
  await expect(page.getByText('The latest invoice, INV-1 of 1 Nov 2026, came to $110.00', { exact: true })).toBeVisible()
}
