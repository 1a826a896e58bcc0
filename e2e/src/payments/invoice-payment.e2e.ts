import type { Invoice } from '@counterfoil/contract/invoices'
import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
import { expect } from '../support/expect.ts'
import { answer3dSecure, TEST_CARDS, fillCard } from './stripe-elements.ts'
import { findViolations } from '../support/accessibility.ts'
import { captureDownload, isCompletePdf } from '../support/downloads.ts'
import { failRequests } from '../support/failing-requests.ts'
import { collectPageErrors } from '../support/page-errors.ts'
import { payButton } from './pay-button.ts'
import { createPayer } from './payer.ts'
import { expectRequiredFirst } from './required-fields.ts'
import { findPayableInvoice } from './payable-invoices.ts'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { type LedgerEntry, readLedger, waitForLedgerEntries } from './sandbox-ledger.ts'
import { signInToApi } from '../support/api.ts'

const { openPage } = usePages()

const PROCESSING_TEXT = 'We are confirming your payment. Please do not pay again.'

/** Of a payer of the reseller of `us`, whose demo user has nothing left to pay after other files. */
let unusedInvoices: Invoice[] = []
beforeAll(async () => {
  const { username, password } = await createPayer(testEnvironment().dataDir, 5, 3001)
  unusedInvoices = await (await signInToApi(username, password))<Invoice[]>('GET', '/v1/ec/invoices')
})

test('[INV-04][SP-01][SP-02] the Pay link opens the page of one invoice, in its brand, for anybody; fee and total stand on it, whether it is due or overdue, and required fields before optional ones', async () => {
  const invoice = await takeInvoice('us')
  const page = await openPage()
  const errors = await collectPageErrors(page)
  await page.goto(`/pay/${invoice.payToken}`)
  await expect(page.getByRole('heading', { name: `Pay ${invoice.number}`, level: 1 })).toBeVisible()
  await expect(page.getByRole('img', { name: /Atlantic Voice/ })).toBeVisible()
  const details = await fetchDetails(invoice)
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

  for (const [invoiceStatus, name] of [
    [INVOICE_STATUS.overdue, 'Overdue since'],
    [INVOICE_STATUS.open, 'Due'],
  ] as const) {
    await showDetails(page, { ...details, invoiceStatus })
    await expect.poll(() => readSummary(page)).toHaveProperty(name)
  }
  for (const isNeeded of [true, false]) {
    const needs = { requiredCardHolder: isNeeded, requiredEmail: isNeeded, requiredBillingAddress: true, enabledReceipt: true }
    await showDetails(page, { ...details, ...needs })
    await expect(page.getByLabel(isNeeded ? 'Name on card' : 'Name on card (optional)', { exact: true })).toBeVisible()
    await expect(page.getByLabel('Company (optional)')).toBeVisible()
    await expectRequiredFirst(page.getByRole('main'))
  }
  expect(errors).toEqual([])
})

test('[SP-02][SP-03][SP-04][EASE-02] every field that is asked for is needed, and a grey Pay says which; success says how much was paid to whom, and where the receipt goes', async () => {
  const { page, invoice } = await openPayLinkOf('us')
  const other = await page.context().newPage()
  await other.goto(`/pay/${invoice.payToken}`)
  await expect(other.getByLabel('Name on card')).toBeVisible()
  await expectGreyPayToSayWhy(page)
  await expectEveryFieldToBeNeeded(page)
  await page.getByLabel('Email for the receipt').fill('payer@example.com')
  const { Total } = await readSummary(page)
  const { invoiceAmount } = await fetchDetails(invoice)
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  const requestBodies: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/ec/pay')) requestBodies.push(request.postDataJSON())
  })
  await payButton(page).dblclick()
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
  const invoice = await takeInvoice('us')
  const details = await fetchDetails(invoice)
  const fees = details.fees.map((fee) => ({ ...fee, amount: 0, percent: 0, fixed: 0, total: details.invoiceAmount }))
  const page = await openPage()
  await page.route('**/v1/ec/payment/details/*', (route) => route.fulfill({ json: { ...details, fee: 0, fees } }), { times: 1 })
  await page.goto(`/pay/${invoice.payToken}`)
  await expect(page.getByRole('button', { name: `Pay ${formatMoney(details.invoiceAmount)}` })).toBeVisible()
  await fillForm(page)
  await page.getByLabel('Email for the receipt').fill('payer@example.com')
  await fillCard(page, TEST_CARDS.good)
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await payButton(page).click()
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
  const [sent] = await Promise.all([page.waitForRequest(/\/v1\/ec\/pay$/), payButton(page).click()])
  expect(sent.method()).toBe('POST')
  await page.reload()
  expect(await waitForPayment(page, before)).toHaveLength(1)
  const elsewhere = await openPage({ viewport: PHONE })
  await elsewhere.goto(`/pay/${invoice.payToken}`)
  for (const [one, scheme] of [
    [page, 'light'],
    [elsewhere, 'dark'],
  ] as const) {
    // "This invoice" where the form stood once more, because the reload was faster than the payment.
    await expect(one.getByText(/^(The|This) invoice has already been paid/)).toBeVisible()
    await expectPaidPage(one, { reference: null, total: Amount })
    expect(await findViolations(one, { scheme })).toEqual([])
    await expect.poll(() => one.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
})

test('[PAY-01][SP-01] a payment that was sent before a reload, and reaches the server after it, is shown by itself', async () => {
  const { page } = await openPayLinkOf('us', (opened) => opened.clock.install())
  await fillForm(page)
  await fillCard(page, TEST_CARDS.good)
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  const { promise: reloaded, resolve: sendOn } = Promise.withResolvers<void>()
  await page.route('**/v1/ec/pay', (route) => reloaded.then(() => void route.fetch()))
  await Promise.all([page.waitForRequest(/\/v1\/ec\/pay$/), payButton(page).click()])
  await page.reload()
  await expect(payButton(page)).toBeVisible()
  sendOn()
  expect(await waitForPayment(page, before)).toHaveLength(1)
  await page.clock.fastForward(5_000)
  await expect(page.getByText('This invoice has already been paid', { exact: true })).toBeVisible()
  await expect(payButton(page)).toHaveCount(0)
})

test('[SP-01][SP-02][SP-06] a page that cannot be loaded can be tried again; where nothing can be paid the form is not there, and the page says why', async () => {
  const invoice = await takeInvoice('eu')
  const details = await fetchDetails(invoice)
  const page = await openPage()
  const stopFailing = await failRequests(page, '**/v1/ec/payment/details/*', (route) => route.abort())
  await page.goto(`/pay/${invoice.payToken}`)
  await expect(page.getByText('Oops, something went wrong', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /Try again/ })).toBeVisible()
  stopFailing()
  for (const [changes, words] of [
    [{ isCredited: true }, 'The invoice has been credited. No further payments required.'],
    [{ invoiceStatus: INVOICE_STATUS.paid }, 'The invoice has already been paid. No further payments required.'],
    [{ invoiceAmount: 0 }, 'No payment is required.'],
    [{ apiStatus: false }, 'Payment gateway is not configured properly, please try again later. If the problem persists, contact support'],
    [{ paymentStatus: 2 }, PROCESSING_TEXT],
    [{ paymentType: 0, integrationType: null }, 'Payment page not available'],
  ] as const) {
    await showDetails(page, { ...details, ...changes })
    await expect(page.getByText(words, { exact: true })).toBeVisible()
    for (const locator of [page.getByRole('button'), page.locator('iframe')]) await expect(locator).toHaveCount(0)
  }
  // Paid elsewhere: no amount of nothing.
  await showDetails(page, { ...details, invoiceStatus: INVOICE_STATUS.paid, invoiceAmount: 0, fee: 0 })
  await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
  expect(Object.keys(await readSummary(page))).toEqual([expect.stringMatching(/^Due|^Overdue/), 'Invoice', 'Period', 'Issued'])
})

test('[SP-02][SP-04] a card that is refused: Payment Failed and why, under an overlay for 1.5 seconds; what was typed stays, typing takes it down', async () => {
  const { page } = await openPayLinkOf('uk', (opened) => opened.clock.install())
  await fillForm(page)
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await fillCard(page, TEST_CARDS.good)
  await expectOverlayOnFailure(page)
  let name = 'Casey Payer'
  for (const [number, words] of [
    [TEST_CARDS.declined, 'Your card was declined.'],
    [TEST_CARDS.insufficient, 'Your card has insufficient funds.'],
    [TEST_CARDS.expired, 'Your card has expired.'],
    [TEST_CARDS.wrongCode, "Your card's security code is incorrect."],
  ] as const) {
    await fillCard(page, number)
    await payButton(page).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Payment Failed' })
    await expect(alert).toContainText(`${words} Nothing was charged. Try another card.`)
    await expect(page.getByText('To try again, change anything above.')).toBeVisible()
    // The overlay goes after a moment, and the form is as it was.
    await page.clock.fastForward(1_500)
    await expect(page.getByText('Paying…', { exact: true })).toHaveCount(0)
    expect(await frameHeight(page)).toBeLessThan(TWO_LINES)
    await expect(payButton(page)).toBeDisabled()
    await expect(page.getByLabel('Name on card')).toHaveValue(name)
    name += ' Jr'
    await page.getByLabel('Name on card').fill(name)
    await expect(alert).toHaveCount(0)
    await expect(payButton(page)).toBeEnabled()
  }
  expect((await readLedger(page, testEnvironment().sandboxUrl)).filter(isNotFailed)).toEqual(before.filter(isNotFailed))
})

test('[SP-02] 3-D Secure that fails, is refused after it, or is left midway: nothing is paid, and the form is there again; completed, it comes back to the success, with amount and receipt', async () => {
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

  await page.getByLabel('Email for the receipt').fill('payer@example.com')
  const { Total, Amount } = await readSummary(page)
  await payWithCard(page, TEST_CARDS.confirmsAlways)
  await answer3dSecure(page, 'Complete')
  await expect(page).toHaveURL(/^[^?]+$/)
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await expect(page.getByText(`You paid ${Total ?? Amount} to Albion Telecom`)).toBeVisible()
  await expect(page.getByText('Receipt will be delivered to payer@example.com')).toBeVisible()
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
  await Promise.all([page, other].map((one) => payButton(one).click()))
  await expect
    .poll(
      async () =>
        (await page.getByRole('heading', { name: 'Payment Successful' }).count()) +
        (await other.getByRole('heading', { name: 'Payment Successful' }).count()),
    )
    .toBe(1)
  expect(await waitForPayment(page, before)).toHaveLength(1)
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

test('[GRID-03][SP-01][SP-02] the payment page loads at most 90 KiB of scripts besides the provider’s and is filled in by keyboard alone; axe finds nothing, and on a phone number, expiry date and code stand in one line, where the whole number can be read', async () => {
  let scriptSizes: readonly number[] = []
  const { page } = await openPayLinkOf('eu', (opened) => {
    scriptSizes = collectScriptSizes(opened)
  })
  expect(scriptSizes.length).toBeGreaterThan(0)
  expect(scriptSizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(90 * 1_024)
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
  await expect(payButton(page)).toBeEnabled()
  for (const [viewport, scheme] of [
    [DESKTOP, 'light'],
    [PHONE, 'dark'],
  ] as const) {
    await page.setViewportSize(viewport)
    // The provider's frames are not ours, and alone they stand on another background.
    expect(await findViolations(page, { exclude: 'iframe', scheme })).toEqual([])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
  }
  const boxes = await frame
    .locator('input')
    .evaluateAll((inputs) =>
      inputs.map((input) => ({ top: input.getBoundingClientRect().top, isCut: input.scrollWidth > input.clientWidth })),
    )
  expect(boxes).toHaveLength(3)
  for (const box of boxes) expect(box).toEqual({ top: boxes[0]?.top, isCut: false })
})

/** An invoice that this user, or for `us` a payer of the same reseller, has still to pay. */
const takeInvoice = async (username: string): Promise<Invoice> => {
  const invoice = username === 'us' ? unusedInvoices.pop() : await findPayableInvoice(await signInToApi(username))
  if (invoice === undefined) throw new Error('nothing to pay')
  return invoice
}

/** A page that nobody is signed in on, at the pay link of such an invoice. @param prepare called before the page loads */
const openPayLinkOf = async (
  username: string,
  prepare?: (page: Page) => Promise<void> | void,
): Promise<{ page: Page; invoice: Invoice }> => {
  const invoice = await takeInvoice(username)
  const page = await openPage()
  await prepare?.(page)
  await page.goto(`/pay/${invoice.payToken}`)
  await expect(page.getByLabel('Name on card')).toBeVisible()
  return { page, invoice }
}

const fetchDetails = async ({ payToken }: Invoice): Promise<InvoicePayment> =>
  (await (await fetch(`${testEnvironment().url}/v1/ec/payment/details/${payToken}`)).json()) as InvoicePayment

/** Lets the server answer with these details from now on, and the page ask for them, as it does when another tab has paid. */
const showDetails = async (page: Page, details: InvoicePayment): Promise<void> => {
  await page.route('**/v1/ec/payment/details/*', (route) => route.fulfill({ json: details }))
  await page.evaluate(() => {
    const channel = new BroadcastChannel('paymentWatch')
    channel.postMessage('paid')
    channel.close()
  })
}

const collectScriptSizes = (page: Page): number[] => {
  const sizes: number[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script' && response.url().startsWith(testEnvironment().url))
      sizes.push(Number(response.headers()['content-length']))
  })
  return sizes
}

/** Expects that Pay is grey until the form is filled in, and says what is still needed and what is wrong with an address for a receipt. */
const expectGreyPayToSayWhy = async (page: Page): Promise<void> => {
  const note = page.getByText(/^Still needed: /)
  await expect(payButton(page)).toBeDisabled()
  await expect(note).toHaveText('Still needed: name on card, card details, billing address')
  await expect.poll(() => payButton(page).getAttribute('aria-describedby')).toBe(await note.getAttribute('id'))
  await fillForm(page)
  await fillCard(page, TEST_CARDS.good)
  await expect(payButton(page)).toBeEnabled()
  await expect(note).toHaveCount(0)
  const email = page.getByLabel('Email for the receipt (optional)')
  await email.fill('notanemail')
  await expect(payButton(page)).toBeDisabled()
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
  await expect(payButton(page)).toBeEnabled()
}

const expectEveryFieldToBeNeeded = async (page: Page): Promise<void> => {
  for (const label of ['Name on card', 'Address', 'City', 'State or province', 'Postcode or ZIP']) {
    const field = page.getByLabel(label, { exact: true })
    const typed = await field.inputValue()
    await field.fill(' ')
    await expect(payButton(page)).toBeDisabled()
    await field.fill(typed)
  }
  await page.getByLabel('Country').selectOption('')
  await expect(payButton(page)).toBeDisabled()
  await page.getByLabel('Country').selectOption('US')
  await expect(payButton(page)).toBeEnabled()
}

/** Pays, and expects that an overlay lies over the form for 1.5 seconds after the failure. The form can then be sent again. */
const expectOverlayOnFailure = async (page: Page): Promise<void> => {
  const stopFailing = await failRequests(page, '**/v1/ec/pay', (route) =>
    route.fulfill({ status: 400, json: { message: 'no', userMessage: 'No.' } }),
  )
  const overlay = page.locator('form > div:last-child').filter({ hasText: /^Paying…$/ })
  await page.clock.pauseAt(Date.now() + 60_000)
  await payButton(page).click()
  await expect(page.getByText('Payment Failed')).toBeVisible()
  await page.clock.runFor(1_400)
  await expect(overlay).toHaveCount(1)
  await page.clock.runFor(200)
  await expect(overlay).toHaveCount(0)
  await page.clock.resume()
  stopFailing()
}

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
  await payButton(page).click()
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
