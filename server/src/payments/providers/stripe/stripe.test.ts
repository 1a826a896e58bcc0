import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordingsOf } from '../../../../test/payments/providers/adapter-bench.ts'
import { isStripeUrl } from './stripe-charges.ts'
import { toStripeAmount } from './stripe-amounts.ts'
import { decodeIntent, decodeMethod } from './stripe-codec.ts'

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

const RECORDED = recordingsOf('stripe')

describe.runIf(RECORDED.length > 0)('what the real Stripe has answered', () => {
  test('every recorded answer is read; only a payment that succeeded is paid', () => {
    for (const { file, response } of RECORDED) {
      const body = response?.body as { object?: string; status?: string } | undefined
      const result = decodeIntent(body)
      expect(result.state === 'succeeded', file).toBe(body?.object === 'payment_intent' && body.status === 'succeeded')
    }
  })

  test('recorded methods are read with what may be shown of them', () => {
    const methods = RECORDED.flatMap(({ response }) => decodeMethod(response?.body) ?? [])
    expect(methods.map(({ type }) => type)).toEqual(expect.arrayContaining(['card', 'sepa_debit']))
    for (const { token, details: shown } of methods)
      expect([token, shown.last4]).toEqual([expect.stringMatching(/^pm_/), expect.stringMatching(/^\d{4}$/)])
  })
})
