import StripeClient from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestStripe, startTestStripe } from '../test/test-stripe.ts'

let stripe: TestStripe
let customer: string

beforeAll(async () => {
  stripe = await startTestStripe()
})
beforeEach(async () => {
  customer = (await stripe.client.customers.create({ email: 'a@example.com', name: 'A', metadata: { uid: '7' } })).id
})
afterEach(async () => {
  await stripe.postControl('/reset')
})
afterAll(async () => {
  await stripe.stop()
})

const CARD = { amount: 12_345, currency: 'aud', allowed_payment_method_types: ['card' as const], confirm: true }

/** The error that Stripe's library throws. */
const rejectionOf = async (request: Promise<unknown>): Promise<StripeClient.errors.StripeError> => {
  const error: unknown = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof StripeClient.errors.StripeError)) throw new Error(`It was not rejected: ${String(error)}`)
  return error
}

test('a card payment succeeds, and is in the ledger under its attempt and in the balance', async () => {
  const intent = await stripe.client.paymentIntents.create({
    ...CARD,
    customer,
    payment_method: 'pm_card_visa',
    metadata: { uid: 'inv-1', attempt: 'attempt-1' },
    description: 'Invoice 1',
    expand: ['latest_charge.balance_transaction'],
  })
  expect(intent).toMatchObject({ status: 'succeeded', amount_received: 12_345, currency: 'aud', next_action: null })
  const charge = intent.latest_charge as StripeClient.Charge
  expect(charge).toMatchObject({ paid: true, status: 'succeeded', payment_method_details: { card: { brand: 'visa', last4: '4242' } } })
  expect(charge.balance_transaction).toMatchObject({ amount: 12_345, fee: 246, net: 12_099, type: 'charge' })
  expect(await stripe.ledger()).toMatchObject([
    { provider: 'stripe', id: charge.id, reference: 'attempt-1', amount: 12_345, currency: 'AUD', status: 'succeeded', method: 'card' },
  ])
  const lines = await stripe.client.balanceTransactions.list({ source: charge.id })
  expect(lines.data).toMatchObject([{ amount: 12_345 }])
  const balance = await stripe.client.balance.retrieve()
  expect(balance.available).toMatchObject([{ amount: 12_099, currency: 'aud' }])
  const none = JSON.stringify(await stripe.call('GET', `/v1/payment_intents/${intent.id}`))
  expect(none).not.toContain('sandbox_only')
})

test.each([
  ['pm_card_chargeDeclined', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card', 'Your card was declined.'],
  ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card', 'Your card was declined.'],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card', undefined, 'Your card has expired.'],
  ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', undefined, "Your card's security code is incorrect."],
  ['pm_card_chargeDeclinedProcessingError', 'processing_error', undefined, /^An error occurred while processing your card/],
])('%s is declined with 402 %s, and the intent waits for another method', async (method, code, declineCode, message) => {
  const error = await rejectionOf(stripe.client.paymentIntents.create({ ...CARD, payment_method: method }))
  expect(error).toBeInstanceOf(StripeClient.errors.StripeCardError)
  expect(error).toMatchObject({ statusCode: 402, code, message: expect.stringMatching(message) })
  expect(error.decline_code || undefined).toBe(declineCode)
  expect(error.payment_intent).toMatchObject({ status: 'requires_payment_method', payment_method: null, last_payment_error: { code } })
  const later = await stripe.client.paymentIntents.retrieve(error.payment_intent?.id ?? '')
  expect(later.last_payment_error?.charge).toBe(error.charge)
  expect(await stripe.ledger()).toEqual([])
  const paid = await stripe.client.paymentIntents.confirm(later.id, { payment_method: 'pm_card_visa' })
  expect(paid.status).toBe('succeeded')
})

test('an authorized payment is captured in part, or canceled', async () => {
  const hold = async () => stripe.client.paymentIntents.create({ ...CARD, capture_method: 'manual', payment_method: 'pm_card_visa' })
  const first = await hold()
  expect(first).toMatchObject({ status: 'requires_capture', amount_capturable: 12_345, amount_received: 0 })
  expect(await stripe.client.paymentIntents.capture(first.id, { amount_to_capture: 10_000 })).toMatchObject({
    status: 'succeeded',
    amount_received: 10_000,
  })
  const second = await hold()
  expect(await stripe.client.paymentIntents.cancel(second.id)).toMatchObject({ status: 'canceled', amount_capturable: 0 })
  expect(await stripe.ledger()).toMatchObject([{ amount: 10_000, status: 'succeeded' }])
})

test('a payment is refunded in parts, and never more than was paid', async () => {
  const intent = await stripe.client.paymentIntents.create({ ...CARD, payment_method: 'pm_card_visa', metadata: { uid: 'r-1' } })
  const first = await stripe.client.refunds.create({ payment_intent: intent.id, amount: 2345, reason: 'requested_by_customer' })
  expect(first).toMatchObject({ status: 'succeeded', amount: 2345, payment_intent: intent.id, charge: intent.latest_charge })
  expect(await rejectionOf(stripe.client.refunds.create({ payment_intent: intent.id, amount: 10_001 }))).toMatchObject({
    message: 'Refund amount (10001) is greater than unrefunded amount on charge (10000)',
  })
  await stripe.client.refunds.create({ charge: String(intent.latest_charge) })
  expect(await rejectionOf(stripe.client.refunds.create({ payment_intent: intent.id }))).toMatchObject({ code: 'charge_already_refunded' })
  const charge = await stripe.client.charges.retrieve(String(intent.latest_charge), { expand: ['refunds'] })
  expect(charge).toMatchObject({ refunded: true, amount_refunded: 12_345 })
  expect(charge.refunds?.data.map(({ amount }) => amount)).toEqual([10_000, 2345])
  expect((await stripe.ledger()).map(({ amount, status }) => [amount, status])).toEqual([
    [12_345, 'succeeded'],
    [2345, 'refunded'],
    [10_000, 'refunded'],
  ])
})

test.each([
  [
    { amount: 0, currency: 'usd' },
    { code: 'parameter_invalid_integer', param: 'amount' },
  ],
  [
    { amount: 49, currency: 'usd' },
    { code: 'amount_too_small', param: 'amount' },
  ],
  [
    { amount: 12.5, currency: 'usd' },
    { code: 'parameter_invalid_integer', param: 'amount' },
  ],
  [{ amount: 500, currency: 'dollars' }, { param: 'currency' }],
  [
    { amount: 500, currency: 'usd', uid: '1' },
    { code: 'parameter_unknown', param: 'uid', message: 'Received unknown parameter: uid' },
  ],
  [{ currency: 'usd' }, { code: 'parameter_missing', param: 'amount', message: 'Missing required param: amount.' }],
  [
    { amount: 500, currency: 'usd', customer: 'cus_none' },
    { code: 'resource_missing', statusCode: 404, message: "No such customer: 'cus_none'" },
  ],
  [
    { amount: 500, currency: 'usd', payment_method: 'pm_none' },
    { code: 'resource_missing', statusCode: 404, message: "No such PaymentMethod: 'pm_none'" },
  ],
  [{ amount: 500, currency: 'usd', payment_method: 'pm_card_visa', confirm: true }, { param: 'return_url' }],
  [
    { amount: 500, currency: 'usd', payment_method: 'pm_bacsDebit_success', allowed_payment_method_types: ['bacs_debit'], confirm: true },
    { code: 'payment_intent_incompatible_payment_method' },
  ],
  [
    { amount: 500, currency: 'usd', payment_method: 'pm_card_visa', allowed_payment_method_types: ['us_bank_account'], confirm: true },
    { code: 'payment_intent_incompatible_payment_method' },
  ],
])('%j is rejected, and nothing is booked', async (body, expected) => {
  const error = await rejectionOf(stripe.client.paymentIntents.create(body as unknown as StripeClient.PaymentIntentCreateParams))
  expect(error).toBeInstanceOf(StripeClient.errors.StripeInvalidRequestError)
  expect(error).toMatchObject({ statusCode: 400, ...expected })
  expect(await stripe.ledger()).toEqual([])
})

test('an attached card pays only for its customer, and one without a customer pays once', async () => {
  const saved = await stripe.client.paymentMethods.attach('pm_card_visa', { customer })
  const other = await stripe.client.customers.create()
  const pay = (more: object) => stripe.client.paymentIntents.create({ ...CARD, payment_method: saved.id, ...more })
  expect(await rejectionOf(pay({ customer: other.id }))).toMatchObject({
    code: 'resource_missing',
    message: expect.stringContaining('must be attached to the customer'),
  })
  expect(await rejectionOf(pay({}))).toMatchObject({ param: 'customer' })
  expect((await pay({ customer })).status).toBe('succeeded')
  expect((await pay({ customer })).status).toBe('succeeded')
  const loose = await stripe.callFromPage('/v1/payment_methods', {
    type: 'card',
    'card[number]': '4242424242424242',
    'card[exp_month]': '12',
    'card[exp_year]': '34',
  })
  expect((await pay({ payment_method: loose.body.id })).status).toBe('succeeded')
  expect(await rejectionOf(pay({ payment_method: loose.body.id }))).toMatchObject({
    message: expect.stringContaining('It may not be used again'),
  })
})

test('a card or customer of another account is not found', async () => {
  const rival = stripe.clientOf('sk_test_rival_secret')
  const saved = await stripe.client.paymentMethods.attach('pm_card_visa', { customer })
  expect(await rejectionOf(rival.paymentMethods.retrieve(saved.id))).toMatchObject({ statusCode: 404 })
  expect(await rejectionOf(rival.customers.retrieve(customer))).toMatchObject({ statusCode: 404, code: 'resource_missing' })
  expect((await rival.customers.list()).data).toEqual([])
  expect((await rival.accounts.retrieveCurrent()).id).not.toBe((await stripe.client.accounts.retrieveCurrent()).id)
})

test('payments are listed by customer, by time, by metadata, and page by page', async () => {
  const ids: string[] = []
  for (const uid of ['a', 'b', 'c', 'd', 'e'])
    ids.unshift((await stripe.client.paymentIntents.create({ ...CARD, customer, payment_method: 'pm_card_visa', metadata: { uid } })).id)
  const first = await stripe.client.paymentIntents.list({ customer, limit: 2 })
  expect([first.data.map(({ id }) => id), first.has_more]).toEqual([ids.slice(0, 2), true])
  const all: string[] = []
  for await (const { id } of stripe.client.paymentIntents.list({ customer, limit: 2 })) all.push(id)
  expect(all).toEqual(ids)
  const back = await stripe.client.paymentIntents.list({ limit: 2, ending_before: ids[3] ?? '' })
  expect(back.data.map(({ id }) => id)).toEqual(ids.slice(1, 3))
  const future = await stripe.client.paymentIntents.list({ created: { gt: Math.floor(Date.now() / 1000) + 60 } })
  expect(future.data).toEqual([])
  const found = await stripe.client.paymentIntents.search({ query: `metadata['uid']:'c' AND status:'succeeded'` })
  expect(found.data.map(({ id }) => id)).toEqual([ids[2]])
  expect(await rejectionOf(stripe.client.paymentIntents.list({ limit: 101 }))).toMatchObject({ param: 'limit' })
})

test('a card that requires authentication is declined off session, and when the caller cannot handle actions', async () => {
  const saved = await stripe.client.paymentMethods.attach('pm_card_authenticationRequired', { customer })
  const pay = (more: object) => stripe.client.paymentIntents.create({ ...CARD, customer, payment_method: saved.id, ...more })
  for (const off_session of [true, 'recurring'])
    expect(await rejectionOf(pay({ off_session }))).toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
      payment_intent: { status: 'requires_payment_method' },
    })
  expect(await rejectionOf(pay({ error_on_requires_action: true }))).toMatchObject({
    statusCode: 402,
    message: expect.stringContaining('error_on_requires_action'),
  })
  expect(await rejectionOf(pay({ return_url: 'payment-result' }))).toMatchObject({ param: 'return_url', code: 'url_invalid' })
  const intent = await pay({ return_url: 'http://portal.example/x' })
  expect(intent).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } })
  const ready = await stripe.client.paymentMethods.attach('pm_card_authenticationRequiredSetupForOffSession', { customer })
  expect((await pay({ payment_method: ready.id, off_session: true })).status).toBe('succeeded')
})

test('a dispute takes the money back, and a disputed charge cannot be refunded', async () => {
  const intent = await stripe.client.paymentIntents.create({ ...CARD, payment_method: 'pm_card_createDispute' })
  expect(intent.status).toBe('succeeded')
  expect(await stripe.ledger()).toMatchObject([{ status: 'returned' }])
  expect((await stripe.client.disputes.list({ payment_intent: intent.id })).data).toMatchObject([
    { status: 'needs_response', amount: 12_345 },
  ])
  expect(await rejectionOf(stripe.client.refunds.create({ payment_intent: intent.id }))).toMatchObject({ code: 'charge_disputed' })
})

test('a reset removes payments, and keeps customers and their cards', async () => {
  const saved = await stripe.client.paymentMethods.attach('pm_card_visa', { customer })
  const intent = await stripe.client.paymentIntents.create({ ...CARD, customer, payment_method: saved.id })
  await stripe.postControl('/reset')
  expect(await rejectionOf(stripe.client.paymentIntents.retrieve(intent.id))).toMatchObject({ code: 'resource_missing' })
  expect((await stripe.client.customers.listPaymentMethods(customer)).data.map(({ id }) => id)).toEqual([saved.id])
})

test('method types are named before API version 2026-09-30, and filtered from then on', async () => {
  const form = 'amount=500&currency=usd&payment_method=pm_card_visa&confirm=true'
  const at = async (version: string, more: string) =>
    stripe.call('POST', '/v1/payment_intents', `${form}&${more}`, { 'stripe-version': version })
  expect(await at('2026-07-29.dahlia', 'payment_method_types[]=card')).toMatchObject({
    status: 200,
    body: { payment_method_types: ['card'] },
  })
  expect(await at('2026-09-30.endive', 'payment_method_types[]=card')).toMatchObject({
    status: 400,
    body: { error: { code: 'payment_method_types_no_longer_supported', param: 'payment_method_types' } },
  })
  expect(await at('2026-10-28.endive', 'allowed_payment_method_types[]=card&allowed_payment_method_types[]=bacs_debit')).toMatchObject({
    status: 200,
    body: { payment_method_types: ['card'], allowed_payment_method_types: ['card', 'bacs_debit'] },
  })
  expect(await at('2026-03-25.dahlia', 'allowed_payment_method_types[]=card')).toMatchObject({
    body: { error: { code: 'parameter_unknown' } },
  })
})
