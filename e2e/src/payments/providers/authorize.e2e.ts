import { afterAll, beforeAll, test } from 'vitest'
import { enter } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { failRequests } from '../../support/failing-requests.ts'
import { collectPageErrors } from '../../support/page-errors.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { declineNextCharge } from '../sandbox-faults.ts'
import { readLedger, waitForLedgerEntries } from '../sandbox-ledger.ts'
import { authorize, CARDS, DECLINED, DECLINING_ZIP, storeAccount } from './authorize.driver.ts'
import { cardFields, fill, HOLDER, OVERLAY_MS } from './forms.ts'
import { createProviderPayer, type ProviderPayer } from './provider-payer.ts'
import { setPaymentOptions } from './provider-settings.ts'
import { collectSent, withoutRefusals } from './sent-requests.ts'
import { expectTitles, openDialog, openRow } from './stored-methods.ts'

const { openPage } = usePages()

const TOKEN = expect.stringMatching(/^COMMON\.ACCEPT\.INAPP\.PAYMENT\|\S+$/)

/** Of a reseller that takes no card numbers, so that Accept.js sends them to Authorize.net, and asks for the billing address. */
let payer: ProviderPayer
beforeAll(async () => {
  await setPaymentOptions(authorize, { rawCard: 'off', billingAddress: 'on' })
  payer = await createProviderPayer(authorize, 1)
})
afterAll(() => setPaymentOptions(authorize, { rawCard: 'on', billingAddress: 'off' }))

test('[PM-03][PM-04][PM-06][PM-07][PM-09][PM-20][PM-21] authorize: Accept.js is loaded again after a failure, says what it refuses, and stores a card by its token; a bank account is edited but for its numbers, and becomes the default', async () => {
  const page = await openPage()
  await enter(page, payer.username, payer.password, '/payment-types')
  const [errors, sent] = [await collectPageErrors(page), collectSent(page)]
  const stopFailing = await failRequests(page, '**/v1/Accept.js', (route) => route.abort())
  const dialog = await openDialog(page, 'card')
  const add = dialog.getByRole('button', { name: 'Add' })
  await expect(dialog.getByText('The form of our payment partner could not be loaded.')).toBeVisible()
  await expect(add).toBeDisabled()
  stopFailing()
  await dialog.getByRole('button', { name: /Try again/ }).click()
  await fill(dialog, { 'Card number': CARDS.wrong, 'Expiry date': '1231', 'Postcode or ZIP': DECLINING_ZIP })
  await add.click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'Your card number is invalid.' })).toBeVisible()
  expect(sent).toEqual([])
  await fill(dialog, { 'Card number': CARDS.visa })
  await add.click()
  await expect(dialog.getByRole('alert').filter({ hasText: DECLINED })).toBeVisible()
  await fill(dialog, { 'Postcode or ZIP': '46201' })
  await add.dblclick()
  await expectTitles(page, 'Cards', ['Visa •••• 1111 Default'])
  expect(sent).toMatchObject([
    { token: TOKEN, zip: DECLINING_ZIP },
    { token: TOKEN, zip: '46201' },
  ])
  expect(JSON.stringify(sent)).not.toContain(CARDS.visa)

  await storeAccount(payer.api)
  await page.reload()
  const { title } = authorize.account ?? { title: '' }
  await openRow(page, title)
  await page.getByRole('button', { name: `Edit ${title}` }).click()
  const edit = page.getByRole('dialog', { name: 'Edit bank account' })
  await expect(edit.getByLabel('Account number')).toHaveValue('XXXX6789')
  await expect(edit.getByLabel('Account number')).toBeDisabled()
  await expect(edit.getByLabel('Account name')).toHaveAttribute('maxlength', '22')
  await fill(edit, { 'Account name': 'Ada King', 'Account type': 'Savings' })
  const changing = page.waitForRequest((request) => request.method() === 'PUT')
  await edit.getByRole('button', { name: 'Save' }).dblclick()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  for (const fact of ['Ada King', 'Savings', 'XXXX6789']) await expect(page.getByRole('definition').filter({ hasText: fact })).toBeVisible()
  const numbers = { routingNumber: 'XXXX2882', accountNumber: 'XXXX6789' }
  expect((await changing).postDataJSON()).toMatchObject({ ...numbers, nameOnAccount: 'Ada King', accountType: 'savings' })
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: `Set Default: ${title}` }).click()
  await loaded
  await expectTitles(page, 'ACH', [`${title} Default`])
  expect(withoutRefusals(errors)).toEqual([])
})

test('[SP-02][SP-03][SP-04] authorize: the billing address is needed, goes with the token of Accept.js and decides at the bank; every try has a token of its own', async () => {
  const page = await openPage()
  const sent = collectSent(page)
  await page.goto(await payer.payPath(payer.numbers[0] ?? ''))
  const pay = page.getByRole('button', { name: /^Pay/ })
  await fill(page, { 'Name on card': HOLDER, ...cardFields(CARDS.wrong) })
  await expect(pay).toBeDisabled()
  const address = { City: 'Fort Wayne', 'State or province': 'IN', 'Postcode or ZIP': DECLINING_ZIP, Country: 'US' }
  await page.getByLabel('Address', { exact: true }).fill('1 Quay Street')
  await fill(page, address)
  await page.clock.install()
  await pay.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Your card number is invalid.' })).toBeVisible()
  await page.clock.fastForward(OVERLAY_MS)
  expect(sent).toEqual([])
  await fill(page, { 'Card number': CARDS.visa })
  await pay.click()
  await expect(page.getByRole('alert').filter({ hasText: DECLINED })).toBeVisible()
  await page.clock.fastForward(OVERLAY_MS)
  await fill(page, { 'Postcode or ZIP': '46201' })
  await declineNextCharge('authorize')
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await pay.click()
  await expect(page.getByRole('alert').filter({ hasText: DECLINED })).toBeVisible()
  await page.clock.fastForward(OVERLAY_MS)
  await fill(page, { 'Name on card': 'Ada King' })
  await pay.dblclick()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  const billingAddress = { country: 'US', state: 'IN', city: 'Fort Wayne', address: '1 Quay Street', company: '' }
  expect(sent).toMatchObject([
    { cardToken: TOKEN, billingAddress: { ...billingAddress, zip: DECLINING_ZIP } },
    { cardToken: TOKEN, cardHolder: HOLDER, billingAddress: { ...billingAddress, zip: '46201' } },
    { cardToken: TOKEN, cardHolder: 'Ada King' },
  ])
  expect(new Set(sent.map(({ cardToken }) => cardToken)).size).toBe(3)
  expect(JSON.stringify(sent)).not.toContain(CARDS.visa)
  expect(await waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)).toMatchObject([{ amount: 11_000, status: 'succeeded' }])
})
