import type { Locator, Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
import { enter } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { answer3dSecure, TEST_CARDS, fillCard } from './stripe-elements.ts'
import { type Payer, createPayer } from './payer.ts'
import { selectAndPay, fetchInvoice, paymentsButtonOf, openInvoiceList, payByCard, paymentsOf, rowOf } from './invoice-list.ts'
import { failRequests } from '../support/failing-requests.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { type LedgerEntry, readLedger, waitForLedgerEntries } from './sandbox-ledger.ts'
import { callApi } from '../support/api.ts'
import { injectFault, releaseSlowAnswers } from './sandbox-faults.ts'
import { payButton } from './pay-button.ts'

const { openPage } = usePages()

const PROCESSING_TEXT = 'We are confirming your payment. Please do not pay again.'
const ALREADY_PAID_TEXT = 'The invoice has already been paid. No further payments required.'

/** With invoices enough that a test may take others when it is tried again. */
let payer: Payer
let unusedNumbers: string[] = []
beforeAll(async () => {
  payer = await createPayer(testEnvironment().dataDir, 16)
  unusedNumbers = [...payer.numbers]
})

test('[SP-04][PAY-01] the page of one invoice: after the payment Back, forward again and a page kept as it was left offer no second one, nor does the bank’s', async () => {
  const { page, numbers } = await openPageWithInvoices(2)
  const [immediate = '', confirmed = ''] = numbers
  const payRequests = collectPayRequests(page)
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await payLinkOf(page, immediate).click()
  await payOnPayPage(page, TEST_CARDS.good)
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await page.goBack()
  await expectPaidInList(page, immediate)
  await page.goForward()
  await expectNothingToPay(page)
  await restoreFromCache(page)
  await expectNothingToPay(page)
  expect(await waitForPayments(page, before, 1)).toHaveLength(1)

  await page.goto(`/pay/${(await fetchInvoice(page, confirmed)).payToken}`)
  await payOnPayPage(page, TEST_CARDS.confirmsAlways)
  await answer3dSecure(page, 'Complete')
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: '3D Secure 2 Test Page' })).toBeVisible()
  await page.goForward()
  await expectNothingToPay(page)
  expect([payRequests.length, (await waitForPayments(page, before, 2)).length]).toEqual([2, 2])
})

test('[SP-04][BP-04][PAY-01] after a declined card Back, forward and a reload that loses the next no lead to screens that say so, and pay with another card at the first press', async () => {
  const { page, numbers } = await openPageWithInvoices(2)
  const [single = '', several = ''] = numbers
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await payLinkOf(page, single).click()
  await payOnPayPage(page, TEST_CARDS.declined)
  await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible()
  await page.goBack()
  await expect(payLinkOf(page, single)).toBeVisible()
  await page.goForward()
  await fillPayPage(page, TEST_CARDS.insufficient)
  await payAndLoseAnswer(page, '**/v1/ec/pay')
  await expect(page.getByRole('alert').filter({ hasText: 'Payment Failed' }).getByText('Your card has insufficient funds.')).toBeVisible()
  await payOnPayPage(page, TEST_CARDS.good)
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()

  await openInvoiceList(page)
  await selectAndPay(page, [several])
  await payOnBulkForm(page, TEST_CARDS.declined)
  await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible()
  await page.goBack()
  await expect(rowOf(page, several).getByText('Open', { exact: true })).toBeVisible()
  await expect(rowOf(page, several).getByRole('checkbox')).not.toBeChecked()
  await page.goForward()
  await retryAfterFailure(page, 'Your card was declined.')
  await fillBulkForm(page, TEST_CARDS.insufficient)
  await payAndLoseAnswer(page, '**/v1/ec/payments/pay/bulk')
  await retryAfterFailure(page, 'Your card has insufficient funds.')
  await payOnBulkForm(page, TEST_CARDS.good)
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(await waitForPayments(page, before, 2)).toHaveLength(2)
})

test('[SP-04][BP-04][PAY-01] a reload while the answer is on its way: being confirmed, then paid or refused, and paid once', async () => {
  const { page: bulk, numbers } = await openPageWithInvoices(3)
  const [single = '', refused = '', several = ''] = numbers
  const before = await readLedger(bulk, testEnvironment().sandboxUrl)
  await selectAndPay(bulk, [several])
  await fillBulkForm(bulk, TEST_CARDS.good)
  const openLink = async (number: string, card: string): Promise<Page> => {
    const link = await bulk.context().newPage()
    await link.goto(`/pay/${(await fetchInvoice(bulk, number)).payToken}`)
    await fillPayPage(link, card)
    return link
  }
  const paidLink = await openLink(single, TEST_CARDS.good)
  const declinedLink = await openLink(refused, TEST_CARDS.insufficient)
  const tabs = [bulk, paidLink, declinedLink]
  // The provider answers when it is let go, and its webhook events about the three payments are lost.
  await injectFault('stripe', { operation: 'charge', kind: 'slow', times: 3, ms: 25_000 })
  await injectFault('stripe', { operation: 'webhook', kind: 'lost', times: 6 })
  for (const tab of tabs) await tab.getByRole('button', { name: /^Pay/ }).click()
  for (const number of numbers) await expect.poll(() => fetchOutcomes(bulk, number)).toEqual(['checking'])
  await Promise.all(tabs.map((tab) => tab.reload()))
  for (const tab of tabs) {
    await expect(tab.getByText(PROCESSING_TEXT)).toBeVisible()
    await expect(tab.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
  }
  await releaseSlowAnswers()
  await expect(bulk.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await expect(paidLink.getByText('has already been paid')).toBeVisible()
  await expect(
    declinedLink.getByRole('alert').filter({ hasText: 'Payment Failed' }).getByText('Your card has insufficient funds.'),
  ).toBeVisible()
  expect(await waitForPayments(bulk, before, 2)).toHaveLength(2)
})

test('[SP-02][BP-04][PAY-01] a reload that loses "confirm at your bank": another card typed then pays by itself, once, and the first one is given up', async () => {
  const { page, numbers } = await openPageWithInvoices(2)
  const [single = '', several = ''] = numbers
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await payLinkOf(page, single).click()
  await fillPayPage(page, TEST_CARDS.confirmsAlways)
  await payAndLoseAnswer(page, '**/v1/ec/pay')
  await payOnPayPage(page, TEST_CARDS.good)
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()

  await openInvoiceList(page)
  await selectAndPay(page, [several])
  await fillBulkForm(page, TEST_CARDS.confirmsAlways)
  await payAndLoseAnswer(page, '**/v1/ec/payments/pay/bulk')
  await payOnBulkForm(page, TEST_CARDS.good)
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(await waitForPayments(page, before, 2)).toHaveLength(2)
  for (const number of numbers) await expect.poll(() => fetchOutcomes(page, number)).toEqual(['paid', 'failed'])
})

test('[PAY-01] two tabs: what is paid in one of them shows in the list of the other, with its payment where that was open; a kept page asks anew', async () => {
  const { page, numbers } = await openPageWithInvoices(2)
  const [number = '', second = ''] = numbers
  const receiptUrls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/receipts/')) receiptUrls.push(request.url())
  })
  // A double click opens and closes it.
  await paymentsButtonOf(page, number).dblclick()
  await expect(paymentsButtonOf(page, number)).toHaveAttribute('aria-expanded', 'false')
  await expect(paymentsOf(page, number)).toHaveCount(0)
  await paymentsButtonOf(page, number).click()
  await expect(paymentsOf(page, number).getByText('There are no payments yet')).toBeVisible()

  const other = await page.context().newPage()
  await other.goto(`/pay/${(await fetchInvoice(page, number)).payToken}`)
  await payOnPayPage(other, TEST_CARDS.good)
  await expect(other.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await expect(rowOf(page, number).getByText('Paid', { exact: true }).first()).toBeVisible()
  await expect(paymentsOf(page, number).getByRole('listitem').getByText('Visa •••• 4242')).toBeVisible()
  const download = page.waitForEvent('download')
  await paymentsOf(page, number).getByRole('button', { name: 'Download receipt' }).dblclick()
  await download
  expect(receiptUrls).toHaveLength(1)

  // The invoice is paid without this page, which is then restored from the back-forward cache.
  await payByCard(page, second, 'pm_card_visa')
  await expect(rowOf(page, second).getByText('Open', { exact: true })).toBeVisible()
  await restoreFromCache(page)
  await expectPaidInList(page, second)

  // After leaving and coming back the list is complete and closed, and opens again.
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await page.goBack()
  await expectPaidInList(page, number)
  await expect(paymentsOf(page, number)).toHaveCount(0)
  await paymentsButtonOf(page, number).click()
  await expect(paymentsOf(page, number).getByRole('listitem')).toBeVisible()
})

const openPageWithInvoices = async (count: number): Promise<{ page: Page; numbers: string[] }> => {
  const page = await openPage()
  await enter(page, payer.username, payer.password, '/invoices')
  return { page, numbers: unusedNumbers.splice(0, count) }
}

const payLinkOf = (page: Page, number: string): Locator => rowOf(page, number).getByRole('link', { name: `Pay ${number}` })

const fillPayPage = async (page: Page, card: string): Promise<void> => {
  await page.getByLabel('Name on card').fill('Ada Payer')
  await fillCard(page, card)
}

const payOnPayPage = async (page: Page, card: string): Promise<void> => {
  await fillPayPage(page, card)
  await page.getByRole('button', { name: /^Pay / }).click()
}

const fillBulkForm = async (page: Page, card: string): Promise<void> => {
  await page.getByRole('button', { name: /^(Continue|New Payment Method)$/ }).click()
  await page.getByLabel('Name on card').fill('Ada Payer')
  await fillCard(page, card)
}

const payOnBulkForm = async (page: Page, card: string): Promise<void> => {
  await fillBulkForm(page, card)
  await payButton(page).click()
}

/** Presses Pay, and reloads after the server has answered and before the page receives the answer. */
const payAndLoseAnswer = async (page: Page, url: string): Promise<void> => {
  const answered = Promise.withResolvers<void>()
  const stopFailing = await failRequests(page, url, async (route) => {
    await route.fetch()
    answered.resolve()
  })
  await page.getByRole('button', { name: /^Pay/ }).click()
  await answered.promise
  stopFailing()
  await page.reload()
}

/** Simulates that the browser restores the page from its back-forward cache. */
const restoreFromCache = (page: Page): Promise<void> =>
  page.evaluate(() => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))

/** Expects why the payment failed, and opens the form again. */
const retryAfterFailure = async (page: Page, why: string): Promise<void> => {
  await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
  await expect(page.getByText(why, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
}

const expectPaidInList = async (page: Page, number: string): Promise<void> => {
  await expect(page).toHaveURL('/invoices')
  await expect(rowOf(page, number).getByText('Paid', { exact: true })).toBeVisible()
  await expect(payLinkOf(page, number)).toHaveCount(0)
}

const expectNothingToPay = async (page: Page): Promise<void> => {
  await expect(page.getByText(ALREADY_PAID_TEXT)).toBeVisible()
  for (const locator of [page.getByRole('button').filter({ hasNotText: 'Receipt' }), page.locator('iframe')])
    await expect(locator).toHaveCount(0)
}

const collectPayRequests = (page: Page): string[] => {
  const payRequests: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/ec/pay')) payRequests.push(request.url())
  })
  return payRequests
}

const fetchOutcomes = async (page: Page, number: string): Promise<string[]> => {
  const { id } = await fetchInvoice(page, number)
  const { payments } = await callApi<{ payments: { outcome: string }[] }>(page, 'GET', `/v1/ec/invoices/${id}/payments`)
  return payments.map(({ outcome }) => outcome)
}

const waitForPayments = (page: Page, before: readonly LedgerEntry[], count: number): Promise<LedgerEntry[]> =>
  waitForLedgerEntries(page, testEnvironment().sandboxUrl, before, count)
