import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chargeNew, chargeStored } from '../../../../test/payments/charge-directly.ts'
import { NoResponseError, createHttpClient } from '../../../kit/outgoing-http.ts'
import { CARDS } from '../../../../test/payments/payments-fixture.ts'
import { accountKeys, type TestSandbox, testSandbox, WEBHOOK_SECRET } from '../../../../test/payments/sandbox.ts'
import { testConformance } from '../../../../test/payments/conformance.ts'
import { createProviderCache } from '../../accounts/provider-cache.ts'
import { stripe } from './stripe.ts'
import { isStripeUrl } from './stripe-charges.ts'
import { toStripeAmount } from './stripe-amounts.ts'
import { decodeIntent, decodeMethod } from './stripe-codec.ts'
import type { KnownMethod } from '../method.ts'
import { sentOrder } from '../../../../test/payments/sent-order.ts'

let sandbox: TestSandbox
const transcripts: string[] = []
const keys = accountKeys('conformance')

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.close())

const context = () => ({
  settings: { secretKey: keys.secret, webhookSecrets: [WEBHOOK_SECRET] },
  baseUrl: `${sandbox.url}/stripe`,
  http: createHttpClient({
    timeoutMs: 1_500,
    scrub: (text) => stripe.redact(text),
    record: (transcript) => void transcripts.push(transcript),
  }),
  now: new Date(),
  cache: createProviderCache(() => new Date()),
})

const cardToken = async (number: string): Promise<string> => {
  const form = {
    key: keys.page,
    type: 'card',
    'card[number]': number,
    'card[exp_month]': '12',
    'card[exp_year]': '2031',
    'card[cvc]': '123',
  }
  return String((await sandbox.stripe('/v1/payment_methods', form, keys.page))['id'])
}

const newCard = (number: string) => async () => ({ card: { typedMethod: { kind: 'token', token: await cardToken(number) } } as const })

testConformance('stripe', {
  provider: stripe,
  sandbox: () => sandbox,
  context: context as never,
  transcripts,
  secrets: [keys.secret, WEBHOOK_SECRET, 'a browser', '192.0.2.1'],
  operation: 'charge',
  amount: { minor: 11_000n, currency: 'AUD' },
  givesReferenceFirst: true,
  goodMethod: async () => {
    const customer = (await stripe.storing.createCustomer?.(context(), { reference: '7', name: 'Ada', key: randomUUID() })) ?? ''
    const more = {
      client: { ip: '192.0.2.1', userAgent: 'a browser' },
      returnUrl: 'http://localhost:3000/payment-types',
      id: randomUUID(),
      customerId: 7,
    }
    const stored = await stripe.storing.store(
      context(),
      customer,
      { typedMethod: { kind: 'token', token: await cardToken(CARDS.good) }, type: 'card' },
      more,
    )
    const token = stored.state === 'succeeded' ? stored.method.token : ''
    return { token, kind: 'card', providerCustomerId: customer, details: {} }
  },
  declining: {
    card_declined: newCard(CARDS.declined),
    insufficient_funds: newCard(CARDS.poor),
    expired_card: newCard(CARDS.expired),
    incorrect_cvc: newCard(CARDS.wrongCode),
    try_again: newCard(CARDS.broken),
  },
})

const intent = (more: object) => ({
  object: 'payment_intent',
  id: 'pi_1',
  status: 'succeeded',
  amount: 11_000,
  amount_received: 11_000,
  currency: 'aud',
  next_action: null,
  last_payment_error: null,
  latest_charge: { amount_refunded: 0, disputed: false },
  ...more,
})

/** A context in which Stripe creates the payment properly and answers its confirmation as given. */
const contextAnswering = (answer: () => string) => {
  const asked: string[] = []
  const send = async ({ url }: { url: string }) => {
    asked.push(new URL(url).pathname)
    const text = url.endsWith('/confirm') ? answer() : JSON.stringify(intent({ status: 'requires_confirmation', amount_received: 0 }))
    return { status: 200, headers: {}, text }
  }
  return { asked, context: { ...context(), http: { send } } }
}

const order = {
  merchantReference: '5f0f2b0e-0000-4000-8000-000000000001',
  amount: { minor: 11_000n, currency: 'AUD' },
  methodType: 'card',
  invoiceNumbers: ['INV-1'],
  legalName: 'Nimbus',
  customerId: 7,
  entryReference: null,
  providerCustomerId: null,
  returnUrl: null,
  client: null,
}

const STORED: KnownMethod = { token: 'pm_1', kind: 'card', providerCustomerId: null, details: {} }

test('[PM-10] a new card is charged by two calls, whatever was typed beside it', async () => {
  const one = contextAnswering(() => JSON.stringify(intent({})))
  const card = { typedMethod: { kind: 'token', token: 'pm_1' } as const, holder: 'Ada Payer', address: { line1: '1 Quay Street' } }
  expect(await chargeNew(stripe, one.context, order, card)).toMatchObject({ state: 'succeeded' })
  expect(one.asked).toEqual(['/stripe/v1/payment_intents', '/stripe/v1/payment_intents/pi_1/confirm'])
})

describe('[PAY-01] what leaves open whether money moved', () => {
  test.each(['5', '"bad gateway"', 'true', 'null', '', '[]', '{}', '<html>', '{"id":"pi_2","status":"succeeded"}'])(
    'a confirmation that is answered %s is unknown, and asked for once',
    async (answer) => {
      const one = contextAnswering(() => answer)
      expect(await chargeStored(stripe, one.context, order, STORED)).toMatchObject({ state: 'unknown' })
      expect(one.asked).toEqual(['/stripe/v1/payment_intents', '/stripe/v1/payment_intents/pi_1/confirm'])
    },
  )

  test('a connection that breaks under a confirmation is not asked again', async () => {
    const one = contextAnswering(() => {
      throw new NoResponseError('no answer (ECONNRESET)', true)
    })
    expect(await chargeStored(stripe, one.context, order, STORED)).toMatchObject({ state: 'unknown' })
    expect(one.asked).toHaveLength(2)
  })

  test('a confirmation of this payment is accepted', async () => {
    const paid = contextAnswering(() => JSON.stringify(intent({})))
    expect(await chargeStored(stripe, paid.context, order, STORED)).toMatchObject({ state: 'succeeded', providerRef: 'pi_1' })
  })

  test('a confirmation that brings another payment, which is paid, is unknown', async () => {
    const other = contextAnswering(() => JSON.stringify(intent({ id: 'pi_2' })))
    expect(await chargeStored(stripe, other.context, order, STORED)).toMatchObject({ state: 'unknown' })
  })

  test('a look-up that returns another payment is unknown', async () => {
    const other = { ...context(), http: { send: async () => ({ status: 200, headers: {}, text: JSON.stringify(intent({ id: 'pi_2' })) }) } }
    expect(await stripe.lookUp(other, sentOrder(order, 'pi_1'))).toMatchObject({
      state: 'unknown',
    })
  })
})

describe('what Stripe says', () => {
  test.each([
    [{}, { state: 'succeeded', amount: { minor: 11_000n, currency: 'AUD' }, refunded: 0n }],
    [{ latest_charge: { amount_refunded: 4_000 } }, { state: 'succeeded', refunded: 4_000n }],
    [{ status: 'processing', amount_received: 0 }, { state: 'processing' }],
    [{ status: 'requires_confirmation', amount_received: 0 }, { state: 'not_started' }],
    [{ status: 'requires_payment_method', amount_received: 0 }, { state: 'not_started' }],
    [{ status: 'canceled', amount_received: 0 }, { state: 'canceled' }],
    [{ status: 'requires_capture' }, { state: 'unknown' }],
    [{ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } }, { state: 'not_started' }],
    [
      {
        status: 'requires_payment_method',
        last_payment_error: { type: 'card_error', code: 'expired_card', message: 'Your card has expired.' },
      },
      { state: 'declined', reason: 'expired_card', userMessage: 'Your card has expired.' },
    ],
    [
      { status: 'requires_payment_method', last_payment_error: { type: 'api_error', message: 'Internal words.' } },
      { state: 'declined', userMessage: expect.not.stringContaining('Internal') },
    ],
  ])('is read as what it means (case %#)', (said, means) => {
    expect(decodeIntent(intent(said))).toMatchObject(means)
  })

  test('every other answer is unknown, and never paid', () => {
    const part = fc.oneof(fc.anything(), fc.constantFrom('succeeded', 'payment_intent', 'pi_1', 11_000, 'aud'))
    const odd = fc.dictionary(fc.constantFrom('object', 'id', 'status', 'amount', 'amount_received', 'currency', 'latest_charge'), part)
    fc.assert(
      fc.property(fc.oneof(fc.anything(), odd), (value) => {
        const result = decodeIntent(value)
        if (result.state === 'succeeded') expect(value).toMatchObject({ status: 'succeeded', object: 'payment_intent' })
      }),
      { numRuns: 5_000 },
    )
    for (const broken of [null, '<html>', { ...intent({}), amount_received: -1 }, { ...intent({}), id: 'ch_1' }])
      expect(decodeIntent(broken).state).toBe('unknown')
  })

  test('amounts go out as Stripe counts them', () => {
    expect(toStripeAmount({ minor: 1_234n, currency: 'USD' })).toEqual({ amount: 1_234, currency: 'usd' })
    expect(toStripeAmount({ minor: 500n, currency: 'JPY' })).toEqual({ amount: 500, currency: 'jpy' })
    expect(toStripeAmount({ minor: 500n, currency: 'ISK' })).toEqual({ amount: 50_000, currency: 'isk' })
  })

  test('a payer is redirected to Stripe only', () => {
    const base = 'http://localhost:3900/stripe'
    for (const good of ['https://hooks.stripe.com/3d_secure_2', 'http://localhost:3900/stripe/3d_secure_2'])
      expect(isStripeUrl(good, base)).toBe(true)
    for (const bad of [
      'https://stripe.com.evil.example/',
      'http://hooks.stripe.com/',
      'javascript:alert(1)',
      'https://evilstripe.com',
      '//x',
      '',
    ])
      expect(isStripeUrl(bad, base)).toBe(false)
  })
})

const RECORDED = new URL('../../../../../../shared/providers/fixtures/stripe/', import.meta.url)

/** Recordings of the real Stripe, where they are at hand. */
describe.runIf(existsSync(RECORDED))('what the real Stripe has answered', () => {
  const recorded = (existsSync(RECORDED) ? readdirSync(RECORDED) : []).map((name) => ({
    name,
    answer: (JSON.parse(readFileSync(new URL(name, RECORDED), 'utf8')) as { response?: { status: number; body?: unknown } }).response,
  }))

  test('every recorded answer is read; only a payment that succeeded is paid', () => {
    for (const { name, answer } of recorded) {
      const body = answer?.body as { object?: string; status?: string } | undefined
      const result = decodeIntent(body)
      expect(result.state === 'succeeded', name).toBe(body?.object === 'payment_intent' && body.status === 'succeeded')
    }
  })

  test('recorded methods are read with what may be shown of them', () => {
    const methods = recorded.flatMap(({ answer }) => decodeMethod(answer?.body) ?? [])
    expect(methods.map(({ type }) => type)).toEqual(expect.arrayContaining(['card', 'sepa_debit']))
    for (const { token, details: shown } of methods)
      expect([token, shown.last4]).toEqual([expect.stringMatching(/^pm_/), expect.stringMatching(/^\d{4}$/)])
  })
})
