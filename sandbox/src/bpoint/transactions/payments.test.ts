import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startWebhookReceiver } from '../../test/webhook-receiver.ts'
import { bank, card, MERCHANT, startTestBpoint, type TestBpoint } from '../test/test-bpoint.ts'

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

const ledger = async () => (await bpoint.ledger()).map(({ status, amount, reference, method }) => [status, amount, reference, method])
const search = async (more: object = {}) =>
  (await bpoint.call('POST', '/txns/search', { merchantReference: 'a:1', fromDate: '2026-11-20', toDate: '2026-11-22', ...more })).body
const codes = async (): Promise<string[]> => (await search()).transactions.map(({ responseCode }: { responseCode: string }) => responseCode)
const refund = async (originalTxnNumber: string, amount: number, more: object = {}) =>
  (await bpoint.call('POST', '/txns', { action: 'Refund', originalTxnNumber, amount, crn1: '7', merchantReference: 'a:1', ...more })).body

describe('a key', () => {
  test('is processed once: the money moves once, and a second process is refused', async () => {
    const key = await bpoint.prepareTxn()
    const { body } = await bpoint.call('GET', `/txns/authkeys/${key}/payment-method`)
    expect(body).toMatchObject({ accepted: true, token: null, card: { number: '512345...346', scheme: 'Mastercard' } })
    const first = await bpoint.call('POST', `/txns/authkeys/${key}/process`, {})
    expect(first.body.txn).toMatchObject({
      action: 'Payment',
      merchantNumber: MERCHANT,
      amount: 1_000,
      responseCode: '0',
      bankResponseCode: '00',
      cvnResult: { code: 'M' },
      isTestTxn: false,
      settlementDate: '20261120',
      processedDateTime: '2026-11-20T23:00:00.000+11:00',
    })
    for (const [method, path, more] of [
      ['POST', 'process', {}],
      ['PUT', 'txn-details', { amount: 5, crn1: '7' }],
      ['PUT', 'payment-method', card()],
      ['GET', 'payment-method', undefined],
    ] as const)
      expect((await bpoint.call(method, `/txns/authkeys/${key}/${path}`, more)).body).toMatchObject({ code: 'InvalidFlow' })
    expect(await ledger()).toEqual([['succeeded', 1_000, 'a:1', 'card']])
  })

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
    ['the cents 00', {}, { amount: 1_200, testMode: true }, '0', '00'],
    ['the cents 11', {}, { amount: 12_011, testMode: true }, '2', '11'],
    ['the cents 51', {}, { amount: 151, testMode: true }, '5', '51'],
    ['the cents 54', {}, { amount: 154, testMode: true }, '4', '54'],
    ['the cents 91', {}, { amount: 191, testMode: true }, '6', '91'],
    ['the cents 77', {}, { amount: 177, testMode: true }, 'F', null],
    ['any cents, outside the test mode', {}, { amount: 151 }, '0', '00'],
    ['the month 99', { expiry: { month: '99', year: '54' } }, {}, '4', '54'],
    ['a card that has expired', { expiry: { month: '10', year: '26' } }, {}, '4', '54'],
    ['the code 987', { cvn: '987' }, {}, '1', '05'],
    ['the code 876', { cvn: '876' }, {}, '0', '00'],
  ])('of %s', async (_, more, details, responseCode, bankResponseCode) => {
    const { status, body } = await bpoint.pay(card(more), details)
    expect([status, body.txn.responseCode, body.txn.bankResponseCode]).toEqual([200, responseCode, bankResponseCode])
    expect(await codes()).toEqual([responseCode])
    expect(await ledger()).toHaveLength(responseCode === '0' ? 1 : 0)
  })

  test.each([
    ['876', 'P'],
    ['765', 'U'],
    ['987', 'N'],
    [undefined, 'S'],
  ])('the security code %s is answered by %s', async (cvn, code) => {
    expect((await bpoint.pay(card({ cvn }))).body.txn.cvnResult).toEqual({ code })
  })

  test('of an amount of 111.99 in test mode comes late, and the payment is made before', async () => {
    const slow = bpoint.pay(card(), { amount: 11_199, testMode: true }, { signal: AbortSignal.timeout(1_000) })
    await expect(slow).rejects.toThrow(/timeout/i)
    expect([await codes(), await ledger()]).toEqual([['0'], [['succeeded', 11_199, 'a:1', 'card']]])
  })

  test('the documented test cards are cards', async () => {
    const numbers = ['2720010040360012', '4987654321098769', '345678901234564', '30123456789019', '3530111333300000']
    const schemes = []
    for (const number of numbers) schemes.push((await bpoint.pay(card({ number }))).body.txn.paymentMethod.card.scheme)
    expect(schemes).toEqual(['Mastercard', 'Visa', 'Amex', 'Diners', 'JCB'])
  })
})

describe('a debit', () => {
  const settle = async (id: string, outcome: string) => (await bpoint.postControl('/settle', { provider: 'bpoint', id, outcome })).status

  test('is pending until it is settled, and may be returned', async () => {
    const { txn } = (await bpoint.pay(bank())).body
    expect([txn.responseCode, txn.settlementDate, txn.paymentMethod.bank.bsb]).toEqual(['P', null, '062000'])
    expect(await ledger()).toEqual([['pending', 1_000, 'a:1', 'bank']])
    expect(await settle(txn.txnNumber, 'returned')).not.toBe(200)
    expect([await settle(txn.txnNumber, 'succeeded'), await codes()]).toEqual([200, ['0']])
    expect([await settle(txn.txnNumber, 'returned'), await codes(), await ledger()]).toEqual([
      200,
      ['1'],
      [['returned', 1_000, 'a:1', 'bank']],
    ])
  })

  test('may fail', async () => {
    const { txn } = (await bpoint.pay(bank())).body
    expect([await settle(txn.txnNumber, 'failed'), await codes(), await ledger()]).toEqual([200, ['1'], [['failed', 1_000, 'a:1', 'bank']]])
  })
})

describe('refunds', () => {
  test('go up to what was paid, in parts, and are found under the reference', async () => {
    const { txnNumber } = (await bpoint.pay()).body.txn
    expect(await refund(txnNumber, 400)).toMatchObject({ action: 'Refund', responseCode: '0', originalTxnNumber: txnNumber })
    expect(await refund(txnNumber, 601)).toMatchObject({ responseCode: 'PT_R5', responseText: 'Only $6.00 available for refund.' })
    expect(await refund(txnNumber, 600)).toMatchObject({ responseCode: '0' })
    expect(await refund(txnNumber, 1)).toMatchObject({ responseCode: 'PT_R4' })
    expect(await codes()).toEqual(['0', '0', 'PT_R5', '0', 'PT_R4'])
    expect((await ledger()).map(([status, amount]) => [status, amount])).toEqual([
      ['succeeded', 1_000],
      ['refunded', 400],
      ['refunded', 600],
    ])
  })

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
