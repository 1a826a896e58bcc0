import type { Invoice } from '@counterfoil/contract/invoices'
import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { expect } from '../support/expect.ts'
import { answer3dSecure, TEST_CARDS, fillCard } from './stripe-elements.ts'
import { findViolations } from '../support/accessibility.ts'
import { captureDownload, isCompletePdf } from '../support/downloads.ts'
import { collectPageErrors } from '../support/page-errors.ts'
import { createPayer } from './payer.ts'
import { expectRequiredFirst } from './required-fields.ts'
import { selectPayableInvoices } from './payable-invoices.ts'
import { enter } from '../support/browser.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { type LedgerEntry, readLedger, waitForLedgerEntries } from './sandbox-ledger.ts'
import { callApi, getFromApi } from '../support/api.ts'

const { openPage, signInAs } = usePages()

const PROCESSING_TEXT = 'We are confirming your payment. Please do not pay again.'

test('[INV-04][SP-01][SP-02] the Pay link opens the page of one invoice, in its brand, for anybody; the fee and the total stand on it', async () => {
  const { page, invoice } = await openPayLinkOf('us')
  const errors = await collectPageErrors(page)
  await page.reload()
  await expect(page.getByRole('heading', { name: `Pay ${invoice.number}`, level: 1 })).toBeVisible()
  await expect(page.getByRole('img', { name: /Atlantic Voice/ })).toBeVisible()
  const details = await fetchDetails(page, invoice)
  expect(details.fee).toBeGreaterThan(0)
  await expect
    .poll(() => readSummary(page))
    .toMatchObject({
      Invoice: invoice.number,
      Amount: formatMoney(details.invoiceAmount),
      'Credit Card Fee': formatMoney(details.fee),
      Total: formatMoney(details.invoiceAmount + details.fee),
    })
  await expect(page.getByText('2.9 % + $0.30', { exact: true })).toBeVisible()
  const readPrimaryColour = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--primary').trim())
  await expect.poll(readPrimaryColour).not.toBe('#1f5fd6')
  await expect.poll(() => page.evaluate(() => [localStorage.length, document.title.includes('Atlantic Voice')])).toEqual([0, true])
  expect(errors).toEqual([])
})

test('[SP-02] an invoice whose day has passed is overdue on its page, and one whose day is to come is due', async () => {
  const { page, invoice } = await openPayLinkOf('us')
  const details = await fetchDetails(page, invoice)
  for (const [invoiceStatus, name] of [
    [INVOICE_STATUS.overdue, 'Overdue since'],
    [INVOICE_STATUS.open, 'Due'],
  ] as const) {
    await page.route('**/v1/ec/payment/details/*', (route) => route.fulfill({ json: { ...details, invoiceStatus } }))
    await page.reload()
    await expect.poll(() => readSummary(page)).toHaveProperty(name)
  }
})

test('[SP-02][SP-03][SP-04] every field that is asked for is needed; success says how much was paid to whom, and where the receipt goes', async () => {
  const { page, invoice } = await openPayLinkOf('us')
  const other = await page.context().newPage()
  await other.goto(`/pay/${invoice.payToken}`)
  await expect(other.getByLabel('Name on card')).toBeVisible()
  const pay = page.getByRole('button', { name: /^Pay \$/ })
  await expect(pay).toBeDisabled()
  await fillForm(page)
  await fillCard(page, TEST_CARDS.good)
  await expect(pay).toBeEnabled()
  for (const label of ['Name on card', 'Address', 'City', 'State or province', 'Postcode or ZIP']) {
    const field = page.getByLabel(label, { exact: true })
    const typed = await field.inputValue()
    await field.fill(' ')
    await expect(pay).toBeDisabled()
    await field.fill(typed)
  }
  await page.getByLabel('Country').selectOption('')
  await expect(pay).toBeDisabled()
  await page.getByLabel('Country').selectOption('US')
  await page.getByLabel('Email for the receipt').fill('payer@example.com')
  const { Total } = await readSummary(page)
  const { invoiceAmount } = await fetchDetails(page, invoice)
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  const requestBodies: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/ec/pay')) requestBodies.push(request.postDataJSON())
  })
  await pay.dblclick()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await expect(page.getByText(`You paid ${Total} to Atlantic Voice`)).toBeVisible()
  await expect(page.getByText('Receipt will be delivered to payer@example.com', { exact: true })).toBeVisible()
  expect(requestBodies).toEqual([
    {
      cardToken: expect.stringMatching(/^pm_/),
      invoiceAmount: invoiceAmount.toFixed(2),
      shownTotal: toCents(Total) / 100,
      uid: invoice.payToken,
      invoiceNumber: invoice.number,
      email: 'payer@example.com',
      cardHolder: 'Casey Payer',
      billingAddress: { address: '1 Main Street', city: 'Portland', state: 'ME', zip: '04101', country: 'US', company: '' },
    },
  ])
  expect(await waitForPayment(page, before)).toMatchObject([{ amount: toCents(Total), currency: 'USD', status: 'succeeded' }])

  // The other tab learns of the payment, and offers no second one.
  await expect(other.getByText('This invoice has already been paid', { exact: true })).toBeVisible()
  await expect(other.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
  const reference = await page.getByText(/^[\dA-F]{4}-[\dA-F]{4}$/).textContent()
  await page.reload()
  await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
  await expectPaidPage(page, { reference, total: Total })
})

test('[SP-02][PAY-01] a fee that has changed since the page was shown: the new total stands there before it is paid, and what was typed stays', async () => {
  const { page, invoice } = await openPayLinkOf('us')
  const details = await fetchDetails(page, invoice)
  const fees = details.fees.map((fee) => ({ ...fee, amount: 0, percent: 0, fixed: 0, total: details.invoiceAmount }))
  await page.route('**/v1/ec/payment/details/*', (route) => route.fulfill({ json: { ...details, fee: 0, fees } }), { times: 1 })
  await page.reload()
  await expect(page.getByRole('button', { name: `Pay ${formatMoney(details.invoiceAmount)}` })).toBeVisible()
  await fillForm(page)
  await page.getByLabel('Email for the receipt').fill('payer@example.com')
  await fillCard(page, TEST_CARDS.good)
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText('The amount has changed since it was shown. Please check it and pay again.')).toBeVisible()
  const Total = formatMoney(details.invoiceAmount + details.fee)
  await expect.poll(() => readSummary(page)).toMatchObject({ Total })
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue('1 Main Street')
  await expect(page.getByLabel('Email for the receipt')).toHaveValue('payer@example.com')
  expect((await readLedger(page, testEnvironment().sandboxUrl)).filter(isNotFailed)).toEqual(before.filter(isNotFailed))
  await page.getByRole('button', { name: `Pay ${Total}` }).click()
  await expect(page.getByText(`You paid ${Total} to Atlantic Voice`)).toBeVisible()
  expect(await waitForPayment(page, before)).toMatchObject([{ amount: toCents(Total), status: 'succeeded' }])
})

test('[EASE-03][SP-01] a reload in the middle of paying, and the link in another browser, show what was paid, with its receipt and a way on; the PDF is there before and after', async () => {
  const { page, invoice } = await openPayLinkOf('uk')
  const { content, name } = await captureDownload(page, () => page.getByRole('link', { name: `Download PDF of ${invoice.number}` }).click())
  expect([isCompletePdf(content), name]).toEqual([true, `${invoice.number}.pdf`])
  const { Amount } = await readSummary(page)
  await fillForm(page)
  await fillCard(page, TEST_CARDS.good)
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  const [sent] = await Promise.all([page.waitForRequest(/\/v1\/ec\/pay$/), page.getByRole('button', { name: /^Pay £/ }).click()])
  expect(sent.method()).toBe('POST')
  await page.reload()
  expect(await waitForPayment(page, before)).toHaveLength(1)
  const elsewhere = await openPage()
  await elsewhere.setViewportSize({ width: 390, height: 844 })
  await elsewhere.goto(`/pay/${invoice.payToken}`)
  for (const one of [page, elsewhere]) {
    // "This invoice" where the form stood once more, because the reload was faster than the payment.
    await expect(one.getByText(/^(The|This) invoice has already been paid/)).toBeVisible()
    await expectPaidPage(one, { reference: null, total: Amount })
    expect(await findViolations(one)).toEqual([])
    await expect.poll(() => one.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
})

test('[PAY-01][SP-01] a payment that was sent before a reload, and reaches the server after it, is shown by itself', async () => {
  const { username, password } = await createPayer(testEnvironment().dataDir, 1)
  const page = await openPage()
  await enter(page, username, password)
  const [invoice] = await getFromApi<Invoice[]>(page, '/v1/ec/invoices')
  await page.goto(`/pay/${invoice?.payToken}`)
  await fillForm(page)
  await fillCard(page, TEST_CARDS.good)
  const { promise: reloaded, resolve: sendOn } = Promise.withResolvers<void>()
  await page.route('**/v1/ec/pay', (route) => reloaded.then(() => void route.fetch()))
  const pay = page.getByRole('button', { name: /^Pay A\$/ })
  await Promise.all([page.waitForRequest(/\/v1\/ec\/pay$/), pay.click()])
  await page.reload()
  await expect(pay).toBeVisible()
  sendOn()
  await expect(page.getByText('This invoice has already been paid', { exact: true })).toBeVisible()
  await expect(pay).toHaveCount(0)
})

test('[SP-01] an invoice that was paid elsewhere shows no amount of nothing', async () => {
  const { page, invoice } = await openPayLinkOf('eu')
  const details = await fetchDetails(page, invoice)
  const paid = { ...details, invoiceStatus: INVOICE_STATUS.paid, invoiceAmount: 0, fee: 0 }
  await page.route('**/v1/ec/payment/details/*', (route) => route.fulfill({ json: paid }))
  await page.reload()
  await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
  expect(Object.keys(await readSummary(page))).toEqual([expect.stringMatching(/^Due|^Overdue/), 'Invoice', 'Period', 'Issued'])
})

test.each([true, false])('[SP-02] required fields stand before optional ones, where name and email are needed: %s', async (isNeeded) => {
  const { page, invoice } = await openPayLinkOf('us')
  const details = await fetchDetails(page, invoice)
  const needs = { requiredCardHolder: isNeeded, requiredEmail: isNeeded, requiredBillingAddress: true, enabledReceipt: true }
  await page.route('**/v1/ec/payment/details/*', (route) => route.fulfill({ json: { ...details, ...needs } }))
  await page.reload()
  await expect(page.getByLabel('Company (optional)')).toBeVisible()
  await expectRequiredFirst(page.getByRole('main'))
  await expect(page.getByLabel(isNeeded ? 'Name on card' : 'Name on card (optional)', { exact: true })).toBeVisible()
})

test('[SP-02][EASE-02] a grey Pay says what is still needed, and an address that no receipt can go to says what is wrong with it', async () => {
  const { page } = await openPayLinkOf('us')
  const pay = page.getByRole('button', { name: /^Pay \$/ })
  const note = page.getByText(/^Still needed: /)
  await expect(note).toHaveText('Still needed: name on card, card details, billing address')
  await expect.poll(() => pay.getAttribute('aria-describedby')).toBe(await note.getAttribute('id'))
  await fillForm(page)
  await fillCard(page, TEST_CARDS.good)
  await expect(pay).toBeEnabled()
  await expect(note).toHaveCount(0)
  const email = page.getByLabel('Email for the receipt (optional)')
  await email.fill('notanemail')
  await expect(pay).toBeDisabled()
  await expect(note).toHaveText('Still needed: a valid email')
  // Nobody is told of a mistake in the middle of a word.
  const mistake = page.getByText('Enter an email address, as in name@example.com, or leave it empty.', { exact: true })
  await expect(mistake).toHaveCount(0)
  await email.blur()
  await expect(mistake).toBeVisible()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect.poll(() => email.getAttribute('aria-describedby')).toBe(await mistake.getAttribute('id'))
  await email.fill('')
  await expect(mistake).toHaveCount(0)
  await expect(pay).toBeEnabled()
})

test('[SP-02][SP-04] a card that is refused: Payment Failed and why, what was typed stays, typing takes it down', async () => {
  const { page } = await openPayLinkOf('uk')
  await fillForm(page)
  const pay = page.getByRole('button', { name: /^Pay £/ })
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  let name = 'Casey Payer'
  for (const [number, words] of [
    [TEST_CARDS.declined, 'Your card was declined.'],
    [TEST_CARDS.insufficient, 'Your card has insufficient funds.'],
    [TEST_CARDS.expired, 'Your card has expired.'],
    [TEST_CARDS.wrongCode, "Your card's security code is incorrect."],
  ] as const) {
    await fillCard(page, number)
    await pay.click()
    const alert = page.getByRole('alert').filter({ hasText: 'Payment Failed' })
    await expect(alert).toBeVisible()
    await expect(alert).toContainText(`${words} Nothing was charged. Try another card.`)
    await expect(page.getByText('To try again, change anything above.')).toBeVisible()
    // The overlay goes after a moment, and the form is as it was.
    await expect(page.getByText('Paying…', { exact: true })).toHaveCount(0)
    expect(await frameHeight(page)).toBeLessThan(TWO_LINES)
    await expect(pay).toBeDisabled()
    await expect(page.getByLabel('Name on card')).toHaveValue(name)
    name += ' Jr'
    await page.getByLabel('Name on card').fill(name)
    await expect(alert).toHaveCount(0)
    await expect(pay).toBeEnabled()
  }
  expect((await readLedger(page, testEnvironment().sandboxUrl)).filter(isNotFailed)).toEqual(before.filter(isNotFailed))
})

test('[SP-02] on a phone number, expiry date and code stand in one line, and the whole number can be read', async () => {
  const { page } = await openPayLinkOf('uk')
  await page.setViewportSize({ width: 390, height: 844 })
  await fillCard(page, TEST_CARDS.good)
  const fields = page.frameLocator('iframe').locator('input')
  const boxes = await fields.evaluateAll((inputs) =>
    inputs.map((input) => ({ top: input.getBoundingClientRect().top, isCut: input.scrollWidth > input.clientWidth })),
  )
  expect(boxes).toHaveLength(3)
  for (const box of boxes) expect(box).toEqual({ top: boxes[0]?.top, isCut: false })
})

test('[SP-04] after a failed payment the overlay lies over the form for 1.5 seconds', async () => {
  const { page } = await openPayLinkOf('uk')
  await page.route('**/v1/ec/pay', (route) => route.fulfill({ status: 400, json: { message: 'no', userMessage: 'No.' } }))
  await fillForm(page)
  await fillCard(page, TEST_CARDS.good)
  const overlay = page.locator('form > div:last-child').filter({ hasText: /^Paying…$/ })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: /^Pay £/ }).click()
  await expect(page.getByText('Payment Failed')).toBeVisible()
  await page.clock.runFor(1_400)
  await expect(overlay).toHaveCount(1)
  await page.clock.runFor(200)
  await expect(overlay).toHaveCount(0)
})

test('[SP-02] 3-D Secure: to the bank and back to the success, with amount and receipt', async () => {
  const { page } = await openPayLinkOf('uk')
  await fillForm(page)
  await fillCard(page, TEST_CARDS.confirmsAlways)
  await page.getByLabel('Email for the receipt').fill('payer@example.com')
  const pay = page.getByRole('button', { name: /^Pay £/ })
  await expect(pay).toBeEnabled()
  const total = (await pay.textContent())?.replace('Pay ', '')
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await pay.click()
  await answer3dSecure(page, 'Complete')
  await expect(page).toHaveURL(new RegExp(`^${testEnvironment().url}/pay/`))
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await expect(page.getByText(`You paid ${total} to Albion Telecom`)).toBeVisible()
  await expect(page.getByText('Receipt will be delivered to payer@example.com')).toBeVisible()
  expect(await waitForPayment(page, before)).toHaveLength(1)
  await expect(page).toHaveURL(/^[^?]+$/)
})

test('[SP-02] 3-D Secure that fails, is refused after it, or is left midway: nothing is paid, and the form is there again', async () => {
  const { page } = await openPayLinkOf('uk')
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  for (const [card, answer] of [
    [TEST_CARDS.confirmsAlways, 'Fail'],
    [TEST_CARDS.confirmsThenRefused, 'Complete'],
  ] as const) {
    await payWithCard(page, card)
    await answer3dSecure(page, answer)
    await expect(page).toHaveURL(new RegExp(`^${testEnvironment().url}/pay/`))
    await expect(page.getByRole('alert').filter({ hasText: 'Payment Failed' })).toBeVisible()
    await expect(page.getByLabel('Name on card')).toBeVisible()
  }
  await payWithCard(page, TEST_CARDS.confirmsAlways)
  await expect(page.getByRole('heading', { name: '3D Secure 2 Test Page' })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Name on card')).toBeVisible()
  expect((await readLedger(page, testEnvironment().sandboxUrl)).filter(isNotFailed)).toEqual(before.filter(isNotFailed))
  // Another card then pays.
  await payWithCard(page, TEST_CARDS.good)
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(await waitForPayment(page, before)).toHaveLength(1)
})

test('[SP-05] two browsers at the same instant: the invoice is paid once, and the other browser is refused', async () => {
  const { page, invoice } = await openPayLinkOf('sso')
  const other = await openPage()
  await other.goto(`/pay/${invoice.payToken}`)
  for (const one of [page, other]) {
    await fillForm(one)
    await fillCard(one, TEST_CARDS.good)
  }
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await Promise.all([page, other].map((one) => one.getByRole('button', { name: /^Pay \$/ }).click()))
  await expect
    .poll(
      async () =>
        (await page.getByRole('heading', { name: 'Payment Successful' }).count()) +
        (await other.getByRole('heading', { name: 'Payment Successful' }).count()),
    )
    .toBe(1)
  expect(await waitForPayment(page, before)).toHaveLength(1)
})

test('[PAY-01] an answer that is lost on the way is no failed payment: the page shows what the server says', async () => {
  const { page } = await openPayLinkOf('sso')
  await fillForm(page)
  await fillCard(page, TEST_CARDS.good)
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await page.route('**/v1/ec/pay', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText('This invoice has already been paid', { exact: true })).toBeVisible()
  expect(await waitForPayment(page, before)).toHaveLength(1)
})

test.each([
  [{ isCredited: true }, 'The invoice has been credited. No further payments required.'],
  [{ invoiceStatus: 11 }, 'The invoice has already been paid. No further payments required.'],
  [{ invoiceAmount: 0 }, 'No payment is required.'],
  [{ apiStatus: false }, 'Payment gateway is not configured properly, please try again later. If the problem persists, contact support'],
  [{ paymentStatus: 2 }, PROCESSING_TEXT],
  [{ paymentType: 0, integrationType: null }, 'Payment page not available'],
])('[SP-01][SP-02][SP-06] %j: the form is not there, and the page says why', async (changes, words) => {
  const { page, invoice } = await openPayLinkOf('eu')
  const details = await fetchDetails(page, invoice)
  await page.route('**/v1/ec/payment/details/*', (route) => route.fulfill({ json: { ...details, ...changes } }))
  await page.reload()
  await expect(page.getByText(words, { exact: true })).toBeVisible()
  for (const locator of [page.getByRole('button'), page.locator('iframe')]) await expect(locator).toHaveCount(0)
})

test('[SP-02] an unknown link is reported with what else can be done, in the brand of its host and with its help; trying again, which cannot help, is not offered', async () => {
  const page = await openPage()
  await page.goto(`http://atlantic.example:${new URL(testEnvironment().url).port}/pay/there-is-no-such-link-0123456789`)
  await expect(page.getByRole('alert')).toHaveText('There is nothing at this address.')
  await expect(page.getByRole('img', { name: /Atlantic Voice/ })).toBeVisible()
  await expect(page.getByText(/This link is incomplete or no longer valid\./)).toBeVisible()
  await expect(page.getByRole('link', { name: 'contact support' })).toHaveAttribute('href', '#help')
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'billing@atlantic.example' })).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Your invoices' }).click()
  await expect(page.getByLabel('Username')).toBeVisible()
})

test('[SP-02] a page that cannot be loaded says so, with a button to try again', async () => {
  const page = await openPage()
  await page.goto('/pay/there-is-no-such-link-0123456789')
  await page.route('**/v1/ec/payment/details/*', (route) => route.abort())
  await page.reload()
  await expect(page.getByText('Oops, something went wrong', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /Try again/ })).toBeVisible()
})

test('[GRID-03][SP-01] the payment page is filled in by keyboard alone, and axe finds nothing, wide or narrow, light or dark', async () => {
  const { page } = await openPayLinkOf('eu')
  const frame = page.frameLocator('iframe')
  await expect(frame.getByLabel('Credit or debit card number')).toBeVisible()
  await page.getByLabel('Name on card').focus()
  await page.keyboard.type('Casey Payer')
  await page.keyboard.press('Tab')
  // The frame is another process: a key pressed before the focus has arrived there is lost.
  await expect(frame.getByLabel('Credit or debit card number')).toBeFocused()
  await page.keyboard.type('4242424242424242')
  await expect(frame.getByLabel('Credit or debit card expiration date')).toBeFocused()
  await page.keyboard.type('1234')
  await expect(frame.getByLabel('Credit or debit card CVC/CVV')).toBeFocused()
  await page.keyboard.type('123')
  const pay = page.getByRole('button', { name: /^Pay €/ })
  await expect(pay).toBeEnabled()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    // The provider's frames are not ours, and alone they stand on another background.
    expect(await findViolations(page, { exclude: 'iframe' })).toEqual([])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
})

test('[SP-01] the page loads at most 90 KiB of scripts besides those of the payment provider', async () => {
  const { page } = await openPayLinkOf('eu')
  const sizes: number[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script' && response.url().startsWith(testEnvironment().url))
      sizes.push(Number(response.headers()['content-length']))
  })
  await page.reload()
  await expect(page.getByLabel('Name on card')).toBeVisible()
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(90 * 1_024)
})

/** A page of a payer of the reseller of `us`, whose demo user has nothing left to pay after other files. */
const openPageAsPayer = async (): Promise<Page> => {
  const { username, password } = await createPayer(testEnvironment().dataDir, 1, 3001)
  const page = await openPage()
  await enter(page, username, password)
  return page
}

/** A signed-out page at the pay link of an invoice that this user's customer has still to pay. */
const openPayLinkOf = async (username: string): Promise<{ page: Page; invoice: Invoice }> => {
  const owner = username === 'us' ? await openPageAsPayer() : await signInAs(username)
  const [invoice] = await selectPayableInvoices(owner)
  if (invoice === undefined) throw new Error('nothing to pay')
  await owner.context().close()
  const page = await openPage()
  await page.goto(`/pay/${invoice.payToken}`)
  await expect(page.getByLabel('Name on card')).toBeVisible()
  return { page, invoice }
}

const fetchDetails = (page: Page, { payToken }: Invoice): Promise<InvoicePayment> =>
  callApi<InvoicePayment>(page, 'GET', `/v1/ec/payment/details/${payToken}`)

const fillForm = async (page: Page): Promise<void> => {
  await page.getByLabel('Name on card').fill('Casey Payer')
  if ((await page.getByLabel('Address', { exact: true }).count()) === 0) return
  await page.getByLabel('Address', { exact: true }).fill('1 Main Street')
  await page.getByLabel('City', { exact: true }).fill('Portland')
  await page.getByLabel('State or province').fill('ME')
  await page.getByLabel('Postcode or ZIP').fill('04101')
  await page.getByLabel('Country').selectOption('US')
}

const payWithCard = async (page: Page, card: string): Promise<void> => {
  await fillForm(page)
  await fillCard(page, card)
  await page.getByRole('button', { name: /^Pay / }).click()
}

/** The pixels of two lines of a card's frame. One has 18 to 20, by the font that has come by then. */
const TWO_LINES = 36

/** The height of the frame in which a card is entered. */
const frameHeight = (page: Page): Promise<number | undefined> =>
  page
    .locator('iframe')
    .first()
    .boundingBox()
    .then((box) => box?.height)

/** What stands on the page of a link whose invoice is paid. @param reference null where it is not known before */
const expectPaidPage = async (page: Page, { reference, total }: { reference: string | null; total: string | undefined }): Promise<void> => {
  await expect(page.getByText(reference ?? /^[\dA-F]{4}-[\dA-F]{4}$/)).toBeVisible()
  const shown = await readSummary(page)
  expect(shown).toMatchObject({ 'Paid with': 'Visa •••• 4242', Total: total })
  expect(shown['When']).toMatch(/ UTC$/)
  const { content } = await captureDownload(page, () => page.getByRole('link', { name: 'Receipt' }).click())
  expect(isCompletePdf(content)).toBe(true)
  await expect(page.getByRole('link', { name: 'Your invoices' })).toHaveAttribute('href', '/invoices')
}

/** The amounts of the summary by the names of their lines. */
const readSummary = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('dl > div')].map((line) => [
        line.querySelector('dt')?.textContent,
        line.querySelector('dd')?.textContent,
      ]),
    ),
  )

const formatMoney = (amount: number): string => `$${amount.toLocaleString('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

const toCents = (text: string | undefined): number => Math.round(Number((text ?? 'NaN').replaceAll(/[^\d.]/g, '')) * 100)

const isNotFailed = ({ status }: LedgerEntry): boolean => status !== 'failed'

const waitForPayment = (page: Page, before: readonly LedgerEntry[]): Promise<LedgerEntry[]> =>
  waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)
