import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { enter } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { collectPageErrors } from '../../support/page-errors.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { fetchInvoice, openInvoiceList, rowOf, selectAndPay } from '../invoice-list.ts'
import { chooseNewCard } from '../pay-button.ts'
import { createPayer, type Payer } from '../payer.ts'
import { readLedger, waitForLedgerEntries } from '../sandbox-ledger.ts'
import {
  hostedFields,
  injectMonerisFault,
  MONERIS_CARDS,
  setPaymentOption,
  storeMonerisCard,
  typeCard,
  typeHostedCard,
} from './moneris-cards.ts'

const { openPage } = usePages()

const PROCESSING_TEXT = 'We are confirming your payment. Please do not pay again.'

/** Amounts that Moneris' simulator declines, with what the payer is told. */
const DECLINES = [
  ['1.05', 'Your card was declined.'],
  ['1.54', 'Your card has expired, or its expiry date is incorrect.'],
  ['1.20', 'The security code of your card is incorrect.'],
  ['1.68', 'Your bank could not be reached. Please try again later.'],
  ['55.00', 'Your card was declined.'],
  ['125.00', 'Your card has expired, or its expiry date is incorrect.'],
] as const

/** With invoices enough that a test may take others when it is tried again. */
let payer: Payer
let unusedNumbers: string[] = []
beforeAll(async () => {
  payer = await createPayer(
    testEnvironment().dataDir,
    36,
    3006,
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
  await chooseNewCard(page)
  await page.getByLabel('Name on card').fill('Élise Tremblay')
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
  test('[SP-01][SP-02][SP-03][SP-04] moneris: the card is typed on the page and sent as specified; another tab learns of the payment; Back and reload pay nothing', async () => {
    const { page, numbers } = await openWithInvoices(1)
    const [number = ''] = numbers
    const errors = await collectPageErrors(page)
    const uid = await openPayPage(page, number)
    const other = await page.context().newPage()
    await other.goto(`/pay/${uid}`)
    await expect(other.getByLabel('Card number')).toBeVisible()
    const bodies = collectPayRequests(page, '/v1/ec/pay')
    await expect(payButton(page)).toBeDisabled()
    await typeCard(page)
    await page.getByLabel('Email for the receipt').fill('elise@maple.example')
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).dblclick()
    await expect(success(page)).toBeVisible()
    await expect(page.getByText(/^You paid CA\$110\.00 to /)).toBeVisible()
    await expect(page.getByText('Receipt will be delivered to elise@maple.example')).toBeVisible()
    expect(bodies).toEqual([
      {
        uid,
        invoiceAmount: '110.00',
        shownTotal: 110,
        invoiceNumber: number,
        cardNumber: MONERIS_CARDS.visa,
        expirationDate: '2031-12',
        cardCode: '739',
        email: 'elise@maple.example',
        cardHolder: 'Élise Tremblay',
      },
    ])
    expect(await newEntries(page, before)).toMatchObject([{ amount: 11_000, currency: 'CAD', status: 'succeeded' }])
    await expect(other.getByText('This invoice has already been paid', { exact: true })).toBeVisible()
    await page.goBack()
    await page.goForward()
    await page.reload()
    await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
    await expect(payButton(page)).toHaveCount(0)
    expect(errors).toEqual([])
  })

  test.each(DECLINES)('[SP-02][SP-04] moneris: %s is declined: %s What was typed stays', async (amount, text) => {
    const page = await openInvoicePage()
    const number = payer.numbers[DECLINES.findIndex(([one]) => one === amount)] ?? ''
    await openPayPage(page, number)
    await typeCard(page)
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Payment Failed' })
    await expect(alert).toContainText(text)
    await expect(page.getByLabel('Name on card')).toHaveValue('Élise Tremblay')
    await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')
    await page.getByLabel('Card number').fill(MONERIS_CARDS.amex)
    await expect(alert).toHaveCount(0)
    expect((await readLedger(page, testEnvironment().sandboxUrl)).length).toBe(before.length)
  })

  test('[SP-04][PAY-01] moneris: after a declined card another one pays, by the same page', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await injectMonerisFault(page, { operation: 'charge', kind: 'decline', booked: false })
    await typeCard(page)
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible()
    await typeCard(page, { number: MONERIS_CARDS.mastercard })
    await expect(payButton(page)).toBeEnabled()
    await payButton(page).click()
    await expect(success(page)).toBeVisible()
    expect(await newEntries(page, before)).toHaveLength(1)
  })

  test('[SP-04][PAY-01] moneris: an answer that is lost is being confirmed, is not paid again, and is found at Moneris', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await typeCard(page)
    await injectMonerisFault(page, { operation: 'charge', kind: 'drop', booked: true })
    await injectMonerisFault(page, { operation: 'lookup', kind: 'error' })
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).click()
    await expect(page.getByText(PROCESSING_TEXT).or(page.getByText('already been paid'))).toBeVisible()
    await expect(payButton(page)).toHaveCount(0)
    await expect.poll(async () => (await fetchInvoice(page, numbers[0] ?? '')).paid, { timeout: 100_000, intervals: [2_000] }).toBe(true)
    await page.reload()
    await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
    expect(await newEntries(page, before)).toHaveLength(1)
  }, 120_000)

  test('[SP-05][PAY-01] moneris: two tabs at the same instant pay once', async () => {
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

  test('[GRID-03][SP-01] moneris: the page is filled in by keyboard alone, and axe finds nothing, wide or narrow', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await page.getByLabel('Name on card').focus()
    for (const typed of [MONERIS_CARDS.visa, '1231', '739']) {
      await page.keyboard.press('Tab')
      await page.keyboard.type(typed)
    }
    await expect(payButton(page)).toBeEnabled()
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await findViolations(page)).toEqual([])
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
    await page.getByLabel('Security code').focus()
    await page.keyboard.press('Enter')
    await expect(success(page)).toBeVisible()
  })
})

describe('where the billing address is asked for', () => {
  beforeAll(() => setPaymentOption('--billing-address', 'on'))
  afterAll(() => setPaymentOption('--billing-address', 'off'))

  test('[SP-02][SP-03] moneris: it is needed, and sent with the card', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await openPayPage(page, numbers[0] ?? '')
    await typeCard(page)
    await expect(payButton(page)).toBeDisabled()
    const lines = { Address: '18 Marina Walk', City: 'Victoria', 'State or province': 'BC', 'Postcode or ZIP': 'V8V 0A0' }
    for (const [label, line] of Object.entries(lines)) await page.getByLabel(label, { exact: true }).fill(line)
    await page.getByLabel('Country').selectOption('CA')
    const bodies = collectPayRequests(page, '/v1/ec/pay')
    await payButton(page).click()
    await expect(success(page)).toBeVisible()
    const billingAddress = { country: 'CA', state: 'BC', city: 'Victoria', address: '18 Marina Walk', zip: 'V8V 0A0', company: '' }
    expect(bodies).toEqual([expect.objectContaining({ cardNumber: MONERIS_CARDS.visa, billingAddress })])
  })
})

describe('several invoices', () => {
  test('[BP-01][BP-02][BP-03][BP-05] moneris: a stored card pays several invoices, once however often the button is pressed; Back and reload show that', async () => {
    const { page, numbers } = await openWithInvoices(2)
    await storeMonerisCard(page)
    await storeMonerisCard(page, MONERIS_CARDS.mastercard)
    await openInvoiceList(page)
    await selectAndPay(page, numbers)
    const pay = payButton(page)
    await expect(pay).toBeEnabled()
    await expect(page.getByRole('button', { name: 'New Payment Method' })).toHaveCount(0)
    await page.getByRole('radio', { name: /•••• 5454/ }).check()
    const bodies = collectPayRequests(page, '/pay/bulk')
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await pay.dblclick()
    await expect(success(page)).toBeVisible()
    expect(bodies).toEqual([
      expect.objectContaining({ type: 'card', paymentType: 5, cardId: expect.any(String), sessionId: expect.any(String) }),
    ])
    expect(await newEntries(page, before)).toMatchObject([{ amount: 22_000, currency: 'CAD' }])
    await page.goBack()
    for (const number of numbers) await expect(rowOf(page, number).getByText('Paid', { exact: true })).toBeVisible()
    await page.goForward()
    await expect(success(page)).toBeVisible()
    await page.reload()
    await expect(success(page)).toBeVisible()
    await expect(pay).toHaveCount(0)
  })

  test('[BP-04][PAY-01] moneris: a stored card that is declined says why, and another one pays', async () => {
    const { page, numbers } = await openWithInvoices(1)
    await storeMonerisCard(page)
    await openInvoiceList(page)
    await selectAndPay(page, numbers)
    await injectMonerisFault(page, { operation: 'charge', kind: 'decline', booked: false })
    await page.getByRole('radio').first().check()
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).click()
    await expect(page.getByText('Your card was declined.')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('radio').last().check()
    await payButton(page).click()
    await expect(success(page)).toBeVisible()
    expect(await newEntries(page, before)).toHaveLength(1)
  })

  test('[BP-02] moneris: without a stored card there is no form, and the screen says where to add one', async () => {
    const another = await createPayer(testEnvironment().dataDir, 1, 3006)
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
})

describe('where the reseller takes no card numbers', () => {
  beforeAll(() => setPaymentOption('--raw-card', 'off'))
  afterAll(() => setPaymentOption('--raw-card', 'on'))

  /** The whole form is in view: where the page had to scroll to the button, its click sometimes never reached the page. */
  const openTallPage = async (): Promise<{ page: Page; numbers: string[] }> => {
    const opened = await openWithInvoices(1)
    await opened.page.setViewportSize({ width: 1440, height: 1600 })
    return opened
  }

  test('[SP-02][SP-03][SP-04] moneris: the card is entered in Moneris’ own fields, and its token pays', async () => {
    const { page, numbers } = await openTallPage()
    const errors = await collectPageErrors(page)
    const uid = await openPayPage(page, numbers[0] ?? '')
    const bodies = collectPayRequests(page, '/v1/ec/pay')
    await typeHostedCard(page, { expiry: '0120' })
    // What is typed beside the frame does not load it anew.
    await page.getByLabel('Name on card').fill('Ada Payer')
    await page.getByLabel('Email for the receipt').fill('ada@payer.example')
    await payButton(page).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Payment Failed' })
    await expect(alert).toContainText("Your card's expiry date is invalid.")
    await hostedFields(page).getByLabel('Expiry date (MMYY)').fill('1231')
    await expect(alert).toHaveCount(0)
    await expect(hostedFields(page).getByLabel('Card number')).toHaveValue(MONERIS_CARDS.visa)
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).dblclick()
    await expect(success(page)).toBeVisible()
    expect(bodies).toEqual([expect.objectContaining({ uid, cardToken: expect.stringMatching(/^ot-/), cardHolder: 'Ada Payer' })])
    expect(JSON.stringify(bodies)).not.toContain(MONERIS_CARDS.visa)
    expect(await newEntries(page, before)).toMatchObject([{ amount: 11_000, status: 'succeeded' }])
    expect(errors).toEqual([])
  })

  test('[SP-04][PAY-01] moneris: after a decline the same fields make another token, which pays', async () => {
    const { page, numbers } = await openTallPage()
    await openPayPage(page, numbers[0] ?? '')
    await typeHostedCard(page)
    await injectMonerisFault(page, { operation: 'charge', kind: 'decline', booked: false })
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await payButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible()
    await page.getByLabel('Name on card').fill('Ada Payer')
    await payButton(page).click()
    await expect(success(page)).toBeVisible()
    expect(await newEntries(page, before)).toHaveLength(1)
  })

  test('[SP-03][PAY-01] moneris: what another page says while a token is made is no token', async () => {
    const { page, numbers } = await openTallPage()
    await openPayPage(page, numbers[0] ?? '')
    await typeHostedCard(page)
    await injectMonerisFault(page, { operation: 'tokenise', kind: 'slow', ms: 1_000 })
    const bodies = collectPayRequests(page, '/v1/ec/pay')
    await payButton(page).click()
    await page.evaluate(() => postMessage(JSON.stringify({ responseCode: ['001'], dataKey: 'ot-forged' }), '*'))
    await expect(success(page)).toBeVisible()
    expect(bodies).toEqual([expect.objectContaining({ cardToken: expect.not.stringContaining('forged') })])
  })
})
