import type { Invoice } from '@counterfoil/contract/invoices'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { enter } from '../../support/browser.ts'
import { runCli } from '../../support/command-line.ts'
import { expect } from '../../support/expect.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { fetchInvoice, openInvoiceList, rowOf, selectAndPay } from '../invoice-list.ts'
import { createPayer, type Payer } from '../payer.ts'
import { readLedger, waitForLedgerEntries } from '../sandbox-ledger.ts'
import { addCard, deletePinchMethods, injectPinchFault, PINCH_CARDS, storeAccount, storeCard, typeCard } from './pinch-methods.ts'

const { openPage } = usePages()

/** Invoices enough that a test may take others when it is tried again. */
let payer: Payer
let unusedNumbers: string[] = []
beforeAll(async () => {
  payer = await createPayer(testEnvironment().dataDir, 20, 3007)
  unusedNumbers = [...payer.numbers]
})

const setReceipts = (to: 'on' | 'off'): Promise<unknown> =>
  runCli(testEnvironment().dataDir, 'reseller', 'payments', 'set', '3007', '--receipts', to)
afterAll(() => setReceipts('on'))

const openInvoicePage = async (): Promise<Page> => {
  const page = await openPage()
  await enter(page, payer.username, payer.password, '/invoices')
  return page
}

const openPayLink = async (): Promise<{ page: Page; invoice: Invoice }> => {
  const owner = await openInvoicePage()
  const invoice = await fetchInvoice(owner, unusedNumbers.pop() ?? '')
  await owner.context().close()
  const page = await openPage()
  await page.goto(`/pay/${invoice.payToken}`)
  await page.getByLabel('Name on card').fill('Ada Holder')
  return { page, invoice }
}

const payButton = (page: Page) => page.getByRole('button', { name: /^Pay / })
const success = (page: Page) => page.getByRole('heading', { name: 'Payment Successful' })
const failure = (page: Page) => page.getByRole('alert').filter({ hasText: 'Payment Failed' })
const ledgerOf = (page: Page) => readLedger(page, testEnvironment().sandboxUrl)
const newEntries = async (page: Page, before: Awaited<ReturnType<typeof ledgerOf>>, count = 1) =>
  waitForLedgerEntries(page, testEnvironment().sandboxUrl, before, count)

test('[SP-01][SP-02][SP-03][SP-04][PM-60] pinch: the link is paid once by a double click, by a token; the other tab learns of it; Back and reload pay nothing', async () => {
  await setReceipts('on')
  const { page, invoice } = await openPayLink()
  const other = await page.context().newPage()
  await other.goto(`/pay/${invoice.payToken}`)
  await expect(other.getByLabel('Card number')).toBeVisible()
  const bodies: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/ec/pay')) bodies.push(request.postDataJSON())
  })
  await typeCard(page, PINCH_CARDS.refused)
  await expect(payButton(page)).toBeDisabled()
  const email = page.getByLabel('Email for the receipt')
  await expect(email).toHaveAttribute('aria-required', 'true')
  await email.fill('ada@payer.example')
  expect(await findViolations(page)).toEqual([])
  await payButton(page).click()
  await expect(failure(page)).toContainText('Not a valid test card number')
  await expect(page.getByText('Paying…', { exact: true })).toHaveCount(0)
  await expect(email).toHaveValue('ada@payer.example')
  expect(bodies).toEqual([])
  await page.getByLabel('Card number').fill(PINCH_CARDS.visa)
  await injectPinchFault(page, { operation: 'charge', kind: 'decline', booked: false })
  await payButton(page).click()
  await expect(failure(page)).toContainText('The payment was declined. Please use another payment method, or ask your bank.')
  await expect(page.getByText('Paying…', { exact: true })).toHaveCount(0)
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')
  await page.getByLabel('Card number').fill(PINCH_CARDS.mastercard)
  const before = await ledgerOf(page)
  await payButton(page).dblclick()
  await expect(success(page)).toBeVisible()
  await expect(page.getByText('Receipt will be delivered to ada@payer.example')).toBeVisible()
  expect(bodies).toHaveLength(2)
  expect(bodies[1]).toEqual({
    invoiceAmount: expect.stringMatching(/^\d+\.\d\d$/),
    shownTotal: expect.any(Number),
    uid: invoice.payToken,
    invoiceNumber: invoice.number,
    cardToken: expect.stringMatching(/^tkn_/),
    cardHolder: 'Ada Holder',
    email: 'ada@payer.example',
  })
  expect(await newEntries(page, before)).toMatchObject([{ currency: 'AUD', status: 'succeeded', method: 'credit-card' }])
  await expect(other.getByText('This invoice has already been paid', { exact: true })).toBeVisible()
  await page.goBack()
  await page.goForward()
  await page.reload()
  await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
})

test('[SP-02][SP-04][PM-60] pinch: without receipts the address is asked for all the same, and none is promised', async () => {
  await setReceipts('off')
  const { page } = await openPayLink()
  await typeCard(page)
  await expect(page.getByLabel('Email for the receipt')).toHaveCount(0)
  await expect(payButton(page)).toBeDisabled()
  await page.getByLabel('Email').fill('ada@payer.example')
  await payButton(page).click()
  await expect(success(page)).toBeVisible()
  await expect(page.getByText('Receipt will be delivered')).toHaveCount(0)
  await setReceipts('on')
})

test('[PAY-01] pinch: a charge whose answer is lost is being confirmed, and found by a look-up; nobody pays twice', async () => {
  const { page } = await openPayLink()
  await typeCard(page)
  await page.getByLabel('Email').fill('ada@payer.example')
  const before = await ledgerOf(page)
  await injectPinchFault(page, { operation: 'charge', kind: 'drop', booked: true })
  await payButton(page).click()
  await expect(page.getByText('We are confirming your payment. Please do not pay again.').or(success(page)).first()).toBeVisible()
  await expect.poll(async () => success(page).count(), { timeout: 60_000 }).toBe(1)
  expect(await newEntries(page, before)).toHaveLength(1)
})

const openBulk = async (store: (page: Page) => Promise<void>): Promise<{ page: Page; numbers: string[] }> => {
  const page = await openInvoicePage()
  await deletePinchMethods(page)
  await store(page)
  await openInvoiceList(page)
  const numbers = unusedNumbers.splice(0, 2)
  await selectAndPay(page, numbers)
  return { page, numbers }
}

test('[BP-01][BP-02][BP-03][BP-04][NAV-06][PM-60] pinch: a stored card is declined, and then pays, once', async () => {
  const { page } = await openBulk((one) => storeCard(one))
  await expect(page.getByText('New Payment Method')).toHaveCount(0)
  const pay = payButton(page)
  await expect(pay).toBeEnabled()
  const before = await ledgerOf(page)
  await page.getByRole('radio', { name: /Visa •••• 4242/ }).check()
  await injectPinchFault(page, { operation: 'charge', kind: 'decline', booked: false })
  await pay.click()
  await expect(page.getByText('The payment was declined. Please use another payment method, or ask your bank.')).toBeVisible()
  await pay.dblclick()
  await expect(success(page)).toBeVisible()
  expect(await newEntries(page, before)).toMatchObject([{ status: 'succeeded', method: 'credit-card' }])
})

test('[BP-02][BP-05][PM-60] pinch: a stored account is debited; the invoice is in collection until it is settled', async () => {
  const { page, numbers } = await openBulk(storeAccount)
  const before = await ledgerOf(page)
  await page.getByRole('radio', { name: /BSB 000001 •••• 7890/ }).check()
  const [request] = await Promise.all([page.waitForRequest('**/v1/ec/payments/pay/bulk'), payButton(page).click()])
  expect(request.postDataJSON()).toMatchObject({ type: 'au_becs_debit', paymentType: 6 })
  const [entry] = await newEntries(page, before)
  expect(entry).toMatchObject({ status: 'pending', method: 'bank-account' })
  await openInvoiceList(page)
  await expect(rowOf(page, numbers[0] ?? '').getByText('Debit on its way', { exact: true })).toBeVisible()
  const settled = await page.request.post(`${testEnvironment().sandboxUrl}/settle`, {
    data: { provider: 'pinch', id: entry?.id, outcome: 'succeeded' },
  })
  expect(settled.status()).toBe(200)
  const readStatus = async () => (await fetchInvoice(page, numbers[0] ?? '')).invoiceStatus
  await expect.poll(readStatus, { timeout: 30_000 }).toBe(11)
})

test('[BP-02][PM-60] pinch: without a saved method nothing can be paid, and the page says where to add one', async () => {
  const page = await openInvoicePage()
  await deletePinchMethods(page)
  await openInvoiceList(page)
  await selectAndPay(page, unusedNumbers.slice(0, 1))
  await expect(
    page.getByText(
      'You cannot pay invoices because no default payment method is configured. To configure a payment method, go to Settings → Payment Methods',
    ),
  ).toBeVisible()
})

test('[BP-02][PM-60] pinch: from there each invoice leads to the page that takes a new card, and a card that is added in Payment Types pays what was chosen', async () => {
  const page = await openInvoicePage()
  await deletePinchMethods(page)
  await openInvoiceList(page)
  const numbers = unusedNumbers.slice(0, 2)
  await selectAndPay(page, numbers)
  const summary = page.getByRole('region', { name: 'Payment summary' })
  await summary.getByRole('link', { name: numbers[0] ?? '', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Pay ${numbers[0]}` })).toBeVisible()
  await expect(page.getByLabel('Card number')).toBeVisible()
  await page.goBack()

  await page.getByRole('link', { name: 'Go to Payment Types' }).click()
  await expect(page).toHaveURL('/payment-types')
  await addCard(page)
  await page.getByRole('link', { name: 'Back to your payment' }).click()
  await expect(page.getByRole('radio', { name: /•••• 4242/ })).toBeVisible()
  for (const number of numbers) await expect(summary.getByText(number)).toBeVisible()
  await expect(payButton(page)).toBeEnabled()
  await page.goto('/payment-types')
  await expect(page.getByRole('button', { name: 'Add card' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to your payment' })).toHaveCount(0)
})
