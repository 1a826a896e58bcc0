import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adapterContext, orderAt, recordingsOf } from '../../../../test/payments/providers/adapter-bench.ts'
import { nexio } from './nexio.ts'
import { isNexioUrl } from './nexio-charges.ts'
import { decodeCharge, decodeRecord, recordResult, toMoney } from './nexio-codec.ts'
import { decodeCard, decodeECheck } from './nexio-vault.ts'
import { toDecline } from './nexio-declines.ts'

const SECRET = 'nexio-webhook-secret'
const context = () =>
  adapterContext(nexio, { url: 'http://127.0.0.1:1' }, { username: 'me', password: 'correct horse', webhookSecrets: [SECRET] })

const order = (more: object = {}) =>
  orderAt(nexio, 'USD', { merchantReference: 'our-1', amount: { minor: 599n, currency: 'USD' }, ...more })
const decode = (status: number, body: unknown, more: object = {}) =>
  decodeCharge({ status, body }, order(more), (url) => isNexioUrl(url, 'https://api.nexiopay.com'))
const payment = (more: object = {}) => ({
  id: 'eyJuYW1lIjoibmV4aW8ifQ==',
  merchantId: '100039',
  transactionStatus: 'pending',
  transactionType: 'sale',
  amount: 5.99,
  currency: 'USD',
  data: { customer: { orderNumber: 'our-1' } },
  ...more,
})
const approved = { state: 'succeeded', amount: { minor: 599n, currency: 'USD' } }

describe('[PAY-01] nexio: what the answer to a charge says', () => {
  test.each([
    ['a card that was captured', {}, {}, approved],
    ['a card that has settled at once', { transactionStatus: 'settled' }, {}, approved],
    ['an eCheck that waits for its bank', {}, { methodType: 'eCheck' }, { state: 'processing' }],
    ['an eCheck that has settled', { transactionStatus: 'settled' }, { methodType: 'eCheck' }, approved],
    ['an authorization alone', { transactionStatus: 'authOnly' }, {}, { state: 'unknown' }],
    ['an authorization that waits', { transactionStatus: 'authorizedPending' }, {}, { state: 'unknown' }],
    ['another kind of transaction', { transactionType: 'auth' }, {}, { state: 'unknown' }],
    ['the payment of somebody else', { data: { customer: { orderNumber: 'our-2' } } }, {}, { state: 'unknown' }],
    ['an amount with too many decimals', { amount: 5.999 }, {}, { state: 'unknown' }],
    ['an amount as a text', { amount: '5.99' }, {}, { state: 'unknown' }],
    ['no amount', { amount: 0 }, {}, { state: 'unknown' }],
    ['another amount', { amount: 6.99 }, {}, { state: 'succeeded', amount: { minor: 699n } }],
    ['another currency', { currency: 'JPY', amount: 599 }, {}, { state: 'succeeded', amount: { minor: 599n, currency: 'JPY' } }],
  ])('%s', (_, more, ordered, means) => {
    expect(decode(200, payment(more), ordered)).toMatchObject(means)
  })

  test.each([
    [400, { error: 435, message: 'Do not Honor' }, { state: 'declined', reason: 'card_declined', providerCode: '435 Do not Honor' }],
    [400, { error: 435, message: 'Insufficient funds' }, { state: 'declined', reason: 'insufficient_funds' }],
    [400, { error: 435, message: 'Declined for CVV failure' }, { state: 'declined', reason: 'incorrect_cvc' }],
    [
      400,
      { error: 436, message: 'Verify AVS Failed' },
      { state: 'declined', reason: 'card_declined', userMessage: expect.stringContaining('address') },
    ],
    [400, { error: 437, message: 'Verify CVC Failed' }, { state: 'declined', reason: 'incorrect_cvc' }],
    [400, { error: 409, message: 'This merchantId is not enabled' }, { state: 'declined', reason: 'not_configured' }],
    [409, { error: 409, message: 'This merchantId is not enabled' }, { state: 'declined', reason: 'not_configured' }],
    [418, { error: 418, message: 'Unsupported' }, { state: 'declined', reason: 'not_configured' }],
    [404, { error: 404, message: 'Card token not found' }, { state: 'declined', reason: 'method_gone' }],
    [400, { error: 400, message: '"data.amount" must be a positive number' }, { state: 'declined' }],
    [401, '<html>', { state: 'declined', reason: 'not_configured' }],
    [400, { error: 408, message: 'Payment gateway timeout' }, { state: 'unknown' }],
    [408, { error: 408, message: 'Payment gateway timeout' }, { state: 'unknown' }],
    [400, { error: 499, message: 'Something new' }, { state: 'unknown' }],
    [400, { message: 'No code' }, { state: 'unknown' }],
    [400, undefined, { state: 'unknown' }],
    [404, undefined, { state: 'unknown' }],
    [429, {}, { state: 'unknown' }],
    [500, { error: 435, message: 'Declined' }, { state: 'unknown' }],
    [200, { error: 435, message: 'Declined' }, { state: 'unknown' }],
    [200, '<html>', { state: 'unknown' }],
    [200, null, { state: 'unknown' }],
    [202, payment(), { state: 'unknown' }],
  ])('%i %j', (status, body, means) => {
    expect(decode(status, body)).toMatchObject(means)
  })

  test.each([
    ['https://api.nexiopay.com/3ds/1', 'requires_action'],
    ['https://acs.nexiopaysandbox.com/3ds/1', 'requires_action'],
    ['http://api.nexiopay.com/3ds/1', 'unknown'],
    ['https://nexiopay.com.evil.example/', 'unknown'],
    ['https://evilnexiopay.com/', 'unknown'],
    ['javascript:alert(1)', 'unknown'],
  ])('a redirect to %s: %s', (redirectUrl, state) => {
    expect(decode(200, { status: 'redirect', redirectUrl })).toMatchObject({ state })
  })

  test('a redirect without a payer leads nobody there, and an action without an address none', () => {
    const redirect = { status: 'redirect', redirectUrl: 'https://api.nexiopay.com/3ds/1' }
    expect(decode(200, redirect, { returnUrl: null })).toMatchObject({ state: 'unknown' })
    expect(decode(200, { status: 'challenge', sessionId: '1' })).toMatchObject({ state: 'unknown' })
  })

  test('every other answer is not paid', () => {
    const part = fc.oneof(fc.anything(), fc.constantFrom('pending', 'settled', 'sale', 'USD', 5.99, payment().id, payment().data))
    const fields = fc.constantFrom('id', 'transactionStatus', 'transactionType', 'amount', 'currency', 'data', 'status', 'error')
    const odd = fc.dictionary(fields, part)
    const changed = fc.record({ field: fields, value: part }).map(({ field, value }) => payment({ [field]: value }))
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: 100, max: 599 }), fc.constant(200)), fc.oneof(fc.anything(), odd, changed), (status, body) => {
        if (decode(status, body).state !== 'succeeded') return
        expect(status).toBe(200)
        expect(body).toMatchObject({
          transactionStatus: expect.stringMatching(/^(pending|settled)$/),
          transactionType: 'sale',
          data: payment().data,
        })
      }),
      { numRuns: 5_000 },
    )
  })

  test('amounts are currency units with the currency’s decimals', () => {
    expect(toMoney(5.99, 'USD')).toEqual({ minor: 599n, currency: 'USD' })
    expect(toMoney(1100, 'JPY')).toEqual({ minor: 1_100n, currency: 'JPY' })
    for (const odd of [5.999, -5, 0, Number.NaN, 1e21, 1e-7, Number.POSITIVE_INFINITY]) expect(toMoney(odd, 'USD')).toBeUndefined()
  })
})

const record = (more: object = {}) => ({
  id: 1,
  transactionDate: '2026-11-20T10:00:00.000Z',
  amount: 5.99,
  transactionStatus: 10,
  transactionType: 10,
  currencyId: '840',
  settledDate: null,
  originalTransactionId: null,
  achDetailId: null,
  plugin: { originalId: 'payment-1', orderNumber: 'our-1' },
  gateway: { message: 'Approved' },
  ...more,
})
const read = (more: object, isECheck = false) => {
  const decoded = decodeRecord(record(more))
  return decoded === undefined ? undefined : recordResult(decoded, { refunded: 0n, isECheck })
}
const SETTLED = { settledDate: '2026-11-21T05:00:00.000Z' }

describe('[PAY-01] nexio: what the transaction service says', () => {
  test.each([
    [{}, approved],
    [{ transactionStatus: 20, ...SETTLED }, approved],
    [{ transactionStatus: 3 }, { state: 'processing' }],
    [{ transactionStatus: 9 }, { state: 'unknown' }],
    [{ transactionStatus: 11 }, { state: 'unknown' }],
    [
      { transactionStatus: 30, gateway: { message: 'Insufficient funds' } },
      { state: 'declined', reason: 'insufficient_funds' },
    ],
    [
      { transactionStatus: 30, gateway: null },
      { state: 'declined', reason: 'card_declined' },
    ],
    [{ transactionStatus: 32 }, { state: 'declined' }],
    [
      { transactionStatus: 32, ...SETTLED },
      { ...approved, reversed: 599n },
    ],
    [{ transactionStatus: 39 }, { state: 'voided' }],
    [{ transactionStatus: 40 }, { state: 'voided' }],
    [{ currencyId: '999' }, { state: 'unknown' }],
    [{ currencyId: 36 }, { state: 'succeeded', amount: { minor: 599n, currency: 'AUD' } }],
    [{ amount: 5.999 }, { state: 'unknown' }],
  ])('%j', (more, means) => {
    expect(read(more)).toMatchObject(means)
  })

  test.each([5, null, undefined])('an eCheck is one because it was ordered, whatever the record shows: %j', (achDetailId) => {
    expect(read({ transactionStatus: 10, achDetailId }, true)).toMatchObject({ state: 'processing' })
    expect(read({ transactionStatus: 20, achDetailId, ...SETTLED }, true)).toMatchObject({ state: 'succeeded' })
    expect(read({ transactionStatus: 10, achDetailId }, false)).toMatchObject({ state: 'succeeded' })
  })

  test.each([
    { transactionStatus: '10' },
    { amount: '5.99' },
    { plugin: undefined },
    { plugin: { orderNumber: 'our-1' } },
    { currencyId: null },
  ])('%j cannot be read', (more) => expect(read(more)).toBeUndefined())
})

describe('[PM-80] nexio: transcripts', () => {
  const sent = JSON.stringify({
    token: 'one-time',
    tokens: ['vault-1'],
    card: { encryptedNumber: 'cu3y+Q==', securityCode: '123', cardHolderName: 'Ada "Countess" Holder', expirationYear: '2031' },
    bank: { encryptedBankAccountNumber: 'bAnK==', accountHolderName: 'Ada Holder', routingNumber: '231375151' },
    data: {
      amount: 5.99,
      customer: {
        orderNumber: 'our-1',
        firstName: 'Augusta',
        lastName: 'Payersen',
        email: 'a@b.example',
        billToAddressOne: '1 Quay Street',
        billToPostal: '87101',
        billToPhone: '5550100',
        shipToAddressOne: '2 Harbour Road',
      },
    },
  })
  const before = `POST https://api.nexiopay.com/pay/v3/vault/card/vault-1?token=one-time ${sent}\n200 {"redirectUrl":"https://x/secret-1"}`

  test('show what was asked, and no secret', () => {
    const after = nexio.redact(before)
    for (const secret of 'one-time vault-1 cu3y "123" Ada Countess bAnK 231375151 Augusta Payersen a@b Quay 87101 5550100 Harbour secret-1'.split(
      ' ',
    )) {
      expect(before).toContain(secret.replaceAll('"', '"'))
      expect(after).not.toContain(secret)
    }
    for (const kept of ['our-1', '5.99', '2031', '/pay/v3/vault/card/']) expect(after).toContain(kept)
  })
})

describe('[PM-81] nexio: webhooks', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const event = (more: object = {}) => JSON.stringify({ eventType: 'TRANSACTION_SETTLED', data: payment(more) })
  const parse = (raw: string, { at = now.getTime(), secret = SECRET, sign = raw } = {}) => {
    const v1 = createHmac('sha256', secret).update(`${at}.${sign}`).digest('hex')
    const asked = { ...context(), now, http: { send: () => Promise.reject(new Error('a webhook asks nothing')) } }
    return nexio.webhooks?.parse(asked, { headers: { 'nexio-signature': `t=${at},v1=${v1}` }, raw })
  }

  test('a signed event names the payment by both references, with the time in milliseconds or seconds', () => {
    for (const at of [now.getTime(), now.getTime() / 1_000])
      expect(parse(event(), { at })).toMatchObject([
        { kind: 'TRANSACTION_SETTLED', about: 'payment', merchantReference: 'our-1', providerRef: payment().id },
      ])
  })

  test('a refund is about the payment, whose id it does not have', () => {
    const [refunded] = parse(event({ transactionType: 'refund' })) ?? []
    expect(refunded).toMatchObject({ about: 'payment', merchantReference: 'our-1' })
    expect(refunded).not.toHaveProperty('providerRef')
  })

  test('a stored card, and a payment that is not ours, are none of our money', () => {
    expect(parse(JSON.stringify({ eventType: 'CARD_SAVED', data: { token: {} } }))).toMatchObject([{ about: 'other' }])
    expect(parse(event({ data: { customer: {} } }))).toMatchObject([{ about: 'other' }])
  })

  test.each([
    ['another secret', { secret: 'another secret' }],
    ['another text', { sign: '{}' }],
    ['an old time', { at: now.getTime() - 700_000 }],
    ['a time to come', { at: now.getTime() + 700_000 }],
  ])('one with %s is refused', (_, more) => {
    expect(() => parse(event(), more)).toThrow('signature')
  })

  test('a signed text that is no event is refused', () => {
    for (const raw of ['<html>', '{}', '[]']) expect(() => parse(raw)).toThrow('cannot be read')
  })
})

const RECORDED = recordingsOf('nexio')

/** Also recordings of its clients. */
describe.runIf(RECORDED.length > 0)('nexio: what the real Nexio has answered', () => {
  const EXPECTED: Readonly<Record<string, string>> = {
    'process-sale-approved.json': 'succeeded',
    'process-declined.json': 'declined',
    // The address is shortened in the recording.
    'process-3ds-redirect.json': 'requires_action',
    'process-auth-only-with-saved-card.json': 'unknown',
  }

  test.each(RECORDED.filter(({ request }) => request.path === '/pay/v3/process'))('$file', ({ file, response }) => {
    expect(decode(response.status, response.body, { merchantReference: '137' }).state).toBe(EXPECTED[file])
  })

  test('no other answer is a payment', () => {
    const others = RECORDED.filter(({ request }) => request.path !== '/pay/v3/process')
    expect(others.length).toBeGreaterThan(5)
    for (const { response } of others) expect(decode(response.status, response.body, { merchantReference: '137' }).state).toBe('unknown')
  })

  test('stored methods are read with what may be shown of them', () => {
    const bodyOf = (file: string): unknown => RECORDED.find((one) => one.file === file)?.response.body
    expect(decodeCard(bodyOf('save-card-with-encrypted-number.json'))).toMatchObject({
      token: '830d36f4-a7dd-4d06-8e7f-5e7f5b6f1111',
      details: { brand: 'visa', last4: '1111', expMonth: 1, expYear: 2024, name: 'Kevin Batchelor' },
    })
    expect(decodeCard(bodyOf('vault-card-read.json'))).toMatchObject({ details: { expMonth: 12, expYear: 2029, payerFirstName: 'John' } })
    expect(decodeECheck(bodyOf('save-echeck.json'))).toMatchObject({ kind: 'bank', details: { last4: '6789', bankCode: '231375151' } })
  })

  test('its webhook names the payment', () => {
    const body = RECORDED.find(({ file }) => file === 'webhook-transaction-captured.json')?.request.body
    const raw = JSON.stringify(body)
    const at = Date.now()
    const v1 = createHmac('sha256', SECRET).update(`${at}.${raw}`).digest('hex')
    const events = nexio.webhooks?.parse({ ...context(), baseUrl: '' }, { headers: { 'nexio-signature': `t=${at},v1=${v1}` }, raw })
    expect(events).toMatchObject([{ kind: 'TRANSACTION_CAPTURED', about: 'payment', merchantReference: '137' }])
  })

  test('every code of its documents but the timeout is a decline', () => {
    const codes = new URL('../../../../../../shared/providers/fixtures/nexio/_codes.json', import.meta.url)
    const { errors } = JSON.parse(readFileSync(codes, 'utf8')) as { errors: Record<string, string> }
    for (const code of Object.keys(errors))
      expect(toDecline({ status: 400, body: { error: Number(code), message: 'x' } })?.state, code).toBe(
        code === '408' ? undefined : 'declined',
      )
  })
})
