import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chargeNew, chargeStored } from '../../../../test/payments/charge-directly.ts'
import {
  adapterContext,
  orderAt,
  type Recording,
  recordingsOf,
  STORE_OPTIONS,
  storeDirectly,
  useSandbox,
} from '../../../../test/payments/providers/adapter-bench.ts'
import { PINCH_APPLICATION, pinchAccountToken, pinchCardToken, pinchSettings } from '../../../../test/payments/providers/pinch.driver.ts'
import { WEBHOOK_KEY } from '../../../../test/payments/providers/provider-driver.ts'
import { identifiedOrder, sentOrder } from '../../../../test/payments/sent-order.ts'
import { createProviderCache } from '../../accounts/provider-cache.ts'
import type { ChargeOrder } from '../order.ts'
import type { NewCustomer } from '../storing.ts'
import type { KnownMethod } from '../method.ts'
import { pinch } from './pinch.ts'
import { dayInSydney } from './pinch-charges.ts'
import { decodeCharge, decodeLookedUpPayment, decodePayment, decodeSource } from './pinch-codec.ts'
import { errorMessagesOf } from './pinch-errors.ts'
import { withoutCodes } from './pinch-texts.ts'

const sandbox = await useSandbox()
const transcripts: string[] = []

const cache = createProviderCache(() => new Date())
const context = () => ({ ...adapterContext(pinch, sandbox, pinchSettings(PINCH_APPLICATION), { transcripts }), cache })

const CONTACT = { holder: 'Ada Lovelace', email: 'ada@payer.example' }
const CUSTOMER: NewCustomer = { reference: '7', name: 'Nimbus', key: 'k', contact: { name: 'Ada Lovelace', email: 'ada@payer.example' } }

const store = async (type: 'card' | 'au_becs_debit', payerId?: string): Promise<KnownMethod> => {
  const token = await (type === 'card' ? pinchCardToken : pinchAccountToken)(sandbox, PINCH_APPLICATION)
  return storeDirectly(pinch, context(), { typedMethod: { kind: 'token', token }, type, ...CONTACT }, payerId)
}

const OUR_REF = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const order = (more: Partial<ChargeOrder> = {}): ChargeOrder => orderAt(pinch, 'AUD', { returnUrl: null, client: null, ...more })
const sentTo = (path: string): string[] => transcripts.filter((text) => text.includes(`${path} `) || text.includes(`${path}?`))
const fault = (operation: string, kind: string, times = 1) => sandbox.fault({ provider: 'pinch', operation, kind, times })

describe('[PAY-01] pinch: the bearer token', () => {
  const fresh = () => {
    const own = { ...context(), cache: createProviderCache(() => new Date()) }
    const seen = transcripts.length
    return { own, tokensAsked: () => transcripts.slice(seen).filter((text) => text.includes('/connect/token')).length }
  }

  test('is asked for once, however many calls need it, also at the same moment', async () => {
    const { own, tokensAsked } = fresh()
    await Promise.all([pinch.account.check?.(own), pinch.account.check?.(own)])
    await pinch.account.check?.(own)
    expect(tokensAsked()).toBe(1)
  })

  test('is renewed exactly once when it has ended, however many calls notice, and each call is then made', async () => {
    const { own, tokensAsked } = fresh()
    await pinch.account.check?.(own)
    await fetch(`${sandbox.url}/pinch/expire-tokens`, { method: 'POST' })
    const payers = [
      pinch.storing.createCustomer?.(own, CUSTOMER),
      pinch.storing.createCustomer?.(own, CUSTOMER),
      pinch.storing.createCustomer?.(own, CUSTOMER),
    ]
    for (const payer of await Promise.all(payers)) expect(payer).toMatch(/^pyr_/)
    expect(tokensAsked()).toBe(2)
  })

  test('is new after its hour', async () => {
    let now = Date.now()
    const own = { ...context(), cache: createProviderCache(() => new Date(now)) }
    const seen = transcripts.length
    const asked = () => transcripts.slice(seen).filter((text) => text.includes('/connect/token')).length
    await pinch.account.check?.(own)
    now += 58 * 60_000
    await pinch.account.check?.(own)
    expect(asked()).toBe(1)
    now += 60_000
    await pinch.account.check?.(own)
    expect(asked()).toBe(2)
  })

  test('a charge that ends with the token’s hour is made once', async () => {
    const method = await store('card')
    await fetch(`${sandbox.url}/pinch/expire-tokens`, { method: 'POST' })
    const charge = order()
    expect(await chargeStored(pinch, context(), charge, method)).toMatchObject({ state: 'succeeded' })
    expect((await sandbox.ledger()).filter(({ reference }) => reference === charge.merchantReference)).toHaveLength(1)
  })

  test.each(['error', 'drop', 'garbage'])('that is not given (%s) leaves the charge unsent', async (kind) => {
    const { own } = fresh()
    const method = await store('card')
    await fault('token', kind)
    expect(await chargeStored(pinch, own, order(), method)).toMatchObject({ state: 'not_sent' })
  })

  test('that is refused means that the gateway is not configured', async () => {
    const { own } = fresh()
    const wrong = { ...own, settings: { ...own.settings, secretKey: 'sk_test_invalid' } }
    const method = await store('card')
    expect(await chargeStored(pinch, wrong, order(), method)).toMatchObject({ state: 'declined', reason: 'not_configured' })
  })
})

describe('[PM-60] pinch: accounts and payers', () => {
  test('the check of an account knows its mode, and keys of the other mode', async () => {
    expect(await pinch.account.check?.(context())).toEqual({ account: `${PINCH_APPLICATION} (test)`, canCharge: true, country: 'AU' })
    const live = { ...context(), settings: { ...context().settings, mode: 'live' as const } }
    await expect(pinch.account.check?.(live)).rejects.toThrow('test mode')
  })

  test.each([
    ['Ada Lovelace', { firstName: 'Ada', lastName: 'Lovelace' }],
    ['Ada King Lovelace', { firstName: 'Ada King', lastName: 'Lovelace' }],
    ['Ada', { firstName: 'Ada' }],
    [' #insufficient-funds  Ada ', { firstName: 'insufficient-funds', lastName: 'Ada' }],
  ])('the payer %s', async (name, names) => {
    const sent: unknown[] = []
    const recording = {
      ...context(),
      http: {
        send: async (request: { url: string; body?: string }) => {
          if (request.url.endsWith('/payers')) sent.push(JSON.parse(request.body ?? ''))
          return context().http.send(request as never)
        },
      },
    }
    await pinch.storing.createCustomer?.(recording, { ...CUSTOMER, contact: { name, email: 'a@b.example' } })
    expect(sent).toEqual([{ ...names, emailAddress: 'a@b.example', metadata: '7' }])
  })

  test('a payer without a name or an address is not created, and what Pinch refuses is told', async () => {
    await expect(pinch.storing.createCustomer?.(context(), { ...CUSTOMER, contact: {} })).rejects.toMatchObject({
      decline: { state: 'declined', userMessage: 'Enter the name on the card and your email address.' },
    })
    const refused = pinch.storing.createCustomer?.(context(), { ...CUSTOMER, contact: { name: 'Ada', email: 'none' } })
    await expect(refused).rejects.toMatchObject({ decline: { userMessage: "'Email Address' is not a valid email address." } })
  })

  test('a payer that is gone is told: nothing is stored, and a charge is declined', async () => {
    const method = await store('card')
    const gone = { ...method, providerCustomerId: 'pyr_gone' }
    await expect(store('card', 'pyr_gone')).rejects.toThrow('does not know the payer')
    expect(await chargeStored(pinch, context(), order(), gone)).toMatchObject({ state: 'declined', isCustomerGone: true })
    await expect(pinch.storing.list?.(context(), 'pyr_gone', ['card'])).rejects.toThrow('404')
    await pinch.storing.remove(context(), gone)
  })

  test('cards and accounts are listed with what may be shown', async () => {
    const card = await store('card')
    const account = await store('au_becs_debit', card.providerCustomerId ?? '')
    const listed = await pinch.storing.list?.(context(), card.providerCustomerId ?? '', ['card', 'au_becs_debit'])
    const email = 'ada@payer.example'
    expect(listed).toEqual([
      {
        kind: 'card',
        type: 'card',
        token: card.token,
        status: 'ready',
        details: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2060, name: 'Ada Payer', email },
      },
      {
        kind: 'bank',
        type: 'au_becs_debit',
        token: account.token,
        status: 'ready',
        details: { bankCode: '000001', last4: '7890', name: 'Ada Payer', email },
      },
    ])
    expect(await pinch.storing.list?.(context(), card.providerCustomerId ?? '', ['card'])).toHaveLength(1)
  })
})

describe('[PAY-01] pinch: charges', () => {
  test('what is no token of a browser is neither stored nor charged, and Pinch is not asked: it may be another customer’s', async () => {
    const method = await store('card')
    const seen = transcripts.length
    for (const token of [method.token, String(method.providerCustomerId), 'tkn_', 'tkn_a/../../payers', '']) {
      const typedMethod = { kind: 'token', token } as const
      const charged = await chargeNew(pinch, context(), order(), { typedMethod, ...CONTACT })
      const stored = await pinch.storing.store(
        context(),
        method.providerCustomerId ?? '',
        { typedMethod, type: 'card', ...CONTACT },
        STORE_OPTIONS,
      )
      expect([charged, stored], token).toMatchObject([
        { state: 'declined', providerCode: 'no-token' },
        { state: 'declined', providerCode: 'no-token' },
      ])
    }
    expect(transcripts).toHaveLength(seen)
  })

  test('a stored card is charged by the ids of payer and source alone, with our reference as nonce', async () => {
    const [method, charge] = [await store('card'), order({ invoiceNumbers: ['INV #1', 'INV-2'], legalName: '#technical-error Ltd' })]
    expect(await chargeStored(pinch, context(), charge, method)).toMatchObject({ state: 'succeeded' })
    const sent = sentTo('/payments/realtime').at(-1) ?? ''
    const { body } = /realtime (?<body>\{.*\})/.exec(sent)?.groups ?? {}
    expect(JSON.parse(body ?? '')).toEqual({
      payerId: method.providerCustomerId,
      sourceId: method.token,
      amount: 11_000,
      description: 'technical-error Ltd: INV 1, INV-2',
      nonce: charge.merchantReference,
      metadata: charge.merchantReference,
    })
  })

  test('what may be shown of a new card comes with the answer', async () => {
    const card = { typedMethod: { kind: 'token', token: await pinchCardToken(sandbox, PINCH_APPLICATION) } as const, ...CONTACT }
    expect(await chargeNew(pinch, context(), order(), card)).toMatchObject({
      state: 'succeeded',
      providerRef: expect.stringMatching(/^pmt_/),
      method: { brand: 'visa', last4: '4242' },
    })
  })

  test('an amount in another currency than the account’s is never sent', async () => {
    const method = await store('card')
    const charge = order({ amount: { minor: 100n, currency: 'NZD' } })
    expect(await chargeStored(pinch, context(), charge, method)).toMatchObject({ state: 'declined', reason: 'currency_not_accepted' })
    expect(await sandbox.ledger()).not.toContainEqual(expect.objectContaining({ reference: charge.merchantReference }))
  })

  test('an account is debited on the day of Sydney, and its scheduled debit can be cancelled', async () => {
    const [method, charge] = [await store('au_becs_debit'), order({ methodType: 'au_becs_debit' })]
    const sent = await chargeStored(pinch, context(), charge, method)
    expect(sent).toMatchObject({ state: 'processing' })
    const providerRef = sent.state === 'processing' ? sent.providerRef : ''
    const known = identifiedOrder(charge, providerRef, new Date())
    expect(await pinch.lookUp(context(), { ...known, providerRef: null })).toMatchObject({ state: 'processing', providerRef })
    expect(await pinch.cancel?.(context(), known)).toMatchObject({ state: 'canceled' })
    expect(await pinch.lookUp(context(), known)).toMatchObject({ state: 'canceled' })
    expect(await pinch.cancel?.(context(), known)).toMatchObject({ state: 'canceled' })
    expect((await chargeStored(pinch, context(), charge, method)).state).toBe('canceled')
    const booked = (await sandbox.ledger()).filter(({ reference }) => reference === charge.merchantReference)
    expect(booked).toMatchObject([{ status: 'failed' }])
  })

  test.each([
    ['2026-11-23T12:59:59Z', '2026-11-23'],
    ['2026-11-23T13:00:00Z', '2026-11-24'],
    ['2026-06-23T13:59:59Z', '2026-06-23'],
    ['2026-06-23T14:00:00Z', '2026-06-24'],
  ])('%s is %s in Sydney', (at, day) => expect(dayInSydney(new Date(at))).toBe(day))

  test('no code reaches Pinch in a text', () => {
    fc.assert(fc.property(fc.string(), (text) => !withoutCodes(text).includes('#')))
    expect(withoutCodes(' Ada #insufficient-funds ')).toBe('Ada insufficient-funds')
  })
})

const payment = (more: object = {}) => ({
  id: 'pmt_GhJwoSz4fRggDb',
  amount: 1_245,
  currency: 'AUD',
  status: 'approved',
  sourceType: 'credit-card',
  metadata: OUR_REF,
  attempts: [{ dishonour: null, settlement: null }],
  ...more,
})
const dishonouredPayment = (type: string, more: object = {}) =>
  payment({ status: 'dishonoured', attempts: [{ dishonour: { type }, settlement: null }], ...more })
const approved = { state: 'succeeded', amount: { minor: 1_245n, currency: 'AUD' }, refunded: 0n, reversed: 0n }
const decode = (status: number, body: unknown, methodType = 'card') =>
  decodeCharge({ status, body }, { merchantReference: OUR_REF, methodType })
const fluent = (errorMessage: string) => [{ propertyName: 'X', errorMessage, attemptedValue: 'secret', severity: 0 }]

describe('[PAY-01] pinch: what the answer to a charge says', () => {
  test.each([
    [201, payment(), approved],
    [200, payment({ status: 'settled' }), approved],
    [201, payment({ sourceType: undefined }), approved],
    [201, payment({ sourceType: 'bank-account' }), { state: 'unknown' }],
    [201, payment({ status: 'processing' }), { state: 'processing' }],
    [201, payment({ status: 'cancelled' }), { state: 'canceled' }],
    [201, payment({ status: 'something-new' }), { state: 'unknown' }],
    [201, payment({ amount: 1_246 }), { ...approved, amount: { minor: 1_246n, currency: 'AUD' } }],
    [201, payment({ metadata: 'other' }), { state: 'unknown' }],
    [201, payment({ metadata: null, nonce: 'other' }), { state: 'unknown' }],
    [201, payment({ metadata: null, nonce: null }), approved],
    [
      201,
      dishonouredPayment('insufficient-funds'),
      { state: 'declined', reason: 'insufficient_funds', providerCode: 'insufficient-funds' },
    ],
    [400, dishonouredPayment('temporary-problem'), { state: 'declined', reason: 'try_again' }],
    [402, { data: dishonouredPayment('blocked-by-bank') }, { state: 'declined', reason: 'card_declined' }],
    [400, { status: 'dishonoured', dishonour: { type: 'invalid-card' } }, { state: 'declined', reason: 'invalid_account' }],
    [400, { data: { status: 'dishonoured' } }, { state: 'declined', reason: 'card_declined', providerCode: 'dishonoured' }],
    [201, dishonouredPayment('unheard-of'), { state: 'declined', reason: 'card_declined', providerCode: 'unheard-of' }],
    [403, { isNonceReplay: true, nonce: OUR_REF, data: payment() }, { ...approved, refunded: null }],
    [403, { isNonceReplay: true, nonce: OUR_REF, data: payment({ refunds: [] }) }, approved],
    [403, payment(), { ...approved, refunded: null }],
    [403, { isNonceReplay: true, nonce: OUR_REF, data: null }, { state: 'unknown' }],
    [403, '', { state: 'unknown' }],
    [400, fluent('The amount is too small.'), { state: 'declined', userMessage: 'The amount is too small.' }],
    [400, fluent("Can't find payer with Id: pyr_X"), { state: 'declined', reason: 'method_gone', isCustomerGone: true }],
    [400, fluent('Source with id: src_X not found'), { state: 'declined', reason: 'method_gone' }],
    [400, fluent('Nonce was used before.'), { state: 'unknown' }],
    [400, {}, { state: 'unknown' }],
    [401, '', { state: 'declined', reason: 'not_configured' }],
    [404, '', { state: 'unknown' }],
    [409, fluent('Something new'), { state: 'unknown' }],
    [429, '', { state: 'unknown' }],
    [500, payment(), { state: 'unknown' }],
    [200, '<html>', { state: 'unknown' }],
    [201, null, { state: 'unknown' }],
    [201, payment({ amount: '1245' }), { state: 'unknown' }],
    [201, payment({ id: 'x' }), { state: 'unknown' }],
  ])('%i %j', (status, body, means) => expect(decode(status, body)).toMatchObject(means))

  test.each(['bank-account', null, undefined])('a debit is one because it was ordered, whatever the payment shows: %j', (sourceType) => {
    const debit = (status: string) => decode(201, payment({ sourceType, status }), 'au_becs_debit')
    expect(debit('approved')).toMatchObject({ state: 'processing' })
    expect(debit('scheduled')).toMatchObject({ state: 'processing' })
    expect(debit('settled')).toMatchObject(approved)
    expect(decode(201, payment(), 'au_becs_debit')).toMatchObject({ state: 'unknown' })
  })

  test('no id of Pinch is shown to people', () => {
    for (const text of ["Can't find payer with Id: pyr_X1", 'Source with id: src_X1 not found', 'Could not find a token with Id: tkn_X1'])
      expect(decode(400, fluent(text))).toMatchObject({ userMessage: expect.not.stringContaining('_X1') })
  })

  test('every other answer is not paid', () => {
    const part = fc.oneof(fc.anything(), fc.constantFrom('approved', 'settled', 'credit-card', 'AUD', 1_245, OUR_REF, payment()))
    const changed = fc
      .record({ field: fc.constantFrom(...Object.keys(payment()), 'nonce', 'data', 'refunds'), value: part })
      .map(({ field, value }) => payment({ [field]: value }))
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.oneof(fc.anything(), changed), (status, body) => {
        if (decode(status, body).state !== 'succeeded') return
        expect(status).toBeLessThan(500)
        expect(body).toMatchObject({ status: expect.stringMatching(/^(approved|settled)$/), currency: expect.stringMatching(/^[A-Z]{3}$/) })
      }),
      { numRuns: 5_000 },
    )
  })
})

const returned = { attempts: [{ dishonour: { type: 'insufficient-funds' }, settlement: { amount: 1_245 } }] }

describe('[PAY-01] pinch: what a look-up says', () => {
  const find = (body: object, refunded = 0n) =>
    decodeLookedUpPayment(decodePayment(body) ?? ({} as never), { merchantReference: OUR_REF, methodType: 'card', refunded })
  const refunds = (...all: [number, string][]) => ({
    refunds: all.map(([amount, status], index) => ({ id: `ref_${index}`, amount, status })),
  })

  test.each([
    [
      'a payment that was settled and came back',
      payment({ status: 'dishonoured', ...returned }),
      0n,
      { ...approved, refunded: null, reversed: 1_245n },
    ],
    ['a payment that its bank refused', dishonouredPayment('invalid-account'), 0n, { state: 'declined' }],
    [
      'refunds that are requested and completed',
      payment(refunds([100, 'requested'], [200, 'completed'])),
      0n,
      { ...approved, refunded: 300n },
    ],
    ['a refund that failed', payment(refunds([100, 'failed'], [200, 'completed'])), 300n, { ...approved, refunded: 200n }],
    ['a refund that is not shown yet', payment(refunds([100, 'completed'])), 300n, { ...approved, refunded: null }],
    ['refunds that are not told', payment(), 300n, { ...approved, refunded: null }],
    ['another payment', payment({ metadata: 'other' }), 0n, { state: 'unknown' }],
  ])('%s', (_, body, refunded, means) => expect(find(body, refunded)).toMatchObject(means))

  test('a nonce that is not known is absent, and one that cannot be asked is unknown', async () => {
    const sent = sentOrder(order(), null, new Date())
    expect(await pinch.lookUp(context(), sent)).toMatchObject({ state: 'absent' })
    for (const kind of ['error', 'garbage', 'drop']) {
      await fault('look-up', kind)
      expect(await pinch.lookUp(context(), sent)).toMatchObject({ state: 'unknown' })
    }
    // A request may still be under way, so nothing found is final only later than any answer takes.
    expect(pinch.notFoundMeansUnpaidAfterMs).toBeGreaterThanOrEqual(10 * 60_000)
  })
})

describe('[PAY-01] pinch: refunds', () => {
  const charge = async () => {
    const [method, made] = [await store('card'), order()]
    const paid = await chargeStored(pinch, context(), made, method)
    const providerRef = paid.state === 'succeeded' ? paid.providerRef : ''
    return identifiedOrder(made, providerRef, new Date())
  }
  const part = { minor: 1_000n, currency: 'AUD' }
  const refundsOf = async (merchantReference: string) =>
    (await sandbox.ledger())
      .filter(({ reference, status }) => reference === merchantReference && status !== 'succeeded')
      .map(({ id, status, amount }) => ({ id, status, amount }))

  test('of more than was paid is declined', async () => {
    const refused = await pinch.refunds?.refund(context(), await charge(), { minor: 99_999n, currency: 'AUD' }, 't:0')
    expect(refused).toMatchObject({ state: 'declined', providerText: 'The amount is more than is left of the payment.' })
  })

  test('a refund that failed afterwards can be made again', async () => {
    const known = await charge()
    await pinch.refunds?.refund(context(), known, part, 's:0')
    const [first] = await refundsOf(known.merchantReference)
    await sandbox.post('/settle', { provider: 'pinch', id: first?.id, outcome: 'failed' })
    expect(await pinch.lookUp(context(), { ...known, refunded: 1_000n })).toMatchObject({ state: 'succeeded', refunded: 0n })
    expect(await pinch.refunds?.refund(context(), known, part, 's:0')).toMatchObject({ state: 'succeeded', refunded: 1_000n })
    expect(await refundsOf(known.merchantReference)).toMatchObject([{ status: 'failed' }, { status: 'refunded' }])
  })
})

describe('[PAY-01] pinch: webhooks', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const event = (more: object = {}) =>
    JSON.stringify({
      Id: 'evt_1',
      Type: 'realtime-payment',
      EventDate: '2026-11-21',
      Metadata: {},
      Data: { Payment: { Id: 'pmt_1', Metadata: OUR_REF } },
      ...more,
    })
  const parse = (raw: string, { at = now.getTime() / 1_000, secret = WEBHOOK_KEY, sign = raw, more = '' } = {}) => {
    const v2 = createHmac('sha256', secret).update(`${at}.${sign}`).digest('hex')
    const asked = { ...context(), now, http: { send: () => Promise.reject(new Error('a webhook asks nothing')) } }
    return pinch.webhooks?.parse(asked, { headers: { 'pinch-signature': `t=${at},${more}v2=${v2}` }, raw })
  }

  test('a signed event names the payment by both references, in either case', () => {
    const named = [{ eventId: 'evt_1', kind: 'realtime-payment', about: 'payment', providerRef: 'pmt_1', merchantReference: OUR_REF }]
    expect(parse(event())).toEqual(named)
    const camel = { id: 'evt_1', type: 'realtime-payment', data: { payment: { id: 'pmt_1', nonce: OUR_REF } } }
    expect(parse(JSON.stringify(camel))).toEqual(named)
    expect(parse(event(), { more: `v2=${'0'.repeat(64)},` })).toEqual(named)
  })

  test('results of banks name every payment, each as an event of its own; a refund names its payment', () => {
    const results = { Dishonours: [{ Payment: { Id: 'pmt_1' } }], Settlements: [{ PaymentId: 'pmt_2' }] }
    expect(parse(event({ Type: 'bank-results', Data: results }))).toMatchObject([
      { eventId: 'evt_1:pmt_1', about: 'payment', providerRef: 'pmt_1' },
      { eventId: 'evt_1:pmt_2', about: 'payment', providerRef: 'pmt_2' },
    ])
    expect(parse(event({ Type: 'refund-updated', Data: { Refund: { Id: 'ref_1', PaymentId: 'pmt_3' } } }))).toMatchObject([
      { providerRef: 'pmt_3' },
    ])
    expect(parse(event({ Type: 'payer-updated', Data: { Payer: { Id: 'pyr_1' } } }))).toMatchObject([{ about: 'other' }])
  })

  test.each([
    ['another secret', { secret: 'whsec_another' }],
    ['another text', { sign: '{}' }],
    ['an old time', { at: now.getTime() / 1_000 - 301 }],
    ['a time to come', { at: now.getTime() / 1_000 + 301 }],
  ])('one with %s is refused', (_, more) => expect(() => parse(event(), more)).toThrow('signature'))

  test('a signed text that is no event is refused', () => {
    for (const raw of ['<html>', '{}', '[]', '{"Id":"evt_1"}']) expect(() => parse(raw)).toThrow('cannot be read')
  })
})

describe('[PAY-01] pinch: transcripts', () => {
  test('show what was asked, and no secret', () => {
    const body = JSON.stringify({
      payerId: 'pyr_1',
      sourceId: 'src_1',
      fullName: 'Ada "Countess" Holder',
      email: 'a@b.example',
      token: 'tkn_1',
      amount: 1_245,
      nonce: 'our-1',
      emailAddress: 'c@d.example',
      bankAccountNumber: '98765432',
      bankAccountBsb: '012001',
      cardHolderName: 'Bo',
      mobileNumber: '0400000000',
      access_token: 'bearer-1',
      PublishableKey: 'pk_live_1',
      secret: 'whsec_1',
    })
    const before = `POST https://api.getpinch.com.au/live/payments/realtime ${body}\n400 [{"propertyName":"FirstName","attemptedValue":"Carla"}]`
    const after = pinch.redact(before)
    for (const secret of 'Ada Countess a@b tkn_1 c@d 98765432 012001 "Bo" 0400 bearer-1 pk_live_1 whsec_1 Carla'.split(' ')) {
      expect(before).toContain(secret)
      expect(after).not.toContain(secret)
    }
    for (const kept of ['pyr_1', 'src_1', '1245', 'our-1', '/live/payments/realtime']) expect(after).toContain(kept)
  })
})

const RECORDED = recordingsOf('pinch')

/** Their ids and references are masked. */
describe.runIf(RECORDED.length > 0)('pinch: what the real Pinch has answered', () => {
  const charges = RECORDED.filter(({ request: { method, path } }) => method === 'POST' && /^\/payments(\/realtime)?$/.test(path))
  const kindOf = (body: unknown): string => (/"sourceType":"bank-account"/.test(JSON.stringify(body)) ? 'au_becs_debit' : 'card')
  const decodeAt = ({ status, body }: Recording['response'], merchantReference: string) =>
    decodeCharge({ status, body }, { merchantReference, methodType: kindOf(body) })

  test('charges are approved, scheduled, replayed or refused', () => {
    const states = Object.fromEntries(charges.map(({ file, response }) => [file, decodeAt(response, 'test123').state]))
    expect(states).toMatchObject({
      'payments-create-payment-realtime-201-created-existing-payer.json': 'succeeded',
      'payments-create-payment-realtime-201-created-new-payer.json': 'succeeded',
      'payments-create-payment-realtime-400-bad-request.json': 'declined',
      'payments-create-or-update-payment-201-created.json': 'processing',
      'payments-create-or-update-payment-400-bad-request.json': 'declined',
      'payments-create-or-update-payment-403-forbidden-nonce-replay.json': 'succeeded',
      'docs-post-payments-403-nonce-replay.json': 'processing',
    })
    expect(Object.values(states)).not.toContain('unknown')
  })

  test('every error says what is wrong', () => {
    // Some samples of the documents are empty.
    const errors = RECORDED.filter(({ response }) => response.status === 400 && JSON.stringify(response.body) !== '{}')
    expect(errors.length).toBeGreaterThan(10)
    for (const { file, response } of errors) expect(errorMessagesOf(response.body), file).not.toEqual([])
  })

  test('sources are read', () => {
    const bodyOf = (file: string): unknown => RECORDED.find((one) => one.file === file)?.response.body
    const { attempts } = bodyOf('payments-create-payment-realtime-201-created-new-payer.json') as { attempts: { source: unknown }[] }
    expect(decodeSource(attempts[0]?.source)).toMatchObject({
      kind: 'card',
      details: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2022, name: 'Ben Hotdog' },
    })
    expect(decodeSource(bodyOf('payers-source-create-source-200-ok-bank-account.json'))).toMatchObject({
      kind: 'bank',
      details: { bankCode: '000000', last4: '0000' },
    })
  })
})
