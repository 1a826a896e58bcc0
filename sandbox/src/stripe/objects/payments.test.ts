import StripeClient from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Bench, startBench } from '../test/test-stripe.ts'

let bench: Bench
let customer: string

beforeAll(async () => {
  bench = await startBench()
})
beforeEach(async () => {
  customer = (await bench.client.customers.create({ email: 'a@example.com', name: 'A', metadata: { uid: '7' } })).id
})
afterEach(async () => {
  await bench.own('/reset')
})
afterAll(async () => {
  await bench.stop()
})

const CARD = { amount: 12_345, currency: 'aud', allowed_payment_method_types: ['card' as const], confirm: true }

/** What the company's library throws. */
const refusal = async (work: Promise<unknown>): Promise<StripeClient.errors.StripeError> => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof StripeClient.errors.StripeError)) throw new Error(`It was not refused: ${String(error)}`)
  return error
}

test('a card payment succeeds, stands in the ledger by its attempt and in the balance', async () => {
  const intent = await bench.client.paymentIntents.create({
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
  expect(await bench.ledger()).toMatchObject([
    { provider: 'stripe', id: charge.id, reference: 'attempt-1', amount: 12_345, currency: 'AUD', status: 'succeeded', method: 'card' },
  ])
  const lines = await bench.client.balanceTransactions.list({ source: charge.id })
  expect(lines.data).toMatchObject([{ amount: 12_345 }])
  const balance = await bench.client.balance.retrieve()
  expect(balance.available).toMatchObject([{ amount: 12_099, currency: 'aud' }])
  const none = JSON.stringify(await bench.call('GET', `/v1/payment_intents/${intent.id}`))
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
])('%s is refused with 402 %s, and the intent waits for another method', async (method, code, declineCode, message) => {
  const error = await refusal(bench.client.paymentIntents.create({ ...CARD, payment_method: method }))
  expect(error).toBeInstanceOf(StripeClient.errors.StripeCardError)
  expect(error).toMatchObject({ statusCode: 402, code, message: expect.stringMatching(message) })
  expect(error.decline_code || undefined).toBe(declineCode)
  expect(error.payment_intent).toMatchObject({ status: 'requires_payment_method', payment_method: null, last_payment_error: { code } })
  const later = await bench.client.paymentIntents.retrieve(error.payment_intent?.id ?? '')
  expect(later.last_payment_error?.charge).toBe(error.charge)
  expect(await bench.ledger()).toEqual([])
  const paid = await bench.client.paymentIntents.confirm(later.id, { payment_method: 'pm_card_visa' })
  expect(paid.status).toBe('succeeded')
})

test('an intent made without confirming moves nothing until it is confirmed, once', async () => {
  const intent = await bench.client.paymentIntents.create({
    amount: 500,
    currency: 'usd',
    allowed_payment_method_types: ['card' as const],
    customer,
  })
  expect(intent).toMatchObject({ status: 'requires_payment_method', latest_charge: null })
  expect(await bench.ledger()).toEqual([])
  const paid = await bench.client.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_mastercard' })
  expect(paid.status).toBe('succeeded')
  expect(await refusal(bench.client.paymentIntents.confirm(intent.id))).toMatchObject({
    code: 'payment_intent_unexpected_state',
    statusCode: 400,
  })
  expect(await refusal(bench.client.paymentIntents.cancel(intent.id))).toMatchObject({
    code: 'payment_intent_unexpected_state',
    message:
      'You cannot cancel this PaymentIntent because it has a status of succeeded. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action.',
  })
  expect(await bench.ledger()).toHaveLength(1)
})

test('a payment that is held is captured in part, or let go', async () => {
  const hold = async () => bench.client.paymentIntents.create({ ...CARD, capture_method: 'manual', payment_method: 'pm_card_visa' })
  const first = await hold()
  expect(first).toMatchObject({ status: 'requires_capture', amount_capturable: 12_345, amount_received: 0 })
  expect(await bench.client.paymentIntents.capture(first.id, { amount_to_capture: 10_000 })).toMatchObject({
    status: 'succeeded',
    amount_received: 10_000,
  })
  const second = await hold()
  expect(await bench.client.paymentIntents.cancel(second.id)).toMatchObject({ status: 'canceled', amount_capturable: 0 })
  expect(await bench.ledger()).toMatchObject([{ amount: 10_000, status: 'succeeded' }])
})

test('a refund is given in parts, and never more than was paid', async () => {
  const intent = await bench.client.paymentIntents.create({ ...CARD, payment_method: 'pm_card_visa', metadata: { uid: 'r-1' } })
  const first = await bench.client.refunds.create({ payment_intent: intent.id, amount: 2345, reason: 'requested_by_customer' })
  expect(first).toMatchObject({ status: 'succeeded', amount: 2345, payment_intent: intent.id, charge: intent.latest_charge })
  expect(await refusal(bench.client.refunds.create({ payment_intent: intent.id, amount: 10_001 }))).toMatchObject({
    message: 'Refund amount (10001) is greater than unrefunded amount on charge (10000)',
  })
  await bench.client.refunds.create({ charge: String(intent.latest_charge) })
  expect(await refusal(bench.client.refunds.create({ payment_intent: intent.id }))).toMatchObject({ code: 'charge_already_refunded' })
  const charge = await bench.client.charges.retrieve(String(intent.latest_charge), { expand: ['refunds'] })
  expect(charge).toMatchObject({ refunded: true, amount_refunded: 12_345 })
  expect(charge.refunds?.data.map(({ amount }) => amount)).toEqual([10_000, 2345])
  expect((await bench.ledger()).map(({ amount, status }) => [amount, status])).toEqual([
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
])('%j is refused, and nothing is booked', async (body, expected) => {
  const error = await refusal(bench.client.paymentIntents.create(body as unknown as StripeClient.PaymentIntentCreateParams))
  expect(error).toBeInstanceOf(StripeClient.errors.StripeInvalidRequestError)
  expect(error).toMatchObject({ statusCode: 400, ...expected })
  expect(await bench.ledger()).toEqual([])
})

test('a saved card pays for its customer alone, and one that was used without a customer pays once', async () => {
  const saved = await bench.client.paymentMethods.attach('pm_card_visa', { customer })
  const other = await bench.client.customers.create()
  const pay = (more: object) => bench.client.paymentIntents.create({ ...CARD, payment_method: saved.id, ...more })
  expect(await refusal(pay({ customer: other.id }))).toMatchObject({
    code: 'resource_missing',
    message: expect.stringContaining('must be attached to the customer'),
  })
  expect(await refusal(pay({}))).toMatchObject({ param: 'customer' })
  expect((await pay({ customer })).status).toBe('succeeded')
  expect((await pay({ customer })).status).toBe('succeeded')
  const loose = await bench.fromPage('/v1/payment_methods', {
    type: 'card',
    'card[number]': '4242424242424242',
    'card[exp_month]': '12',
    'card[exp_year]': '34',
  })
  expect((await pay({ payment_method: loose.body.id })).status).toBe('succeeded')
  expect(await refusal(pay({ payment_method: loose.body.id }))).toMatchObject({
    message: expect.stringContaining('It may not be used again'),
  })
})

test('a card of another account, or a customer of another account, is not to be found', async () => {
  const rival = bench.clientOf('sk_test_rival_secret')
  const saved = await bench.client.paymentMethods.attach('pm_card_visa', { customer })
  expect(await refusal(rival.paymentMethods.retrieve(saved.id))).toMatchObject({ statusCode: 404 })
  expect(await refusal(rival.customers.retrieve(customer))).toMatchObject({ statusCode: 404, code: 'resource_missing' })
  expect((await rival.customers.list()).data).toEqual([])
  expect((await rival.accounts.retrieveCurrent()).id).not.toBe((await bench.client.accounts.retrieveCurrent()).id)
})

test('payments are found by customer, by time, by metadata, and page by page', async () => {
  const ids: string[] = []
  for (const uid of ['a', 'b', 'c', 'd', 'e'])
    ids.unshift((await bench.client.paymentIntents.create({ ...CARD, customer, payment_method: 'pm_card_visa', metadata: { uid } })).id)
  const first = await bench.client.paymentIntents.list({ customer, limit: 2 })
  expect([first.data.map(({ id }) => id), first.has_more]).toEqual([ids.slice(0, 2), true])
  const all: string[] = []
  for await (const { id } of bench.client.paymentIntents.list({ customer, limit: 2 })) all.push(id)
  expect(all).toEqual(ids)
  const back = await bench.client.paymentIntents.list({ limit: 2, ending_before: ids[3] ?? '' })
  expect(back.data.map(({ id }) => id)).toEqual(ids.slice(1, 3))
  const future = await bench.client.paymentIntents.list({ created: { gt: Math.floor(Date.now() / 1000) + 60 } })
  expect(future.data).toEqual([])
  const found = await bench.client.paymentIntents.search({ query: `metadata['uid']:'c' AND status:'succeeded'` })
  expect(found.data.map(({ id }) => id)).toEqual([ids[2]])
  expect(await refusal(bench.client.paymentIntents.list({ limit: 101 }))).toMatchObject({ param: 'limit' })
})

test('a card that asks is refused when the customer is away, and when the caller cannot ask', async () => {
  const saved = await bench.client.paymentMethods.attach('pm_card_authenticationRequired', { customer })
  const pay = (more: object) => bench.client.paymentIntents.create({ ...CARD, customer, payment_method: saved.id, ...more })
  for (const off_session of [true, 'recurring'])
    expect(await refusal(pay({ off_session }))).toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
      payment_intent: { status: 'requires_payment_method' },
    })
  expect(await refusal(pay({ error_on_requires_action: true }))).toMatchObject({
    statusCode: 402,
    message: expect.stringContaining('error_on_requires_action'),
  })
  expect(await refusal(pay({ return_url: 'payment-result' }))).toMatchObject({ param: 'return_url', code: 'url_invalid' })
  const asked = await pay({ return_url: 'http://portal.example/x' })
  expect(asked).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } })
  const ready = await bench.client.paymentMethods.attach('pm_card_authenticationRequiredSetupForOffSession', { customer })
  expect((await pay({ payment_method: ready.id, off_session: true })).status).toBe('succeeded')
})

test('a dispute takes the money back, and what was taken back cannot be refunded', async () => {
  const intent = await bench.client.paymentIntents.create({ ...CARD, payment_method: 'pm_card_createDispute' })
  expect(intent.status).toBe('succeeded')
  expect(await bench.ledger()).toMatchObject([{ status: 'returned' }])
  expect((await bench.client.disputes.list({ payment_intent: intent.id })).data).toMatchObject([
    { status: 'needs_response', amount: 12_345 },
  ])
  expect(await refusal(bench.client.refunds.create({ payment_intent: intent.id }))).toMatchObject({ code: 'charge_disputed' })
})

test('a reset forgets payments, and keeps customers and their cards', async () => {
  const saved = await bench.client.paymentMethods.attach('pm_card_visa', { customer })
  const intent = await bench.client.paymentIntents.create({ ...CARD, customer, payment_method: saved.id })
  await bench.own('/reset')
  expect(await refusal(bench.client.paymentIntents.retrieve(intent.id))).toMatchObject({ code: 'resource_missing' })
  expect((await bench.client.customers.listPaymentMethods(customer)).data.map(({ id }) => id)).toEqual([saved.id])
})

test('the kinds of method are named before the version of 30 September 2026, and filtered from then on', async () => {
  const form = 'amount=500&currency=usd&payment_method=pm_card_visa&confirm=true'
  const at = async (version: string, more: string) =>
    bench.call('POST', '/v1/payment_intents', `${form}&${more}`, { 'stripe-version': version })
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
