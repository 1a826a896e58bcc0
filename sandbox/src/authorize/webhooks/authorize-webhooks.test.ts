import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ReceivedWebhook, startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts'
import { ACCOUNT, CARD, startTestAuthorize, type TestAuthorize } from '../test/test-authorize.ts'
import { signatureOf } from './authorize-webhooks.ts'

const RECORDING = new URL('../../../../../shared/providers/fixtures/authorize/webhook-authorization-created-recorded.json', import.meta.url)
const KEY = 'A1B2'.repeat(32)

let authorize: TestAuthorize
let receiver: WebhookReceiver

beforeEach(async () => {
  receiver = await startWebhookReceiver()
  authorize = await startTestAuthorize()
  const { status: answer } = await authorize.postControl('/authorize/webhook-endpoint', {
    loginId: 'bench',
    signatureKey: KEY,
    url: receiver.url,
  })
  expect(answer).toBe(200)
})
afterEach(async () => {
  await authorize.stop()
  await receiver.close()
})

const signatureIn = (received: ReceivedWebhook | undefined) => received?.headers['x-anet-signature']
const types = (notifications: readonly ReceivedWebhook[]) => notifications.map(({ event }) => event.eventType.replace('net.authorize.', ''))
const orderFault = async (kind: string, ms?: number) =>
  authorize.postControl('/faults', { provider: 'authorize', operation: 'webhook', kind, times: 1, ...(ms === undefined ? {} : { ms }) })
const pay = async (fields = {}) => (await authorize.pay(fields)).transactionResponse.transId as string

test.skipIf(!existsSync(RECORDING))('the signature is the recorded one', () => {
  const { request, note } = JSON.parse(readFileSync(RECORDING, 'utf8')) as {
    request: { headers: Record<string, string>; body: string }
    note: string
  }
  const key = /\b[0-9A-F]{128}\b/.exec(note)?.[0] ?? ''
  expect(signatureOf(request.body, key)).toBe(request.headers['X-Anet-Signature'])
})

test('the signature is an HMAC-SHA512 with the key as text, in upper case', () => {
  expect(signatureOf('{"a":1}', 'KEY')).toMatch(/^sha512=[0-9A-F]{128}$/)
  expect(signatureOf('what do ya want for nothing?', 'Jefe')).toBe(
    'sha512=164B7A7BFCF819E2E395FBE73B56E0A387BD64222E831FD610270CD7EA2505549758BF75C05A994A6D034F65F8F0E6FDCAEAB1A34D4A6B4B636E070A38BCE737',
  )
})

test('a payment sends a signed notification', async () => {
  const transId = await pay({ amount: '7.67', invoiceNumber: 'att-9' })
  const [notification] = await receiver.waitFor(1)
  expect(signatureIn(notification)).toBe(signatureOf(notification?.text ?? '', KEY))
  expect(notification?.event).toEqual({
    notificationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    eventType: 'net.authorize.payment.authcapture.created',
    eventDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/),
    webhookId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    payload: {
      responseCode: 1,
      authCode: expect.any(String),
      avsResponse: 'Y',
      authAmount: 7.67,
      invoiceNumber: 'att-9',
      entityName: 'transaction',
      id: transId,
    },
  })
})

test('customers, methods, refunds, voids and reviews send notifications; a decline and a settlement send none', async () => {
  const profile = { email: 'a@example.com', paymentProfiles: { payment: CARD } }
  const { customerProfileId } = await authorize.call('createCustomerProfileRequest', { profile })
  await pay({ zip: '46282' })
  await authorize.transact({ transactionType: 'voidTransaction', refTransId: await pay() })
  const settled = await pay()
  await authorize.postControl('/authorize/settle-batch')
  const payment = { creditCard: { cardNumber: '1111', expirationDate: 'XXXX' } }
  await authorize.transact({ transactionType: 'refundTransaction', amount: '1.00', payment, refTransId: settled })
  const held = await pay({ zip: '46298' })
  await authorize.postControl('/settle', { provider: 'authorize', id: held, outcome: 'succeeded' })
  const debit = await pay({ payment: ACCOUNT })
  await authorize.postControl('/settle', { provider: 'authorize', id: debit, outcome: 'succeeded' })
  await authorize.call('deleteCustomerProfileRequest', { customerProfileId })
  expect(types(await receiver.waitFor(10)).toSorted()).toEqual([
    'customer.created',
    'customer.deleted',
    'customer.paymentProfile.created',
    'payment.authcapture.created',
    'payment.authcapture.created',
    'payment.authcapture.created',
    'payment.fraud.approved',
    'payment.fraud.held',
    'payment.refund.created',
    'payment.void.created',
  ])
})

test('a forged notification claims that everything is paid, and its signature is wrong', async () => {
  await orderFault('forged')
  await pay({ zip: '46298' })
  const [notification] = await receiver.waitFor(1)
  expect(notification?.event).toMatchObject({
    eventType: 'net.authorize.payment.authcapture.created',
    payload: { responseCode: 1 },
  })
  expect(signatureIn(notification)).not.toBe(signatureOf(notification?.text ?? '', KEY))
})

test('the default webhook receives the notifications of every account', async () => {
  const other = await startTestAuthorize({ webhooks: { authorize: { url: `${receiver.url}/{account}`, secret: 'all' } } })
  await other.pay({}, 'acme')
  const [notification] = await receiver.waitFor(1)
  expect(notification?.path).toBe('/acme')
  expect(signatureIn(notification)).toBe(signatureOf(notification?.text ?? '', 'all'))
  await other.stop()
})
