import { rm } from 'node:fs/promises'
import StripeClient from 'stripe'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type TestStripe, startTestStripe } from '../test/test-stripe.ts'

let stripe: TestStripe
let now = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  stripe = await startTestStripe({ clock: () => now })
})
afterEach(async () => {
  await stripe.postControl('/reset')
})
afterAll(async () => {
  await stripe.stop()
})

const FORM = 'amount=1000&currency=aud&allowed_payment_method_types[]=card&payment_method=pm_card_visa&confirm=true&metadata[uid]=u1'

const pay = async (key = 'pay:1', form = FORM) => stripe.call('POST', '/v1/payment_intents', form, { 'idempotency-key': key })

const orderFault = async (kind: string, more: object = {}) => {
  const { status } = await stripe.postControl('/faults', { provider: 'stripe', operation: 'charge', kind, times: 1, ...more })
  expect(status).toBe(200)
}

/** The stored intents' statuses and amounts. */
const intents = async () => (await stripe.client.paymentIntents.list()).data.map(({ status, amount }) => [status, amount])

const ledger = async () => (await stripe.ledger()).map(({ status, amount }) => [status, amount])

test('the same key returns the same response and moves the money once', async () => {
  const first = await pay()
  const second = await pay()
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.body).toEqual(first.body)
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(second.headers.get('original-request')).toBe(first.headers.get('request-id'))
  expect(second.headers.get('request-id')).not.toBe(first.headers.get('request-id'))
  expect(await ledger()).toEqual([['succeeded', 1000]])
})

test('fifty concurrent calls with one key move the money once', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, async () => pay('pay:50')))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(await ledger()).toEqual([['succeeded', 1000]])
})

test('a key is valid for one request and one day', async () => {
  const first = await pay()
  expect(await pay('pay:1', FORM.replace('1000', '2000'))).toMatchObject({
    status: 400,
    body: {
      error: {
        type: 'idempotency_error',
        message:
          "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than 'pay:1' if you meant to execute a different request.",
      },
    },
  })
  const elsewhere = await stripe.call('POST', '/v1/customers', 'name=x', { 'idempotency-key': 'pay:1' })
  expect(elsewhere).toMatchObject({ status: 400, body: { error: { type: 'idempotency_error' } } })
  expect(await pay('k'.repeat(256))).toMatchObject({ status: 400 })
  now += 24 * 3_600_000
  const tomorrow = await pay()
  expect(tomorrow.body.id).not.toBe(first.body.id)
})

test('a decline is replayed too, and an invalid parameter is not stored', async () => {
  const declined = await pay('pay:d', FORM.replace('pm_card_visa', 'pm_card_chargeDeclined'))
  expect(declined.status).toBe(402)
  expect((await pay('pay:d', FORM.replace('pm_card_visa', 'pm_card_chargeDeclined'))).headers.get('idempotent-replayed')).toBe('true')
  expect((await pay('pay:p', `${FORM}&colour=red`)).status).toBe(400)
  expect((await pay('pay:p')).status).toBe(200)
})

test('a 500 is stored: the same key returns it again, booked or not', async () => {
  await orderFault('error')
  expect(await pay('pay:e')).toMatchObject({ status: 500, body: { error: { type: 'api_error' } } })
  expect((await pay('pay:e')).status).toBe(500)
  expect([await intents(), await ledger()]).toEqual([[], []])
  await orderFault('error', { booked: true })
  expect((await pay('pay:f')).status).toBe(500)
  const again = await pay('pay:f')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([500, 'true'])
  expect([await intents(), await ledger()]).toEqual([[['succeeded', 1000]], [['succeeded', 1000]]])
})

test('a decline fault declines cards and debits', async () => {
  await orderFault('decline', { times: 2 })
  expect(await pay('pay:c')).toMatchObject({
    status: 402,
    body: { error: { code: 'card_declined', payment_intent: { status: 'requires_payment_method' } } },
  })
  const agreed = 'mandate_data[customer_acceptance][type]=offline'
  const debit = await pay(
    'pay:b',
    `${FORM.replace('[]=card', '[]=au_becs_debit').replace('pm_card_visa', 'pm_auBecsDebit_success')}&${agreed}`,
  )
  expect(debit).toMatchObject({ status: 402, body: { error: { code: 'payment_method_provider_decline' } } })
  expect(await ledger()).toEqual([])
})

test('a decline with `booked`: the money moved all the same', async () => {
  await orderFault('decline', { booked: true })
  expect(await pay()).toMatchObject({
    status: 402,
    body: { error: { code: 'card_declined', payment_intent: { status: 'requires_payment_method' } } },
  })
  expect([await intents(), await ledger()]).toEqual([[['succeeded', 1000]], [['succeeded', 1000]]])
})

test.each([true, false])('a dropped connection: booked %s', async (booked) => {
  await orderFault('drop', { booked })
  await expect(pay()).rejects.toThrow()
  expect(await ledger()).toEqual(booked ? [['succeeded', 1000]] : [])
  const again = await pay()
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, booked ? 'true' : null])
  expect(await ledger()).toEqual([['succeeded', 1000]])
})

test('a refused connection: nothing happened, and the next call succeeds', async () => {
  await orderFault('refuse')
  await expect(pay()).rejects.toThrow()
  expect(await ledger()).toEqual([])
  expect((await pay()).status).toBe(200)
})

test('a slow response: the money moved even if the caller disconnects before', async () => {
  await orderFault('slow', { ms: 60_000 })
  await expect(
    fetch(`${stripe.url}/stripe/v1/payment_intents`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sk_test_bench_secret',
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': 'pay:s',
      },
      body: FORM,
      signal: AbortSignal.timeout(200),
    }),
  ).rejects.toThrow(/timeout/i)
  expect(await ledger()).toEqual([['succeeded', 1000]])
  expect((await pay('pay:s')).headers.get('idempotent-replayed')).toBe('true')
  await orderFault('slow', { ms: 50, booked: false })
  expect((await pay('pay:t')).status).toBe(500)
  expect(await ledger()).toHaveLength(1)
})

test.each([true, false])('garbage with a 200: booked %s', async (booked) => {
  await orderFault('garbage', { booked })
  const answer = await pay()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(await ledger()).toEqual(booked ? [['succeeded', 1000]] : [])
})

test.each([true, false])('a response with a wrong amount: booked %s', async (booked) => {
  await orderFault('wrong-amount', { booked })
  expect(await pay()).toMatchObject({ status: 200, body: { status: 'succeeded', amount: 1100, amount_received: 1100 } })
  expect(await ledger()).toEqual(booked ? [['succeeded', 1000]] : [])
  expect(await intents()).toEqual([[booked ? 'succeeded' : 'requires_payment_method', 1000]])
})

test.each([true, false])('a call that arrives twice at once is answered with 409: booked %s', async (booked) => {
  await orderFault('twice', { booked })
  expect(await pay()).toMatchObject({ status: 409, body: { error: { code: 'idempotency_key_in_use' } } })
  expect(await ledger()).toEqual(booked ? [['succeeded', 1000]] : [])
  expect((await pay()).status).toBe(200)
  expect(await ledger()).toEqual([['succeeded', 1000]])
})

test('a call without a key that arrives twice is executed twice', async () => {
  await orderFault('twice', { booked: true })
  expect((await stripe.call('POST', '/v1/payment_intents', FORM)).status).toBe(200)
  expect(await ledger()).toEqual([
    ['succeeded', 1000],
    ['succeeded', 1000],
  ])
})

test('an action fault requires authentication of any card', async () => {
  await orderFault('action')
  const response = await pay('pay:a', `${FORM}&return_url=http://portal.example/payment-result`)
  expect(response).toMatchObject({ status: 200, body: { status: 'requires_action', next_action: { type: 'redirect_to_url' } } })
  expect(response.body.next_action.redirect_to_url.url).toMatch(new RegExp(`^${stripe.url}/stripe/3d_secure_2/hosted\\?`))
  expect(await ledger()).toEqual([])
})

test('an action with `booked`: the money moved before, and the bank’s page has nothing to do', async () => {
  await orderFault('action', { booked: true })
  const response = await pay('pay:q', `${FORM}&return_url=http://portal.example/payment-result?req_uid=7`)
  expect(response.body.status).toBe('requires_action')
  expect([await intents(), await ledger()]).toEqual([[['succeeded', 1000]], [['succeeded', 1000]]])
  const page = await (await fetch(response.body.next_action.redirect_to_url.url)).text()
  expect(page).toContain('the payment intent is succeeded')
  expect(page).toContain('href="http://portal.example/payment-result?req_uid=7&amp;payment_intent=')
})

test.each([
  ['customer', async () => stripe.client.customers.create()],
  ['account', async () => stripe.client.accounts.retrieveCurrent()],
  ['setup-intent', async () => stripe.client.setupIntents.create()],
  ['payment', async () => stripe.client.paymentIntents.create({ amount: 500, currency: 'usd' })],
  ['list', async () => stripe.client.charges.list()],
  ['lookup', async () => stripe.client.paymentIntents.retrieve('pi_none')],
  ['checkout', async () => stripe.client.checkout.sessions.create({ mode: 'setup', success_url: 'http://x.example', currency: 'gbp' })],
])('%s fails with each kind of fault', async (operation, call) => {
  await stripe.postControl('/faults', { provider: 'stripe', operation, kind: 'error', times: 1 })
  await expect(call()).rejects.toBeInstanceOf(StripeClient.errors.StripeAPIError)
  await stripe.postControl('/faults', { provider: 'stripe', operation, kind: 'drop', times: 1 })
  await expect(call()).rejects.toBeInstanceOf(StripeClient.errors.StripeConnectionError)
  await stripe.postControl('/faults', { provider: 'stripe', operation, kind: 'garbage', times: 1 })
  await expect(call()).rejects.toThrow(/Invalid JSON|SyntaxError|Unexpected/)
  await stripe.postControl('/faults', { provider: 'stripe', operation, kind: 'decline', times: 1 })
  await expect(call()).rejects.toMatchObject({ statusCode: 402 })
})

test('faults apply to refunds, attached cards and setup intents', async () => {
  const paid = await pay()
  const fault = async (operation: string) => stripe.postControl('/faults', { provider: 'stripe', operation, kind: 'decline', times: 1 })
  await fault('refund')
  expect(await stripe.client.refunds.create({ payment_intent: paid.body.id })).toMatchObject({ status: 'failed' })
  expect(await ledger()).toEqual([['succeeded', 1000]])
  const customer = (await stripe.client.customers.create()).id
  await fault('attach')
  await expect(stripe.client.paymentMethods.attach('pm_card_visa', { customer })).rejects.toMatchObject({ code: 'card_declined' })
  await fault('setup')
  await expect(
    stripe.client.setupIntents.create({ customer, payment_method: 'pm_card_visa', confirm: true, allowed_payment_method_types: ['card'] }),
  ).rejects.toMatchObject({ code: 'card_declined', setup_intent: { status: 'requires_payment_method' } })
})

test('payments, keys and the ledger survive a restart', async () => {
  const first = await startTestStripe({ dir: stripe.dir + '-again' })
  const headers = { 'idempotency-key': 'pay:r' }
  const paid = await first.call('POST', '/v1/payment_intents', FORM, headers)
  await first.stop()
  const second = await startTestStripe({ dir: first.dir })
  const again = await second.call('POST', '/v1/payment_intents', FORM, headers)
  expect(again.body).toEqual(paid.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await second.ledger()).toHaveLength(1)
  await second.stop()
  await rm(first.dir, { recursive: true })
})
