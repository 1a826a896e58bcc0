import type { Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { PHONE } from '../support/browser.ts'
import { cutLineAt } from '../support/cut-line.ts'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { fetchInvoice, openInvoiceList, selectAndPay } from './invoice-list.ts'
import { payButton } from './pay-button.ts'
import { storeCard } from './payable-invoices.ts'
import { createPayer, type Payer } from './payer.ts'
import { fill } from './providers/forms.ts'
import { frameButton, frameCard, hostedPage } from './providers/ippay.driver.ts'
import { type LedgerEntry, readLedger, waitForLedgerEntries } from './sandbox-ledger.ts'
import { fillCard, TEST_CARDS } from './stripe-elements.ts'

const { signInAs } = usePages()

const UNANSWERED_TEXT = 'We could not reach the server. Your payment may have gone through. We are checking. Please do not pay again.'
const NOT_PAID_TEXT = 'The payment was not made. Nothing was charged. You can pay now.'
const ASK_INTERVAL_MS = 5_000

const PAY = { link: '**/v1/ec/pay', stored: '**/stored-method', bulk: '**/v1/ec/payments/pay/bulk', frame: '**/payment-return/**' } as const

/** Payers of a reseller with card fields, and of one whose cards are entered in the provider's frame. */
let payers: Record<'fields' | 'frame', Payer>
const unusedNumbers: Record<'fields' | 'frame', string[]> = { fields: [], frame: [] }
beforeAll(async () => {
  payers = { fields: await createPayer(testEnvironment().dataDir, 10), frame: await createPayer(testEnvironment().dataDir, 3, 3005) }
  for (const kind of ['fields', 'frame'] as const) unusedNumbers[kind] = [...payers[kind].numbers]
})

test('[PAY-01][SP-04] a link: paid, but no answer comes, nor to the look-up: nothing says that it failed; it cannot be pressed again, and ends as paid, once, when the line is back', async () => {
  const { page, number } = await openPayPage((own) => own.clock.install())
  await fillPayPage(page, TEST_CARDS.good)
  const announced = await recordAnnouncements(page)
  const before = await ledger(page)
  const line = await cutLineAt(page, PAY.link)
  await payButton(page).click()
  await expectUnanswered(page)
  await expect(page.getByRole('button', { name: 'Checking…' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Checking…' })).toBeFocused()
  for (let asked = 0; asked < 3; asked += 1) {
    const request = page.waitForRequest('**/v1/ec/payment/details/*')
    await page.clock.fastForward(ASK_INTERVAL_MS)
    await request
  }
  await expectUnanswered(page)
  expect(await findViolations(page, { exclude: 'iframe' })).toEqual([])
  await page.setViewportSize(PHONE)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  expect((await announced()).filter((text) => text.includes(UNANSWERED_TEXT))).toHaveLength(1)
  await line.mend()
  await expect(page.getByText('This invoice has already been paid', { exact: true })).toBeVisible()
  expect(line.sent()).toBe(1)
  expect(await newEntries(page, before)).toHaveLength(1)
  expect(await fetchInvoice(page, number)).toMatchObject({ paid: true })
})

test('[PAY-01][SP-03][BP-03] the provider’s frame of a link and of several invoices: its answer is lost, the words stand over it, nothing else can be pressed, and it ends as paid, once', async () => {
  for (const open of [() => openFrameOfLink(), () => openFrameOfBulk()]) {
    const page = await open()
    await fill(hostedPage(page), frameCard())
    const framesPage = page.waitForRequest(PAY.frame)
    await payAndExpectPaidOnce(page, PAY.frame, async () => {
      await frameButton(page).click()
      await framesPage
      await expect(page.getByRole('button', { name: 'Use a saved method' })).toHaveCount(0)
      await page.clock.runFor(2 * ASK_INTERVAL_MS)
    })
    await page.close()
  }
})

test('[PAY-01][SP-04] a declined card whose answer is lost: the words, then Payment Failed with its reason; what never reached the server is not taken for that failure: it can be paid again at once, with what was typed, and is paid once', async () => {
  const { page } = await openPayPage((own) => own.clock.install())
  await fillPayPage(page, TEST_CARDS.insufficient)
  const lost = await cutLineAt(page, PAY.link)
  await payButton(page).click()
  await expectUnanswered(page)
  await lost.mend()
  await expect(page.getByRole('alert').filter({ hasText: 'Payment Failed' })).toContainText('Your card has insufficient funds.')
  await expect(page.getByText(UNANSWERED_TEXT)).toHaveCount(0)
  await expect(page.getByLabel('Name on card')).toHaveValue('Ada Payer')

  await fillCard(page, TEST_CARDS.good)
  await expect(payButton(page)).toBeEnabled()
  const before = await ledger(page)
  const line = await cutLineAt(page, PAY.link, false)
  await payButton(page).click()
  await expectUnanswered(page)
  await page.clock.fastForward(ASK_INTERVAL_MS)
  await line.mend()
  await expect(page.getByText(NOT_PAID_TEXT, { exact: true })).toBeVisible()
  await expect(page.getByText('Payment Failed')).toHaveCount(0)
  await expect(page.getByLabel('Name on card')).toHaveValue('Ada Payer')
  expect(await newEntries(page, before, 0)).toEqual([])
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(await newEntries(page, before)).toHaveLength(1)
})

test('[PAY-01][BP-04] several invoices: the answer to a declined card is lost, which ends as failed; a proxy’s 502 and a page that is no answer are no failure, and end as paid', async () => {
  const page = await openBulkForm('fields', 2)
  await page.getByRole('button', { name: 'New Payment Method' }).click()
  await fillPayPage(page, TEST_CARDS.declined)
  const line = await cutLineAt(page, PAY.bulk)
  await payButton(page).click()
  await expectUnanswered(page)
  await line.mend()
  await expect(page.getByRole('alert').filter({ hasText: 'Payment Failed' })).toContainText('Your card was declined.')
  await expect(page.getByLabel('Name on card')).toHaveValue('Ada Payer')

  await page.getByRole('button', { name: 'Use a saved method' }).click()
  await page.getByRole('radio').first().check()
  const badGateway = { status: 502, contentType: 'text/html', body: '<html>Bad gateway</html>' }
  const otherNetwork = { status: 200, contentType: 'text/html', body: '<html>Please sign in to this network</html>' }
  const stopFailing = await failRequests(page, '**/v1/ec/payments/intents/*', (route) => route.fulfill(otherNetwork))
  await page.route(PAY.bulk, async (route) => {
    await route.fetch()
    await route.fulfill(badGateway)
  })
  await payButton(page).click()
  await expectUnanswered(page)
  await Promise.all([page.waitForResponse('**/v1/ec/payments/intents/*'), comeOnline(page)])
  await expectUnanswered(page)
  stopFailing()
  await comeOnline(page)
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
})

test('[PAY-01][SP-04][BP-04] after a reload while nobody answers nothing can be paid: the words stand, and end as paid', async () => {
  const { page } = await openPayPage()
  await fillPayPage(page, TEST_CARDS.good)
  const bulk = await openBulkForm('fields', 1)
  for (const [tab, pay, lookUp, paid] of [
    [page, PAY.link, '**/v1/ec/payment/details/*', 'The invoice has already been paid. No further payments required.'],
    [bulk, PAY.bulk, '**/v1/ec/payments/intents/*', 'Payment Successful'],
  ] as const) {
    let isDown = true
    await tab.route(lookUp, (route) => (isDown ? route.abort() : route.fallback()))
    await tab.route(pay, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await payButton(tab).click()
    await expectUnanswered(tab)
    await tab.reload()
    await expect(tab.getByText(UNANSWERED_TEXT, { exact: true })).toBeVisible()
    await expect(tab.getByRole('button', { name: /Pay|again/ })).toHaveCount(0)
    expect(await tab.evaluate(() => Object.values(sessionStorage).join(' '))).not.toMatch(/4242|tok_|pm_|Ada/)
    isDown = false
    await tab.evaluate(() => void dispatchEvent(new Event('focus')))
    await expect(tab.getByText(paid, { exact: true })).toBeVisible()
  }
})

test('[PAY-01] after an answer "processing" the words are those of a payment that is being confirmed, though the look-up fails', async () => {
  const page = await openBulkForm('fields', 1)
  await page.route('**/v1/ec/payments/intents/*', (route) => route.abort())
  await page.route(PAY.bulk, (route) =>
    route.fulfill({ json: { status: 'processing', redirectToUrl: null, intentStatus: 2, payment: null } }),
  )
  await payButton(page).click()
  await expect(page.getByText('We are confirming your payment. Please do not pay again.', { exact: true })).toBeVisible()
  await expect(page.getByText(UNANSWERED_TEXT)).toHaveCount(0)
  await expect(payButton(page)).toHaveCount(0)
})

test('[PAY-01][EASE-02][SP-02][BP-04] offline before the press: says so, sends nothing and leaves the button as it is; online again the press pays once, though its answer is lost: the words stand while nobody answers', async () => {
  const { page } = await openPayPage((own) => storeCard(own, 'pm_card_visa'))
  const bulk = await openBulkForm('fields', 2)
  for (const [tab, url] of [
    [page, PAY.stored],
    [bulk, PAY.bulk],
  ] as const) {
    const sent: string[] = []
    tab.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })
    await tab.context().setOffline(true)
    await payButton(tab).click()
    await expect(tab.getByText('You are offline. Nothing was sent. Press Pay again when you are online.', { exact: true })).toBeVisible()
    await expect(payButton(tab)).toBeEnabled()
    expect(sent).toEqual([])
    await tab.context().setOffline(false)
    await expect(tab.getByText('You are offline.')).toHaveCount(0)
    await payAndExpectPaidOnce(tab, url, () => payButton(tab).click())
  }
})

const openAs = (kind: 'fields' | 'frame'): Promise<Page> => signInAs(payers[kind].username, {}, payers[kind].password)

/** The page of a payment link, as its payer sees it. @param prepare called before the page loads */
const openPayPage = async (
  prepare?: (page: Page) => Promise<void>,
  kind: 'fields' | 'frame' = 'fields',
): Promise<{ page: Page; number: string }> => {
  const [number = ''] = unusedNumbers[kind].splice(0, 1)
  const page = await openAs(kind)
  const { payToken } = await fetchInvoice(page, number)
  await prepare?.(page)
  await page.goto(`/pay/${payToken}`)
  return { page, number }
}

const openBulkForm = async (kind: 'fields' | 'frame', count: number): Promise<Page> => {
  const page = await openAs(kind)
  await (kind === 'fields' ? storeCard(page, 'pm_card_visa') : page.clock.install())
  await openInvoiceList(page)
  await selectAndPay(page, unusedNumbers[kind].splice(0, count))
  if (kind === 'fields') await page.getByRole('radio').first().check()
  return page
}

const openFrameOfLink = async (): Promise<Page> => (await openPayPage((own) => own.clock.install(), 'frame')).page

const openFrameOfBulk = async (): Promise<Page> => {
  const page = await openBulkForm('frame', 2)
  await page.getByRole('button', { name: /^(Continue|New Payment Method)$/ }).click()
  await expect(hostedPage(page).getByLabel('Card number')).toBeVisible()
  return page
}

const fillPayPage = async (page: Page, card: string): Promise<void> => {
  const newCard = page.getByRole('radio', { name: 'New card' })
  await expect(newCard.or(page.getByLabel('Name on card')).first()).toBeVisible()
  if ((await newCard.count()) > 0) await newCard.check()
  await page.getByLabel('Name on card').fill('Ada Payer')
  await fillCard(page, card)
}

const expectUnanswered = async (page: Page): Promise<void> => {
  await expect(page.getByText(UNANSWERED_TEXT, { exact: true })).toBeVisible()
  await expect(page.getByText(/Payment Failed|Oops/)).toHaveCount(0)
  await expect(payButton(page)).toHaveCount(0)
}

/** Tells the page that the browser is online, so that it asks at once. */
const comeOnline = (page: Page): Promise<void> => page.evaluate(() => void dispatchEvent(new Event('online')))

/** Loses the answer to a payment, and expects that it ends as paid when the line is mended. */
const payAndExpectPaidOnce = async (page: Page, url: string, pay: () => Promise<void>): Promise<void> => {
  const before = await ledger(page)
  const line = await cutLineAt(page, url)
  await pay()
  await expectUnanswered(page)
  await line.mend()
  await expect(page.getByRole('heading', { name: 'Payment Successful' }).or(page.getByText('already been paid')).first()).toBeVisible()
  expect(line.sent()).toBe(1)
  expect(await newEntries(page, before)).toHaveLength(1)
}

/** Records what the page's live regions say from now on. */
const recordAnnouncements = async (page: Page): Promise<() => Promise<string[]>> => {
  const texts = await page.evaluateHandle(() => {
    const found: string[] = []
    const lastTexts = new Map<Element, string>()
    const read = (records: MutationRecord[]): void => {
      for (const { target } of records) {
        const node = target instanceof Element ? target : target.parentElement
        const region = node?.closest('output, [role=status], [role=alert]')
        if (!region || lastTexts.get(region) === region.textContent) continue
        lastTexts.set(region, region.textContent)
        found.push(region.textContent)
      }
    }
    new MutationObserver(read).observe(document.body, { subtree: true, childList: true, characterData: true })
    return found
  })
  return () => texts.jsonValue()
}

const ledger = (page: Page): Promise<LedgerEntry[]> => readLedger(page, testEnvironment().sandboxUrl)

const newEntries = (page: Page, before: readonly LedgerEntry[], count = 1): Promise<LedgerEntry[]> =>
  waitForLedgerEntries(page, testEnvironment().sandboxUrl, before, count)
