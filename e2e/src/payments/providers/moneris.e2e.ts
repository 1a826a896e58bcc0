import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { enter } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { failRequests } from '../../support/failing-requests.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { declineNextCharge, injectFault } from '../sandbox-faults.ts'
import { readLedger, waitForLedgerEntries } from '../sandbox-ledger.ts'
import { EMAIL, expectKept, fill, HOLDER, OVERLAY_MS } from './forms.ts'
import { CARDS, DECLINED, moneris, WRONG_CODE } from './moneris.driver.ts'
import type { Typed } from './provider-driver.ts'
import { createProviderPayer, type ProviderPayer } from './provider-payer.ts'
import { setPaymentOptions } from './provider-settings.ts'
import { collectSent } from './sent-requests.ts'
import { expectTitles, openDialog } from './stored-methods.ts'

const { openPage } = usePages()

/** Of a reseller that takes no card numbers, so that they are typed into Moneris' own fields. */
let payer: ProviderPayer
beforeAll(async () => {
  await setPaymentOptions(moneris, { rawCard: 'off' })
  payer = await createProviderPayer(moneris, 1)
})
afterAll(() => setPaymentOptions(moneris, { rawCard: 'on' }))

const TOKEN = expect.stringMatching(/^ot-/)
const hostedFields = (page: Page): FrameLocator => page.frameLocator('iframe[title="Card details"]')
const HOSTED_CARD: Typed = { 'Card number': CARDS.visa, 'Expiry date (MMYY)': '1231', CVD: '739' }

test('[PM-03][PM-04][PM-06][PM-09][PM-50] moneris: its own fields can be asked for again, say in the dialog what they refuse and keep what was typed, and store a card by its token', async () => {
  const page = await openPage()
  await enter(page, payer.username, payer.password, '/payment-types')
  const sent = collectSent(page, '/v1/ec/moneris/cards')
  const stopFailing = await failRequests(page, '**/v1/ec/payments/card-fields', (route) => route.abort())
  const dialog = await openDialog(page, 'card')
  const add = dialog.getByRole('button', { name: 'Add' })
  await expect(dialog.getByText('The card form could not be loaded.')).toBeVisible()
  await expect(add).toBeDisabled()
  stopFailing()
  await dialog.getByRole('button', { name: /Try again/ }).click()
  const fields = hostedFields(page)
  await fill(dialog, { Phone: '604-555-0100' })
  for (const [typed, text] of [
    [{ 'Card number': CARDS.wrong }, 'Your card number is invalid.'],
    [{ 'Expiry date (MMYY)': '0120' }, "Your card's expiry date is invalid."],
    [{ CVD: '1' }, "Your card's security code is invalid."],
  ] as const) {
    await fill(fields, { ...HOSTED_CARD, ...typed })
    await add.click()
    await expect(dialog.getByRole('alert').filter({ hasText: text })).toBeVisible()
  }
  await expectKept(fields, { 'Card number': CARDS.visa })
  expect(sent).toEqual([])
  await fill(fields, { CVD: '999' })
  await add.click()
  await expect(dialog.getByRole('alert').filter({ hasText: WRONG_CODE })).toBeVisible()
  // Going into the fields takes the message away.
  await fields.getByLabel('CVD').click()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await fill(fields, HOSTED_CARD)
  await add.dblclick()
  await expectTitles(page, 'Cards', ['Visa •••• 4242 Default'])
  const stored = { token: TOKEN, phone: '604-555-0100', email: '' }
  expect(sent).toEqual([stored, stored])
})

test('[SP-02][SP-03][SP-04][PAY-01] moneris: the card of a link is typed into its own fields; what another page says is no token; after a decline the same fields make another token, which pays once', async () => {
  const page = await openPage()
  // The whole form is in view: where the page had to scroll to the button, its click sometimes never reached the page.
  await page.setViewportSize({ width: 1440, height: 1600 })
  const sent = collectSent(page, '/v1/ec/pay')
  await page.goto(await payer.payPath(payer.numbers[0] ?? ''))
  const pay = page.getByRole('button', { name: /^Pay/ })
  const fields = hostedFields(page)
  await fill(fields, { ...HOSTED_CARD, 'Expiry date (MMYY)': '0120' })
  // What is typed beside the frame does not load it anew.
  await fill(page, { 'Name on card': HOLDER, Email: EMAIL })
  await page.clock.install()
  await pay.click()
  const alert = page.getByRole('alert').filter({ hasText: 'Payment Failed' })
  await expect(alert).toContainText("Your card's expiry date is invalid.")
  await page.clock.fastForward(OVERLAY_MS)
  await fill(fields, { 'Expiry date (MMYY)': '1231' })
  await expect(alert).toHaveCount(0)
  await expectKept(fields, { 'Card number': CARDS.visa })

  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await injectFault('moneris', { operation: 'tokenise', kind: 'slow', ms: 1_000 })
  await declineNextCharge('moneris')
  await pay.click()
  await page.evaluate(() => postMessage(JSON.stringify({ responseCode: ['001'], dataKey: 'ot-forged' }), '*'))
  await expect(alert).toContainText(DECLINED)
  await page.clock.fastForward(OVERLAY_MS)
  await fill(page, { 'Name on card': 'Ada King' })
  await pay.dblclick()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(sent).toMatchObject([
    { cardToken: TOKEN, cardHolder: HOLDER },
    { cardToken: TOKEN, cardHolder: 'Ada King' },
  ])
  expect(sent[0]?.['cardToken']).not.toBe(sent[1]?.['cardToken'])
  expect(JSON.stringify(sent)).not.toMatch(/forged|\d{14}/)
  expect(await waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)).toMatchObject([{ amount: 11_000, status: 'succeeded' }])
})
