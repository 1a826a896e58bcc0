import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { enter } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { openInvoiceList, selectAndPay } from '../invoice-list.ts'
import { payButton } from '../pay-button.ts'
import { readLedger, waitForLedgerEntries } from '../sandbox-ledger.ts'
import { expectKept, fill, HOLDER } from './forms.ts'
import { CARDS, nexio, PAYER, storeCard } from './nexio.driver.ts'
import { createProviderPayer, type ProviderPayer } from './provider-payer.ts'
import { setPaymentOptions } from './provider-settings.ts'
import { collectSent } from './sent-requests.ts'
import { openDialog, openRow } from './stored-methods.ts'

const { openPage } = usePages()

const openAs = async ({ username, password }: ProviderPayer, path: string): Promise<Page> => {
  const page = await openPage()
  await enter(page, username, password, path)
  return page
}

test('[PM-03][PM-06][PM-07][PM-08][PM-80][PM-81] nexio: a card is edited, and its becoming the default loads the page again; without a usable key nothing can be added, and both dialogs say so', async () => {
  const payer = await createProviderPayer(nexio, 1)
  for (const number of [CARDS.visa, CARDS.another]) await storeCard(payer.api, number)
  const page = await openAs(payer, '/payment-types')
  const { title } = nexio.card.another
  await openRow(page, title)
  await page.getByRole('button', { name: `Edit ${title}` }).click()
  const edit = page.getByRole('dialog')
  await fill(edit, { 'Expiry month': '13' })
  await expect(edit.getByText('Please provide valid date')).toBeVisible()
  await expect(edit.getByRole('button', { name: 'Save' })).toBeDisabled()
  await fill(edit, { 'Expiry month': '3', 'Expiry year': '2033', 'Payer first name': 'Anne' })
  await edit.getByRole('button', { name: 'Save' }).click()
  for (const fact of ['Anne', '03/2033']) await expect(page.getByRole('definition').filter({ hasText: fact })).toBeVisible()

  await page.route('**/v1/ec/payments/details', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), publishableKey: 'no key' } })
  })
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: `Set Default: ${title}` }).click()
  await loaded
  for (const kind of ['card', 'account'] as const) {
    const dialog = await openDialog(page, kind)
    const text = "The payment gateway isn't configured properly. Please contact support if the issue persists."
    await expect(dialog.getByText(text, { exact: true })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
})

test('[PR-01][PAY-01] nexio: 3-D Secure leads back by our address, failed and then confirmed', async () => {
  const payer = await createProviderPayer(nexio, 2)
  await storeCard(payer.api, CARDS.authenticating)
  const page = await openAs(payer, '/invoices')
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  for (const [choice, heading] of [
    ['Fail', 'Payment Failed'],
    ['Complete', 'Payment Successful'],
  ] as const) {
    await openInvoiceList(page)
    await selectAndPay(page, payer.numbers)
    await page.getByRole('radio', { name: /•••• 3220/ }).check()
    const returning = page.waitForRequest('**/payment-return/*')
    await payButton(page).click()
    await page.getByRole('button', { name: choice }).click()
    expect(new URL((await returning).url()).searchParams.get('orderNumber')).toMatch(/^[0-9a-f-]{36}$/)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    const names = [...new URL(page.url()).searchParams.keys()]
    expect(names).toEqual(['payment_intent', 'payment_intent_client_secret', 'source_type', 'req_uid'])
  }
  expect(await waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)).toMatchObject([{ amount: 22_000, status: 'succeeded' }])
})

describe('where the reseller takes no card numbers', () => {
  let payer: ProviderPayer
  beforeAll(async () => {
    await setPaymentOptions(nexio, { rawCard: 'off' })
    payer = await createProviderPayer(nexio, 1)
  })
  afterAll(() => setPaymentOptions(nexio, { rawCard: 'on' }))

  const TOKEN = expect.stringMatching(/^[0-9a-f-]{36}$/)
  const cardFrame = (page: Page): FrameLocator => page.frameLocator('iframe[title="Card details"]')
  const framedCard = (code = '123') => ({
    'Name on card': HOLDER,
    'Card number': CARDS.visa,
    'Expiration month': '12',
    'Expiration year': '2031',
    'Security code': code,
  })

  test('[PM-04][PM-06][PM-80] nexio: a stored card is typed in Nexio’s frame, which is replaced after a refusal, and a token takes its place', async () => {
    const page = await openAs(payer, '/payment-types')
    const sent = collectSent(page, '/v1/ec/nexio/cards')
    const dialog = await openDialog(page, 'card')
    const add = dialog.getByRole('button', { name: 'Add' })
    await expect(cardFrame(page).getByLabel('Card number')).toBeVisible()
    await expect(dialog.getByLabel('Card number')).toHaveCount(0)
    await fill(dialog, { 'Name on card': HOLDER, ...PAYER, 'Shipping address': '2 Harbour Road' })
    await expect(add).toBeDisabled()
    await fill(cardFrame(page), framedCard('999'))
    await add.click()
    await expect(dialog.getByText('Verify CVC Failed')).toBeVisible()
    // A used token is replaced by a new frame; what was typed on our page stays.
    await expectKept(dialog, { 'Shipping address': '2 Harbour Road' })
    await expectKept(cardFrame(page), { 'Card number': '' })
    await fill(cardFrame(page), framedCard())
    await add.dblclick()
    await expect(page.getByRole('button', { name: /Visa •••• 1111/ })).toHaveCount(1)
    expect(sent).toEqual([
      { token: TOKEN, cardHolderName: HOLDER, customer: expect.objectContaining({ payerFirstName: PAYER['Payer first name'] }) },
    ])
  })

  test('[SP-02][SP-03] nexio: a link is paid in Nexio’s frame, once, by a token', async () => {
    const page = await openPage()
    const sent = collectSent(page, '/v1/ec/pay')
    await page.goto(await payer.payPath(payer.numbers[0] ?? ''))
    await expect(cardFrame(page).getByLabel('Card number')).toBeVisible()
    await fill(page, { 'Name on card': HOLDER, ...PAYER })
    await fill(cardFrame(page), framedCard())
    const before = await readLedger(page, testEnvironment().sandboxUrl)
    await page.getByRole('button', { name: /^Pay/ }).dblclick()
    await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
    expect(sent).toMatchObject([{ cardToken: TOKEN }])
    expect(await waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)).toMatchObject([{ status: 'succeeded' }])
  })
})
