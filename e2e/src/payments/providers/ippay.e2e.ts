import type { Frame, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { enter } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { failRequests } from '../../support/failing-requests.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { selectAndPay } from '../invoice-list.ts'
import { declineNextCharge, injectFault } from '../sandbox-faults.ts'
import { readLedger, waitForLedgerEntries } from '../sandbox-ledger.ts'
import { expectKept, fill } from './forms.ts'
import { CARDS, frameButton, frameCard, hostedPage, ippay } from './ippay.driver.ts'
import { createProviderPayer, type ProviderPayer } from './provider-payer.ts'
import { setPaymentOptions } from './provider-settings.ts'

const { openPage } = usePages()

/** As long as the page of stored methods shows what a frame has said. */
const WARNING_MS = 5_000

let payer: ProviderPayer
beforeAll(async () => {
  payer = await createProviderPayer(ippay, 3)
})

const openMethodsOfPayer = async (): Promise<Page> => {
  const page = await openPage()
  await enter(page, payer.username, payer.password, '/payment-types')
  return page
}

const markDocument = (page: Page) => page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))
const isSameDocument = (page: Page) => page.evaluate(() => 'isSameDocument' in globalThis).catch(() => true)
const innerFrame = (page: Page): Frame | undefined => page.frames().find((one) => one.url().startsWith(testEnvironment().sandboxUrl))
const alertOf = (page: Page, hasText: string): Locator => page.getByRole('alert').filter({ hasText })

test('[PM-06][PM-40] type 4: a frame that cannot be loaded, one that declines and one that cannot be asked say so for five seconds, and it can be used again', async () => {
  const page = await openMethodsOfPayer()
  await page.clock.install()
  const stopFailing = await failRequests(page, '**/v1/ec/ippay/cards/*/templates', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.getByRole('button', { name: 'Add card' }).click()
  await expect(page.getByRole('radio', { name: 'Credit Card' })).toBeChecked()
  await expectBrief(page, alertOf(page, 'Our server returned error, try again later'))
  stopFailing()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(hostedPage(page).getByLabel('Card number')).toBeVisible()

  await markDocument(page)
  await fill(hostedPage(page), frameCard(CARDS.declined))
  await frameButton(page).click()
  await expectBrief(page, alertOf(page, 'DECLINED (005)'))
  await expectKept(hostedPage(page), { 'Card number': '' })
  await injectFault('ippay', { operation: 'lookup', kind: 'error' })
  await fill(hostedPage(page), frameCard())
  await frameButton(page).click()
  await expect(alertOf(page, 'We could not reach the payment provider.')).toBeVisible()
  expect(await isSameDocument(page)).toBe(true)
  await page.getByRole('button', { name: 'Cards List' }).click()
  await expect(page.getByText('No saved cards')).toBeVisible()
})

/** Expects a text that stands for five seconds. */
const expectBrief = async (page: Page, text: Locator): Promise<void> => {
  await expect(text).toBeVisible()
  await page.clock.fastForward(WARNING_MS - 3_000)
  await expect(text).toBeVisible()
  await page.clock.fastForward(3_000)
  await expect(text).toHaveCount(0)
}

test('[PM-40][PAY-01] type 4: messages of other windows and origins, and other things than short texts, count for nothing; the frame reaches nothing of the portal, and its word alone stores nothing', async () => {
  const page = await openMethodsOfPayer()
  await ippay.openForm(page, 'card')
  await markDocument(page)
  await page.evaluate(() => {
    postMessage('000', '*')
    const other = document.body.appendChild(document.createElement('iframe'))
    other.srcdoc = '<p>other</p>'
    dispatchEvent(new MessageEvent('message', { data: '000', origin: 'null', source: window }))
  })
  // Its page runs in a sandbox, also where it is opened without a frame.
  const returnUrl = new URL(innerFrame(page)?.url() ?? '').searchParams.get('retUrl') ?? ''
  const answer = await page.request.post(returnUrl, { form: { ActionCode: '005', ResponseText: 'DECLINED' } })
  expect(answer.headers()['content-security-policy']).toContain('sandbox allow-scripts;')
  const reached = await innerFrame(page)?.evaluate(() => {
    parent.postMessage({ code: '000' }, '*')
    parent.postMessage('x'.repeat(65), '*')
    parent.postMessage('A warning', '*')
    try {
      return parent.document.title
    } catch {
      return 'refused'
    }
  })
  expect(reached).toBe('refused')
  await expect(alertOf(page, 'A warning')).toBeVisible()
  expect(await isSameDocument(page)).toBe(true)
  await expect(hostedPage(page).getByLabel('Card number')).toBeVisible()
  await innerFrame(page)?.evaluate(() => parent.postMessage('000', '*'))
  await expect.poll(() => isSameDocument(page)).toBe(false)
  await expect(page.getByText('No saved cards')).toBeVisible()
})

test('[BP-02][BP-03][BP-04] type 4: Continue opens the frame, or an error screen where it cannot be loaded; a decline is told, and another card pays several invoices once; a reload shows that', async () => {
  const page = await openPage()
  await enter(page, payer.username, payer.password, '/invoices')
  await selectAndPay(page, payer.numbers.slice(0, 2))
  const stopFailing = await failRequests(page, '**/v1/ec/ippay/pay/bulk-template/*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
  await expect(page.getByText('Oops, something went wrong')).toBeVisible()
  stopFailing()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await fill(hostedPage(page), frameCard())
  expect(await findViolations(page)).toEqual([])
  await declineNextCharge('ippay')
  await frameButton(page).click()
  await expect(alertOf(page, 'Your card was declined.')).toBeVisible()
  await expectKept(hostedPage(page), { 'Card number': '' })
  await fill(hostedPage(page), frameCard())
  await expect(frameButton(page)).toHaveText('Pay $220.00')
  await frameButton(page).dblclick()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(await waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)).toMatchObject([{ amount: 22_000 }])
})

describe('where the billing address is asked for', () => {
  beforeAll(() => setPaymentOptions(ippay, { billingAddress: 'on' }))
  afterAll(() => setPaymentOptions(ippay, { billingAddress: 'off' }))

  test('[SP-01][SP-02][SP-04][PAY-01] type 4: the frame of a link is as high as its page and says what it needs; declined there or left, it claims nothing; when it has paid, another tab learns of it, and Back and reload pay nothing', async () => {
    const page = await openPage()
    const path = await payer.payPath(payer.numbers[2] ?? '')
    await page.goto(path)
    const heightOf = (part: Locator): Promise<number> => part.evaluate((element) => element.clientHeight)
    const frame = page.locator('iframe')
    const unused = async (): Promise<number> => (await heightOf(frame)) - (await heightOf(hostedPage(page).locator('body')))
    await expect.poll(unused).toBe(24)
    const height = await heightOf(frame)
    await fill(hostedPage(page), { ...frameCard(CARDS.declined), Cardholder: '' })
    await frameButton(page).click()
    const alerts = hostedPage(page).getByRole('alert')
    await expect(alerts.first()).toHaveText('Cardholder is missing.')
    await expect(alerts).toHaveCount(6)
    await expect.poll(unused).toBe(24)
    expect(await heightOf(frame)).toBeGreaterThan(height)

    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await fillWithAddress(page, CARDS.declined)
    await frameButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveText('DECLINED (005). Nothing was charged. Try another card.')
    await expectKept(hostedPage(page), { 'Card number': '' })
    await fillWithAddress(page, CARDS.visa)
    await page.reload()
    await expectKept(hostedPage(page), { 'Card number': '' })

    const other = await page.context().newPage()
    await other.goto(path)
    await expect(hostedPage(other).getByLabel('Card number')).toBeVisible()
    await fillWithAddress(page, CARDS.visa)
    await frameButton(page).dblclick()
    await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
    expect(await waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)).toHaveLength(1)
    await expect(other.getByText('This invoice has already been paid', { exact: true })).toBeVisible()
    await page.goBack()
    await page.goForward()
    await page.reload()
    await expect(page.getByText('The invoice has already been paid. No further payments required.')).toBeVisible()
    await expect(frame).toHaveCount(0)
  })
})

const fillWithAddress = async (page: Page, number: string): Promise<void> => {
  await fill(hostedPage(page), frameCard(number))
  const lines = { Address: '12 Grain Street', City: 'Omaha', State: 'NE', Zip: '68102', Country: 'US' }
  for (const [label, line] of Object.entries(lines)) await hostedPage(page).getByLabel(label, { exact: true }).fill(line)
}
