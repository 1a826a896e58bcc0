import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type CallOptions, startTestNexio, type TestNexio } from '../test/test-nexio.ts'

let nexio: TestNexio
let card: string

beforeAll(async () => {
  nexio = await startTestNexio()
  card = await nexio.saveCard()
})
afterEach(async () => {
  await nexio.postControl('/reset')
})
afterAll(async () => {
  await nexio.stop()
})

const OPTIONS = { customerRedirectUrl: 'https://portal.example/return' }

const pay = async (options?: CallOptions) => {
  const data = { amount: 10, currency: 'USD', customer: { orderNumber: 'a:1' } }
  return nexio.call('POST', '/pay/v3/process', { tokenex: { token: card }, data, processingOptions: OPTIONS }, options)
}

const orderFault = async (kind: string, more: object = {}) => {
  const { status } = await nexio.postControl('/faults', { provider: 'nexio', operation: 'charge', kind, times: 1, ...more })
  expect(status).toBe(200)
}

const ledger = async () => (await nexio.ledger()).map(({ status, amount }) => [status, amount])

/** The truth as a look-up by reference finds it. */
const readTruth = async () =>
  (await nexio.call('GET', '/transaction/v3?plugin.orderNumber=a:1')).body.rows.map(
    ({ transactionStatus, amount }: { transactionStatus: number; amount: number }) => [transactionStatus, amount],
  )

const PAID = [['succeeded', 1000]]

test('a decline: the bank has declined, or with `booked` the money moved all the same', async () => {
  await orderFault('decline')
  expect(await pay()).toMatchObject({ status: 400, body: { error: 435, message: 'Declined', merchantId: '100039' } })
  expect([await ledger(), await readTruth()]).toEqual([[], [[30, 10]]])
  await orderFault('decline', { booked: true })
  expect(await pay()).toMatchObject({ status: 400, body: { error: 435 } })
  expect([await ledger(), (await readTruth())[0]]).toEqual([PAID, [10, 10]])
})

test.each([true, false])('an error of the server: booked %s', async (booked) => {
  await orderFault('error', { booked })
  expect(await pay()).toMatchObject({ status: 500, body: { error: 500 } })
  expect([await ledger(), await readTruth()]).toEqual(booked ? [PAID, [[10, 10]]] : [[], []])
})

test.each([true, false])('a dropped connection: booked %s', async (booked) => {
  await orderFault('drop', { booked })
  await expect(pay()).rejects.toThrow()
  expect([await ledger(), await readTruth()]).toEqual(booked ? [PAID, [[10, 10]]] : [[], []])
})

test('a rejected connection: nothing happened, and the next call succeeds', async () => {
  await orderFault('refuse', { booked: true })
  await expect(pay()).rejects.toThrow()
  expect(await readTruth()).toEqual([])
  expect((await pay()).status).toBe(200)
})

test('a slow response: the money moved even if the caller disconnects before', async () => {
  await orderFault('slow', { ms: 60_000 })
  await expect(pay({ signal: AbortSignal.timeout(500) })).rejects.toThrow(/timeout/i)
  expect([await ledger(), await readTruth()]).toEqual([PAID, [[10, 10]]])
  await orderFault('slow', { ms: 50, booked: false })
  expect((await pay()).status).toBe(500)
  expect(await ledger()).toEqual(PAID)
})

test('a slow response is sent at once when it is released', async () => {
  await orderFault('slow', { ms: 600_000 })
  const answer = pay()
  await expect.poll(ledger).toEqual(PAID)
  await nexio.postControl('/faults/release')
  expect((await answer).status).toBe(200)
})

test.each([true, false])('garbage with a 200: booked %s', async (booked) => {
  await orderFault('garbage', { booked })
  const { status, headers } = await pay()
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect([await ledger(), await readTruth()]).toEqual(booked ? [PAID, [[10, 10]]] : [[], []])
})

test.each([true, false])('a response with a wrong amount: booked %s', async (booked) => {
  await orderFault('wrong-amount', { booked })
  expect(await pay()).toMatchObject({ status: 200, body: { transactionStatus: 'pending', amount: 11, data: { amount: 11 } } })
  expect([await ledger(), await readTruth()]).toEqual(booked ? [PAID, [[10, 10]]] : [[], [[30, 10]]])
})

test('a call that arrives twice is executed twice', async () => {
  await orderFault('twice')
  expect((await pay()).status).toBe(200)
  expect([await ledger(), await readTruth()]).toEqual([
    [...PAID, ...PAID],
    [
      [10, 10],
      [10, 10],
    ],
  ])
})

test('an action requires authentication of any card, and moves no money before', async () => {
  await orderFault('action')
  const { body } = await pay()
  expect(body).toMatchObject({ status: 'redirect', redirectUrl: expect.stringContaining('/nexio/3ds/') })
  expect([await ledger(), await readTruth()]).toEqual([[], []])
  await fetch(body.redirectUrl, { method: 'POST', body: new URLSearchParams({ outcome: 'complete' }), redirect: 'manual' })
  expect(await readTruth()).toEqual([[10, 10]])
})

test('an action with `booked`: the money moved before, and the bank’s page only leads back', async () => {
  await orderFault('action', { booked: true })
  const { body } = await pay()
  expect([body.status, await ledger(), await readTruth()]).toEqual(['redirect', PAID, [[10, 10]]])
  const page = await (await fetch(body.redirectUrl)).text()
  expect(page).toContain('Nothing is left to do here.')
  expect(page).toMatch(/href="https:\/\/portal\.example\/return\?id=\w+(%3D)*&amp;status=pending&amp;orderNumber=a%3A1"/)
})

test('an action that only a script can take has no address', async () => {
  await orderFault('script-action')
  const { status, body } = await pay()
  expect([status, body.status, body.redirectUrl, body.transactionStatus]).toEqual([200, 'challenge', undefined, undefined])
  expect([await ledger(), await readTruth()]).toEqual([[], []])
})

const settledPayment = async (): Promise<string> => {
  const { id } = (await pay()).body
  await nexio.postControl('/nexio/settle-batch')
  return id
}

test('a declined refund moves nothing back; one with a wrong amount says more', async () => {
  const id = await settledPayment()
  const refund = async () => nexio.call('POST', '/pay/v3/refund', { id, data: { amount: 4 } })
  await orderFault('decline', { operation: 'refund' })
  expect(await refund()).toMatchObject({ status: 400, body: { error: 435 } })
  await orderFault('wrong-amount', { operation: 'refund' })
  expect(await refund()).toMatchObject({ status: 200, body: { transactionType: 'refund', amount: 5, transactionStatus: 'pending' } })
  expect([await ledger(), await readTruth()]).toEqual([
    PAID,
    [
      [30, 4],
      [30, 4],
      [20, 10],
    ],
  ])
  await orderFault('drop', { operation: 'refund' })
  await expect(refund()).rejects.toThrow()
  expect([await ledger(), (await readTruth())[0]]).toEqual([
    [...PAID, ['refunded', 400]],
    [10, 4],
  ])
})

test('a void with a lost answer is found as voided', async () => {
  const { id } = (await pay()).body
  await orderFault('decline', { operation: 'void' })
  expect((await nexio.call('POST', '/pay/v3/void', { id })).status).toBe(400)
  expect(await readTruth()).toEqual([[10, 10]])
  await orderFault('error', { operation: 'void', booked: true })
  expect((await nexio.call('POST', '/pay/v3/void', { id })).status).toBe(500)
  const booked = [
    ['succeeded', 1000],
    ['refunded', 1000],
  ]
  expect([await ledger(), await readTruth()]).toEqual([booked, [[40, 10]]])
})

const saveCard = async () => {
  const { token } = (await nexio.call('POST', '/pay/v3/token', {})).body
  const typed = { number: '4111111111111111', cardHolderName: 'A', expirationMonth: '1', expirationYear: '2039' }
  return nexio.call('POST', `/hosted/saveCard?token=${token}`, { card: typed }, { user: '' })
}

test.each([
  ['token', async () => nexio.call('POST', '/pay/v3/token', {})],
  ['store', saveCard],
  ['update', async () => nexio.call('PUT', `/pay/v3/vault/card/${card}`, {})],
  ['remove', async () => nexio.call('POST', '/pay/v3/deleteToken', { tokens: ['none'] })],
  ['capture', async () => nexio.call('POST', '/pay/v3/capture', { id: await settledPayment() })],
  ['lookup', async () => nexio.call('GET', `/pay/v3/vault/card/${card}`)],
  ['list', async () => nexio.call('GET', '/transaction/v3?limit=5')],
  ['account', async () => nexio.call('GET', '/user/v3/account/whoAmI')],
  ['webhook-config', async () => nexio.call('GET', '/webhook/v3/secret/100039')],
])('%s fails with each kind of fault', async (operation, call) => {
  await orderFault('error', { operation })
  expect((await call()).status).toBe(500)
  await orderFault('drop', { operation })
  await expect(call()).rejects.toThrow()
  await orderFault('garbage', { operation })
  expect((await call()).headers.get('content-type')).toBe('text/html; charset=utf-8')
  await orderFault('decline', { operation })
  expect(await call()).toMatchObject({ status: 400, body: { error: 435 } })
})

test('a look-up with a wrong amount says more than was charged', async () => {
  await pay()
  await orderFault('wrong-amount', { operation: 'list' })
  expect([await readTruth(), await readTruth()]).toEqual([[[10, 11]], [[10, 10]]])
})
