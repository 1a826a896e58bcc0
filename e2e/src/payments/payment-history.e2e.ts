import type { Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { isCompletePdf, captureDownload } from '../support/downloads.ts'
import { type Payer, createPayer } from './payer.ts'
import {
  addAuAccount,
  openPaymentsOf,
  selectAndPay,
  expectNewestPayment,
  expectStatesAfterReload,
  fetchInvoice,
  paymentsButtonOf,
  openInvoiceList,
  payByAccount,
  payByCard,
  paymentsOf,
  settlePayment,
} from './invoice-list.ts'
import { failRequests } from '../support/failing-requests.ts'
import { openSection } from '../support/open-section.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { payButton } from './pay-button.ts'
import { storeCard } from './payable-invoices.ts'
import { injectFault } from './sandbox-faults.ts'

const { signInAs } = usePages()

const BANNER = 'Our server returned error, try again later'

let payer: Payer
let unusedNumbers: string[] = []
beforeAll(async () => {
  payer = await createPayer(testEnvironment().dataDir, 9)
  unusedNumbers = [...payer.numbers]
})

test('[PAY-01] nothing is asked of payments until an invoice is opened, and then of that one alone; more tries than fit on a page are turned page by page; what cannot be loaded says so in its place, and can be asked for again', async () => {
  const { page, numbers } = await openPageOfPayer(2)
  const [tried = '', other = ''] = numbers
  for (let tries = 0; tries < 11; tries++) await payByCard(page, tried, 'pm_card_chargeDeclined')
  const requestedUrls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/payments') && request.url().includes('/invoices/')) requestedUrls.push(request.url())
  })
  await openInvoiceList(page)
  expect(requestedUrls).toEqual([])
  await paymentsButtonOf(page, tried).click()
  const payments = paymentsOf(page, tried)
  await expect(payments.getByRole('listitem')).toHaveCount(10)
  expect(requestedUrls).toHaveLength(1)
  await payments.getByRole('button', { name: 'Next page' }).click()
  await expect(payments.getByRole('listitem')).toHaveCount(1)

  const stopFailing = await failRequests(page, '**/v1/ec/invoices/*/payments**')
  await paymentsButtonOf(page, other).click()
  await expect(paymentsOf(page, other).getByText(`Payments of ${other} could not be loaded.`)).toBeVisible()
  await expect(page.getByText(BANNER)).toHaveCount(0)
  stopFailing()
  await page.getByRole('button', { name: `Try again: Payments of ${other}` }).click()
  await expect(paymentsOf(page, other).getByText('There are no payments yet')).toBeVisible()
})

test('[PAY-01][EASE-10] an invoice opens to its payments, newest first, under its number and up to its buttons: a declined card, and the one that paid after it, with its receipt; on a phone their button says what it opens', async () => {
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
  await expectEntryInColumns(page, number)
  await expectReceipt(page, number)

  // The keyboard opens and closes another one beside it.
  await paymentsButtonOf(page, other).focus()
  await page.keyboard.press('Enter')
  await expect(paymentsOf(page, other).getByText('There are no payments yet')).toBeVisible()
  await expect(paymentsOf(page, number)).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect(paymentsOf(page, other)).toHaveCount(0)
  await expect.poll(() => paymentsButtonOf(page, other).evaluate((element) => element === document.activeElement)).toBe(true)

  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: `Details of ${other}`, exact: true }).click()
  await expect(paymentsButtonOf(page, other)).toHaveText('Payments')
  const [shown, card] = await Promise.all([paymentsButtonOf(page, other).boundingBox(), page.getByRole('table').boundingBox()])
  expect(shown?.x).toBeGreaterThanOrEqual(card?.x ?? 0)
  await paymentsButtonOf(page, other).click()
  await expect(paymentsOf(page, other).getByText('There are no payments yet')).toBeVisible()
})

test('[PAY-01][BP-04] a payment without an answer says until when at the latest: in the history, and to whoever wants to pay the same', async () => {
  const { page, numbers } = await openPageOfPayer(1)
  const [number = ''] = numbers
  await storeCard(page, 'pm_card_visa')
  await openInvoiceList(page)
  await selectAndPay(page, numbers)
  await injectFault('stripe', { operation: 'charge', kind: 'drop', booked: false })
  await payByCard(page, number, 'pm_card_visa')
  await payButton(page).click()
  const words = /Please do not pay again\. If nothing was charged, you can pay again from .* \d{4},? .*\d:\d\d.* at the latest\./
  await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible()
  await openSection(page, 'Invoices')
  await openPaymentsOf(page, number)
  await expectNewestPayment(page, number, ['Pending'])
  await expect(paymentsOf(page, number).getByText(words)).toBeVisible()
})

test('[GRID-03][PAY-01] axe-core finds nothing where payments are paid, declined, in collection and returned; nothing scrolls sideways', async () => {
  const { page, numbers } = await openPageOfPayer(4)
  const [paid = '', declined = '', collected = '', returned = ''] = numbers
  await addAuAccount(page)
  await payByCard(page, paid, 'pm_card_visa')
  await payByCard(page, declined, 'pm_card_chargeDeclined')
  for (const number of [collected, returned]) await payByAccount(page, number, 'au_becs_debit')
  await settlePayment(page, returned, 'succeeded')
  await expect.poll(async () => (await fetchInvoice(page, returned)).paid).toBe(true)
  await settlePayment(page, returned, 'returned')
  await expectStatesAfterReload(page, { [returned]: 'Open' })
  for (const [viewport, scheme] of [
    [DESKTOP, 'light'],
    [PHONE, 'dark'],
  ] as const) {
    await page.setViewportSize(viewport)
    for (const number of numbers) {
      if ((await paymentsOf(page, number).count()) === 0) await openPaymentsOf(page, number)
      await expect(paymentsOf(page, number).getByRole('listitem')).toBeVisible()
    }
    expect(await findViolations(page, { scheme })).toEqual([])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
  }
})

/** The payer's page, and so many invoices that no other test uses. */
const openPageOfPayer = async (count: number): Promise<{ page: Page; numbers: string[] }> => ({
  page: await signInAs(payer.username, {}, payer.password),
  numbers: unusedNumbers.splice(0, count),
})

/** Expects that the newest payment begins under the number of its invoice, and ends with its buttons. */
const expectEntryInColumns = async (page: Page, number: string): Promise<void> => {
  const entry = paymentsOf(page, number).getByRole('listitem').first()
  const [head, day, receipt, pdf] = await Promise.all([
    page.getByText(number, { exact: true }).boundingBox(),
    entry.boundingBox(),
    entry.getByRole('button', { name: /^Download receipt/ }).boundingBox(),
    page.getByRole('button', { name: `Download PDF of ${number}` }).boundingBox(),
  ])
  expect(Math.abs((day?.x ?? 0) - (head?.x ?? 0))).toBeLessThan(8)
  expect(Math.abs((receipt?.x ?? 0) + (receipt?.width ?? 0) - (pdf?.x ?? 0) - (pdf?.width ?? 0))).toBeLessThan(2)
}

/** Expects that a download that fails is shown beside its button, without a banner, and that it then brings the receipt. */
const expectReceipt = async (page: Page, number: string): Promise<void> => {
  const download = paymentsOf(page, number).getByRole('button', { name: 'Download receipt' })
  const stopFailing = await failRequests(page, '**/v1/ec/payments/receipts/*')
  await download.click()
  await expect(paymentsOf(page, number).getByText('The file could not be fetched. Try again.')).toBeVisible()
  await expect(page.getByText(BANNER)).toHaveCount(0)
  stopFailing()
  const { name, content } = await captureDownload(page, () => download.click())
  expect(name).toMatch(/^R-\d{8}-[\dA-F]{8}\.pdf$/)
  expect(isCompletePdf(content)).toBe(true)
}
