import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../test/launch-browser.ts'
import { startTestAuthorize, type TestAuthorize } from '../test/test-authorize.ts'

let authorize: TestAuthorize
let now = Date.parse('2026-11-21T12:00:00Z')
let shop: Server
let browser: Browser
let page: Page

beforeAll(async () => {
  authorize = await startTestAuthorize({ clock: () => now })
  shop = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src ${authorize.url}; connect-src ${authorize.url}`,
    })
    response.end(`<!doctype html><title>Shop</title><script src="${authorize.url}/authorize/v1/Accept.js"></script>`)
  })
  shop.listen(0, 'localhost')
  await once(shop, 'listening')
  browser = await launchBrowser()
  page = await browser.newPage()
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`)
})
afterAll(async () => {
  await browser.close()
  shop.closeAllConnections()
  shop.close()
  await authorize.stop()
})

interface AcceptResponse {
  readonly messages: { readonly resultCode: string; readonly message: readonly { readonly code: string; readonly text: string }[] }
  readonly opaqueData?: { readonly dataDescriptor: string; readonly dataValue: string }
}

const AUTH = { clientKey: 'client', apiLoginID: 'bench' }
const CARD_DATA = { cardNumber: '4111111111111111', month: '12', year: '2040', cardCode: '900' }
const BANK_DATA = { accountNumber: '123456789', routingNumber: '121042882', nameOnAccount: 'Ann Smith', accountType: 'checking' }

const dispatch = async (data: object): Promise<AcceptResponse> =>
  (await page.evaluate(`new Promise((resolve) => Accept.dispatchData(${JSON.stringify(data)}, resolve))`)) as AcceptResponse
const payment = async (data: object) => ({ opaqueData: (await dispatch({ authData: AUTH, ...data })).opaqueData })

test('a card becomes a nonce, with which a payment is made once', async () => {
  const opaque = await payment({ cardData: CARD_DATA })
  expect(opaque.opaqueData).toEqual({ dataDescriptor: 'COMMON.ACCEPT.INAPP.PAYMENT', dataValue: expect.stringMatching(/^\S{40}$/) })
  const paid = await authorize.pay({ payment: opaque })
  expect(paid.transactionResponse).toMatchObject({ responseCode: '1', accountNumber: 'XXXX1111', cvvResultCode: 'M' })
  expect(await authorize.pay({ payment: opaque })).toEqual({
    messages: { resultCode: 'Error', message: [{ code: 'E00114', text: 'Invalid OTS Token.' }] },
  })
})

test('a bank account becomes a nonce, which is stored as a method', async () => {
  const profile = { email: 'nonce@example.com', paymentProfiles: { payment: await payment({ bankData: BANK_DATA }) } }
  const { customerProfileId } = await authorize.call('createCustomerProfileRequest', { profile })
  const stored = await authorize.call('getCustomerProfileRequest', { customerProfileId })
  expect(stored.profile.paymentProfiles[0].payment.bankAccount).toMatchObject({ accountNumber: 'XXXX6789', nameOnAccount: 'Ann Smith' })
})

test('a nonce is valid for 15 minutes, and in its own account', async () => {
  const [first, second] = [await payment({ cardData: CARD_DATA }), await payment({ cardData: CARD_DATA })]
  expect((await authorize.pay({ payment: first }, 'other')).messages.message[0].code).toBe('E00114')
  now += 15 * 60_000
  expect((await authorize.pay({ payment: second })).messages.message[0].code).toBe('E00114')
})

test.each([
  ['E_WC_05', { cardData: { ...CARD_DATA, cardNumber: '4111111111111112' } }],
  ['E_WC_06', { cardData: { ...CARD_DATA, month: '13' } }],
  ['E_WC_07', { cardData: { ...CARD_DATA, year: '204' } }],
  ['E_WC_08', { cardData: { ...CARD_DATA, year: '2020' } }],
  ['E_WC_15', { cardData: { ...CARD_DATA, cardCode: '12' } }],
  ['E_WC_24', { bankData: { ...BANK_DATA, routingNumber: '123456789' } }],
  ['E_WC_25', { bankData: { ...BANK_DATA, accountNumber: '12' } }],
  ['E_WC_26', { bankData: { ...BANK_DATA, nameOnAccount: 'x'.repeat(23) } }],
  ['E_WC_21', { authData: { ...AUTH, clientKey: 'invalid' }, cardData: CARD_DATA }],
  ['E_WC_18', { authData: { apiLoginID: 'bench' }, cardData: CARD_DATA }],
  ['E_WC_10', { authData: { clientKey: 'client' }, cardData: CARD_DATA }],
  ['E_WC_04', {}],
])('%s: the error reaches the page', async (code, data) => {
  const { messages, opaqueData } = await dispatch({ authData: AUTH, ...data })
  expect([messages.resultCode, messages.message[0]?.code, opaqueData]).toEqual(['Error', code, undefined])
})

test('faults of tokenising reach the page', async () => {
  const order = async (kind: string) => authorize.postControl('/faults', { provider: 'authorize', operation: 'tokenise', kind, times: 3 })
  await order('error')
  const answers = [await payment({ cardData: CARD_DATA }), await payment({ cardData: CARD_DATA }), await payment({ cardData: CARD_DATA })]
  expect(answers).toEqual(Array.from({ length: 3 }, () => ({ opaqueData: undefined })))
  await order('garbage')
  expect((await dispatch({ authData: AUTH, cardData: CARD_DATA })).messages.message[0]?.code).toBe('E_WC_14')
  await authorize.postControl('/reset')
})
