import { test } from 'vitest'
import { expect } from '../support/expect.ts'
import { openSection } from '../support/open-section.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { payButtonOf, rowOf } from './invoice-list.ts'
import { payButton } from './pay-button.ts'
import { storeCard } from './payable-invoices.ts'
import { createPayer } from './payer.ts'
import { readLedger, waitForLedgerEntries } from './sandbox-ledger.ts'

const { signInAs } = usePages()

const GAP = '\u00A0'

test('[EASE-01][EASE-04][EASE-06][BP-01] invoices of two currencies are summed and paid by currency, and every amount says its own', async () => {
  const payer = await createPayer(testEnvironment().dataDir, 3, 3001, ['110.00', '200.00 EUR', '50.00 EUR'])
  const [dollars = '', first = '', second = ''] = payer.numbers
  const page = await signInAs(payer.username, {}, payer.password)
  await storeCard(page, 'pm_card_visa')

  await page.goto('/dashboard')
  const tile = page.getByRole('region', { name: 'Total due' })
  for (const text of ['$110.00', `EUR${GAP}250.00`]) await expect(tile.getByText(text).first()).toBeVisible()
  await expect(tile.getByText('360.00')).toHaveCount(0)
  await expect(tile.getByRole('button', { name: 'Pay all due in $' })).toBeVisible()
  await expect(tile.getByRole('button', { name: 'Pay all due in EUR' })).toBeVisible()
  // Bars are compared with one another, so they are of one currency.
  await expect(page.getByRole('table', { name: 'Latest 5 Invoices in EUR' }).locator('tbody').getByRole('row')).toHaveCount(2)

  // One of them: the page of its link.
  await openSection(page, 'Invoices')
  const due = page.getByRole('table', { name: 'Invoices' }).locator('tfoot')
  for (const text of ['$110.00', `EUR${GAP}250.00`]) await expect(due.getByText(text).first()).toBeVisible()
  await rowOf(page, first)
    .getByRole('link', { name: `Pay ${first}` })
    .click()
  await expect(payButton(page)).toHaveText(`Pay EUR${GAP}200.00`)
  await page.getByRole('link', { name: 'Back to invoices' }).click()

  // Both currencies at once are refused in words, those of one are paid together.
  for (const number of [dollars, first]) await rowOf(page, number).getByRole('checkbox').check()
  await expect(page.getByText(/^One payment takes one currency\. Selected are .*please pay them one after the other\.$/)).toBeVisible()
  await expect(payButtonOf(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Select all due in EUR' }).click()
  await expect(payButtonOf(page)).toHaveText(`Pay 2 invoices, EUR${GAP}250.00`)
  await payButtonOf(page).click()
  await expect(page).toHaveURL('/bulk-pay')
  const summary = page.getByRole('region', { name: 'Payment summary' })
  for (const text of [first, second, `EUR${GAP}250.00`]) await expect(summary.getByText(text).first()).toBeVisible()
  await expect(summary.getByText('$')).toHaveCount(0)
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await payButton(page).click()
  await expect(page.getByText(`You paid EUR${GAP}250.00 to Atlantic Voice LLC`, { exact: true })).toBeVisible()
  expect(await waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)).toMatchObject([{ amount: 25_000, currency: 'EUR' }])
})
