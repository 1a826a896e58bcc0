import { test } from 'vitest'
import { rowOf } from '../payments/invoice-list.ts'
import { createPayer } from '../payments/payer.ts'
import { enter } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { openSection } from '../support/open-section.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'

const { openPage } = usePages()

const GAP = '\u00A0'

test('[EASE-01][EASE-06][INV-01] a credit note is named so and stands as credit beside what is due, on the dashboard and in the list', async () => {
  const payer = await createPayer(testEnvironment().dataDir, 4, 3001, ['110.00', '-20.00', '50.00 EUR', '-3.50 EUR'])
  const [invoice = '', note = '', , euroNote = ''] = payer.numbers
  const page = await openPage()
  await enter(page, payer.username, payer.password, '/dashboard')
  const tile = page.getByRole('region', { name: 'Total due' })
  for (const text of ['$110.00', `EUR${GAP}50.00`, `Credit EUR${GAP}3.50 and $20.00`])
    await expect(tile.getByText(text, { exact: true })).toBeVisible()

  await openSection(page, 'Invoices')
  const row = rowOf(page, note)
  await expect(row.getByText('Credit note', { exact: true })).toBeVisible()
  for (const text of ['-$20.00', 'Credit $20.00']) await expect(row.getByText(text, { exact: true })).toBeVisible()
  await expect(row.getByRole('link', { name: `Pay ${note}` })).toHaveCount(0)
  const sums = page.getByRole('table', { name: 'Invoices' }).locator('tfoot')
  for (const text of ['$110.00', `EUR${GAP}50.00`, `Credit EUR${GAP}3.50 and $20.00`])
    await expect(sums.getByText(text, { exact: true })).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Payment', exact: true }).getByText(`2 invoices to pay, EUR${GAP}50.00 and $110.00`),
  ).toBeVisible()

  await page.getByRole('radio', { name: /^Credit note/ }).click()
  await expect(page).toHaveURL('/invoices?status=credit-note')
  await expect(rowOf(page, euroNote)).toBeVisible()
  await expect(rowOf(page, note)).toBeVisible()
  await expect(rowOf(page, invoice)).toHaveCount(0)
})
