import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chargeStored } from '../../../../test/payments/charge-directly.ts'
import { adapterContext, orderAt, recordingsOf, storeDirectly, useSandbox } from '../../../../test/payments/providers/adapter-bench.ts'
import { BPOINT, BPOINT_SETTINGS } from '../../../../test/payments/providers/bpoint.driver.ts'
import { identifiedOrder } from '../../../../test/payments/sent-order.ts'
import type { KnownMethod } from '../method.ts'
import { bpoint } from './bpoint.ts'
import { decodeCharge, decodeMethod, decodeTransaction, knownStateOf, transactionResult } from './bpoint-codec.ts'
import { toErrorDecline } from './bpoint-errors.ts'
import { parseBpointWebhook } from './bpoint-webhooks.ts'

const sandbox = await useSandbox()
const transcripts: string[] = []

const context = () => adapterContext(bpoint, sandbox, { ...BPOINT_SETTINGS, testMode: true }, { transcripts })
const enterCard = (purpose: 'store' | 'pay') => BPOINT.adapter.enterCard({ sandbox, context: context as never }, purpose)
const storeCard = async (): Promise<KnownMethod> => storeDirectly(bpoint, context(), { type: 'card', ...(await enterCard('store')).card })

test('[PAY-01] bpoint: a refund is not sent where BPOINT has returned more than we know', async () => {
  const order = orderAt(bpoint, 'AUD')
  const charged = await chargeStored(bpoint, context(), order, await storeCard())
  if (charged.state !== 'succeeded') throw new Error(JSON.stringify(charged))
  const known = identifiedOrder(order, charged.providerRef, context().now)
  const part = { minor: 2_500n, currency: 'AUD' }
  expect(await bpoint.refunds?.refund(context(), known, part, '1')).toMatchObject({ state: 'succeeded', refunded: 2_500n })
  expect(await bpoint.refunds?.refund(context(), known, part, '2')).toMatchObject({ state: 'succeeded', refunded: 2_500n })
  const refunds = (await sandbox.ledger()).filter(({ reference, status }) => reference === order.merchantReference && status === 'refunded')
  expect(refunds.map(({ amount }) => amount)).toEqual([2_500])
})

test('bpoint: the address for webhooks goes with each payment, where there is one', async () => {
  const method = await storeCard()
  for (const webhookUrl of ['https://billing.example.com/hooks/bpoint/3009', undefined]) {
    const sent: string[] = []
    const { http, ...rest } = context()
    const send: typeof http.send = (request) => {
      if (request.url.endsWith('/process')) sent.push(request.body ?? '')
      return http.send(request)
    }
    await chargeStored(
      bpoint,
      { ...rest, http: { send }, ...(webhookUrl && { webhookUrl }) },
      orderAt(bpoint, 'AUD', { client: null }),
      method,
    )
    expect(sent.map((body) => JSON.parse(body) as unknown)).toEqual([webhookUrl ? { webhook: { url: webhookUrl, version: 'v5' } } : {}])
  }
})

test('bpoint: keys and tokens stand in no transcript', async () => {
  const [{ entryReference = '' }, { token }] = [await enterCard('pay'), await storeCard()]
  expect([entryReference.length > 10, token.length > 10, transcripts.length > 5]).toEqual([true, true, true])
  for (const secret of [entryReference, token]) expect(transcripts.join('\n')).not.toContain(secret)
})

test('bpoint: what is redacted, before and after', () => {
  const before =
    'PUT https://www.bpoint.com.au/rest/v5/tokens/authkeys/0a1b2c3d-1/payment-method {"bank":{"bsb":"062000","account":"123","name":"A \\"B\\""}}\n' +
    '200 {"token":"9999000011112222","crn1":"7","emailAddress":"a@b.example","amount":11000,"responseCode":"0"} after 3 ms'
  expect(bpoint.redact(before)).toBe(
    'PUT https://www.bpoint.com.au/rest/v5/tokens/authkeys/[sealed]/payment-method {"bank":{"bsb":"[sealed]","account":"[sealed]","name":"[sealed]"}}\n' +
      '200 {"token":"[sealed]","crn1":"[sealed]","emailAddress":"[sealed]","amount":11000,"responseCode":"0"} after 3 ms',
  )
  expect(bpoint.redact('DELETE /rest/v5/tokens/9999000011112222 ')).toBe('DELETE /rest/v5/tokens/[sealed] ')
  expect(bpoint.redact('POST /rest/v5/tokens/search ')).toBe('POST /rest/v5/tokens/search ')
})

const LIVE = { ...BPOINT_SETTINGS }
const transaction = (more: object = {}) => ({
  action: 'Payment',
  merchantReference: 'our-1',
  currency: 'AUD',
  amount: 599,
  txnNumber: '100000000123',
  responseCode: '0',
  bankResponseCode: '00',
  responseText: 'Approved',
  isTestTxn: false,
  cvnResult: { code: 'M' },
  paymentMethod: { token: null, card: { number: '512345...346' }, bank: null },
  ...more,
})
const decode = (status: number, body: unknown, settings = LIVE) => decodeCharge({ status, body }, 'our-1', settings)
const approved = { state: 'succeeded', providerRef: '100000000123', amount: { minor: 599n, currency: 'AUD' } }

describe('[PAY-01] bpoint: what the answer to a charge says', () => {
  test.each<[string, object, object]>([
    ['approved', {}, approved],
    ['honoured with identification', { bankResponseCode: '08' }, approved],
    ['a debit without a code of its bank', { bankResponseCode: null }, approved],
    ['approved in part', { bankResponseCode: '10' }, { state: 'unknown' }],
    ['another amount', { amount: 699 }, { state: 'succeeded', amount: { minor: 699n } }],
    ['a rehearsal', { isTestTxn: true }, { state: 'unknown' }],
    ['pending', { responseCode: 'P', bankResponseCode: null }, { state: 'processing', providerRef: '100000000123' }],
    ['the payment of somebody else', { merchantReference: 'our-2' }, { state: 'unknown' }],
    ['a refund', { action: 'Refund' }, { state: 'unknown' }],
    ['a number as an amount in dollars', { amount: 5.99 }, { state: 'unknown' }],
    ['an amount as a text', { amount: '599' }, { state: 'unknown' }],
    ['no number', { txnNumber: null }, { state: 'unknown' }],
    ['no response code', { responseCode: '' }, { state: 'unknown' }],
    ['declined', { responseCode: '1', bankResponseCode: '05' }, { state: 'declined', reason: 'card_declined', providerCode: '1 05' }],
    ['no funds', { responseCode: '5', bankResponseCode: '51' }, { state: 'declined', reason: 'insufficient_funds' }],
    ['expired', { responseCode: '4', bankResponseCode: '54' }, { state: 'declined', reason: 'expired_card' }],
    [
      'a wrong security code',
      { responseCode: '1', bankResponseCode: '05', cvnResult: { code: 'N' } },
      { state: 'declined', reason: 'incorrect_cvc' },
    ],
    ['no code of the bank', { responseCode: '2', bankResponseCode: null }, { state: 'declined', reason: 'card_declined' }],
    ['3-D Secure failed', { responseCode: 'F', bankResponseCode: null }, { state: 'declined' }],
    ['an unknown token', { responseCode: 'PT_T2', bankResponseCode: null }, { state: 'declined', reason: 'method_gone' }],
    ['a wrong BSB', { responseCode: 'PT_V13', bankResponseCode: null }, { state: 'declined', reason: 'invalid_account' }],
    ['declined with the code of an approval', { responseCode: '1', bankResponseCode: '00' }, { state: 'unknown' }],
    ...['68', '91', '94', '96'].map(
      (code) =>
        [`the bank's ${code}`, { responseCode: '2', bankResponseCode: code }, { state: 'unknown' }] satisfies [string, object, object],
    ),
    ...['6', '7', '?', 'A', 'C', 'D', 'L', 'N', 'S', 'PT_E5', 'PT_G5', 'PT_G8', 'PT_G13', 'PT_V99', 'Z'].map(
      (code) =>
        [`the code ${code}`, { responseCode: code, bankResponseCode: null }, { state: 'unknown' }] satisfies [string, object, object],
    ),
  ])('%s', (_, more, means) => {
    expect(decode(200, { txn: transaction(more) })).toMatchObject(means)
  })

  test.each([
    [
      400,
      { code: 'InvalidFields', message: 'One or more', details: [{ code: 'x', message: 'Crn1 is required', field: 'crn1' }] },
      'declined',
    ],
    [401, { code: 'InvalidCredentials', message: 'Invalid credentials' }, 'declined'],
    [400, { code: 'InvalidFlow', message: 'The authkey has been processed' }, 'unknown'],
    [404, { code: 'NotFound', message: 'Authkey not found' }, 'unknown'],
    [500, { code: 'InvalidFields', message: 'x' }, 'unknown'],
    [500, { code: 'Fatal', message: 'x' }, 'unknown'],
    [400, { code: 'SystemDown' }, 'unknown'],
    [400, undefined, 'unknown'],
    [401, '<html>', 'unknown'],
    [200, { code: 'InvalidFields', message: 'x' }, 'unknown'],
    [200, transaction(), 'unknown'],
    [200, undefined, 'unknown'],
    [202, { txn: transaction() }, 'unknown'],
  ])('%i %j: %s', (status, body, state) => {
    expect(decode(status, body).state).toBe(state)
  })

  test('[PM-06] bpoint: the first detail message is for the payer, else the message; what is wrong with the account is not', () => {
    const details = [
      { code: 'x', message: 'Card number is invalid', field: 'a' },
      { code: 'x', message: 'CVN is invalid', field: 'b' },
    ]
    const textOf = (body: object) => toErrorDecline({ status: 400, body })?.userMessage
    expect(textOf({ code: 'InvalidFields', message: 'One or more', details })).toBe('Card number is invalid')
    expect(textOf({ code: 'InvalidFields', message: 'One or more' })).toBe('One or more')
    expect(textOf({ code: 'InvalidFields', message: 'Card 4987654321098769' })).toBe('Card …')
    expect(textOf({ code: 'InvalidCredentials', message: 'Invalid credentials' })).toContain('not configured properly')
  })

  test('every other answer is not paid', () => {
    const part = fc.oneof(fc.anything(), fc.constantFrom('0', '00', 'Payment', 'our-1', 599, 'AUD'))
    const fields = fc.constantFrom('action', 'merchantReference', 'currency', 'amount', 'txnNumber', 'responseCode', 'bankResponseCode')
    const changed = fc.record({ field: fields, value: part }).map(({ field, value }) => ({ txn: transaction({ [field]: value }) }))
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: 100, max: 599 }), fc.constant(200)), fc.oneof(fc.anything(), changed), (status, body) => {
        if (decode(status, body).state !== 'succeeded') return
        expect(status).toBe(200)
        expect(body).toMatchObject({ txn: { action: 'Payment', merchantReference: 'our-1', responseCode: '0' } })
      }),
      { numRuns: 5_000 },
    )
  })
})

test('[PAY-01] bpoint: a payment that was reversed whole on its day was voided, one that was refunded was paid', () => {
  const paid = decodeTransaction(transaction({ responseCode: '0', bankResponseCode: '00' }))
  const returned = (action: string) => decodeTransaction(transaction({ action, originalTxnNumber: paid?.txnNumber }))
  const [reversal, refund] = [returned('Reversal'), returned('Refund')]
  if (paid === undefined || reversal === undefined || refund === undefined) throw new Error('it cannot be read')
  expect(transactionResult(paid, knownStateOf([paid, reversal], paid), LIVE)).toMatchObject({ state: 'voided' })
  expect(transactionResult(paid, knownStateOf([paid, { ...reversal, amount: 100 }], paid), LIVE)).toMatchObject({ refunded: 100n })
  expect(transactionResult(paid, knownStateOf([paid, refund], paid), LIVE)).toMatchObject({ state: 'succeeded', refunded: 599n })
})

test.each([
  [{ card: { number: '512345...346', expiry: { month: '05', year: '29' }, name: 'Jane', scheme: 'Mastercard' } }, 'mastercard', 5, 2029],
  [{ card: { number: '345678...564', expiry: { month: '05', year: '29' }, name: 'Jane', scheme: 'AX' } }, 'amex', 5, 2029],
  [{ card: { number: '5123456789012346', expiry: { month: '99', year: '54' }, scheme: 'Other' } }, undefined, undefined, undefined],
])('[PM-100] bpoint: a card is shown as it is masked: %j', (method, brand, expMonth, expYear) => {
  const details = decodeMethod(method)?.details
  expect([details?.brand, details?.expMonth, details?.expYear]).toEqual([brand, expMonth, expYear])
  expect(details?.maskedNumber).toBe(brand === undefined ? undefined : method.card.number)
})

test('[PM-101] bpoint: of an account the BSB and the last digits are kept', () => {
  const method = { card: null, bank: { bsb: '062000', account: '0012345678', name: 'Jane' } }
  expect(decodeMethod(method)).toEqual({ kind: 'bank', details: { bankCode: '062000', last4: '5678', name: 'Jane' } })
})

test('bpoint: webhooks are hints: our reference alone is read', () => {
  const parse = (body: unknown) => parseBpointWebhook(context(), { raw: typeof body === 'string' ? body : JSON.stringify(body) })
  expect(parse({ type: 'transaction', data: transaction() })).toEqual([
    { eventId: expect.stringMatching(/^transaction:/), kind: 'transaction', about: 'payment', merchantReference: 'our-1' },
  ])
  expect(parse({ type: 'transaction', data: {} })).toMatchObject([{ about: 'other' }])
  expect(parse({ type: 'token', data: { merchantReference: 'our-1' } })).toMatchObject([{ about: 'other' }])
  expect(() => parse('no JSON')).toThrow('cannot be read')
})

const RECORDED = recordingsOf('bpoint')
const sample = (name: string): unknown => RECORDED.find(({ file }) => file === `${name}.json`)?.response.body

test.runIf(RECORDED.length > 0)('bpoint: the samples are read', () => {
  const settings = { ...LIVE, testMode: true }
  const result = (value: unknown) => {
    const found = decodeTransaction(value)
    return found && transactionResult(found, { refunded: 0n, isVoided: false }, settings)
  }
  expect(decodeCharge({ status: 200, body: sample('v5-authkey-process-approved') }, 'web checkout', settings)).toMatchObject({
    state: 'succeeded',
    amount: { minor: 1_999n, currency: 'AUD' },
  })
  expect(result(sample('v5-txn-approved'))).toMatchObject({ state: 'succeeded' })
  expect(result(sample('v5-txn-declined-05'))).toMatchObject({ state: 'declined', providerCode: '1 05' })
  expect(result(sample('v5-txn-read-by-number'))).toMatchObject({ state: 'succeeded', providerRef: '100000000123' })
  const token = sample('v5-token-read') as { paymentMethod: unknown }
  expect(decodeMethod(token.paymentMethod)).toEqual({
    kind: 'card',
    details: { brand: 'mastercard', maskedNumber: '512345...346', expMonth: 5, expYear: 2029, name: 'Jane Citizen' },
  })
  expect(toErrorDecline({ status: 400, body: sample('v5-invalid-fields') })?.userMessage).toBe('Crn1 is required')
})
