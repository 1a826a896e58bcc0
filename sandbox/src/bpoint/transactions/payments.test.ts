import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startWebhookReceiver } from '../../test/webhook-receiver.ts'
import { bank, card, startTestBpoint, type TestBpoint } from '../test/test-bpoint.ts'

let bpoint: TestBpoint
let now = Date.parse('2026-11-20T12:00:00Z')

beforeAll(async () => {
  bpoint = await startTestBpoint({ clock: () => now })
})
afterEach(async () => {
  await bpoint.postControl('/reset')
})
afterAll(async () => {
  await bpoint.stop()
})

const search = async (more: object = {}) =>
  (await bpoint.call('POST', '/txns/search', { merchantReference: 'a:1', fromDate: '2026-11-20', toDate: '2026-11-22', ...more })).body
const refund = async (originalTxnNumber: string, amount: number, more: object = {}) =>
  (await bpoint.call('POST', '/txns', { action: 'Refund', originalTxnNumber, amount, crn1: '7', merchantReference: 'a:1', ...more })).body

describe('a key', () => {
  test('needs details and a method', async () => {
    const key = (await bpoint.call('POST', '/txns/authkeys', {})).body.authkey
    const process = async () => (await bpoint.call('POST', `/txns/authkeys/${key}/process`, {})).body.code
    expect(await process()).toBe('InvalidFlow')
    await bpoint.call('PUT', `/txns/authkeys/${key}/txn-details`, { amount: 1_000, crn1: '7' })
    expect(await process()).toBe('InvalidFlow')
    expect((await bpoint.call('GET', `/txns/authkeys/${key}/payment-method`)).body.code).toBe('InvalidFlow')
  })

  test('belongs to its merchant; a browser needs the key alone', async () => {
    const key = await bpoint.prepareTxn()
    const other = { merchant: '5353109000000001' }
    expect((await bpoint.call('POST', `/txns/authkeys/${key}/process`, {}, other)).status).toBe(404)
    expect((await bpoint.call('PUT', `/txns/authkeys/${key}/payment-method`, card(), { merchant: '' })).status).toBe(200)
    expect((await bpoint.call('PUT', '/txns/authkeys/none/payment-method', card(), { merchant: '' })).status).toBe(404)
    expect((await bpoint.call('POST', `/txns/authkeys/${key}/process`, {}, { merchant: '' })).body.code).toBe('InvalidCredentials')
  })

  test.each([
    [{}, ['Crn1 is required', 'Amount must be greater than zero']],
    [{ amount: 1.5, crn1: '7' }, ['Amount must be greater than zero']],
    [{ amount: 100, crn1: '7', currency: 'USD' }, ['Currency is not supported']],
    [{ amount: 100, crn1: '7', merchantReference: 'x'.repeat(51) }, ['MerchantReference is too long']],
    [{ amount: 100, crn1: '7', action: 'PreAuth' }, ['action is not supported']],
  ])('details %j are refused', async (details, messages) => {
    const key = (await bpoint.call('POST', '/txns/authkeys', {})).body.authkey
    const { status, body } = await bpoint.call('PUT', `/txns/authkeys/${key}/txn-details`, details)
    expect([status, body.code, body.details.map(({ message }: { message: string }) => message)]).toEqual([400, 'InvalidFields', messages])
  })

  test.each([
    [card({ number: '5123456789012345' }), 'Card number is invalid'],
    [card({ number: '' }), 'Number is required'],
    [card({ expiry: { month: '13', year: '29' } }), 'Expiry date is invalid'],
    [card({ cvn: '12' }), 'CVN is invalid'],
    [bank({ bsb: '1234' }), 'BSB is invalid'],
    [bank({ account: '12345678901' }), 'Account number is invalid'],
    [bank({ name: '' }), 'Name is required'],
  ])('%j cannot be attached', async (method, message) => {
    const key = (await bpoint.call('POST', '/txns/authkeys', {})).body.authkey
    const { status, body } = await bpoint.call('PUT', `/txns/authkeys/${key}/payment-method`, method, { merchant: '' })
    expect([status, body.details[0].message]).toEqual([400, message])
  })
})

describe('what the bank says', () => {
  test.each([
    ['876', 'P'],
    ['765', 'U'],
    ['987', 'N'],
    [undefined, 'S'],
  ])('the security code %s is answered by %s', async (cvn, code) => {
    expect((await bpoint.pay(card({ cvn }))).body.txn.cvnResult).toEqual({ code })
  })
})

describe('refunds', () => {
  test('of what was declined or is not there are refused', async () => {
    const { txnNumber } = (await bpoint.pay(card({ cvn: '987' }))).body.txn
    expect(await refund(txnNumber, 400)).toMatchObject({ responseCode: 'PT_R2' })
    expect((await refund('100000000000', 400)).code).toBe('InvalidFields')
  })

  test('a reversal is of the whole payment, on the same day', async () => {
    const { txnNumber } = (await bpoint.pay()).body.txn
    const reversal = { action: 'Reversal' }
    expect(await refund(txnNumber, 999, reversal)).toMatchObject({ responseCode: 'PT_R15' })
    expect(await refund(txnNumber, 1_000, reversal)).toMatchObject({ action: 'Reversal', responseCode: '0' })
    const second = (await bpoint.pay()).body.txn.txnNumber
    now += 86_400_000
    expect(await refund(second, 1_000, reversal)).toMatchObject({ responseCode: 'PT_V8' })
    now -= 86_400_000
  })
})

test('a search finds whole days in Sydney, in pages', async () => {
  for (let at = 0; at < 51; at += 1) await bpoint.pay()
  const first = await search()
  expect([first.resultCount, first.transactions.length]).toEqual([50, 50])
  const second = await search({ continueFrom: first.continueFrom })
  expect([second.resultCount, second.continueFrom]).toEqual([1, null])
  // 23:30 in Sydney is still the 20th, 00:30 the 21st.
  expect((await search({ fromDate: '2026-11-21' })).resultCount).toBe(0)
  now += 3_600_000
  await bpoint.pay()
  expect((await search({ fromDate: '2026-11-21' })).resultCount).toBe(1)
  now -= 3_600_000
  expect((await search({ merchantReference: 'a:2' })).resultCount).toBe(0)
  expect((await search({ responseCode: '1' })).resultCount).toBe(0)
  expect((await bpoint.call('POST', '/txns/search', {})).body.code).toBe('InvalidFields')
})

test('a transaction is read by its number, and by its merchant alone', async () => {
  const { txn } = (await bpoint.pay()).body
  expect((await bpoint.call('GET', `/txns/${txn.txnNumber}`)).body).toEqual(txn)
  expect((await bpoint.call('GET', `/txns/${txn.txnNumber}`, undefined, { merchant: '5353109000000001' })).status).toBe(404)
})

test('the clock can be set, for searches by day; a reset sets it back', async () => {
  expect((await bpoint.postControl('/bpoint/clock', { at: '2026-11-25T12:00:00Z' })).status).toBe(200)
  await bpoint.pay()
  expect([(await search()).resultCount, (await search({ fromDate: '2026-11-25', toDate: '2026-11-25' })).resultCount]).toEqual([0, 1])
  expect((await bpoint.postControl('/bpoint/clock', { at: 'soon' })).status).toBe(400)
  await bpoint.postControl('/reset')
  await bpoint.pay()
  expect((await search()).resultCount).toBe(1)
})

test('payments survive a restart', async () => {
  const { txnNumber } = (await bpoint.pay()).body.txn
  const again = await startTestBpoint({ dir: bpoint.dir, clock: () => now })
  expect((await again.call('GET', `/txns/${txnNumber}`)).body.responseCode).toBe('0')
  await again.stop()
})

test('an event is sent, unsigned, to the address of its call, also when a debit is settled', async () => {
  const [other, receiver] = [await startTestBpoint(), await startWebhookReceiver()]
  const process = async (key: string) =>
    other.call('POST', `/txns/authkeys/${key}/process`, { webhook: { url: receiver.url, version: 'v5' } })
  const { txn } = (await process(await other.prepareTxn(bank()))).body
  expect((await receiver.waitFor(1)).at(-1)?.event).toEqual({ type: 'transaction', data: txn })
  await other.postControl('/settle', { provider: 'bpoint', id: txn.txnNumber, outcome: 'succeeded' })
  expect((await receiver.waitFor(2)).at(-1)?.event).toMatchObject({
    type: 'transaction',
    data: { responseCode: '0', txnNumber: txn.txnNumber },
  })
  await other.postControl('/faults', { provider: 'bpoint', operation: 'webhook', kind: 'forged', times: 1 })
  await process(await other.prepareTxn(card({ cvn: '987' })))
  expect((await receiver.waitFor(3)).at(-1)?.event).toMatchObject({ data: { responseCode: '0' } })
  await other.stop()
  await receiver.close()
})
