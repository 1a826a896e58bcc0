import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPinch, type TestPinch } from '../test/test-pinch.ts'

let pinch: TestPinch
let card: { payerId: string; sourceId: string }

beforeAll(async () => {
  pinch = await startTestPinch()
  card = await pinch.payerWithCard()
})
afterAll(async () => {
  await pinch.stop()
})

let count = 0
/** Charges with a fault; what was answered and what was booked. */
const chargeWith = async (fault: object) => {
  const nonce = `fault-${++count}`
  await pinch.postControl('/faults', { provider: 'pinch', operation: 'charge', times: 1, ...fault })
  const answer = await pinch.call('POST', '/payments/realtime', { ...card, amount: 500, nonce }).catch(() => undefined)
  const booked = (await pinch.ledger()).filter(({ reference }) => reference === nonce).map(({ amount }) => amount)
  return { status: answer?.status, body: answer?.body, booked }
}

test.each([
  [
    { kind: 'drop', booked: true },
    { status: undefined, booked: [500] },
  ],
  [
    { kind: 'drop', booked: false },
    { status: undefined, booked: [] },
  ],
  [{ kind: 'refuse' }, { status: undefined, booked: [] }],
  [
    { kind: 'error', booked: true },
    { status: 500, booked: [500] },
  ],
  [{ kind: 'error' }, { status: 500, booked: [] }],
  [
    { kind: 'garbage', booked: true },
    { status: 200, booked: [500] },
  ],
  [
    { kind: 'slow', ms: 10 },
    { status: 201, booked: [500] },
  ],
  [{ kind: 'decline' }, { status: 201, body: { status: 'dishonoured' }, booked: [] }],
  [
    { kind: 'decline', booked: true },
    { status: 201, body: { status: 'dishonoured' }, booked: [500] },
  ],
  [
    { kind: 'wrong-amount', booked: true },
    { status: 201, body: { status: 'approved', amount: 501 }, booked: [500] },
  ],
  [{ kind: 'wrong-amount' }, { status: 201, body: { status: 'approved', amount: 501 }, booked: [] }],
  [{ kind: 'twice' }, { status: 201, booked: [500] }],
  [{ kind: 'action' }, { status: 201, body: { status: 'approved' }, booked: [500] }],
])('%j', async (fault, means) => {
  expect(await chargeWith(fault)).toMatchObject(means)
})

test.each([
  ['tokenize', () => pinch.call('POST', '/tokens', { publishableKey: 'pk_test_app_acme' }, { bearer: '' })],
  ['account', () => pinch.call('GET', '/health/auth')],
  ['customer', () => pinch.call('POST', '/payers', {})],
  ['list-methods', () => pinch.call('GET', `/payers/${card.payerId}`)],
  ['store', () => pinch.call('POST', `/payers/${card.payerId}/sources`, {})],
  ['remove', () => pinch.call('DELETE', `/payers/${card.payerId}/sources/src_none`)],
  ['look-up', () => pinch.call('POST', '/payments/nonce', { nonce: 'x' })],
  ['list', () => pinch.call('GET', '/payments/processed')],
  ['cancel', () => pinch.call('DELETE', '/payments/pmt_none')],
  ['refund', () => pinch.call('POST', '/refunds', {})],
  ['fees', () => pinch.call('POST', '/fees/calculate', {})],
  ['events', () => pinch.call('GET', '/events')],
  ['webhook-settings', () => pinch.call('GET', '/webhooks')],
  ['token', () => pinch.authenticate()],
])('a fault can be requested for %s', async (operation, call) => {
  await pinch.postControl('/faults', { provider: 'pinch', operation, kind: 'error', times: 1 })
  expect((await call()).status).toBe(500)
  expect((await call()).status).not.toBe(500)
})
