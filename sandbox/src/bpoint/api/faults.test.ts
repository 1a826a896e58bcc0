import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type CallOptions, card, startTestBpoint, type TestBpoint } from '../test/test-bpoint.ts'

let bpoint: TestBpoint

beforeAll(async () => {
  bpoint = await startTestBpoint()
})
afterEach(async () => {
  await bpoint.postControl('/reset')
})
afterAll(async () => {
  await bpoint.stop()
})

const orderFault = async (kind: string, more: object = {}) => {
  const { status } = await bpoint.postControl('/faults', { provider: 'bpoint', operation: 'charge', kind, times: 1, ...more })
  expect(status).toBe(200)
}
const pay = (options?: CallOptions) => bpoint.pay(card(), {}, options)
const ledger = async () => (await bpoint.ledger()).map(({ status, amount }) => [status, amount])

/** The truth as a search by reference finds it. */
const readTruth = async () => {
  const [fromDate, toDate] = ['2020-01-01', '2099-01-01']
  const { body } = await bpoint.call('POST', '/txns/search', { merchantReference: 'a:1', fromDate, toDate })
  return body.transactions.map(({ responseCode, amount }: { responseCode: string; amount: number }) => [responseCode, amount])
}

const [PAID, FOUND] = [[['succeeded', 1_000]], [['0', 1_000]]]

test('a decline: the bank has declined, or with `booked` the money moved all the same', async () => {
  await orderFault('decline')
  expect((await pay()).body.txn).toMatchObject({ responseCode: '1', bankResponseCode: '05' })
  expect([await ledger(), await readTruth()]).toEqual([[], [['1', 1_000]]])
  await orderFault('decline', { booked: true })
  expect((await pay()).body.txn).toMatchObject({ responseCode: '1', bankResponseCode: '05' })
  expect([await ledger(), await readTruth()]).toEqual([PAID, [['1', 1_000], ...FOUND]])
})

test.each([true, false])('an error of the server: booked %s', async (booked) => {
  await orderFault('error', { booked })
  expect(await pay()).toMatchObject({ status: 500, body: { code: 'Fatal' } })
  expect([await ledger(), await readTruth()]).toEqual(booked ? [PAID, FOUND] : [[], []])
})

test.each([true, false])('a dropped connection: booked %s', async (booked) => {
  await orderFault('drop', { booked })
  await expect(pay()).rejects.toThrow()
  expect([await ledger(), await readTruth()]).toEqual(booked ? [PAID, FOUND] : [[], []])
})

test('a rejected connection: nothing happened, and the key can still be processed', async () => {
  const key = await bpoint.prepareTxn()
  const process = async () => bpoint.call('POST', `/txns/authkeys/${key}/process`, {})
  await orderFault('refuse', { booked: true })
  await expect(process()).rejects.toThrow()
  expect([await readTruth(), (await process()).status]).toEqual([[], 200])
})

test('a slow response: the money moved even if the caller disconnects before', async () => {
  await orderFault('slow', { ms: 60_000 })
  await expect(pay({ signal: AbortSignal.timeout(500) })).rejects.toThrow(/timeout/i)
  expect([await ledger(), await readTruth()]).toEqual([PAID, FOUND])
  await orderFault('slow', { ms: 50, booked: false })
  expect((await pay()).status).toBe(500)
  expect(await ledger()).toEqual(PAID)
})

test.each([true, false])('garbage with a 200: booked %s', async (booked) => {
  await orderFault('garbage', { booked })
  const { status, headers } = await pay()
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect([await ledger(), await readTruth()]).toEqual(booked ? [PAID, FOUND] : [[], []])
})

test.each([true, false])('a response with a wrong amount: booked %s', async (booked) => {
  await orderFault('wrong-amount', { booked })
  expect((await pay()).body.txn).toMatchObject({ responseCode: '0', amount: 1_100 })
  expect([await ledger(), await readTruth()]).toEqual(booked ? [PAID, FOUND] : [[], [['1', 1_000]]])
})

test('a call that arrives twice moves the money once', async () => {
  await orderFault('twice')
  expect((await pay()).body.txn.responseCode).toBe('0')
  expect([await ledger(), await readTruth()]).toEqual([PAID, FOUND])
})

test('an action: 3-D Secure has failed', async () => {
  await orderFault('action')
  expect((await pay()).body.txn.responseCode).toBe('F')
  expect([await ledger(), await readTruth()]).toEqual([[], [['F', 1_000]]])
})

test('a refund is declined, or made without an answer', async () => {
  const { txnNumber } = (await pay()).body.txn
  const refund = async () => {
    const body = { action: 'Refund', originalTxnNumber: txnNumber, amount: 400, crn1: '7', merchantReference: 'a:1' }
    return bpoint.call('POST', '/txns', body)
  }
  await orderFault('decline', { operation: 'refund' })
  expect((await refund()).body).toMatchObject({ action: 'Refund', responseCode: '1' })
  await orderFault('drop', { operation: 'refund' })
  await expect(refund()).rejects.toThrow()
  expect([await ledger(), (await readTruth()).at(-1)]).toEqual([
    [...PAID, ['refunded', 400]],
    ['0', 400],
  ])
})

const requestAuthKey = async (kind: string): Promise<string> => (await bpoint.call('POST', `/${kind}/authkeys`, {})).body.authkey

test.each([
  ['start', async () => bpoint.call('POST', '/txns/authkeys', {})],
  ['start', async () => bpoint.call('POST', '/tokens/authkeys', {})],
  ['details', async (key: string) => bpoint.call('PUT', `/txns/authkeys/${key}/txn-details`, { amount: 1, crn1: '7' })],
  ['attach', async (key: string) => bpoint.call('PUT', `/txns/authkeys/${key}/payment-method`, card(), { merchant: '' })],
  ['attached', async (key: string) => bpoint.call('GET', `/txns/authkeys/${key}/payment-method`)],
  ['store', async () => bpoint.store()],
  ['methods', async () => bpoint.call('POST', '/tokens/search', {})],
  ['update', async () => bpoint.call('PUT', '/tokens/none', {})],
  ['remove', async () => bpoint.call('DELETE', '/tokens/none')],
  ['lookup', async () => bpoint.call('GET', '/txns/none')],
  ['list', async () => bpoint.call('POST', '/txns/search', {})],
])('%s fails with each kind of fault', async (operation, call) => {
  const key = await requestAuthKey('txns')
  await orderFault('error', { operation })
  expect((await call(key)).status).toBe(500)
  await orderFault('drop', { operation })
  await expect(call(key)).rejects.toThrow()
  await orderFault('garbage', { operation })
  expect((await call(key)).headers.get('content-type')).toBe('text/html; charset=utf-8')
})
