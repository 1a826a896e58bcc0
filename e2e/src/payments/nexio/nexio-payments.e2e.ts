import type { Invoice } from '@counterfoil/contract/invoices'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { enter } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { fetchInvoice, openInvoiceList, rowOf, selectAndPay } from '../invoice-list.ts'
import { createPayer, type Payer } from '../payer.ts'
import { readLedger, waitForLedgerEntries } from '../sandbox-ledger.ts'
import {
  cardFrame,
  deleteNexioMethods,
  injectNexioFault,
  NEXIO_CARDS,
  storeAccount,
  storeCard,
  typeCard,
  typeFramedCard,
  typePayer,
  setCardNumbers,
} from './nexio-cards.ts'

const { openPage } = usePages()

/** Invoices enough that a test may take others when it is tried again. */
let payer: Payer
let unusedNumbers: string[] = []
beforeAll(async () => {
  payer = await createPayer(testEnvironment().dataDir, 24, 3008)
  unusedNumbers = [...payer.numbers]
})

afterAll(() => setCardNumbers('on'))

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
  await page.getByLabel('Name on card', { exact: true }).first().fill('Ada Holder')
  return { page, invoice }
}

const payButton = (page: Page) => page.getByRole('button', { name: /^Pay / })
const success = (page: Page) => page.getByRole('heading', { name: 'Payment Successful' })
const ledgerOf = (page: Page) => readLedger(page, testEnvironment().sandboxUrl)
const newEntries = async (page: Page, before: Awaited<ReturnType<typeof ledgerOf>>, count = 1) =>
  waitForLedgerEntries(page, testEnvironment().sandboxUrl, before, count)

test('[SP-01][SP-02][SP-03][SP-04] nexio: the link is paid once by a double click, the number encrypted; the other tab learns of it; Back and reload pay nothing', async () => {
  const { page, invoice } = await openPayLink()
  const other = await page.context().newPage()
  await other.goto(`/pay/${invoice.payToken}`)
  await expect(other.getByLabel('Card number')).toBeVisible()
  const bodies: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/ec/pay')) bodies.push(request.postDataJSON())
  })
  await typeCard(page, { code: '999' })
  await expect(payButton(page)).toBeDisabled()
  await typePayer(page)
  await page.getByLabel('Email for the receipt').fill('ada@payer.example')
  await payButton(page).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Payment Failed' })
  await expect(alert).toContainText('The security code of the card is not right. Please check it.')
  await expect(page.getByText('Paying…', { exact: true })).toHaveCount(0)
  await expect(page.getByLabel('Payer last name')).toHaveValue('Payersen')
  await page.getByLabel('Security code').fill('123')
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
    cardNumber: expect.stringMatching(/^[A-Za-z0-9+/]{342}==$/),
    expirationDate: '2031-12',
    cardCode: '123',
    cardHolder: 'Ada Holder',
    email: 'ada@payer.example',
    nexioCustomerDetails: { payerFirstName: 'Augusta', payerLastName: 'Payersen', email: 'ada@payer.example' },
  })
  expect(await newEntries(page, before)).toMatchObject([{ currency: 'USD', status: 'succeeded', method: 'card' }])
  await expect(other.getByText('This invoice has already been paid', { exact: true })).toBeVisible()
  await page.goBack()
  await page.goForward()
  await page.reload()
  await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
})

test('[SP-02][SP-03] nexio: without the switch for card numbers the link is paid in Nexio’s frame', async () => {
  await setCardNumbers('off')
  const { page } = await openPayLink()
  await expect(cardFrame(page).getByLabel('Card number')).toBeVisible()
  await typePayer(page)
  await typeFramedCard(page)
  const before = await ledgerOf(page)
  await payButton(page).dblclick()
  await expect(success(page)).toBeVisible()
  expect(await newEntries(page, before)).toMatchObject([{ status: 'succeeded' }])
  await setCardNumbers('on')
})

test('[PAY-01] nexio: a charge whose answer is lost is being confirmed, and found by a look-up; nobody pays twice', async () => {
  const { page } = await openPayLink()
  await typeCard(page)
  await typePayer(page)
  const before = await ledgerOf(page)
  await injectNexioFault(page, { operation: 'charge', kind: 'drop', booked: true })
  await payButton(page).click()
  await expect(page.getByText('We are confirming your payment. Please do not pay again.').or(success(page)).first()).toBeVisible()
  await expect.poll(async () => success(page).count(), { timeout: 60_000 }).toBe(1)
  expect(await newEntries(page, before)).toHaveLength(1)
})

const openBulk = async (store: (page: Page) => Promise<void>): Promise<{ page: Page; numbers: string[] }> => {
  const page = await openInvoicePage()
  await deleteNexioMethods(page)
  await store(page)
  await openInvoiceList(page)
  const numbers = unusedNumbers.splice(0, 2)
  await selectAndPay(page, numbers)
  return { page, numbers }
}

test('[BP-01][BP-03][BP-04][BP-05][NAV-06] nexio: a stored card is declined, says why, and then pays, once; Back and reload show that', async () => {
  const { page, numbers } = await openBulk((one) => storeCard(one))
  await expect(page.getByText('New Payment Method')).toHaveCount(0)
  const before = await ledgerOf(page)
  await page.getByRole('radio', { name: /Visa •••• 1111/ }).check()
  const pay = payButton(page)
  await injectNexioFault(page, { operation: 'charge', kind: 'decline', booked: false })
  await pay.click()
  await expect(page.getByText('The payment was declined. Please use another payment method, or ask your bank.')).toBeVisible()
  await pay.dblclick()
  await expect(success(page)).toBeVisible()
  expect(await newEntries(page, before)).toMatchObject([{ status: 'succeeded', method: 'card' }])
  await page.goBack()
  for (const number of numbers) await expect(rowOf(page, number).getByText('Paid', { exact: true })).toBeVisible()
  await page.goForward()
  await expect(success(page)).toBeVisible()
  await page.reload()
  await expect(success(page)).toBeVisible()
  await expect(pay).toHaveCount(0)
  expect(await newEntries(page, before)).toHaveLength(1)
})

test('[BP-02][BP-05] nexio: a stored account pays as eCheck; the invoice is in collection until it is settled', async () => {
  const { page, numbers } = await openBulk(storeAccount)
  const before = await ledgerOf(page)
  await page.getByRole('radio', { name: /Bank account •••• 4321/ }).check()
  const [request] = await Promise.all([page.waitForRequest('**/v1/ec/payments/pay/bulk'), payButton(page).click()])
  expect(request.postDataJSON()).toMatchObject({ type: 'eCheck', paymentType: 8 })
  const [entry] = await newEntries(page, before)
  expect(entry).toMatchObject({ status: 'pending', method: 'echeck' })
  await openInvoiceList(page)
  await expect(rowOf(page, numbers[0] ?? '').getByText('Debit on its way', { exact: true })).toBeVisible()
  const settled = await page.request.post(`${testEnvironment().sandboxUrl}/settle`, {
    data: { provider: 'nexio', id: entry?.id, outcome: 'succeeded' },
  })
  expect(settled.status()).toBe(200)
  const readStatus = async () => (await fetchInvoice(page, numbers[0] ?? '')).invoiceStatus
  await expect.poll(readStatus, { timeout: 30_000 }).toBe(11)
})

test.each([
  ['Complete', 'Payment Successful', 1],
  ['Fail', 'Payment Failed', 0],
] as const)('[PR-01][PAY-01] nexio: 3-D Secure: %s leads back by our address to "%s"', async (choice, heading, count) => {
  const { page } = await openBulk((one) => storeCard(one, NEXIO_CARDS.authenticating))
  const before = await ledgerOf(page)
  await page.getByRole('radio', { name: /•••• 3220/ }).check()
  const [returned] = await Promise.all([
    page.waitForRequest('**/payment-return/*', { timeout: 60_000 }),
    (async () => {
      await payButton(page).click()
      await page.getByRole('button', { name: choice }).click()
    })(),
  ])
  expect(new URL(returned.url()).searchParams.get('orderNumber')).toMatch(/^[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  expect([...new URL(page.url()).searchParams.keys()]).toEqual(['payment_intent', 'payment_intent_client_secret', 'source_type', 'req_uid'])
  if (count > 0) expect(await newEntries(page, before)).toMatchObject([{ status: 'succeeded' }])
})
