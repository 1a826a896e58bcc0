import StripeClient from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bench, KEY, type Heard, type Listener, startBench, startListener } from '../test/test-stripe.ts'

let bench: Bench
let listener: Listener
let secret: string

beforeEach(async () => {
  bench = await startBench()
  listener = await startListener()
  const endpoint = await bench.client.webhookEndpoints.create({
    url: listener.url,
    enabled_events: ['payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.processing', 'charge.dispute.created'],
  })
  secret = endpoint.secret ?? ''
})
afterEach(async () => {
  await bench.stop()
  await listener.close()
})

const read = ({ body, signature }: Heard) => bench.client.webhooks.constructEvent(body, signature, secret)

const types = (heard: readonly Heard[]) => heard.map((one) => read(one).type)

const pay = async (more: object = {}) =>
  bench.client.paymentIntents.create({
    amount: 1000,
    currency: 'aud',
    allowed_payment_method_types: ['card', 'au_becs_debit'],
    payment_method: 'pm_card_visa',
    confirm: true,
    ...more,
  })

const BECS = {
  payment_method: 'pm_auBecsDebit_success',
  mandate_data: { customer_acceptance: { type: 'online' as const, online: { ip_address: '192.0.2.1', user_agent: 'test' } } },
}

const order = async (kind: string, ms?: number) =>
  bench.own('/faults', { provider: 'stripe', operation: 'webhook', kind, times: 1, ...(ms === undefined ? {} : { ms }) })

test('a payment is told, signed as the company’s own library demands, with the request that caused it', async () => {
  const intent = await bench.client.paymentIntents.create(
    { amount: 1000, currency: 'aud', allowed_payment_method_types: ['card'], payment_method: 'pm_card_visa', confirm: true },
    { idempotencyKey: 'pay:7' },
  )
  const [heard] = await listener.until(1)
  const event = read(heard as Heard)
  expect(event).toMatchObject({
    object: 'event',
    type: 'payment_intent.succeeded',
    livemode: false,
    request: { idempotency_key: 'pay:7', id: intent.lastResponse.requestId },
    data: { object: { id: intent.id, status: 'succeeded', amount_received: 1000 } },
  })
  expect(heard?.body).not.toContain('sandbox_only')
  expect(() => bench.client.webhooks.constructEvent(heard?.body ?? '', heard?.signature ?? '', 'whsec_other')).toThrow(
    StripeClient.errors.StripeSignatureVerificationError,
  )
  const events = await bench.client.events.list({ type: 'payment_intent.succeeded' })
  expect(events.data.map(({ id }) => id)).toEqual([event.id])
})

test('a debit waits until it is settled, and each step is told', async () => {
  const waiting = await pay(BECS)
  expect(waiting.status).toBe('processing')
  const [entry] = await bench.ledger()
  expect(entry).toMatchObject({ status: 'pending', method: 'au_becs_debit' })
  const settle = async (outcome: string, id = entry?.id) => bench.own('/settle', { provider: 'stripe', id, outcome })
  expect(await settle('returned')).toMatchObject({ status: 404 })
  expect(await settle('succeeded', waiting.id)).toMatchObject({ status: 200, body: { id: entry?.id, status: 'succeeded' } })
  expect(await settle('succeeded')).toMatchObject({ status: 404 })
  expect((await bench.client.paymentIntents.retrieve(waiting.id)).status).toBe('succeeded')
  expect(await settle('returned')).toMatchObject({ status: 200, body: { status: 'returned' } })
  expect(await settle('returned')).toMatchObject({ status: 404 })
  expect(types(await listener.until(3))).toEqual(['payment_intent.processing', 'payment_intent.succeeded', 'charge.dispute.created'])
  const charge = await bench.client.charges.retrieve(entry?.id ?? '')
  expect(charge.disputed).toBe(true)
})

test('a debit that fails leaves its intent open, with the account’s own reason, and may end its mandate', async () => {
  const waiting = await pay({ ...BECS, payment_method: 'pm_auBecsDebit_accountClosed' })
  const { body } = await bench.own('/settle', { provider: 'stripe', id: waiting.id, outcome: 'failed' })
  expect(body).toMatchObject({ status: 'failed' })
  const after = await bench.client.paymentIntents.retrieve(waiting.id, { expand: ['latest_charge'] })
  expect(after).toMatchObject({ status: 'requires_payment_method', last_payment_error: { code: 'account_closed' } })
  const details = (after.latest_charge as StripeClient.Charge).payment_method_details?.au_becs_debit
  expect(await bench.client.mandates.retrieve(details?.mandate ?? '')).toMatchObject({ status: 'inactive' })
  expect(types(await listener.until(2))).toEqual(['payment_intent.processing', 'payment_intent.payment_failed'])
})

test('a lost notice does not come, and the next one does', async () => {
  await order('lost')
  await pay()
  const second = await pay()
  const [heard] = await listener.until(1)
  expect(read(heard as Heard).data.object).toMatchObject({ id: second.id })
})

test('a notice that comes twice has one id', async () => {
  await order('twice')
  await pay()
  const [first, second] = await listener.until(2)
  expect(read(first as Heard).id).toBe(read(second as Heard).id)
})

test('an early notice is there before the answer', async () => {
  await order('early')
  await pay()
  expect(listener.heard).toHaveLength(1)
})

test('a late notice comes after the next one', async () => {
  await order('late', 300)
  const first = await pay()
  const second = await pay()
  const heard = await listener.until(2)
  expect(heard.map((one) => (read(one).data.object as { id: string }).id)).toEqual([second.id, first.id])
})

test('shuffled notices come in the wrong order', async () => {
  await order('shuffled')
  const waiting = await pay(BECS)
  await bench.own('/settle', { provider: 'stripe', id: waiting.id, outcome: 'succeeded' })
  expect(types(await listener.until(2))).toEqual(['payment_intent.succeeded', 'payment_intent.processing'])
})

test('a forged notice says that all is paid, and its signature is wrong', async () => {
  await order('forged')
  await pay(BECS)
  const [heard] = await listener.until(1)
  expect(JSON.parse(heard?.body ?? '')).toMatchObject({ data: { object: { status: 'succeeded' } } })
  expect(() => read(heard as Heard)).toThrow(StripeClient.errors.StripeSignatureVerificationError)
})

test('a notice that nobody takes comes again', async () => {
  listener.answer = 500
  await pay()
  await listener.until(1)
  listener.answer = 200
  const [first, second] = await listener.until(2)
  expect(read(first as Heard).id).toBe(read(second as Heard).id)
})

test('an endpoint is set with a secret of one’s own, and one that is off hears nothing', async () => {
  const own = await startListener()
  const set = await bench.own('/stripe/webhook-endpoint', { key: KEY, url: own.url, secret: 'whsec_mine', events: ['charge.*'] })
  expect(set).toMatchObject({ status: 200, body: { url: own.url, secret: 'whsec_mine' } })
  await bench.own('/stripe/webhook-endpoint', { key: KEY, url: own.url, secret: 'whsec_mine', events: ['charge.*'] })
  const other = (await bench.client.webhookEndpoints.list()).data.find(({ url }) => url === listener.url)
  await bench.client.webhookEndpoints.update(other?.id ?? '', { disabled: true })
  await pay()
  const [heard] = await own.until(1)
  expect(bench.client.webhooks.constructEvent(heard?.body ?? '', heard?.signature ?? '', 'whsec_mine').type).toBe('charge.succeeded')
  expect([own.heard.length, listener.heard.length]).toEqual([1, 0])
  expect(await bench.own('/stripe/webhook-endpoint', { key: 'nonsense', url: own.url })).toMatchObject({ status: 401 })
  await own.close()
})

test('a listener of the start hears of every account', async () => {
  const own = await startListener()
  const other = await startBench({ stripeListener: { url: `${own.url}/{account}`, secret: 'whsec_all' } })
  await other.client.customers.create()
  const [heard] = await own.until(1)
  expect(other.client.webhooks.constructEvent(heard?.body ?? '', heard?.signature ?? '', 'whsec_all').type).toBe('customer.created')
  await other.stop()
  await own.close()
})
