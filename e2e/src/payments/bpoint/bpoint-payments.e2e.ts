import type { Page } from 'playwright-core'
import { beforeAll, describe, test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { callApi } from '../../support/api.ts'
import { DESKTOP, enter, PHONE } from '../../support/browser.ts'
import { runCli } from '../../support/command-line.ts'
import { expect } from '../../support/expect.ts'
import { collectPageErrors } from '../../support/page-errors.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { expectStatesAfterReload, fetchInvoice, openInvoiceList, rowOf, selectAndPay } from '../invoice-list.ts'
import { createPayer, type Payer } from '../payer.ts'
import { readLedger, waitForLedgerEntries } from '../sandbox-ledger.ts'
import {
  BPOINT_CARDS,
  collectSent,
  DECLINING_CODE,
  injectBpointFault,
  settleDebit,
  storeBpointAccount,
  storeBpointCard,
  typeCard,
} from './bpoint-methods.ts'

const { openPage } = usePages()

const PROCESSING_TEXT = 'We are confirming your payment. Please do not pay again.'
const WRONG_CODE_TEXT = 'The security code of the card is not right. Please check it.'
const DECLINED_TEXT = 'The payment was declined. Please use another payment method, or ask your bank.'

/** With invoices enough that a test may take others when it is tried again, and few enough for one page. */
let payer: Payer
let unusedNumbers: string[] = []
beforeAll(async () => {
  payer = await createPayer(testEnvironment().dataDir, 24, 3009)
  unusedNumbers = [...payer.numbers]
})

/** The payer's list, with invoices that no other test uses. */
const openWithInvoices = async (count: number): Promise<{ page: Page; numbers: string[] }> => {
  const numbers = unusedNumbers.splice(0, count)
  const page = await openPage()
  await enter(page, payer.username, payer.password, '/invoices')
  return { page, numbers }
}

const openPayPage = async (page: Page, number: string): Promise<string> => {
  const { payToken } = await fetchInvoice(page, number)
  await page.goto(`/pay/${payToken}`)
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
  test('[SP-01][SP-02][SP-03][SP-04] type 10: the card goes straight to BPOINT, and its key pays; another tab learns of it; Back and reload pay nothing', async () => {
    const { page, numbers } = await openWithInvoices(1)
    const [number = ''] = numbers
    const errors = await collectPageErrors(page)
    const uid = await openPayPage(page, number)
    const other = await page.context().newPage()
    await other.goto(`/pay/${uid}`)
    await expect(other.getByLabel('Card number')).toBeVisible()
    const [bodies, sent] = [collectPayRequests(page, '/v1/ec/pay'), collectSent(page)]
    await expect(payButton(page)).toBeDisabled()
    await typeCard(page)
    // The name is required.
    await page.getByLabel('Name on card').fill('')
    await expect(payButton(page)).toBeDisabled()
    await page.getByLabel('Name on card').fill('Ada Payer')
    await page.getByLabel('Email for the receipt').fill('ada@payer.example')
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).dblclick()
    await expect(success(page)).toBeVisible()
    await expect(page.getByText(/^You paid A?\$110\.00 to /)).toBeVisible()
    expect(bodies).toEqual([
      {
        uid,
        invoiceAmount: '110.00',
        shownTotal: 110,
        invoiceNumber: number,
        cardToken: expect.stringMatching(/^[\w-]{8,}$/),
        email: 'ada@payer.example',
        cardHolder: 'Ada Payer',
      },
    ])
    expect(sent.text()).not.toContain(BPOINT_CARDS.visa)
    expect(await newEntries(page, before)).toMatchObject([{ amount: 11_000, currency: 'AUD', status: 'succeeded' }])
    await expect(other.getByText('This invoice has already been paid', { exact: true })).toBeVisible()
    await page.goBack()
    await page.goForward()
    await page.reload()
    await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
    await expect(payButton(page)).toHaveCount(0)
    expect(errors).toEqual([])
  })

  test('[SP-04][PAY-01] type 10: a declined card says why, what was typed stays, and another key of the same form pays', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    const bodies = collectPayRequests(page, '/v1/ec/pay')
    await typeCard(page, { code: DECLINING_CODE })
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Payment Failed' })
    await expect(alert).toContainText(WRONG_CODE_TEXT)
    await expect(page.getByLabel('Card number')).toHaveValue('4987 6543 2109 8769')
    await expect(page.getByLabel('Name on card')).toHaveValue('Ada Payer')
    await typeCard(page, { number: BPOINT_CARDS.mastercard })
    await expect(alert).toHaveCount(0)
    await expect(payButton(page)).toBeEnabled()
    await payButton(page).click()
    await expect(success(page)).toBeVisible()
    expect(await newEntries(page, before)).toHaveLength(1)
    expect(bodies[0]?.['cardToken']).not.toBe(bodies[1]?.['cardToken'])
  })

  test('[SP-04][PM-06] type 10: the first detail message of BPOINT is told, and nothing is submitted', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    const bodies = collectPayRequests(page, '/v1/ec/pay')
    await typeCard(page, { number: '4987654321098768' })
    await payButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Card number is invalid' })).toBeVisible()
    expect(bodies).toEqual([])
  })

  test('[SP-04][PM-06] type 10: where the script is missing, the form says that it was not sent and keeps what was typed', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await page.route('**/clientscripts/api.js', (route) => route.abort())
    await openPayPage(page, numbers[0] ?? '')
    await typeCard(page)
    await payButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'a script of our payment partner is blocked' })).toBeVisible()
    await expect(page.getByLabel('Card number')).toHaveValue('4987 6543 2109 8769')
  })

  test('[SP-04][PAY-01] type 10: an answer that is lost is being confirmed, is not paid again, and is found at BPOINT', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await typeCard(page)
    await injectBpointFault(page, { operation: 'charge', kind: 'drop', booked: true })
    await injectBpointFault(page, { operation: 'list', kind: 'error' })
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).click()
    await expect(page.getByText(PROCESSING_TEXT).or(page.getByText('already been paid'))).toBeVisible()
    await expect(payButton(page)).toHaveCount(0)
    await expect.poll(async () => (await fetchInvoice(page, numbers[0] ?? '')).paid, { timeout: 100_000, intervals: [2_000] }).toBe(true)
    await page.reload()
    await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
    expect(await newEntries(page, before)).toHaveLength(1)
  }, 120_000)

  test('[SP-05][PAY-01] type 10: two tabs at the same instant pay once', async () => {
    const { page, numbers } = await openWithInvoices(1)
    const uid = await openPayPage(page, numbers[0] ?? '')
    const other = await openPage()
    await other.goto(`/pay/${uid}`)
    await other.getByLabel('Name on card').fill('Ada Payer')
    for (const tab of [page, other]) await typeCard(tab)
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await Promise.all([page, other].map((tab) => payButton(tab).click()))
    await expect.poll(async () => (await success(page).count()) + (await success(other).count())).toBe(1)
    expect(await newEntries(page, before)).toHaveLength(1)
  })

  test('[SP-01] type 10: axe finds nothing on the page, wide or narrow', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await findViolations(page)).toEqual([])
    }
  })
})

describe('several invoices', () => {
  test('[BP-01][BP-02][BP-03] type 10: a stored card, shown by image and masked number, pays once however often the button is pressed; Back and reload show that', async () => {
    const { page, numbers } = await openWithInvoices(2)
    await storeBpointCard(page)
    await storeBpointCard(page, BPOINT_CARDS.mastercard)
    await openInvoiceList(page)
    await selectAndPay(page, numbers)
    const pay = payButton(page)
    await expect(pay).toBeEnabled()
    await expect(page.getByRole('button', { name: 'New Payment Method' })).toHaveCount(0)
    await expect(page.locator('label svg').first()).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('radio', { name: /Mastercard 512345\.\.\.346/ }).check()
    const bodies = collectPayRequests(page, '/pay/bulk')
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await pay.dblclick()
    await expect(success(page)).toBeVisible()
    expect(bodies).toEqual([expect.objectContaining({ type: 'card', paymentType: 10, sessionId: expect.any(String) })])
    expect(bodies[0]?.['cardToken']).toBe(bodies[0]?.['cardId'])
    expect(await newEntries(page, before)).toMatchObject([{ amount: 22_000, currency: 'AUD' }])
    await page.goBack()
    for (const number of numbers) await expect(rowOf(page, number).getByText('Paid', { exact: true })).toBeVisible()
    await page.goForward()
    await expect(success(page)).toBeVisible()
    await page.reload()
    await expect(success(page)).toBeVisible()
    await expect(pay).toHaveCount(0)
  })

  test('[BP-02][PM-100] type 10: the number of a stored card stands beside its brand, on a phone and on a desktop', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await storeBpointCard(page)
    await openInvoiceList(page)
    await selectAndPay(page, numbers)
    const card = page.locator('label').filter({ hasText: '498765...769' }).first()
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport)
      const [image, number] = await Promise.all([card.locator('svg').boundingBox(), card.getByText('498765...769').boundingBox()])
      expect(image).not.toBeNull()
      const gap = (number?.x ?? 0) - (image?.x ?? 0) - (image?.width ?? 0)
      expect([gap > 0, gap < 24], `${viewport.width} px: ${gap}`).toEqual([true, true])
    }
  })

  test('[BP-04][PAY-01] type 10: a stored card that is declined says why, and it can be tried again', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await storeBpointCard(page)
    await openInvoiceList(page)
    await selectAndPay(page, numbers)
    await injectBpointFault(page, { operation: 'charge', kind: 'decline', booked: false })
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

  test('[BP-02] type 10: without a stored method there is no form, and the screen says where to add one', async () => {
    const another = await createPayer(testEnvironment().dataDir, 1, 3009)
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
    await storeBpointAccount(page)
    await openInvoiceList(page)
    await selectAndPay(page, [number])
    await page
      .getByRole('radio', { name: /BSB 062000 •••• 5678/ })
      .first()
      .check()
    const bodies = collectPayRequests(page, '/pay/bulk')
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).dblclick()
    await expect(page.getByText(PROCESSING_TEXT)).toBeVisible()
    expect(bodies).toEqual([expect.objectContaining({ type: 'au_becs_debit', paymentType: 10 })])
    const [entry] = await newEntries(page, before)
    expect(entry).toMatchObject({ amount: 11_000, method: 'bank', status: 'pending' })
    expect(await fetchInvoice(page, number)).toMatchObject({ invoiceStatus: 7, canPay: false })
    return entry?.id ?? ''
  }

  /** Asks BPOINT what became of the newest payment of an invoice, as the worker does every day. */
  const lookUpNewest = async (page: Page, number: string): Promise<void> => {
    const { id } = await fetchInvoice(page, number)
    const { payments } = await callApi<{ payments: { id: string }[] }>(page, 'GET', `/v1/ec/invoices/${id}/payments`)
    await runCli(testEnvironment().dataDir, 'payments', 'look-up', payments[0]?.id ?? '')
  }

  test('[BP-02][BP-03][BP-05][PM-101] type 10: a bank account pays by direct debit; the invoice is in collection until it is settled, and open again when it is returned', async () => {
    const { page, numbers } = await openWithInvoices(1)
    const [number = ''] = numbers
    const id = await payByAccount(page, number)
    await settleDebit(page, id, 'succeeded')
    await lookUpNewest(page, number)
    await expectStatesAfterReload(page, { [number]: 'Paid' })
    await settleDebit(page, id, 'returned')
    await lookUpNewest(page, number)
    await expectStatesAfterReload(page, { [number]: 'Open' })
    expect(await fetchInvoice(page, number)).toMatchObject({ canPay: true, amountDue: 110 })
  })

  test('[BP-04][PM-101] type 10: a debit that fails opens its invoice again, and the screen says so after a reload', async () => {
    const { page, numbers } = await openWithInvoices(1)
    const [number = ''] = numbers
    const id = await payByAccount(page, number)
    await settleDebit(page, id, 'failed')
    await lookUpNewest(page, number)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
    await expectStatesAfterReload(page, { [number]: 'Open' })
  })
})
