import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chargeNew } from '../../../../test/payments/charge-directly.ts'
import { NoResponseError } from '../../../kit/outgoing-http.ts'
import { sentOrder } from '../../../../test/payments/sent-order.ts'
import { authorize } from './authorize.ts'
import { decodeCharge } from './authorize-charges.ts'
import { decodeAnswer } from './authorize-client.ts'
import { decodeProfile, toStoredMethod } from './authorize-profiles.ts'
import { decodeSummary, decodeTransaction, toResult } from './authorize-transactions.ts'
import { addBankingDays } from '../debits.ts'
import { contextAnswering, recordingsOf, type WireAnswer } from '../../../../test/payments/providers/adapter-bench.ts'
import { AUTHORIZE_SETTINGS, newCard, newOrder } from '../../../../test/payments/providers/authorize.driver.ts'
import { WEBHOOK_KEY } from '../../../../test/payments/providers/provider-driver.ts'

const OK = { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] }
const FAILED = { resultCode: 'Error', message: [{ code: 'E00027', text: 'The transaction was unsuccessful.' }] }
const ORDER = newOrder({ merchantReference: 'A'.repeat(20) })

const answering = (...answers: WireAnswer[]) => contextAnswering(authorize, AUTHORIZE_SETTINGS, ...answers)

const answerOf = (transactionResponse: unknown, messages: object = OK, refId: unknown = ORDER.merchantReference): string =>
  `\uFEFF${JSON.stringify({ transactionResponse, refId, messages })}`
const APPROVED = { responseCode: '1', transId: '40000000001', testRequest: '0', messages: [{ code: '1', description: 'Approved.' }] }
const toDenial = (responseCode: string, errorCode: string, errorText = 'No.') => ({
  responseCode,
  transId: '0',
  errors: [{ errorCode, errorText }],
})

const charge = (...answers: WireAnswer[]) => chargeNew(authorize, answering(...answers).context, ORDER, newCard())
const NO_BOOKS = `\uFEFF${JSON.stringify({ messages: { resultCode: 'Error', message: [{ code: 'E00011', text: 'Access denied.' }] } })}`

describe('[PAY-01] authorize: what an answer means', () => {
  test.each([
    ['an approval', answerOf(APPROVED), 'succeeded'],
    ['an approval under an error', answerOf(APPROVED, FAILED), 'succeeded'],
    ['an approval without a byte order mark', answerOf(APPROVED).slice(1), 'succeeded'],
    ['an approval that was not stored', answerOf({ ...APPROVED, transId: '0' }), 'unknown'],
    ['an approval in test mode', answerOf({ ...APPROVED, testRequest: '1' }), 'declined'],
    ['an approval of another payment', answerOf(APPROVED, OK, 'B'.repeat(20)), 'unknown'],
    ['an approval that names no payment', answerOf(APPROVED, OK, null), 'unknown'],
    ['a review', answerOf({ ...APPROVED, responseCode: '4' }), 'processing'],
    ['a review that was not stored', answerOf({ ...APPROVED, responseCode: '4', transId: '0' }), 'unknown'],
    ['a decline under Ok', answerOf(toDenial('2', '2')), 'declined'],
    ['a decline under an error', answerOf(toDenial('2', '2'), FAILED), 'declined'],
    ['an error', answerOf(toDenial('3', '6'), FAILED), 'declined'],
    ['a duplicate', answerOf(toDenial('3', '11'), FAILED), 'unknown'],
    ['a void that failed after a time-out', answerOf(toDenial('3', '120'), FAILED), 'unknown'],
    ['another response code', answerOf({ ...APPROVED, responseCode: '5' }), 'unknown'],
    ['a number as response code', answerOf({ ...APPROVED, responseCode: 1 }), 'unknown'],
    ['no transaction', `{"refId":"${ORDER.merchantReference}","messages":${JSON.stringify(FAILED)}}`, 'unknown'],
    [
      'a busy server',
      `{"refId":"${ORDER.merchantReference}","messages":{"resultCode":"Error","message":[{"code":"E00053","text":"Busy."}]}}`,
      'unknown',
    ],
    [
      'a rejected field',
      `{"refId":"${ORDER.merchantReference}","messages":{"resultCode":"Error","message":[{"code":"E00013","text":"Bad."}]}}`,
      'declined',
    ],
    ['a web page', '<html>', 'unknown'],
    ['nothing', '', 'unknown'],
    ['null', 'null', 'unknown'],
  ])('%s', async (_, answer, state) => {
    const { context, sent } = answering(answer, NO_BOOKS)
    expect(await chargeNew(authorize, context, ORDER, newCard())).toMatchObject({ state })
    expect(sent.filter((body) => body.includes('createTransactionRequest'))).toHaveLength(1)
  })

  test('no answer is unknown, unless certainly nothing was sent', async () => {
    expect(await charge(new NoResponseError('no answer', true))).toMatchObject({ state: 'unknown' })
    expect(await charge(new NoResponseError('no connection', false))).toMatchObject({ state: 'not_sent' })
  })

  test('only an approval of this payment that was stored is ever succeeded', () => {
    const part = fc.oneof(fc.anything(), fc.constantFrom('1', '2', '3', '4', '0', 1, '40000000001', ORDER.merchantReference))
    const result = fc.dictionary(fc.constantFrom('responseCode', 'transId', 'testRequest', 'errors', 'messages'), part)
    const body = fc.dictionary(fc.constantFrom('transactionResponse', 'refId'), fc.oneof(result, part))
    fc.assert(
      fc.property(body, fc.constantFrom('I00001', 'E00027', 'E00001', 'E00013', 'constructor'), fc.boolean(), (value, code, isOk) => {
        const decoded = decodeCharge({ body: value, code, text: '', isOk }, ORDER, false)
        if (decoded.state !== 'succeeded') return
        expect(value).toMatchObject({ refId: ORDER.merchantReference, transactionResponse: { responseCode: '1' } })
        expect(value['transactionResponse']).toMatchObject({ transId: expect.stringMatching(/^[1-9]\d*$/) })
      }),
      { numRuns: 5_000 },
    )
  })
})

const DETAILS = {
  transId: '40000000001',
  transactionType: 'authCaptureTransaction',
  transactionStatus: 'settledSuccessfully',
  submitTimeUTC: '2026-11-20T10:00:00.39Z',
  responseCode: 1,
  order: { invoiceNumber: ORDER.merchantReference },
  authAmount: 50,
  settleAmount: 50,
  payment: { creditCard: { cardNumber: 'XXXX1111', expirationDate: 'XXXX' } },
}

describe('[PAY-01] authorize: what details mean', () => {
  test.each([
    ['settledSuccessfully', 'succeeded'],
    ['capturedPendingSettlement', 'succeeded'],
    ['pendingSettlement', 'succeeded'],
    ['chargebackReversal', 'succeeded'],
    ['underReview', 'processing'],
    ['FDSAuthorizedPendingReview', 'processing'],
    ['declined', 'declined'],
    ['generalError', 'declined'],
    ['expired', 'canceled'],
    ['authorizedPendingCapture', 'unknown'],
    ['communicationError', 'unknown'],
    ['couldNotVoid', 'unknown'],
    ['settlementError', 'unknown'],
    ['constructor', 'unknown'],
  ])('%s is %s', async (transactionStatus, state) => {
    const { context } = answering(JSON.stringify({ transaction: { ...DETAILS, transactionStatus }, messages: OK }))
    expect(await authorize.lookUp(context, sentOrder(ORDER, '40000000001'))).toMatchObject({ state })
  })

  test('a chargeback takes the money back', async () => {
    const { context } = answering(JSON.stringify({ transaction: { ...DETAILS, transactionStatus: 'chargeback' }, messages: OK }))
    expect(await authorize.lookUp(context, sentOrder(ORDER, '40000000001'))).toMatchObject({ state: 'succeeded', reversed: 5_000n })
  })

  test.each([
    ['of another transaction', { transId: '40000000002' }],
    ['of another payment', { order: { invoiceNumber: 'B'.repeat(20) } }],
    ['of a refund', { transactionType: 'refundTransaction' }],
    ['of a captured payment that was not approved', { responseCode: 2 }],
    ['without an amount', { settleAmount: null }],
    ['without a time', { submitTimeUTC: 'today' }],
  ])('details %s are unknown', async (_, change) => {
    const { context } = answering(JSON.stringify({ transaction: { ...DETAILS, ...change }, messages: OK }))
    expect(await authorize.lookUp(context, sentOrder(ORDER, '40000000001'))).toMatchObject({ state: 'unknown' })
  })

  test('another amount is told as it is', async () => {
    const { context } = answering(JSON.stringify({ transaction: { ...DETAILS, settleAmount: '51.00' }, messages: OK }))
    expect(await authorize.lookUp(context, sentOrder(ORDER, '40000000001'))).toMatchObject({ amount: { minor: 5_100n } })
  })

  test('a list is read to its end: a page that is full is followed by another', async () => {
    const entry = { transId: '1', transactionStatus: 'declined', submitTimeUTC: '2026-11-23T11:59:00Z', settleAmount: 0 }
    const full = JSON.stringify({ transactions: Array.from({ length: 1_000 }, () => entry), messages: OK })
    const last = JSON.stringify({
      transactions: [{ ...entry, transId: '40000000001', invoiceNumber: ORDER.merchantReference }],
      messages: OK,
    })
    const details = JSON.stringify({ transaction: { ...DETAILS, transactionStatus: 'capturedPendingSettlement' }, messages: OK })
    const { context, sent } = answering(full, last, JSON.stringify({ messages: OK }), details)
    expect(await authorize.lookUp(context, sentOrder(ORDER, null, context.now))).toMatchObject({ state: 'succeeded' })
    expect(sent.map((body) => JSON.parse(body).getUnsettledTransactionListRequest?.paging.offset)).toEqual([1, 2, undefined, undefined])
  })

  test('a list with an entry that cannot be read is no proof that a payment is absent', async () => {
    const { context } = answering(JSON.stringify({ transactions: [{ transId: '1' }], messages: OK }))
    expect(await authorize.lookUp(context, sentOrder(ORDER, null, context.now))).toMatchObject({ state: 'unknown' })
  })

  test('banking days leave out Saturdays and Sundays', () => {
    expect(addBankingDays(new Date('2026-11-20T10:00:00Z'), 1).toISOString()).toBe('2026-11-23T10:00:00.000Z')
    expect(addBankingDays(new Date('2026-11-23T10:00:00Z'), 5).toISOString()).toBe('2026-11-30T10:00:00.000Z')
    expect(addBankingDays(new Date('2026-11-21T10:00:00Z'), 0).toISOString()).toBe('2026-11-21T10:00:00.000Z')
  })
})

describe('[PAY-01] authorize: webhooks', () => {
  const { context } = answering('')
  const parse = (raw: string, key = WEBHOOK_KEY) => {
    const signature = `sha512=${createHmac('sha512', key).update(raw).digest('hex').toUpperCase()}`
    return authorize.webhooks?.parse(context, { headers: { 'x-anet-signature': signature }, raw })
  }
  const event = (kind: string, payload: object) =>
    JSON.stringify({
      notificationId: 'n1',
      eventType: `net.authorize.payment.${kind}`,
      payload: { entityName: 'transaction', id: '4', ...payload },
    })

  test('name the payment to look up; a refund has an id of its own', () => {
    expect(parse(event('authcapture.created', { invoiceNumber: ORDER.merchantReference }))).toEqual([
      {
        eventId: 'n1',
        kind: 'net.authorize.payment.authcapture.created',
        about: 'payment',
        merchantReference: ORDER.merchantReference,
        providerRef: '4',
      },
    ])
    expect(parse(event('refund.created', { invoiceNumber: ORDER.merchantReference }))).toMatchObject([
      { about: 'payment', merchantReference: ORDER.merchantReference },
    ])
    expect(parse(event('refund.created', { invoiceNumber: ORDER.merchantReference }))?.[0]).not.toHaveProperty('providerRef')
    expect(parse(event('void.created', {}))).toMatchObject([{ about: 'payment', providerRef: '4' }])
    expect(parse(event('refund.created', { invoiceNumber: '17' }))).toMatchObject([{ about: 'other' }])
    expect(parse(event('authcapture.created', { entityName: 'customerProfile' }))).toMatchObject([{ about: 'other' }])
  })

  test.each(['', 'not JSON', '[]', 'null', '{}'])('that cannot be read are refused, although they are signed: %s', (raw) => {
    expect(() => parse(raw)).toThrow('cannot be read')
  })

  test('are believed by their signature alone', () => {
    expect(() => parse(event('void.created', {}), 'B'.repeat(128))).toThrow('signature')
    const raw = event('void.created', {})
    const signature = `sha512=${createHmac('sha512', WEBHOOK_KEY).update(raw).digest('hex')}`
    expect(() => authorize.webhooks?.parse(context, { headers: { 'x-anet-signature': signature }, raw: `${raw} ` })).toThrow('signature')
    expect(() => parse('{}')).toThrow('cannot be read')
  })
})

test('[PAY-01] authorize: a transcript shows no secret and no person', () => {
  const before = JSON.stringify({
    createTransactionRequest: {
      merchantAuthentication: { name: 'login', transactionKey: 'key' },
      transactionRequest: {
        payment: { creditCard: { cardNumber: '4111111111111111', expirationDate: '2031-12', cardCode: '987' } },
        billTo: {
          firstName: 'Ada "A"',
          lastName: 'Payer',
          company: 'Nimbus',
          address: '1 Quay Street',
          zip: '46201',
          email: 'ada@example.com',
        },
        customerIP: '192.0.2.1',
      },
    },
    bankAccount: { routingNumber: '121042882', accountNumber: '123456789', nameOnAccount: 'Ada Payer' },
    opaqueData: { dataDescriptor: 'COMMON', dataValue: 'nonce' },
    profile: { merchantCustomerId: '7-abc', description: 'Ada Ltd' },
    validationDirectResponse: '1,1,1,ok,Ada,Payer',
    validationDirectResponseList: ['1,1,1,ok,Ada,Payer'],
    text: "The 'x:firstName' element is invalid - The value 'Ada' is invalid",
  })
  const after = authorize.redact(before)
  for (const secret of 'login "key" 4111 2031-12 987 Ada Payer Nimbus" Quay 46201 example.com 192.0.2 121042882 123456789 nonce'.split(' '))
    expect(after, secret).not.toContain(secret)
  expect(after).toContain('createTransactionRequest')
  expect(after).toContain('7-abc')
})

const RECORDED = recordingsOf('authorize')

describe.runIf(RECORDED.length > 0)('authorize: what the real one has answered', () => {
  // Those of its JSON interface.
  const answers = RECORDED.filter(({ file, response }) => file.startsWith('json-') && response.body !== null).map(({ file, response }) => ({
    name: file,
    body: response.body as Record<string, unknown>,
  }))

  test('every answer is read', () => {
    expect(answers.length).toBeGreaterThan(25)
    for (const { body } of answers) expect(decodeAnswer(JSON.stringify(body)).code).toMatch(/^[EI]\d{5}$/)
  })

  test('every charge means what its response code says', () => {
    const charges = answers.filter(({ body }) => 'transactionResponse' in body)
    expect(charges.length).toBeGreaterThan(5)
    for (const { name, body } of charges) {
      const answer = decodeAnswer(JSON.stringify({ ...body, refId: ORDER.merchantReference }))
      const { responseCode, errors } = body['transactionResponse'] as { responseCode: string; errors?: { errorCode: string }[] }
      const expected = responseCode === '1' ? 'succeeded' : errors?.[0]?.errorCode === '11' ? 'unknown' : 'declined'
      expect(decodeCharge(answer, ORDER, false).state, name).toBe(expected)
    }
  })

  test('recorded details, lists and methods are read', () => {
    const find = (name: string) => answers.find((one) => one.name === name)?.body ?? {}
    const details = decodeTransaction(find('json-get-transaction-details-request-success.json')['transaction'])
    const clearing = { now: new Date(), sentAt: null, returnDays: 5 }
    expect(details && toResult(details, clearing, false)).toMatchObject({ state: 'succeeded', amount: { minor: 101_888n } })
    const [summary] = find('json-get-transaction-list-request-success.json')['transactions'] as unknown[]
    expect(decodeSummary(summary)).toMatchObject({ transId: '2162566217', invoiceNumber: '60', last4: '4444', isDebit: false })
    const { paymentProfiles } = find('json-get-customer-profile-request.json')['profile'] as { paymentProfiles: unknown[] }
    const profile = decodeProfile(paymentProfiles[0])
    expect(profile && toStoredMethod(profile)).toMatchObject({
      token: '28393490',
      kind: 'card',
      details: { last4: '1111', name: 'John Smith' },
    })
  })

  test('the recorded webhook is verified, with the key as text', () => {
    const one = RECORDED.find(({ file }) => file.startsWith('webhook-'))
    const key = /: ([0-9A-F]{128})\./.exec(one?.note ?? '')?.[1] ?? ''
    const { context } = answering('')
    const events = authorize.webhooks?.parse(
      { ...context, settings: { ...context.settings, webhookSecrets: ['B'.repeat(128), key] } },
      { headers: { 'x-anet-signature': one?.request.headers['X-Anet-Signature'] ?? '' }, raw: String(one?.request.body) },
    )
    expect(events).toMatchObject([{ about: 'payment', providerRef: '60116007277' }])
  })
})
