import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { DESKTOP, enter, PHONE } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { answer3dSecure, TEST_CARDS, fillCard } from './stripe-elements.ts'
import { isCompletePdf, captureDownload } from '../support/downloads.ts'
import { type Payer, createPayer } from './payer.ts'
import {
  openPaymentsOf,
  selectAndPay,
  expectNewestPayment,
  expectStatesAfterReload,
  paymentsButtonOf,
  openInvoiceList,
  payByAccount,
  payByCard,
  paymentsOf,
  settlePayment,
  storeAuAccount,
} from './invoice-list.ts'
import { failRequests } from '../support/failing-requests.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { payButton } from './pay-button.ts'
import { storeCard } from './payable-invoices.ts'

const { openPage } = usePages()

const BANNER = 'Our server returned error, try again later'

test('[PAY-01] an invoice opens to its payments, newest first: a declined card, and the one that paid after it, with its receipt', async () => {
  const { page, numbers } = await openPageOfPayer(2)
  const [number = '', other = ''] = numbers
  await payByCard(page, number, 'pm_card_chargeDeclined')
  await payByCard(page, number, 'pm_card_visa')
  await openInvoiceList(page)
  const button = paymentsButtonOf(page, number)
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  await button.click()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  const entries = paymentsOf(page, number).getByRole('listitem')
  await expect(entries).toHaveCount(2)
  for (const text of ['$110.00', 'Visa •••• 4242', 'Paid']) await expect(entries.nth(0)).toContainText(text)
  for (const text of ['$110.00', 'Visa •••• 0002', 'Declined', 'Your card was declined.']) await expect(entries.nth(1)).toContainText(text)
  await expect(paymentsOf(page, number).getByRole('button')).toHaveCount(1)
  const { name, content } = await captureDownload(page, () =>
    paymentsOf(page, number).getByRole('button', { name: 'Download receipt' }).click(),
  )
  expect(name).toMatch(/^R-\d{8}-[\dA-F]{8}\.pdf$/)
  expect(isCompletePdf(content)).toBe(true)

  // The keyboard opens and closes another one beside it.
  await paymentsButtonOf(page, other).focus()
  await page.keyboard.press('Enter')
  await expect(paymentsOf(page, other).getByText('There are no payments yet')).toBeVisible()
  await expect(paymentsOf(page, number)).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect(paymentsOf(page, other)).toHaveCount(0)
  await expect.poll(() => paymentsButtonOf(page, other).evaluate((button) => button === document.activeElement)).toBe(true)
})

test('[PAY-01][BP-04] a payment without an answer says until when at the latest: in the history, and to whoever wants to pay the same', async () => {
  const { page, numbers } = await openPageOfPayer(1)
  const [number = ''] = numbers
  await storeCard(page, 'pm_card_visa')
  await openInvoiceList(page)
  await selectAndPay(page, numbers)
  const fault = { provider: 'stripe', operation: 'charge', kind: 'drop', booked: false, times: 1 }
  expect((await page.request.post(`${testEnvironment().sandboxUrl}/faults`, { data: fault })).status()).toBe(200)
  await payByCard(page, number, 'pm_card_visa')
  await payButton(page).click()
  const words = /Please do not pay again\. If nothing was charged, you can pay again from .* \d{4},? .*\d:\d\d.* at the latest\./
  await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible()
  await openInvoiceList(page)
  await openPaymentsOf(page, number)
  await expectNewestPayment(page, number, ['Pending'])
  await expect(paymentsOf(page, number).getByText(words)).toBeVisible()
})

test('[PAY-01][EASE-10] payments begin under the number of their invoice and end with its buttons; on a phone their button says what it opens', async () => {
  const { page, numbers } = await openPageOfPayer(1)
  const [number = ''] = numbers
  await payByCard(page, number, 'pm_card_visa')
  await openInvoiceList(page)
  await openPaymentsOf(page, number)
  const entry = paymentsOf(page, number).getByRole('listitem')
  const [head, day, receipt, pdf] = await Promise.all([
    page.getByText(number, { exact: true }).boundingBox(),
    entry.boundingBox(),
    entry.getByRole('button', { name: /^Download receipt/ }).boundingBox(),
    page.getByRole('button', { name: `Download PDF of ${number}` }).boundingBox(),
  ])
  expect(Math.abs((day?.x ?? 0) - (head?.x ?? 0))).toBeLessThan(8)
  expect(Math.abs((receipt?.x ?? 0) + (receipt?.width ?? 0) - (pdf?.x ?? 0) - (pdf?.width ?? 0))).toBeLessThan(2)

  await page.setViewportSize(PHONE)
  await openInvoiceList(page)
  await page.getByRole('button', { name: `Details of ${number}`, exact: true }).click()
  await expect(paymentsButtonOf(page, number)).toHaveText('Payments')
  const [button, card] = await Promise.all([paymentsButtonOf(page, number).boundingBox(), page.getByRole('table').boundingBox()])
  expect(button?.x).toBeGreaterThanOrEqual(card?.x ?? 0)
  await paymentsButtonOf(page, number).click()
  await expect(entry).toBeVisible()
})

test('[PAY-01] nothing is asked of payments until an invoice is opened, and then of that one alone', async () => {
  const { page, numbers } = await openPageOfPayer(3)
  const requestedUrls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/payments') && request.url().includes('/invoices/')) requestedUrls.push(request.url())
  })
  await openInvoiceList(page)
  expect(requestedUrls).toEqual([])
  await paymentsButtonOf(page, numbers[1] ?? '').click()
  await expect(paymentsOf(page, numbers[1] ?? '').getByText('There are no payments yet')).toBeVisible()
  expect(requestedUrls).toHaveLength(1)
})

test('[PAY-01] payments that cannot be loaded say so in their place, and can be asked for again', async () => {
  const { page, numbers } = await openPageOfPayer(1)
  const [number = ''] = numbers
  const stopFailing = await failRequests(page, '**/v1/ec/invoices/*/payments**')
  await openInvoiceList(page)
  await paymentsButtonOf(page, number).click()
  await expect(paymentsOf(page, number).getByText(`Payments of ${number} could not be loaded.`)).toBeVisible()
  await expect(page.getByText(BANNER)).toHaveCount(0)
  stopFailing()
  await page.getByRole('button', { name: `Try again: Payments of ${number}` }).click()
  await expect(paymentsOf(page, number).getByText('There are no payments yet')).toBeVisible()
})

test('[PAY-01] a failed download of a receipt is shown beside its button, without a banner', async () => {
  const { page, numbers } = await openPageOfPayer(1)
  const [number = ''] = numbers
  await payByCard(page, number, 'pm_card_visa')
  await openInvoiceList(page)
  await paymentsButtonOf(page, number).click()
  await page.route('**/v1/ec/payments/receipts/*', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await paymentsOf(page, number).getByRole('button', { name: 'Download receipt' }).click()
  await expect(paymentsOf(page, number).getByText('The file could not be fetched. Try again.')).toBeVisible()
  await expect(page.getByText(BANNER)).toHaveCount(0)
})

test('[PAY-01] more tries than fit on a page are turned page by page', async () => {
  const { page, numbers } = await openPageOfPayer(1)
  const [number = ''] = numbers
  for (let tries = 0; tries < 11; tries++) await payByCard(page, number, 'pm_card_chargeDeclined')
  await openInvoiceList(page)
  await paymentsButtonOf(page, number).click()
  const payments = paymentsOf(page, number)
  await expect(payments.getByRole('listitem')).toHaveCount(10)
  await payments.getByRole('button', { name: 'Next page' }).click()
  await expect(payments.getByRole('listitem')).toHaveCount(1)
})

test('[PAY-01] where payments are off no invoice opens', async () => {
  const page = await openPage()
  await enter(page, 'none')
  await openInvoiceList(page)
  await expect(page.getByRole('button', { name: /^Payments of / })).toHaveCount(0)
})

test('[PAY-01][PR-01] whoever has paid, at once or by way of the bank, can take the receipt along', async () => {
  const { page, numbers } = await openPageOfPayer(1)
  await openInvoiceList(page)
  await selectAndPay(page, numbers)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Name on card').fill('Ada Payer')
  await fillCard(page, TEST_CARDS.confirmsAlways)
  await payButton(page).click()
  await answer3dSecure(page, 'Complete')
  await expect(page).toHaveURL(/\/payment-result\?/)
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  const { content } = await captureDownload(page, () => page.getByRole('button', { name: 'Receipt' }).click())
  expect(isCompletePdf(content)).toBe(true)
})

test('[GRID-03][PAY-01] axe-core finds nothing where payments are paid, declined, in collection and returned; nothing scrolls sideways', async () => {
  const { page, numbers } = await openPageOfPayer(4)
  const [paid = '', declined = '', collected = '', returned = ''] = numbers
  await storeAuAccount(page)
  await payByCard(page, paid, 'pm_card_visa')
  await payByCard(page, declined, 'pm_card_chargeDeclined')
  for (const number of [collected, returned]) await payByAccount(page, number, 'au_becs_debit')
  await settlePayment(page, returned, 'succeeded')
  await expectStatesAfterReload(page, { [returned]: 'Paid' })
  await settlePayment(page, returned, 'returned')
  await expectStatesAfterReload(page, { [returned]: 'Open' })
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport)
    await openInvoiceList(page)
    for (const number of numbers) {
      await openPaymentsOf(page, number)
      await expect(paymentsOf(page, number).getByRole('listitem')).toBeVisible()
    }
    expect(await findViolations(page)).toEqual([])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
  }
})

const openPageOfPayer = async (count: number): Promise<Payer & { page: Page }> => {
  const payer = await createPayer(testEnvironment().dataDir, count)
  const page = await openPage()
  await enter(page, payer.username, payer.password, '/invoices')
  return { ...payer, page }
}
