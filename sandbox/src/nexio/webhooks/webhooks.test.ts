import { createHmac } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ReceivedWebhook, startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts'
import { type CallOptions, startTestNexio, type TestNexio } from '../test/test-nexio.ts'

const SECRET = 'shared-secret'
const UNSIGNED = { user: 'unsigned@acme.example' }

let receiver: WebhookReceiver
let nexio: TestNexio
let card: string

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  nexio = await startTestNexio({ webhooks: { nexio: { url: `${receiver.url}/{account}`, secret: SECRET } } })
  card = await nexio.saveCard()
  await receiver.waitFor(1)
  receiver.clear()
})
afterEach(async () => {
  await nexio.postControl('/reset')
  receiver.clear()
})
afterAll(async () => {
  await nexio.stop()
  await receiver.close()
})

const pay = async (orderNumber = 'a:1', options: CallOptions = {}, token = card) => {
  const data = { amount: 10, currency: 'USD', customer: { orderNumber } }
  return (await nexio.call('POST', '/pay/v3/process', { tokenex: { token }, data }, options)).body
}

const orderFault = async (kind: string, ms?: number) =>
  nexio.postControl('/faults', { provider: 'nexio', operation: 'webhook', kind, times: 1, ...(ms === undefined ? {} : { ms }) })

const isSigned = ({ text, headers }: ReceivedWebhook, secret = SECRET): boolean => {
  const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['nexio-signature'])) ?? []
  return signature === createHmac('sha256', secret).update(`${at}.${text}`).digest('hex')
}

test('a payment sends a signed event with the response as its data', async () => {
  const paid = await pay()
  const [received] = await receiver.waitFor(1)
  expect(received?.event).toEqual({ eventType: 'TRANSACTION_CAPTURED', data: paid })
  expect(received?.path).toBe('/bench%40acme.example')
  expect([isSigned(received as ReceivedWebhook), isSigned(received as ReceivedWebhook, 'other')]).toEqual([true, false])
})

test('each step of a payment sends its event', async () => {
  const { id } = await pay()
  await nexio.postControl('/nexio/settle-batch')
  await nexio.call('POST', '/pay/v3/refund', { id, data: { amount: 1 } })
  await nexio.call('POST', '/pay/v3/void', { id: (await pay('a:2')).id })
  const data = { amount: 5.05, currency: 'USD' }
  await nexio.call('POST', '/pay/v3/process', { tokenex: { token: card }, data })
  const types = (await receiver.waitFor(6)).map(({ event }) => event.eventType)
  expect(types.toSorted()).toEqual([
    'TRANSACTION_CAPTURED',
    'TRANSACTION_CAPTURED',
    'TRANSACTION_FAILED',
    'TRANSACTION_REFUNDED',
    'TRANSACTION_SETTLED',
    'TRANSACTION_VOIDED',
  ])
})

test('stored methods send events without a number', async () => {
  await nexio.saveCard()
  await nexio.saveECheck()
  await nexio.call('PUT', `/pay/v3/vault/card/${card}`, { card: { expirationYear: '2038' } })
  const received = await receiver.waitFor(3)
  expect(received.map(({ event }) => event.eventType).toSorted()).toEqual(['CARD_DATA_UPDATED', 'CARD_SAVED', 'ECHECK_SAVED'])
  expect(JSON.stringify(received)).not.toMatch(/4111111111111111|000123456789/)
})

test('an account whose user name contains "unsigned" sends the new events without a signature', async () => {
  const token = await nexio.saveECheck(UNSIGNED)
  const data = { amount: 10, currency: 'USD' }
  const { body } = await nexio.call('POST', '/pay/v3/processECheck', { tokenex: { token }, data }, UNSIGNED)
  await nexio.postControl('/settle', { provider: 'nexio', id: body.id, outcome: 'failed' })
  const [first, second] = await receiver.waitFor(2)
  const transactionId = first?.event.transactionId
  expect(first?.event).toEqual({ eventType: 'TRANSACTION', transactionStatus: 3, processMethod: 10, transactionId })
  expect(second?.event).toEqual({ ...first?.event, transactionStatus: 30 })
  expect(first?.headers['nexio-signature']).toBeUndefined()
  const record = await nexio.call('GET', `/transaction/v3/${transactionId}`, undefined, UNSIGNED)
  expect(record.body).toMatchObject({ transactionStatus: 30, plugin: { originalId: body.id } })
})

test('a merchant’s own URLs receive the types that are configured, signed once there is a secret', async () => {
  const own = await startWebhookReceiver()
  const options = { user: 'own@acme.example' }
  const config = { merchantId: '100039', webhooks: { TRANSACTION_CAPTURED: { url: own.url } } }
  expect((await nexio.call('POST', '/webhook/v3/config', config, options)).body).toEqual(config)
  await nexio.call('POST', '/webhook/v3/config', { ...config, webhooks: { CARD_SAVED: { url: 'nowhere' } } }, options)
  const token = await nexio.saveCard(undefined, options)
  await pay('a:1', options, token)
  const [plain] = await own.waitFor(1)
  expect([plain?.event.eventType, plain?.headers['nexio-signature']]).toEqual(['TRANSACTION_CAPTURED', undefined])
  const { secret } = (await nexio.call('GET', '/webhook/v3/secret/100039', undefined, options)).body
  expect((await nexio.call('POST', '/webhook/v3/secret', { merchantId: '100039' }, options)).body).toEqual({ secret })
  expect((await nexio.call('POST', '/webhook/v3/secret/100039', undefined, options)).body).toEqual({ secret })
  await pay('a:2', options, token)
  const [, signed] = await own.waitFor(2)
  expect(isSigned(signed as ReceivedWebhook, secret)).toBe(true)
  // What the webhook for all accounts receives would else reach the next test.
  await receiver.waitFor(3)
  await own.close()
})

test('a forged event claims that everything is settled, and its signature is wrong', async () => {
  await orderFault('forged')
  await pay()
  const [forged] = await receiver.waitFor(1)
  expect(forged?.event).toMatchObject({ eventType: 'TRANSACTION_SETTLED', data: { transactionStatus: 'settled' } })
  expect(isSigned(forged as ReceivedWebhook)).toBe(false)
})

test('an event that was not acknowledged is sent again after a restart', async () => {
  const own = await startWebhookReceiver()
  const options = { webhooks: { nexio: { url: own.url, secret: SECRET } }, dir: `${nexio.dir}-again` }
  own.status = 500
  const first = await startTestNexio(options)
  await first.saveCard()
  await own.waitFor(1)
  await first.stop()
  own.status = 200
  const second = await startTestNexio(options)
  const [before, after] = await own.waitFor(2)
  expect(after?.text).toBe(before?.text)
  await second.stop()
  await own.close()
  await rm(first.dir, { recursive: true })
})
