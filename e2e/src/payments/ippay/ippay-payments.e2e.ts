import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { enter } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { failRequests } from '../../support/failing-requests.ts'
import { collectPageErrors } from '../../support/page-errors.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { fetchInvoice, openInvoiceList, rowOf, selectAndPay } from '../invoice-list.ts'
import { createPayer, type Payer } from '../payer.ts'
import { readLedger, waitForLedgerEntries } from '../sandbox-ledger.ts'
import { frameButton, hostedPage, injectIPpayFault, IPPAY_CARDS, setPaymentOption, storeByFrame, typeCard } from './ippay-frame.ts'
import { payButton } from '../pay-button.ts'

const { openPage } = usePages()

const PROCESSING_TEXT = 'We are confirming your payment. Please do not pay again.'

/** Amounts that the simulator declines, with what the payer is told. */
const DECLINES = [
  ['110.05', 'Your card was declined.'],
  ['110.51', 'Your card has insufficient funds.'],
  ['110.54', 'Your card has expired, or its expiry date is incorrect.'],
] as const

/** With invoices enough that a test may take others when it is tried again. */
let payer: Payer
let unusedNumbers: string[] = []
beforeAll(async () => {
  payer = await createPayer(
    testEnvironment().dataDir,
    30,
    3005,
    DECLINES.map(([amount]) => amount),
  )
  unusedNumbers = payer.numbers.slice(DECLINES.length)
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
  await expect(hostedPage(page).getByLabel('Card number')).toBeVisible()
  return payToken ?? ''
}

const success = (page: Page) => page.getByRole('heading', { name: 'Payment Successful' })
const newEntries = (page: Page, before: Awaited<ReturnType<typeof readLedger>>, count = 1) =>
  waitForLedgerEntries(page, testEnvironment().sandboxUrl, before, count)

describe('a payment link', () => {
  test('[SP-01][SP-02][SP-03][SP-04] type 4: the card is entered in the frame; another tab learns of the payment; Back and reload pay nothing', async () => {
    const { page, numbers } = await openWithInvoices(1)
    const errors = await collectPageErrors(page)
    const uid = await openPayPage(page, numbers[0] ?? '')
    const other = await page.context().newPage()
    await other.goto(`/pay/${uid}`)
    await expect(hostedPage(other).getByLabel('Card number')).toBeVisible()
    await typeCard(page)
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await hostedPage(page).getByLabel('Email for the receipt').fill('caleb@payer.example')
    await frameButton(page, 'Pay $110.00').dblclick()
    await expect(success(page)).toBeVisible()
    await expect(page.getByText(/^You paid \$110\.00 to /)).toBeVisible()
    await expect(page.getByText('Receipt will be delivered to caleb@payer.example', { exact: true })).toBeVisible()
    expect(await newEntries(page, before)).toMatchObject([{ provider: 'ippay', amount: 11_000, currency: 'USD', status: 'succeeded' }])
    await expect(other.getByText('This invoice has already been paid', { exact: true })).toBeVisible()
    await page.goBack()
    await page.goForward()
    await page.reload()
    await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(0)
    expect((await readLedger(page, testEnvironment().sandboxUrl)).length).toBe(before.length + 1)
    expect(errors).toEqual([])
  })

  test.each(DECLINES)('[SP-02][SP-04] type 4: %s is declined: %s The frame can be used again', async (amount, text) => {
    const page = await openInvoicePage()
    await openPayPage(page, payer.numbers[DECLINES.findIndex(([one]) => one === amount)] ?? '')
    await typeCard(page)
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await frameButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Payment Failed' })).toContainText(text)
    await expect(hostedPage(page).getByLabel('Card number')).toHaveValue('')
    expect((await readLedger(page, testEnvironment().sandboxUrl)).length).toBe(before.length)
  })

  test('[SP-04][PAY-01] type 4: after a declined card another one pays, by the same page', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await injectIPpayFault(page, { operation: 'charge', kind: 'decline', booked: false })
    await typeCard(page)
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await frameButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Payment Failed' })).toHaveText(
      'Payment FailedYour card was declined. Nothing was charged. Try another card.',
    )
    // What the page itself declines next is told in its place.
    await expect(hostedPage(page).getByLabel('Card number')).toHaveValue('')
    await typeCard(page, { number: IPPAY_CARDS.declined })
    await frameButton(page).click()
    const alerts = page.getByRole('alert').filter({ hasText: /\S/ })
    await expect(alerts).toHaveText('DECLINED (005). Nothing was charged. Try another card.')
    await expect(hostedPage(page).getByLabel('Card number')).toHaveValue('')
    await typeCard(page, { number: IPPAY_CARDS.mastercard })
    await frameButton(page).click()
    await expect(success(page)).toBeVisible()
    expect(await newEntries(page, before)).toHaveLength(1)
  })

  test('[SP-02][PAY-01] type 4: a frame that is left or declined at its own page claims nothing', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await typeCard(page)
    await page.reload()
    await expect(hostedPage(page).getByLabel('Card number')).toHaveValue('')
    await typeCard(page, { number: IPPAY_CARDS.declined })
    await frameButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'DECLINED (005)' })).toBeVisible()
    expect((await fetchInvoice(page, numbers[0] ?? '')).canPay).toBe(true)
  })

  test('[SP-04][PAY-01] type 4: an answer that is lost is being confirmed, is not paid again, and is found at IPpay', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await typeCard(page)
    await injectIPpayFault(page, { operation: 'charge', kind: 'drop', booked: true })
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await frameButton(page).click()
    await expect(page.getByText(PROCESSING_TEXT).or(page.getByText('already been paid')).or(success(page)).first()).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(0)
    await expect.poll(async () => (await fetchInvoice(page, numbers[0] ?? '')).paid, { timeout: 100_000, intervals: [2_000] }).toBe(true)
    await page.reload()
    await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
    expect(await newEntries(page, before)).toHaveLength(1)
  }, 120_000)

  test('[SP-05][PAY-01] type 4: two tabs at the same instant pay once', async () => {
    const { page, numbers } = await openWithInvoices(1)
    const uid = await openPayPage(page, numbers[0] ?? '')
    const other = await openPage()
    await other.goto(`/pay/${uid}`)
    for (const tab of [page, other]) await typeCard(tab)
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await Promise.all([page, other].map((tab) => frameButton(tab).click()))
    await expect.poll(async () => (await success(page).count()) + (await success(other).count())).toBeGreaterThanOrEqual(1)
    expect(await newEntries(page, before)).toHaveLength(1)
  })

  test('[SP-01] type 4: the frame is as high as its page, also when its page grows', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    const heightOf = (part: Locator): Promise<number> => part.evaluate((element) => element.clientHeight)
    const frame = page.locator('iframe')
    const unused = async (): Promise<number> => (await heightOf(frame)) - (await heightOf(hostedPage(page).locator('body')))
    await expect.poll(unused).toBe(24)
    const before = await heightOf(frame)
    await frameButton(page).click()
    await expect(hostedPage(page).getByRole('alert').first()).toBeVisible()
    await expect.poll(unused).toBe(24)
    expect(await heightOf(frame)).toBeGreaterThan(before)
  })

  test('[GRID-03][SP-01] type 4: the page is filled in by keyboard alone, and axe finds nothing, wide or narrow', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await findViolations(page)).toEqual([])
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
    await hostedPage(page).getByLabel('Cardholder').focus()
    await page.keyboard.type('Caleb Norris')
    for (const typed of [IPPAY_CARDS.visa, '1231', '123']) {
      await page.keyboard.press('Tab')
      await page.keyboard.type(typed)
    }
    await page.keyboard.press('Enter')
    await expect(success(page)).toBeVisible()
  })
})

describe('where the billing address is asked for', () => {
  beforeAll(() => setPaymentOption('--billing-address', 'on'))
  afterAll(() => setPaymentOption('--billing-address', 'off'))

  test('[SP-02][BP-03] type 4: the frame asks for the card holder and the address, which are needed, and pays with them', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await typeCard(page, { holder: '' })
    await frameButton(page).click()
    const alerts = hostedPage(page).getByRole('alert')
    await expect(alerts.first()).toHaveText('Cardholder is missing.')
    await expect(alerts).toHaveCount(6)
    const lines = { Address: '12 Grain Street', City: 'Omaha', State: 'NE', Zip: '68102', Country: 'US' }
    for (const [label, line] of Object.entries(lines)) await hostedPage(page).getByLabel(label, { exact: true }).fill(line)
    await typeCard(page)
    await frameButton(page).click()
    await expect(success(page)).toBeVisible()
  })
})

describe('several invoices', () => {
  test('[BP-01][BP-02][BP-03][BP-05] type 4: a stored card pays several invoices, once however often the button is pressed', async () => {
    const { page, numbers } = await openWithInvoices(2)
    await storeByFrame(page)
    await storeByFrame(page, IPPAY_CARDS.mastercard)
    await openInvoiceList(page)
    await selectAndPay(page, numbers)
    const pay = payButton(page)
    await expect(pay).toBeEnabled()
    await expect(page.getByRole('button', { name: 'New Payment Method' })).toBeVisible()
    await page.getByRole('radio', { name: /•••• 5454/ }).check()
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await pay.dblclick()
    await expect(success(page)).toBeVisible()
    expect(await newEntries(page, before)).toMatchObject([{ amount: 22_000, currency: 'USD' }])
    await page.goBack()
    for (const number of numbers) await expect(rowOf(page, number).getByText('Paid', { exact: true })).toBeVisible()
    await page.goForward()
    await expect(success(page)).toBeVisible()
    await page.reload()
    await expect(success(page)).toBeVisible()
  })

  test('[BP-02][BP-03][BP-04] type 4: a new card pays in the frame; a decline is told, and another card pays; Back and reload pay nothing', async () => {
    const { page, numbers } = await openWithInvoices(2)
    const errors = await collectPageErrors(page)
    await storeByFrame(page)
    await openInvoiceList(page)
    await selectAndPay(page, numbers)
    await page.getByRole('button', { name: 'New Payment Method' }).click()
    await expect(hostedPage(page).getByLabel('Card number')).toBeVisible()
    await page.getByRole('button', { name: 'Use a saved method' }).click()
    await page.getByRole('button', { name: 'New Payment Method' }).click()
    await injectIPpayFault(page, { operation: 'charge', kind: 'decline', booked: false })
    await typeCard(page)
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await frameButton(page, 'Pay $220.00').click()
    await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible()
    await expect(hostedPage(page).getByLabel('Card number')).toHaveValue('')
    await typeCard(page, { number: IPPAY_CARDS.mastercard })
    await frameButton(page).dblclick()
    await expect(success(page)).toBeVisible()
    expect(await newEntries(page, before)).toMatchObject([{ amount: 22_000 }])
    await page.goBack()
    await page.goForward()
    await page.reload()
    await expect(success(page)).toBeVisible()
    expect((await readLedger(page, testEnvironment().sandboxUrl)).length).toBe(before.length + 1)
    expect(errors).toEqual([])
  })

  test('[BP-02][BP-04] type 4: without a stored method Continue opens the frame; a frame that cannot be loaded is an error screen', async () => {
    const another = await createPayer(testEnvironment().dataDir, 1, 3005)
    const page = await openPage()
    await enter(page, another.username, another.password, '/invoices')
    await openInvoiceList(page)
    await selectAndPay(page, another.numbers)
    const stopFailing = await failRequests(page, '**/v1/ec/ippay/pay/bulk-template/*', (route) =>
      route.fulfill({ status: 500, body: '{}' }),
    )
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
    await expect(page.getByText('Oops, something went wrong')).toBeVisible()
    stopFailing()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await findViolations(page)).toEqual([])
    await typeCard(page)
    await frameButton(page).click()
    await expect(success(page)).toBeVisible()
  })

  test('[BP-03][BP-05][PAY-01] type 4: a stored account pays as eCheck and is on its way until it is settled', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await storeByFrame(page, '22222777', 'ACH')
    await openInvoiceList(page)
    await selectAndPay(page, numbers)
    const bodies: Record<string, unknown>[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/pay/bulk')) bodies.push(request.postDataJSON())
    })
    await page.getByRole('radio', { name: /Bank account •••• 2777/ }).check()
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).click()
    await expect(page.getByRole('heading', { name: 'Payment processing' })).toBeVisible()
    expect(bodies).toEqual([expect.objectContaining({ type: 'eCheck', paymentType: 4, cardId: expect.any(String) })])
    expect(await newEntries(page, before)).toMatchObject([{ amount: 11_000, status: 'pending' }])
  })
})
