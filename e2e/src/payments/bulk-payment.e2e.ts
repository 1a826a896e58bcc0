import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { captureDownload, isCompletePdf } from '../support/downloads.ts'
import { expect } from '../support/expect.ts'
import { answer3dSecure, TEST_CARDS, fillCard } from './stripe-elements.ts'
import { selectAndPay, openInvoiceList, payButtonOf, rowOf } from './invoice-list.ts'
import { deletePaymentMethods, storeCard, selectPayableInvoices } from './payable-invoices.ts'
import { failRequests } from '../support/failing-requests.ts'
import { navigateInApp, usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { type LedgerEntry, readLedger, waitForLedgerEntries } from './sandbox-ledger.ts'
import { callApi } from '../support/api.ts'
import { payButton } from './pay-button.ts'

const { signInAs } = usePages()

/** The only saved card of the payment screen. The list of invoices, which a page shows until then, has radio buttons too. */
const savedCard = (page: Page): Locator => page.getByRole('radio', { name: '•••• 4242' })

const NOT_CHARGED_TEXT = 'Nothing was charged. Choose another way to pay, or try again.'
const PROCESSING_ERROR = 'An error occurred while processing your card. Try again in a little bit.'
const BAD_EMAIL = 'Enter an email address, as in name@example.com, or leave it empty.'

test('[INV-02][INV-03][BP-01] what can be paid has a box, and Pay waits for one; all are chosen above the list, on a phone above its cards; only what can be paid is sent, and the payment screen opens with its sum', async () => {
  const page = await signInAs('us')
  const [payable] = await selectPayableInvoices(page, 2)
  const invoices = await callApi<Invoice[]>(page, 'GET', '/v1/ec/invoices')
  const due = invoices.filter(({ canPay, paid }) => canPay && !paid)
  await openInvoiceList(page)
  const pay = payButtonOf(page)
  await expect(pay).toBeDisabled()
  await expect(rowOf(page, invoices.find(({ paid }) => paid)?.number ?? '').getByRole('checkbox')).toHaveCount(0)
  await selectInvoice(page, payable?.number ?? '')
  await expect(pay).toBeEnabled()
  await selectInvoice(page, payable?.number ?? '', false)
  await expect(pay).toBeDisabled()
  const all = page.getByRole('checkbox', { name: 'Select all on this page' })
  await all.check()
  await expect(pay).toBeEnabled()
  await all.uncheck()

  await page.setViewportSize(PHONE)
  await page.getByText('Select all on this page').click()
  await expect(all).toBeChecked()
  const boxes = page.getByRole('checkbox', { name: /^Select Invoice/ })
  await expect.poll(() => boxes.count()).toBeGreaterThan(1)
  for (const box of await boxes.all()) await expect(box).toBeChecked()

  await page.setViewportSize(DESKTOP)
  await expect(all).toBeChecked()
  const [request] = await Promise.all([page.waitForRequest('**/v1/ec/payments/intents'), pay.dblclick()])
  expect(request.postDataJSON()).toEqual({ invoiceIds: due.map(({ id }) => id) })
  await expect(page).toHaveURL('/bulk-pay')
  await expectSummaryOf(page, due)
})

test('[BP-01][PR-01] a result that is nobody’s payment is a failed one, whatever stands in the address, but not while nobody can say so; without an id, or with nobody’s, there is nothing to pay', async () => {
  const page = await signInAs('us')
  const stopFailing = await failRequests(page, '**/v1/ec/payments/confirmation/result', (route) => route.abort())
  await page.goto('/payment-result?payment_intent=pi_forged&payment_intent_client_secret=pi_forged_secret_x&redirect_status=succeeded')
  await expect(page.getByText(/^We could not reach the server\. Your payment may have gone through\./)).toBeVisible()
  await expect(page.getByText('Payment Failed')).toHaveCount(0)
  stopFailing()
  await page.evaluate(() => void dispatchEvent(new Event('online')))
  await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
  await expect(page.getByText('Please try again later. If the problem persists, contact support')).toBeVisible()
  expect(await findViolations(page)).toEqual([])

  for (const state of [null, { usr: { id: '00000000-0000-4000-8000-000000000000' }, key: 'x', idx: 1 }]) {
    await navigateInApp(page, '/bulk-pay', state)
    await expect(page).toHaveURL('/invoices')
    await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()
  }
})

test('[BP-02][BP-03] without a stored method Continue opens the form of a new card, which can be paid with', async () => {
  const page = await signInAs('us')
  const [invoice] = await openBulkPayment(page, 1)
  await expect(page.getByRole('radio')).toHaveCount(0)
  const form = page.getByRole('region', { name: 'Pay with' })
  await expect(form.getByText((await readSummary(page))['Total'] ?? '', { exact: true })).toBeVisible()
  await expect(form.getByText(/^Fee \$\d+\.\d\d · \$\d+\.\d\d less than by card$/i)).toBeVisible()
  await page.getByRole('link', { name: 'Add bank account' }).click()
  await expect(page.getByRole('button', { name: 'Add bank account' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to your payment' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('region', { name: 'New card' }).getByRole('group', { name: 'Billing address' })).toBeVisible()
  await page.getByRole('button', { name: /^Other ways to pay, save \$\d+\.\d\d$/ }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const pay = payButton(page)
  await fillCardFormWithAddress(page)
  for (const label of ['Name on card', 'Address', 'City', 'State or province', 'Postcode or ZIP']) {
    const field = page.getByLabel(label, { exact: true })
    const typed = await field.inputValue()
    await field.fill(' ')
    await expect(pay).toBeDisabled()
    await field.fill(typed)
  }
  await page.getByLabel('Email for the receipt').fill('jordan@example')
  await expect(pay).toBeDisabled()
  await expect(page.getByText('Still needed: a valid email', { exact: true })).toBeVisible()
  await page.getByLabel('Email for the receipt').blur()
  await expect(page.getByText(BAD_EMAIL, { exact: true })).toBeVisible()
  await page.getByLabel('Email for the receipt').fill('jordan@example.com')
  await expect(pay).toBeEnabled()
  await expect(page.getByText(/^Still needed|^Enter an email address/)).toHaveCount(0)
  const total = parseCents((await readSummary(page))['Total'])
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await pay.click()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await expect(page.getByText(/^You paid \$[\d,.]+ USD to Atlantic Voice LLC$/)).toBeVisible()
  await expect(page.getByText('Receipt will be delivered to jordan@example.com')).toBeVisible()
  expect(await waitForPayment(page, before)).toMatchObject([{ amount: total, currency: 'USD', status: 'succeeded' }])
  await page.getByRole('link', { name: 'Invoices' }).last().click()
  await expectPaid(page, invoice?.number ?? '')
})

test('[BP-02][BP-03][BP-05] a stored card is chosen, and pays once however often the button is pressed', async () => {
  const page = await signInAs('us')
  const [invoice] = await openBulkPayment(page, 1, ['pm_card_visa', 'pm_card_mastercard'])
  const pay = payButton(page)
  await expect(pay).toBeEnabled()
  await page.getByRole('button', { name: 'New Payment Method' }).click()
  await expect(page.getByRole('region', { name: 'New card' })).toBeVisible()
  await page.getByRole('button', { name: 'Use a saved method' }).click()
  await expect(page.getByRole('region', { name: 'Pay with' })).toBeVisible()
  await page.getByRole('radio', { name: /Mastercard •••• 4444/ }).check()
  await expect.poll(() => readSummary(page)).toHaveProperty('Credit Card Fee')
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  const requestBodies: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/pay/bulk')) requestBodies.push(request.postDataJSON())
  })
  await pay.dblclick()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(requestBodies).toEqual([
    expect.objectContaining({ type: 'card', paymentType: 1, cardId: expect.any(String), sessionId: expect.any(String) }),
  ])
  expect(await waitForPayment(page, before)).toHaveLength(1)

  // Back and forward show the state of the server, and offer no second payment.
  await page.goBack()
  await expectPaid(page, invoice?.number ?? '')
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await expect(payButton(page)).toHaveCount(0)
})

test('[BP-04] a card that is refused is told in the form, which stays as it is, and after a reload; nothing is booked', async () => {
  const page = await signInAs('eu')
  await openBulkPayment(page, 1)
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Name on card').fill('Jonas Weber')
  for (const [number, words] of [
    [TEST_CARDS.declined, 'Your card was declined.'],
    [TEST_CARDS.insufficient, 'Your card has insufficient funds.'],
    [TEST_CARDS.expired, 'Your card has expired.'],
    [TEST_CARDS.wrongCode, "Your card's security code is incorrect."],
    [TEST_CARDS.processingError, PROCESSING_ERROR],
  ] as const) {
    await fillCard(page, number)
    await payButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: words })).toContainText(NOT_CHARGED_TEXT)
    await expect(page.getByLabel('Name on card')).toHaveValue('Jonas Weber')
  }
  // After a reload the screen says why the last attempt failed, and offers another one.
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
  for (const text of [PROCESSING_ERROR, NOT_CHARGED_TEXT]) await expect(page.getByText(text, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
  expect((await readLedger(page, testEnvironment().sandboxUrl)).filter(isNotFailed)).toEqual(before.filter(isNotFailed))
})

test('[BP-04][PR-01][PAY-01] 3-D Secure: left midway it can be begun again; failed it is a failed payment; completed it is a result with its receipt, also when that is loaded anew', async () => {
  const page = await signInAs('eu')
  const [invoice] = await openBulkPayment(page, 1, ['pm_card_visa'])
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await payByNewCard(page, TEST_CARDS.confirmsAlways)
  await expect(page.getByRole('heading', { name: '3D Secure 2 Test Page' })).toBeVisible()
  await page.goBack()
  await savedCard(page).check()
  await page.reload()
  await savedCard(page).check()
  await expect(payButton(page)).toBeEnabled()

  await payByNewCard(page, TEST_CARDS.confirmsAlways)
  await answer3dSecure(page, 'Fail')
  await expect(page).toHaveURL(/\/payment-result\?/)
  await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
  await expect(page.getByText('Please try again later. If the problem persists, contact support')).toBeVisible()
  expect((await readLedger(page, testEnvironment().sandboxUrl)).filter(isNotFailed)).toEqual(before.filter(isNotFailed))

  await page.getByRole('link', { name: 'Rechnungen' }).last().click()
  await selectAndPay(page, [invoice?.number ?? ''])
  await payByNewCard(page, TEST_CARDS.confirmsAlways)
  await answer3dSecure(page, 'Complete')
  await expect(page).toHaveURL(/\/payment-result\?/)
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  const { content } = await captureDownload(page, () => page.getByRole('button', { name: 'Receipt' }).click())
  expect(isCompletePdf(content)).toBe(true)
  expect(await waitForPayment(page, before)).toHaveLength(1)
  await page.getByRole('link', { name: 'Rechnungen' }).last().click()
  await expectPaid(page, invoice?.number ?? '')
})

test('[BP-04] two tabs: what one of them pays the other cannot pay again', async () => {
  const page = await signInAs('uk')
  await openBulkPayment(page, 1, ['pm_card_visa'])
  const other = await page.context().newPage()
  await openInvoiceList(other)
  await navigateInApp(other, '/bulk-pay', await page.evaluate(() => history.state as unknown))
  await savedCard(other).check()
  await savedCard(page).check()
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await Promise.all([page, other].map((tab) => payButton(tab).click()))
  for (const tab of [page, other]) await expect(tab.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(await waitForPayment(page, before)).toHaveLength(1)
})

test('[PAY-01] a payment that was sent before a reload, and reaches the server after it, is shown by itself', async () => {
  const page = await signInAs('sso')
  await page.clock.install()
  await openBulkPayment(page, 1, ['pm_card_visa'])
  await savedCard(page).check()
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  const { promise: reloaded, resolve: sendOn } = Promise.withResolvers<void>()
  await page.route('**/v1/ec/payments/pay/bulk', (route) => reloaded.then(() => void route.fetch()))
  await Promise.all([page.waitForRequest('**/v1/ec/payments/pay/bulk'), payButton(page).click()])
  await page.reload()
  await expect(payButton(page)).toBeVisible()
  sendOn()
  expect(await waitForPayment(page, before)).toHaveLength(1)
  await page.clock.fastForward(5_000)
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
})

test('[GRID-03][BP-02][BP-04] the payment screen is worked by keyboard alone, and axe finds nothing in either scheme; a redirect to anywhere but a bank is not followed', async () => {
  const page = await signInAs('eu')
  await openBulkPayment(page, 1, ['pm_card_visa', 'pm_card_mastercard'])
  await page.getByRole('radio').first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio').nth(1)).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name on card')).toBeVisible()
  expect(await findViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Use a saved method' }).click()
  await page.getByRole('radio').first().check()
  await page.route('**/v1/ec/payments/pay/bulk', (route) =>
    route.fulfill({ json: { status: 'requires_action', redirectToUrl: 'http://evil.example/bank', intentStatus: 2 } }),
  )
  await payButton(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The confirmation page of your bank cannot be opened.' })).toBeVisible()
  await expect(page).toHaveURL('/bulk-pay')
})

/** Expects each of these invoices in the summary with its day, and their sum with the fee. */
const expectSummaryOf = async (page: Page, due: readonly Invoice[]): Promise<void> => {
  await expect.poll(() => readSummary(page)).toHaveProperty('Total')
  const lines = await readSummary(page)
  for (const { number, amountDue } of due) expect(parseCents(lines[number])).toBe(toCents(amountDue))
  const summary = page.getByRole('region', { name: 'Payment summary' })
  for (const { number, invoiceStatus } of due)
    await expect(summary.locator('dl > div').filter({ hasText: number }).locator('dd').last()).toHaveText(
      invoiceStatus === INVOICE_STATUS.overdue ? /^Overdue since \d/ : /^Due \d/,
    )
  expect(due.some(({ invoiceStatus }) => invoiceStatus === INVOICE_STATUS.overdue)).toBe(true)
  const fee = lines['Credit Card Fee'] ?? lines['Direct Debit Fee']
  const sum = due.reduce((total, { amountDue }) => total + toCents(amountDue), 0)
  expect(parseCents(lines['Total'])).toBe(sum + parseCents(lines['Adjustments'] ?? '0') + parseCents(fee ?? '0'))
}

/** Opens the payment screen for this many invoices, with exactly these cards stored. */
const openBulkPayment = async (page: Page, count: number, tokens: readonly string[] = []): Promise<Invoice[]> => {
  const invoices = await selectPayableInvoices(page, count)
  await deletePaymentMethods(page)
  for (const token of tokens) await storeCard(page, token)
  await openInvoiceList(page)
  await selectAndPay(
    page,
    invoices.map(({ number }) => number),
  )
  return invoices
}

const selectInvoice = (page: Page, number: string, isWanted = true): Promise<void> =>
  rowOf(page, number).getByRole('checkbox').setChecked(isWanted)

const expectPaid = async (page: Page, number: string): Promise<void> => {
  await expect(page).toHaveURL('/invoices')
  await expect(rowOf(page, number).getByText('Paid', { exact: true })).toBeVisible()
}

/** Pays with a new card, beside a stored one, where the reseller requires no address. */
const payByNewCard = async (page: Page, number: string): Promise<void> => {
  await page.getByRole('button', { name: 'New Payment Method' }).click()
  await page.getByLabel('Name on card').fill('Jonas Weber')
  await fillCard(page, number)
  await payButton(page).click()
}

const fillCardFormWithAddress = async (page: Page): Promise<void> => {
  await page.getByLabel('Name on card').fill('Jordan Ames')
  await fillCard(page, TEST_CARDS.good)
  await page.getByLabel('Address', { exact: true }).fill('210 Harbor Street')
  await page.getByLabel('City', { exact: true }).fill('Portland')
  await page.getByLabel('State or province').fill('ME')
  await page.getByLabel('Postcode or ZIP').fill('04101')
  await page.getByLabel('Country').selectOption('US')
}

/** The amounts of the summary by the names of their lines. */
const readSummary = async (page: Page): Promise<Record<string, string>> => {
  const region = page.getByRole('region', { name: 'Payment summary' })
  await expect(region).toBeVisible()
  return region.evaluate((tile) =>
    Object.fromEntries(
      [...tile.querySelectorAll('dl > div')].map((line) => [line.querySelector('dt')?.textContent, line.querySelector('dd')?.textContent]),
    ),
  )
}

/** The cents of an amount as it is shown. */
const parseCents = (text: string | undefined): number => Math.round(Number((text ?? 'NaN').replaceAll(/[^\d.-]/g, '')) * 100)
const toCents = (amount: number): number => Math.round(amount * 100)

const isNotFailed = ({ status }: LedgerEntry): boolean => status !== 'failed'

const waitForPayment = (page: Page, before: readonly LedgerEntry[]): Promise<LedgerEntry[]> =>
  waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)
