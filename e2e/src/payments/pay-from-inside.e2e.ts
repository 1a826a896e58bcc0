import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import type { Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { callApi } from '../support/api.ts'
import { PHONE } from '../support/browser.ts'
import { captureDownload, isCompletePdf } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { addAuAccount, fetchInvoice, openInvoiceList, rowOf } from './invoice-list.ts'
import { payButton } from './pay-button.ts'
import { storeCard } from './payable-invoices.ts'
import { createPayer, type Payer } from './payer.ts'
import { readLedger, waitForLedgerEntries } from './sandbox-ledger.ts'
import { answer3dSecure, fillCard, TEST_CARDS } from './stripe-elements.ts'

const { openPage, signInAs } = usePages()

/** Of a reseller without fees, for the tests of new cards. */
let payer: Payer
beforeAll(async () => {
  payer = await createPayer(testEnvironment().dataDir, 2, 3002)
})

test('[EASE-02][EASE-03] Pay on a row: the default card is chosen, the amount is in the button, and two clicks pay once; then stands what was paid, with its receipt', async () => {
  const { page, numbers } = await signInNewPayer(3001)
  const [number = ''] = numbers
  for (const card of ['pm_card_mastercard', 'pm_card_visa']) await storeCard(page, card)
  const details = await pressPay(page, number)
  const { amount, total, percent } = details.fees.find(({ kind }) => kind === 'card') ?? { amount: 0, total: 0, percent: 0 }
  expect(amount).toBeGreaterThan(0)
  await expect(page.getByRole('radio', { name: /Mastercard •••• 4444/ })).toBeChecked()
  await expect(payButton(page)).toHaveText(`Pay $${total.toFixed(2)}`)
  const summary = page.getByRole('region', { name: 'Payment summary' })
  for (const text of ['Credit Card Fee', `${percent} %`, `$${total.toFixed(2)}`])
    await expect(summary.getByText(text).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to invoices' })).toHaveAttribute('href', '/invoices')
  await expect(page.getByRole('link', { name: 'Payment Types' })).toHaveAttribute('href', '/payment-types')
  const byBank = details.fees.find(({ kind }) => kind === 'bank')?.total ?? 0
  const saved = `$${(total - byBank).toFixed(2)}`
  const hint = `Save ${saved}: to pay $${byBank.toFixed(2)} from a bank account, add it in Payment Types.`
  await expect(page.getByText(hint, { exact: true })).toBeVisible()
  // A card's brand and digits stay on one line beside the summary.
  for (const width of [768, 820, 900, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const card of ['Mastercard •••• 4444', 'Visa •••• 4242'])
      await expect.poll(async () => (await page.getByText(card, { exact: true }).boundingBox())?.height).toBeLessThan(30)
  }
  const [pdf] = await Promise.all([
    page.waitForResponse(/\/v1\/ec\/invoices\/\d+$/),
    page.waitForEvent('popup'),
    summary.getByRole('button', { name: `View PDF ${number} in a new tab` }).click(),
  ])
  expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf'])
  expect(await findViolations(page)).toEqual([])
  // A new card is one press away, and back again.
  await page.getByRole('radio', { name: 'New card' }).check()
  await expect(page.getByLabel('Name on card')).toBeVisible()
  await page.getByRole('radio', { name: /Visa •••• 4242/ }).check()
  await page.getByLabel('Email for the receipt').fill('ada@example')
  await page.getByLabel('Email for the receipt').blur()
  await expect(page.getByText('Enter an email address, as in name@example.com, or leave it empty.', { exact: true })).toBeVisible()
  await expect(page.getByText('Still needed: a valid email', { exact: true })).toBeVisible()
  await expect(payButton(page)).toBeDisabled()
  await page.getByLabel('Email for the receipt').fill('ada@example.com')

  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await payButton(page).dblclick()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await expect(page.getByText(`You paid $${total.toFixed(2)} to Atlantic Voice`)).toBeVisible()
  await expect(page.getByText('Receipt will be delivered to ada@example.com', { exact: true })).toBeVisible()
  const reference = (await page.getByText(/^[\dA-F]{4}-[\dA-F]{4}$/).textContent()) ?? ''
  for (const text of ['Visa •••• 4242', number, 'Credit Card Fee']) await expect(page.getByText(text, { exact: true })).toBeVisible()
  const { content } = await captureDownload(page, () => page.getByRole('button', { name: 'Receipt' }).click())
  expect(isCompletePdf(content)).toBe(true)
  expect(await waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)).toMatchObject([{ amount: Math.round(total * 100) }])
  expect(await findViolations(page)).toEqual([])

  // After a reload the page offers no second payment, and still knows the first one. On a phone nothing scrolls sideways.
  await page.setViewportSize(PHONE)
  await page.reload()
  await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
  await expect(page.getByText(reference)).toBeVisible()
  await expect(payButton(page)).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await expect(page.getByRole('link', { name: 'Back to invoices' })).toHaveAttribute('href', '/invoices')
})

test('[EASE-02][EASE-03] a bank account has no fee, and the day is told on which its money is expected; another tab follows, and an answer that is lost pays once', async () => {
  const { page, numbers } = await signInNewPayer(2204)
  const [number = ''] = numbers
  await storeCard(page, 'pm_card_visa')
  await addAuAccount(page)
  const { fees } = await pressPay(page, number)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(payButton(other)).toBeEnabled()
  const [card, bank] = fees
  await expect(payButton(page)).toHaveText(new RegExp(`${card?.total.toFixed(2)}$`))
  await page.getByRole('radio', { name: /•••• 3456/ }).check()
  await expect(payButton(page)).toHaveText(new RegExp(`${bank?.total.toFixed(2)}$`))
  await page.route('**/stored-method', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await payButton(page).click()
  for (const tab of [page, other]) {
    if (tab === other) await other.reload()
    await expect(tab.getByText('We are confirming your payment. Please do not pay again.')).toBeVisible()
    await expect(tab.getByRole('heading', { name: 'Payment processing' })).toBeVisible()
    await expect(tab.getByText(/^We expect the money on \d+ \w+ 20\d\d\.$/)).toBeVisible()
    await expect(payButton(tab)).toHaveCount(0)
  }
  expect(await fetchInvoice(page, number)).toMatchObject({ invoiceStatus: 7, canPay: false })
})

test('[EASE-02] without a stored method the form of a new card stands there at once; people of other customers, and with a session that has ended, see the public page', async () => {
  const page = await signInAs(payer.username, {}, payer.password)
  await pressPay(page, payer.numbers[0] ?? '')
  await expect(page.getByLabel('Name on card')).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Back to invoices' })).toBeVisible()
  await storeCard(page, 'pm_card_visa')
  const address = page.url()

  const stranger = await signInAs('eu')
  await stranger.goto(address)
  await expectPublicPage(stranger)
  expect(await stranger.evaluate(() => localStorage.getItem('auth'))).not.toBeNull()

  const ended = await openPage()
  await ended.goto('/healthz')
  await ended.evaluate(() => localStorage.setItem('auth', JSON.stringify({ access_token: 'a.b.c', refresh_token: 'ended' })))
  await ended.goto(address)
  await expectPublicPage(ended)
  // The same where nobody can say whether the session has ended.
  await ended.evaluate(() => localStorage.setItem('auth', JSON.stringify({ access_token: 'a.b.c', refresh_token: 'ended' })))
  await ended.route('**/token', (route) => route.abort())
  await ended.goto(address)
  await expectPublicPage(ended)
  expect(new URL(ended.url()).pathname).toBe(new URL(address).pathname)
})

test('[EASE-02][EASE-03] a new card whose bank asks: to the bank and back; a refusal is told, and then stands what was paid', async () => {
  const [, number = ''] = payer.numbers
  const page = await signInAs(payer.username, {}, payer.password)
  await storeCard(page, 'pm_card_visa')
  await pressPay(page, number)
  for (const answer of ['Fail', 'Complete'] as const) {
    await page.getByRole('radio', { name: 'New card' }).check()
    await page.getByLabel('Name on card').fill('Ada Payer')
    await fillCard(page, TEST_CARDS.confirmsAlways)
    await payButton(page).click()
    await answer3dSecure(page, answer)
    if (answer === 'Fail') await expect(page.getByRole('alert').filter({ hasText: 'Payment Failed' })).toBeVisible()
  }
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  for (const text of [number, /^[\dA-F]{4}-[\dA-F]{4}$/]) await expect(page.getByText(text)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Receipt' })).toBeVisible()
})

/** A page of a new customer with one open invoice, signed in. */
const signInNewPayer = async (reseller: Parameters<typeof createPayer>[2]): Promise<Payer & { page: Page }> => {
  const newPayer = await createPayer(testEnvironment().dataDir, 1, reseller)
  return { ...newPayer, page: await signInAs(newPayer.username, {}, newPayer.password) }
}

/** Presses Pay on the row of an invoice, and returns what the page knows of it. */
const pressPay = async (page: Page, number: string): Promise<InvoicePayment> => {
  await openInvoiceList(page)
  await rowOf(page, number)
    .getByRole('link', { name: `Pay ${number}` })
    .click()
  await expect(page.getByRole('heading', { name: `Pay ${number}` })).toBeVisible()
  await expect(payButton(page)).toBeVisible()
  return callApi<InvoicePayment>(page, 'GET', `/v1/ec/payment/details/${new URL(page.url()).pathname.split('/').at(-1)}`)
}

const expectPublicPage = async (page: Page): Promise<void> => {
  await expect(page.getByLabel('Name on card')).toBeVisible()
  await expect(page.getByText('Issued')).toBeVisible()
  for (const locator of [page.getByRole('radio'), page.getByRole('link', { name: 'Back to invoices' })])
    await expect(locator).toHaveCount(0)
}
