import { chargeNew, chargeStored, requirePrepared, testPermit } from '../../../../test/payments/charge-directly.ts'
import { adapterContext, orderAt } from '../../../../test/payments/providers/adapter-bench.ts'
import { NoResponseError } from '../../../kit/outgoing-http.ts'
import { describe, expect, test } from 'vitest'
import type { ChargeOrder } from '../order.ts'
import type { KnownMethod } from '../method.ts'
import { stripe } from './stripe.ts'
import { sentOrder } from '../../../../test/payments/sent-order.ts'

/** A body or any text, or what is thrown without an answer. */
type Answer = { readonly status?: number; readonly body: object } | { readonly text: string } | Error

/** A context in which Stripe gives these answers, by the last part of the path. */
const contextAnswering = (answers: Readonly<Record<string, Answer>>) => {
  const asked: string[] = []
  const send = async ({ url }: { url: string }) => {
    const name = new URL(url).pathname.split('/').at(-1) ?? ''
    asked.push(name)
    const answer = answers[name] ?? { status: 500, body: {} }
    if (answer instanceof Error) throw answer
    return { status: 200, headers: {}, ...('text' in answer ? answer : { ...answer, text: JSON.stringify(answer.body) }) }
  }
  const settings = { secretKey: 'sk_test_safety', webhookSecrets: [] }
  return { asked, context: { ...adapterContext(stripe, { url: '' }, settings), baseUrl: 'https://api.stripe.com', http: { send } } }
}

const intent = (more: object = {}) => ({
  object: 'payment_intent',
  id: 'pi_1',
  status: 'succeeded',
  amount: 11_000,
  amount_received: 11_000,
  currency: 'aud',
  latest_charge: { amount_refunded: 0, disputed: false },
  ...more,
})
const CREATED = { payment_intents: { body: intent({ status: 'requires_confirmation', amount_received: 0 }) } }
const CANCELED = { cancel: { body: intent({ status: 'canceled', amount_received: 0 }) } }

const STORED: KnownMethod = { token: 'pm_1', kind: 'card', providerCustomerId: null, details: {} }

const order = orderAt(stripe, 'AUD', { returnUrl: null, client: null })
const charge = (answers: Readonly<Record<string, Answer>>, more: Partial<ChargeOrder> = {}) => {
  const { asked, context } = contextAnswering({ ...CREATED, ...answers })
  return { asked, result: chargeStored(stripe, context, { ...order, ...more }, STORED) }
}

test('[PAY-01] a payment is created before, under the id by which it is found, and confirmed only when it is submitted', async () => {
  const { asked, context } = contextAnswering({ ...CREATED, ...CANCELED, confirm: { body: intent() } })
  const prepared = requirePrepared(await stripe.prepareStoredMethodCharge(context, order, STORED))
  expect([prepared.providerRef, asked]).toEqual(['pi_1', ['payment_intents']])
  expect(await prepared.submit(testPermit())).toMatchObject({ state: 'succeeded', providerRef: 'pi_1' })
  await prepared.discard?.()
  expect(asked).toEqual(['payment_intents', 'confirm', 'cancel'])
})

test('[PM-10] a new card is charged by two calls, whatever was typed beside it', async () => {
  const { asked, context } = contextAnswering({ ...CREATED, confirm: { body: intent() } })
  const card = { typedMethod: { kind: 'token', token: 'pm_1' } as const, holder: 'Ada Payer', address: { line1: '1 Quay Street' } }
  expect(await chargeNew(stripe, context, order, card)).toMatchObject({ state: 'succeeded' })
  expect(asked).toEqual(['payment_intents', 'confirm'])
})

test.each<[string, Answer]>([
  ...['5', '"bad gateway"', 'true', 'null', '', '[]', '{}', '<html>', '{"id":"pi_2","status":"succeeded"}'].map(
    (text): [string, Answer] => [text, { text }],
  ),
  ['another payment, which is paid', { body: intent({ id: 'pi_2' }) }],
  ['a connection that breaks', new NoResponseError('no answer (ECONNRESET)', true)],
])('[PAY-01] a confirmation that is answered by %s leaves open whether money moved, and is asked for once', async (_, confirm) => {
  const { asked, result } = charge({ confirm })
  expect(await result).toMatchObject({ state: 'unknown' })
  expect(asked).toEqual(['payment_intents', 'confirm'])
})

test('[PAY-01] a look-up that returns another payment is unknown', async () => {
  const { context } = contextAnswering({ pi_1: { body: intent({ id: 'pi_2' }) } })
  expect(await stripe.lookUp(context, sentOrder(order, 'pi_1'))).toMatchObject({ state: 'unknown' })
})

describe('[PAY-01] a refused charge (402) that brings a payment', () => {
  const refused = (more: object): Answer => ({
    status: 402,
    body: { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.', ...more } },
  })

  test.each([
    ['which has succeeded', intent(), 'unknown'],
    ['which is on its way', intent({ status: 'processing' }), 'unknown'],
    ['which waits for its payer', intent({ status: 'requires_action' }), 'unknown'],
    ['which waits for another card', intent({ status: 'requires_payment_method' }), 'declined'],
    ['which is canceled', intent({ status: 'canceled' }), 'declined'],
  ])('%s', async (_, payment_intent, state) => {
    expect(await charge({ confirm: refused({ payment_intent }) }).result).toMatchObject({ state })
  })

  test('and none is a decline', async () => {
    expect(await charge({ confirm: refused({}) }).result).toMatchObject({ state: 'declined', userMessage: 'Your card was declined.' })
  })
})

describe('[PAY-01] what a failed confirmation says about money', () => {
  test.each([
    [400, { code: 'payment_intent_unexpected_state' }, 'unknown'],
    [400, { code: 'lock_timeout' }, 'unknown'],
    [409, { code: 'idempotency_key_in_use' }, 'unknown'],
    [400, { type: 'idempotency_error' }, 'unknown'],
    [500, {}, 'unknown'],
    [503, {}, 'unknown'],
    [429, { code: 'rate_limit' }, 'not_sent'],
    [401, {}, 'declined'],
    [403, {}, 'declined'],
    [400, { code: 'amount_too_small', message: 'Too small.' }, 'declined'],
  ])('%i %j is %s', async (status, error, state) => {
    expect(await charge({ confirm: { status, body: { error } } }).result).toMatchObject({ state })
  })
})

describe('[PAY-01] a payer is sent to Stripe and nowhere else', () => {
  const action = (url: string) => intent({ status: 'requires_action', amount_received: 0, next_action: { redirect_to_url: { url } } })

  test('to confirm', async () => {
    const { result } = charge({ confirm: { body: action('https://hooks.stripe.com/3d_secure') } })
    expect(await result).toMatchObject({ state: 'requires_action', redirectUrl: 'https://hooks.stripe.com/3d_secure' })
  })

  test.each(['https://stripe.com.evil.example/', 'http://hooks.stripe.com/', 'javascript:alert(1)'])(
    'a confirmation at %s is canceled, and the card declined',
    async (url) => {
      const { asked, result } = charge({ confirm: { body: action(url) }, ...CANCELED })
      expect(await result).toMatchObject({ state: 'declined', userMessage: expect.stringContaining('cannot be used here') })
      expect(asked).toEqual(['payment_intents', 'confirm', 'cancel'])
    },
  )

  test('after a look-up as after the confirmation', async () => {
    const { context } = contextAnswering({ pi_1: { body: action('https://evil.example/') } })
    expect(await stripe.lookUp(context, sentOrder(order, 'pi_1'))).toMatchObject({
      state: 'not_started',
    })
  })
})

describe('[PAY-01] what a disputed payment has lost', () => {
  const lookUp = (disputes: readonly object[]) => {
    const { context } = contextAnswering({
      pi_1: { body: intent({ latest_charge: { amount_refunded: 0, disputed: true } }) },
      disputes: { body: { object: 'list', data: disputes, has_more: false } },
    })
    return stripe.lookUp(context, sentOrder(order, 'pi_1'))
  }
  const dispute = (status: string, amount = 11_000) => ({ object: 'dispute', status, amount, currency: 'aud' })

  test.each([
    ['warning_needs_response', 0n],
    ['warning_under_review', 0n],
    ['warning_closed', 0n],
    ['prevented', 0n],
    ['won', 0n],
    ['needs_response', 11_000n],
    ['under_review', 11_000n],
    ['lost', 11_000n],
  ])('%s: %s', async (status, reversed) => {
    expect(await lookUp([dispute(status)])).toMatchObject({ state: 'succeeded', reversed })
  })

  test('is the sum of what is lost', async () => {
    expect(await lookUp([dispute('lost', 4_000), dispute('won', 5_000), dispute('lost', 1_000)])).toMatchObject({ reversed: 5_000n })
  })

  test('stands in the list of payments too, which does not tell it by itself', async () => {
    const disputed = intent({ latest_charge: { amount_refunded: 0, disputed: true }, metadata: {} })
    const { context } = contextAnswering({
      payment_intents: { body: { object: 'list', data: [disputed], has_more: false } },
      pi_1: { body: disputed },
      disputes: { body: { object: 'list', data: [dispute('lost', 4_000)], has_more: false } },
    })
    const listed: unknown[] = []
    for await (const payment of stripe.listPayments?.(context, new Date(0), new Date()) ?? []) listed.push(payment)
    expect(listed).toMatchObject([{ providerRef: 'pi_1', result: { state: 'succeeded', reversed: 4_000n } }])
  })
})

test('[PAY-01] a payment that Stripe creates over another amount, or in another currency, is not confirmed', async () => {
  for (const more of [{ amount: 1_100 }, { currency: 'usd' }, { id: 'ch_1' }]) {
    const { asked, result } = charge({ payment_intents: { body: intent(more) }, confirm: { body: intent() } })
    expect(await result).toMatchObject({ state: 'not_sent' })
    expect(asked).toEqual(['payment_intents'])
  }
})

test('[PAY-01] a look-up without a reference finds nothing; one that Stripe does not know, or cannot answer, stays unknown', async () => {
  const { context, asked } = contextAnswering({ pi_1: { status: 404, body: { error: { code: 'resource_missing' } } } })
  expect(await stripe.lookUp(context, sentOrder(order))).toMatchObject({ state: 'absent' })
  expect(asked).toEqual([])
  expect(await stripe.lookUp(context, sentOrder(order, 'pi_1'))).toMatchObject({ state: 'unknown' })
  expect(await stripe.lookUp(context, sentOrder(order, 'pi_2'))).toMatchObject({ state: 'unknown' })
})
