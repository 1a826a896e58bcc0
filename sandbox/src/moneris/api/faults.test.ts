import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type Elements,
  newOrderId,
  purchaseOf,
  type Receipt,
  requestXml,
  startTestMoneris,
  type TestMoneris,
  VISA,
} from '../test/test-moneris.ts'

let moneris: TestMoneris

beforeAll(async () => {
  moneris = await startTestMoneris({ clock: () => Date.parse('2026-11-21T12:00:00Z') })
})
afterEach(async () => {
  await moneris.postControl('/reset')
})
afterAll(async () => {
  await moneris.stop()
})

const ORDER = 'faulty'
const pay = async (): Promise<Receipt> => moneris.call('purchase', purchaseOf('25.00', ORDER))
const check = async (): Promise<Receipt> => moneris.call('purchase', purchaseOf('25.00', ORDER), { isStatusCheck: true })

/** What is booked, and what a status check says: the response code, or that nothing was found. */
const truth = async () => {
  const { status_code, ResponseCode } = await check()
  return [await moneris.bookings(), status_code === '0' ? ResponseCode : 'not found']
}
const PAID = [[['succeeded', 2500]], '027']
const ABSENT = [[], 'not found']
const DECLINED = [[], '481']

test.each([
  [false, DECLINED],
  [true, PAID],
])('a decline: booked %s', async (booked, expected) => {
  await moneris.orderFault('charge', 'decline', { booked })
  expect(await pay()).toMatchObject({ ResponseCode: '481', ISO: '05', Complete: 'true', TransAmount: '25.00' })
  expect(await truth()).toEqual(expected)
})

test.each([
  [false, ABSENT],
  [true, PAID],
])('an error is an HTTP 500: booked %s', async (booked, expected) => {
  await moneris.orderFault('charge', 'error', { booked })
  expect(await moneris.post(requestXml('purchase', purchaseOf('25.00', ORDER)))).toMatchObject({ status: 500, contentType: 'text/html' })
  expect(await truth()).toEqual(expected)
})

test.each([
  ['drop', true, PAID],
  ['drop', false, ABSENT],
  ['refuse', true, ABSENT],
  ['refuse', false, ABSENT],
])('%s resets the connection: booked %s', async (kind, booked, expected) => {
  await moneris.orderFault('charge', kind, { booked })
  await expect(pay()).rejects.toThrow(/fetch failed/)
  expect(await truth()).toEqual(expected)
})

test.each([
  [false, ABSENT],
  [true, PAID],
])('garbage has no receipt: booked %s', async (booked, expected) => {
  await moneris.orderFault('charge', 'garbage', { booked })
  await expect(pay()).rejects.toThrow(/No receipt|tag/)
  expect(await truth()).toEqual(expected)
})

test('a slow answer: the money moved even if the caller disconnects before', async () => {
  await moneris.orderFault('charge', 'slow', { ms: 60_000 })
  await expect(
    fetch(`${moneris.url}/moneris/gateway2/servlet/MpgRequest`, {
      method: 'POST',
      body: requestXml('purchase', purchaseOf('25.00', ORDER)),
      signal: AbortSignal.timeout(200),
    }),
  ).rejects.toThrow(/timeout/i)
  expect(await truth()).toEqual(PAID)
})

test('a slow answer to a purchase that was not booked says that it timed out', async () => {
  await moneris.orderFault('charge', 'slow', { ms: 20, booked: false })
  expect(await pay()).toMatchObject({ TimedOut: 'true', Complete: 'false', ResponseCode: 'null' })
  expect(await truth()).toEqual(ABSENT)
})

test.each([
  ['action', false, ABSENT],
  ['action', true, PAID],
  ['script-action', true, PAID],
])('%s answers that the host timed out: booked %s', async (kind, booked, expected) => {
  await moneris.orderFault('charge', kind, { booked })
  expect(await pay()).toMatchObject({ TimedOut: 'true', Complete: 'false', ResponseCode: 'null' })
  expect(await truth()).toEqual(expected)
})

test.each([
  [false, DECLINED],
  [true, PAID],
])('a wrong amount: booked %s', async (booked, expected) => {
  await moneris.orderFault('charge', 'wrong-amount', { booked })
  expect(await pay()).toMatchObject({ ResponseCode: '027', Complete: 'true', TransAmount: '26.00' })
  expect(await truth()).toEqual(expected)
})

test.each([
  [false, ABSENT],
  [true, PAID],
])('a call that arrives twice is answered with the duplicate order id: booked %s', async (booked, expected) => {
  await moneris.orderFault('charge', 'twice', { booked })
  expect(await pay()).toMatchObject({ Message: expect.stringContaining('duplicate order id'), Complete: 'false' })
  expect(await truth()).toEqual(expected)
})

test('a refund that arrives twice is made twice, because it has no order id of its own', async () => {
  const { TransID: txn_number = '' } = await pay()
  await moneris.orderFault('refund', 'twice', { booked: true })
  const elements = { order_id: ORDER, amount: '5.00', txn_number, crypt_type: '7' }
  expect(await moneris.call('refund', elements)).toMatchObject({ ResponseCode: '027' })
  expect(await moneris.bookings()).toEqual([
    ['succeeded', 2500],
    ['refunded', 500],
    ['refunded', 500],
  ])
})

test('a declined refund and a declined void moved no money, and a status check says so', async () => {
  const { TransID: txn_number = '' } = await pay()
  for (const [operation, name, more] of [
    ['refund', 'refund', { amount: '5.00' }],
    ['void', 'purchasecorrection', {}],
  ] as const) {
    await moneris.orderFault(operation, 'decline')
    const elements = { order_id: ORDER, ...more, txn_number, crypt_type: '7' }
    expect(await moneris.call(name, elements)).toMatchObject({ ResponseCode: '481' })
    expect(await moneris.call(name, elements, { isStatusCheck: true })).toMatchObject({ ResponseCode: '481', status_code: '0' })
  }
  expect(await moneris.bookings()).toEqual([['succeeded', 2500]])
})

test('a fault of the look-up does not touch the purchase', async () => {
  await pay()
  for (const kind of ['error', 'drop', 'garbage', 'refuse']) {
    await moneris.orderFault('lookup', kind)
    await expect(check()).rejects.toThrow()
  }
  for (const kind of ['decline', 'action', 'twice']) {
    await moneris.orderFault('lookup', kind)
    const answer = await check()
    expect([answer['Complete'], answer['status_code']]).toEqual(['false', undefined])
  }
  expect(await truth()).toEqual(PAID)
})

const storeCard = async (): Promise<Receipt> => moneris.call('res_add_cc', { ...VISA, crypt_type: '7' })
const dataKey = async (): Promise<string> => (await storeCard())['DataKey'] ?? ''

test.each<[operation: string, name: string, elements: () => Promise<Elements>]>([
  ['store', 'res_add_cc', async () => ({ ...VISA, crypt_type: '7' })],
  ['update', 'res_update_cc', async () => ({ data_key: await dataKey(), phone: '1' })],
  ['remove', 'res_delete', async () => ({ data_key: await dataKey() })],
  ['lookup', 'res_lookup_masked', async () => ({ data_key: await dataKey() })],
  ['verify', 'card_verification', async () => ({ order_id: newOrderId(), ...VISA, crypt_type: '7' })],
  ['tokenise', 'res_temp_add', async () => ({ ...VISA, crypt_type: '7' })],
  ['account', 'opentotals', async () => ({ ecr_number: '1' })],
  ['close', 'batchclose', async () => ({ ecr_number: '1' })],
])('%s fails with each kind of fault', async (operation, name, elements) => {
  const sent = await elements()
  for (const kind of ['error', 'drop', 'garbage', 'refuse']) {
    await moneris.orderFault(operation, kind, { booked: false })
    await expect(moneris.call(name, sent)).rejects.toThrow()
  }
  await moneris.orderFault(operation, 'slow', { ms: 10, booked: false })
  expect(await moneris.call(name, sent)).toMatchObject({ TimedOut: 'true', Complete: 'false' })
  await moneris.orderFault(operation, 'decline')
  const answer = await moneris.call(name, sent)
  expect(answer).toMatchObject(operation === 'verify' ? { ResponseCode: '481' } : { ResponseCode: 'null', Complete: 'false' })
})

test('a card whose storing was dropped is in the vault, unless it was not booked', async () => {
  const countStored = async () => (await moneris.call('res_get_expiring', {}))['ResolveData.data_key'] !== undefined
  const expiring = { pan: VISA.pan, expdate: '2611', crypt_type: '7' }
  await moneris.orderFault('store', 'drop', { booked: false })
  await expect(moneris.call('res_add_cc', expiring)).rejects.toThrow()
  expect(await countStored()).toBe(false)
  await moneris.orderFault('store', 'drop')
  await expect(moneris.call('res_add_cc', expiring)).rejects.toThrow()
  expect(await countStored()).toBe(true)
})

test('a fault of webhook events has no effect, because there are none', async () => {
  await moneris.postControl('/faults', { provider: 'moneris', operation: 'webhook', kind: 'lost', times: 1 })
  expect(await pay()).toMatchObject({ ResponseCode: '027' })
})
