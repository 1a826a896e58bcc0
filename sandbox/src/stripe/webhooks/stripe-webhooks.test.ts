import StripeClient from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ReceivedWebhook, type WebhookReceiver, startWebhookReceiver } from '../../test/webhook-receiver.ts'
import { type TestStripe, SECRET_KEY, startTestStripe } from '../test/test-stripe.ts'

let stripe: TestStripe
let receiver: WebhookReceiver
let secret: string

beforeEach(async () => {
  stripe = await startTestStripe()
  receiver = await startWebhookReceiver()
  const endpoint = await stripe.client.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.processing', 'charge.dispute.created'],
  })
  secret = endpoint.secret ?? ''
})
afterEach(async () => {
  await stripe.stop()
  await receiver.close()
})

const signatureOf = (received: ReceivedWebhook | undefined) => received?.headers['stripe-signature'] ?? ''
const parseEvent = (received: ReceivedWebhook) => stripe.client.webhooks.constructEvent(received.text, signatureOf(received), secret)

const eventTypes = (received: readonly ReceivedWebhook[]) => received.map((one) => parseEvent(one).type)

const pay = async (more: object = {}) =>
  stripe.client.paymentIntents.create({
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

const orderFault = async (kind: string, ms?: number) =>
  stripe.postControl('/faults', { provider: 'stripe', operation: 'webhook', kind, times: 1, ...(ms === undefined ? {} : { ms }) })

test('a payment sends an event that Stripe’s library verifies, with the request that caused it', async () => {
  const intent = await stripe.client.paymentIntents.create(
    { amount: 1000, currency: 'aud', allowed_payment_method_types: ['card'], payment_method: 'pm_card_visa', confirm: true },
    { idempotencyKey: 'pay:7' },
  )
  const [received] = await receiver.waitFor(1)
  const event = parseEvent(received as ReceivedWebhook)
  expect(event).toMatchObject({
    object: 'event',
    type: 'payment_intent.succeeded',
    livemode: false,
    request: { idempotency_key: 'pay:7', id: intent.lastResponse.requestId },
    data: { object: { id: intent.id, status: 'succeeded', amount_received: 1000 } },
  })
  expect(received?.text).not.toContain('sandbox_only')
  expect(() => stripe.client.webhooks.constructEvent(received?.text ?? '', signatureOf(received), 'whsec_other')).toThrow(
    StripeClient.errors.StripeSignatureVerificationError,
  )
  const events = await stripe.client.events.list({ type: 'payment_intent.succeeded' })
  expect(events.data.map(({ id }) => id)).toEqual([event.id])
})

test('a debit waits until it is settled, and each step sends an event', async () => {
  const waiting = await pay(BECS)
  expect(waiting.status).toBe('processing')
  const [entry] = await stripe.ledger()
  expect(entry).toMatchObject({ status: 'pending', method: 'au_becs_debit' })
  const settle = async (outcome: string, id = entry?.id) => stripe.postControl('/settle', { provider: 'stripe', id, outcome })
  expect(await settle('returned')).toMatchObject({ status: 404 })
  expect(await settle('succeeded', waiting.id)).toMatchObject({ status: 200, body: { id: entry?.id, status: 'succeeded' } })
  expect(await settle('succeeded')).toMatchObject({ status: 404 })
  expect((await stripe.client.paymentIntents.retrieve(waiting.id)).status).toBe('succeeded')
  expect(await settle('returned')).toMatchObject({ status: 200, body: { status: 'returned' } })
  expect(await settle('returned')).toMatchObject({ status: 404 })
  expect(eventTypes(await receiver.waitFor(3))).toEqual(['payment_intent.processing', 'payment_intent.succeeded', 'charge.dispute.created'])
  const charge = await stripe.client.charges.retrieve(entry?.id ?? '')
  expect(charge.disputed).toBe(true)
})

test('a failed debit leaves its intent open with the test account’s reason, and may deactivate its mandate', async () => {
  const waiting = await pay({ ...BECS, payment_method: 'pm_auBecsDebit_accountClosed' })
  const { body } = await stripe.postControl('/settle', { provider: 'stripe', id: waiting.id, outcome: 'failed' })
  expect(body).toMatchObject({ status: 'failed' })
  const after = await stripe.client.paymentIntents.retrieve(waiting.id, { expand: ['latest_charge'] })
  expect(after).toMatchObject({ status: 'requires_payment_method', last_payment_error: { code: 'account_closed' } })
  const details = (after.latest_charge as StripeClient.Charge).payment_method_details?.au_becs_debit
  expect(await stripe.client.mandates.retrieve(details?.mandate ?? '')).toMatchObject({ status: 'inactive' })
  expect(eventTypes(await receiver.waitFor(2))).toEqual(['payment_intent.processing', 'payment_intent.payment_failed'])
})

test('a lost event is not sent, and the next one is', async () => {
  await orderFault('lost')
  await pay()
  const second = await pay()
  const [received] = await receiver.waitFor(1)
  expect(parseEvent(received as ReceivedWebhook).data.object).toMatchObject({ id: second.id })
})

test('an event sent twice has one id', async () => {
  await orderFault('twice')
  await pay()
  const [first, second] = await receiver.waitFor(2)
  expect(parseEvent(first as ReceivedWebhook).id).toBe(parseEvent(second as ReceivedWebhook).id)
})

test('an early event arrives before the response', async () => {
  await orderFault('early')
  await pay()
  expect(receiver.received).toHaveLength(1)
})

test('a late event arrives after the next one', async () => {
  await orderFault('late', 300)
  const first = await pay()
  const second = await pay()
  const received = await receiver.waitFor(2)
  expect(received.map((one) => (parseEvent(one).data.object as { id: string }).id)).toEqual([second.id, first.id])
})

test('shuffled events arrive in the wrong order', async () => {
  await orderFault('shuffled')
  const waiting = await pay(BECS)
  await stripe.postControl('/settle', { provider: 'stripe', id: waiting.id, outcome: 'succeeded' })
  expect(eventTypes(await receiver.waitFor(2))).toEqual(['payment_intent.succeeded', 'payment_intent.processing'])
})

test('a forged event claims that everything is paid, and its signature is wrong', async () => {
  await orderFault('forged')
  await pay(BECS)
  const [received] = await receiver.waitFor(1)
  expect(received?.event).toMatchObject({ data: { object: { status: 'succeeded' } } })
  expect(() => parseEvent(received as ReceivedWebhook)).toThrow(StripeClient.errors.StripeSignatureVerificationError)
})

test('an unacknowledged event is sent again', async () => {
  receiver.status = 500
  await pay()
  await receiver.waitFor(1)
  receiver.status = 200
  const [first, second] = await receiver.waitFor(2)
  expect(parseEvent(first as ReceivedWebhook).id).toBe(parseEvent(second as ReceivedWebhook).id)
})

test('an endpoint is set with a chosen secret, and a disabled one receives nothing', async () => {
  const own = await startWebhookReceiver()
  const set = await stripe.postControl('/stripe/webhook-endpoint', {
    key: SECRET_KEY,
    url: own.url,
    secret: 'whsec_mine',
    events: ['charge.*'],
  })
  expect(set).toMatchObject({ status: 200, body: { url: own.url, secret: 'whsec_mine' } })
  await stripe.postControl('/stripe/webhook-endpoint', { key: SECRET_KEY, url: own.url, secret: 'whsec_mine', events: ['charge.*'] })
  const other = (await stripe.client.webhookEndpoints.list()).data.find(({ url }) => url === receiver.url)
  await stripe.client.webhookEndpoints.update(other?.id ?? '', { disabled: true })
  await pay()
  const [received] = await own.waitFor(1)
  expect(stripe.client.webhooks.constructEvent(received?.text ?? '', signatureOf(received), 'whsec_mine').type).toBe('charge.succeeded')
  expect([own.received.length, receiver.received.length]).toEqual([1, 0])
  expect(await stripe.postControl('/stripe/webhook-endpoint', { key: 'nonsense', url: own.url })).toMatchObject({ status: 401 })
  await own.close()
})

test('the default webhook receives the events of every account', async () => {
  const own = await startWebhookReceiver()
  const other = await startTestStripe({ webhooks: { stripe: { url: `${own.url}/{account}`, secret: 'whsec_all' } } })
  await other.client.customers.create()
  const [received] = await own.waitFor(1)
  expect(other.client.webhooks.constructEvent(received?.text ?? '', signatureOf(received), 'whsec_all').type).toBe('customer.created')
  await other.stop()
  await own.close()
})
