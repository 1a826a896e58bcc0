import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { enter } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { collectPageErrors } from '../../support/page-errors.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { callApi } from '../../support/api.ts'
import { runCli } from '../../support/command-line.ts'
import { expectStatesAfterReload, fetchInvoice, openInvoiceList, rowOf, selectAndPay } from '../invoice-list.ts'
import { chooseNewCard } from '../pay-button.ts'
import { createPayer, type Payer } from '../payer.ts'
import { readLedger, waitForLedgerEntries } from '../sandbox-ledger.ts'
import {
  AUTHORIZE_CARDS,
  DECLINING_ZIP,
  injectAuthorizeFault,
  setPaymentOption,
  settleTransaction,
  storeAuthorizeAccount,
  storeAuthorizeCard,
  typeCard,
} from './authorize-methods.ts'

const { openPage } = usePages()

const PROCESSING_TEXT = 'We are confirming your payment. Please do not pay again.'
const DECLINED_TEXT = 'This transaction has been declined.'
const TYPED = { code: '739' }

/** Debits of more than 100.00 are declined by the sandbox. */
const DEBIT_AMOUNTS = ['50.00', '50.00', '50.00', '50.00']

/** With invoices enough that a test may take others when it is tried again, and few enough for one page. */
let payer: Payer
let unusedNumbers: string[] = []
let unusedDebitNumbers: string[] = []
beforeAll(async () => {
  payer = await createPayer(testEnvironment().dataDir, 24, 3004, DEBIT_AMOUNTS)
  unusedDebitNumbers = payer.numbers.slice(0, DEBIT_AMOUNTS.length)
  unusedNumbers = payer.numbers.slice(DEBIT_AMOUNTS.length)
})

const openInvoicePage = async (): Promise<Page> => {
  const page = await openPage()
  await enter(page, payer.username, payer.password, '/invoices')
  return page
}

/** The payer's list, with invoices that no other test uses. */
const openWithInvoices = async (count: number): Promise<{ page: Page; numbers: string[] }> => {
  const numbers = unusedNumbers.splice(0, count)
  return { page: await openInvoicePage(), numbers }
}

const openPayPage = async (page: Page, number: string): Promise<string> => {
  const { payToken } = await fetchInvoice(page, number)
  await page.goto(`/pay/${payToken}`)
  await chooseNewCard(page)
  await page.getByLabel('Name on card').fill('Ada Payer')
  return payToken ?? ''
}

const collectPayRequests = (page: Page, path: string): Record<string, unknown>[] => {
  const bodies: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(path)) bodies.push(request.postDataJSON())
  })
  return bodies
}

const payButton = (page: Page) => page.getByRole('button', { name: /^Pay/ })
const success = (page: Page) => page.getByRole('heading', { name: 'Payment Successful' })
const newEntries = (page: Page, before: Awaited<ReturnType<typeof readLedger>>, count = 1) =>
  waitForLedgerEntries(page, testEnvironment().sandboxUrl, before, count)

describe('a payment link', () => {
  test('[SP-01][SP-02][SP-03][SP-04] authorize: the card is typed on the page and sent as specified; another tab learns of the payment; Back and reload pay nothing', async () => {
    const { page, numbers } = await openWithInvoices(1)
    const [number = ''] = numbers
    const errors = await collectPageErrors(page)
    const uid = await openPayPage(page, number)
    const other = await page.context().newPage()
    await other.goto(`/pay/${uid}`)
    await expect(other.getByLabel('Card number')).toBeVisible()
    const bodies = collectPayRequests(page, '/v1/ec/pay')
    await expect(payButton(page)).toBeDisabled()
    await typeCard(page, TYPED)
    await page.getByLabel('Email for the receipt').fill('ada@payer.example')
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).dblclick()
    await expect(success(page)).toBeVisible()
    await expect(page.getByText(/^You paid \$110\.00 to /)).toBeVisible()
    await expect(page.getByText('Receipt will be delivered to ada@payer.example')).toBeVisible()
    expect(bodies).toEqual([
      {
        uid,
        invoiceAmount: '110.00',
        shownTotal: 110,
        invoiceNumber: number,
        cardNumber: AUTHORIZE_CARDS.visa,
        expirationDate: '2031-12',
        cardCode: '739',
        email: 'ada@payer.example',
        cardHolder: 'Ada Payer',
      },
    ])
    expect(await newEntries(page, before)).toMatchObject([{ amount: 11_000, currency: 'USD', status: 'succeeded' }])
    await expect(other.getByText('This invoice has already been paid', { exact: true })).toBeVisible()
    await page.goBack()
    await page.goForward()
    await page.reload()
    await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
    await expect(payButton(page)).toHaveCount(0)
    expect(errors).toEqual([])
  })

  test('[SP-04][PAY-01] authorize: a declined card says why, what was typed stays, and another one pays', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await injectAuthorizeFault(page, { operation: 'charge', kind: 'decline', booked: false })
    await typeCard(page, TYPED)
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Payment Failed' })
    await expect(alert).toContainText(DECLINED_TEXT)
    await expect(page.getByLabel('Card number')).toHaveValue('4111 1111 1111 1111')
    await expect(page.getByLabel('Name on card')).toHaveValue('Ada Payer')
    await typeCard(page, { number: AUTHORIZE_CARDS.mastercard, ...TYPED })
    await expect(alert).toHaveCount(0)
    await expect(payButton(page)).toBeEnabled()
    await payButton(page).click()
    await expect(success(page)).toBeVisible()
    expect(await newEntries(page, before)).toHaveLength(1)
  })

  test('[SP-04] authorize: a number or a date that cannot be right is told', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await typeCard(page, { expiry: '1020', ...TYPED })
    await expect(page.getByText('Please provide valid date')).toBeVisible()
    await expect(payButton(page)).toBeDisabled()
    await typeCard(page, { number: '4111111111111112', ...TYPED })
    await payButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'This is not the number of a card. Please check it.' })).toBeVisible()
  })

  test('[SP-04][PAY-01] authorize: an answer that is lost is being confirmed, is not paid again, and is found at Authorize.net', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await typeCard(page, TYPED)
    await injectAuthorizeFault(page, { operation: 'charge', kind: 'drop', booked: true })
    await injectAuthorizeFault(page, { operation: 'list', kind: 'error' })
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).click()
    await expect(page.getByText(PROCESSING_TEXT).or(page.getByText('already been paid'))).toBeVisible()
    await expect(payButton(page)).toHaveCount(0)
    await expect.poll(async () => (await fetchInvoice(page, numbers[0] ?? '')).paid, { timeout: 100_000, intervals: [2_000] }).toBe(true)
    await page.reload()
    await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
    expect(await newEntries(page, before)).toHaveLength(1)
  }, 120_000)

  test('[SP-05][PAY-01] authorize: two tabs at the same instant pay once', async () => {
    const { page, numbers } = await openWithInvoices(1)
    const uid = await openPayPage(page, numbers[0] ?? '')
    const other = await openPage()
    await other.goto(`/pay/${uid}`)
    await other.getByLabel('Name on card').fill('Ada Payer')
    for (const tab of [page, other]) await typeCard(tab, TYPED)
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await Promise.all([page, other].map((tab) => payButton(tab).click()))
    await expect.poll(async () => (await success(page).count()) + (await success(other).count())).toBe(1)
    expect(await newEntries(page, before)).toHaveLength(1)
  })

  test('[SP-01] authorize: axe finds nothing on the page, wide or narrow', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await findViolations(page)).toEqual([])
    }
  })
})

describe('where the billing address is asked for', () => {
  beforeAll(() => setPaymentOption('--billing-address', 'on'))
  afterAll(() => setPaymentOption('--billing-address', 'off'))

  test('[SP-02][SP-03][SP-04] authorize: it is needed, sent with the card, and decides at the bank', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await typeCard(page, TYPED)
    await expect(payButton(page)).toBeDisabled()
    const lines = { Address: '1 Quay Street', City: 'Fort Wayne', 'State or province': 'IN', 'Postcode or ZIP': DECLINING_ZIP }
    for (const [label, line] of Object.entries(lines)) await page.getByLabel(label, { exact: true }).fill(line)
    await page.getByLabel('Country').selectOption('US')
    const bodies = collectPayRequests(page, '/v1/ec/pay')
    await payButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: DECLINED_TEXT })).toBeVisible()
    await page.getByLabel('Postcode or ZIP').fill('46201')
    await expect(payButton(page)).toBeEnabled()
    await payButton(page).click()
    await expect(success(page)).toBeVisible()
    const address = { country: 'US', state: 'IN', city: 'Fort Wayne', address: '1 Quay Street', company: '' }
    expect(bodies.map(({ billingAddress }) => billingAddress)).toEqual([
      { ...address, zip: DECLINING_ZIP },
      { ...address, zip: '46201' },
    ])
  })
})

describe('several invoices', () => {
  test('[BP-01][BP-02][BP-03][BP-05] authorize: a stored card pays several invoices, once however often the button is pressed; Back and reload show that', async () => {
    const { page, numbers } = await openWithInvoices(2)
    await storeAuthorizeCard(page)
    await storeAuthorizeCard(page, AUTHORIZE_CARDS.mastercard)
    await openInvoiceList(page)
    await selectAndPay(page, numbers)
    const pay = payButton(page)
    await expect(pay).toBeEnabled()
    await expect(page.getByRole('button', { name: 'New Payment Method' })).toHaveCount(0)
    await page.getByRole('radio', { name: /•••• 0015/ }).check()
    const bodies = collectPayRequests(page, '/pay/bulk')
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await pay.dblclick()
    await expect(success(page)).toBeVisible()
    expect(bodies).toEqual([
      expect.objectContaining({ type: 'card', paymentType: 2, cardId: expect.any(String), sessionId: expect.any(String) }),
    ])
    expect(await newEntries(page, before)).toMatchObject([{ amount: 22_000, currency: 'USD' }])
    await page.goBack()
    for (const number of numbers) await expect(rowOf(page, number).getByText('Paid', { exact: true })).toBeVisible()
    await page.goForward()
    await expect(success(page)).toBeVisible()
    await page.reload()
    await expect(success(page)).toBeVisible()
    await expect(pay).toHaveCount(0)
  })

  test('[BP-04][PAY-01] authorize: a stored card that is declined says why, and it can be tried again', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await storeAuthorizeCard(page)
    await openInvoiceList(page)
    await selectAndPay(page, numbers)
    await injectAuthorizeFault(page, { operation: 'charge', kind: 'decline', booked: false })
    await page.getByRole('radio').first().check()
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).click()
    await expect(page.getByText(DECLINED_TEXT)).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('radio').first().check()
    await payButton(page).click()
    await expect(success(page)).toBeVisible()
    expect(await newEntries(page, before)).toHaveLength(1)
  })

  test('[BP-02] authorize: without a stored method there is no form, and the screen says where to add one', async () => {
    const another = await createPayer(testEnvironment().dataDir, 1, 3004)
    const page = await openPage()
    await enter(page, another.username, another.password, '/invoices')
    await openInvoiceList(page)
    await selectAndPay(page, another.numbers)
    await expect(
      page.getByText(
        'You cannot pay invoices because no default payment method is configured. To configure a payment method, go to Settings → Payment Methods',
      ),
    ).toBeVisible()
    await expect(page.getByLabel('Card number')).toHaveCount(0)
  })

  /** Pays an invoice with a bank account on the screen, and returns its transaction. */
  const payByAccount = async (page: Page, number: string): Promise<string> => {
    await openInvoiceList(page)
    await selectAndPay(page, [number])
    await page.getByRole('radio', { name: /First Bank •••• 6789/ }).check()
    const bodies = collectPayRequests(page, '/pay/bulk')
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).dblclick()
    await expect(page.getByText(PROCESSING_TEXT)).toBeVisible()
    expect(bodies).toEqual([expect.objectContaining({ type: 'eCheck', paymentType: 2 })])
    const [entry] = await newEntries(page, before)
    expect(entry).toMatchObject({ amount: 5_000, method: 'echeck', status: 'pending' })
    expect(await fetchInvoice(page, number)).toMatchObject({ invoiceStatus: 7, canPay: false })
    return entry?.id ?? ''
  }

  /** Asks Authorize.net what became of the newest payment of an invoice, as the worker does every day. */
  const lookUpNewest = async (page: Page, number: string): Promise<void> => {
    const { id } = await fetchInvoice(page, number)
    const { payments } = await callApi<{ payments: { id: string }[] }>(page, 'GET', `/v1/ec/invoices/${id}/payments`)
    await runCli(testEnvironment().dataDir, 'payments', 'look-up', payments[0]?.id ?? '')
  }

  test('[BP-02][BP-03][BP-05][PM-21] authorize: a bank account pays by eCheck; the invoice is in collection until it is settled, and open again when it is returned', async () => {
    const page = await openInvoicePage()
    await storeAuthorizeAccount(page)
    const number = unusedDebitNumbers.shift() ?? ''
    const id = await payByAccount(page, number)
    await settleTransaction(page, id, 'succeeded')
    await lookUpNewest(page, number)
    await expectStatesAfterReload(page, { [number]: 'Paid' })
    await settleTransaction(page, id, 'returned')
    await lookUpNewest(page, number)
    await expectStatesAfterReload(page, { [number]: 'Open' })
    expect(await fetchInvoice(page, number)).toMatchObject({ canPay: true, amountDue: 50 })
  })

  test('[BP-04][PM-21] authorize: a debit that fails opens its invoice again, and the screen says so after a reload', async () => {
    const page = await openInvoicePage()
    await storeAuthorizeAccount(page)
    const number = unusedDebitNumbers.shift() ?? ''
    const id = await payByAccount(page, number)
    await settleTransaction(page, id, 'failed')
    await lookUpNewest(page, number)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
    await expectStatesAfterReload(page, { [number]: 'Open' })
  })
})

describe('where the reseller takes no card numbers', () => {
  beforeAll(() => setPaymentOption('--raw-card', 'off'))
  afterAll(() => setPaymentOption('--raw-card', 'on'))

  test('[SP-02][SP-03][SP-04] authorize: Accept.js sends the card to Authorize.net, and its token pays; after a decline another token does', async () => {
    const { page, numbers } = await openWithInvoices(1)
    const uid = await openPayPage(page, numbers[0] ?? '')
    const bodies = collectPayRequests(page, '/v1/ec/pay')
    await typeCard(page, { number: '4111111111111112', ...TYPED })
    await payButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Your card number is invalid.' })).toBeVisible()
    expect(bodies).toEqual([])
    await typeCard(page, TYPED)
    await injectAuthorizeFault(page, { operation: 'charge', kind: 'decline', booked: false })
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: DECLINED_TEXT })).toBeVisible()
    await page.getByLabel('Name on card').fill('Ada King')
    await payButton(page).dblclick()
    await expect(success(page)).toBeVisible()
    const token = expect.stringMatching(/^COMMON\.ACCEPT\.INAPP\.PAYMENT\|\S+$/)
    expect(bodies).toMatchObject([
      { uid, cardToken: token },
      { uid, cardToken: token, cardHolder: 'Ada King' },
    ])
    expect(bodies[0]?.['cardToken']).not.toBe(bodies[1]?.['cardToken'])
    expect(JSON.stringify(bodies)).not.toContain(AUTHORIZE_CARDS.visa)
    expect(await newEntries(page, before)).toMatchObject([{ amount: 11_000, status: 'succeeded' }])
  })
})
