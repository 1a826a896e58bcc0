import { readFile } from 'node:fs/promises'
import type StripeClient from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestStripe, PUBLISHABLE_KEY, startTestStripe } from '../test/test-stripe.ts'

let stripe: TestStripe
let customer: string

beforeAll(async () => {
  stripe = await startTestStripe()
})
beforeEach(async () => {
  customer = (await stripe.client.customers.create({ email: 'a@example.com', name: 'A' })).id
})
afterAll(async () => {
  await stripe.stop()
})

const CARD = { type: 'card', 'card[number]': '4242 4242 4242 4242', 'card[exp_month]': '12', 'card[exp_year]': '2040', 'card[cvc]': '123' }
const OWNER = { 'billing_details[name]': 'Ann Customer', 'billing_details[email]': 'ann@example.com' }

test('a customer is created, retrieved, updated and deleted', async () => {
  expect(await stripe.client.customers.retrieve(customer)).toMatchObject({
    email: 'a@example.com',
    invoice_settings: { default_payment_method: null },
  })
  const changed = await stripe.client.customers.update(customer, { name: 'B', metadata: { uid: '7', gone: '' } })
  expect(changed).toMatchObject({ name: 'B', email: 'a@example.com', metadata: { uid: '7' } })
  const page = await stripe.client.customers.list({ email: 'a@example.com', limit: 1 })
  expect(page.data[0]?.id).toBe(customer)
  expect(await stripe.client.customers.del(customer)).toMatchObject({ deleted: true })
  expect(await stripe.client.customers.retrieve(customer)).toMatchObject({ id: customer, deleted: true })
  await expect(stripe.client.customers.update(customer, { name: 'C' })).rejects.toMatchObject({ code: 'resource_missing' })
  await expect(stripe.client.customers.retrieve('cus_K9Fo2BpabkGWva')).rejects.toMatchObject({
    statusCode: 404,
    message: "No such customer: 'cus_K9Fo2BpabkGWva'",
    param: 'id',
  })
})

test('a card is attached, becomes the default, is updated, and is detached for good', async () => {
  const card = await stripe.client.paymentMethods.attach('pm_card_visa', { customer })
  const debit = await stripe.client.paymentMethods.attach('pm_bacsDebit_success', { customer })
  const list = await stripe.client.paymentMethods.list({ customer })
  expect(list.data.map(({ id }) => id)).toEqual([debit.id, card.id])
  expect((await stripe.client.paymentMethods.list({ customer, type: 'card' })).data.map(({ id }) => id)).toEqual([card.id])
  await stripe.client.customers.update(customer, { invoice_settings: { default_payment_method: card.id } })
  const updated = await stripe.client.paymentMethods.update(card.id, {
    card: { exp_month: 5, exp_year: 2041 },
    billing_details: { name: 'Ann', address: { postal_code: '2000' } },
  })
  expect(updated).toMatchObject({
    card: { exp_month: 5, exp_year: 2041, last4: '4242' },
    billing_details: { name: 'Ann', address: { postal_code: '2000', city: null } },
  })
  expect(await stripe.client.paymentMethods.detach(card.id)).toMatchObject({ id: card.id, customer: null })
  expect(await stripe.client.customers.retrieve(customer)).toMatchObject({ invoice_settings: { default_payment_method: null } })
  await expect(stripe.client.paymentMethods.attach(card.id, { customer })).rejects.toMatchObject({
    message: expect.stringContaining('It may not be used again'),
  })
  await expect(stripe.client.paymentMethods.detach(card.id)).rejects.toMatchObject({ statusCode: 400 })
})

test('only a method of the customer can be the default', async () => {
  const other = (await stripe.client.customers.create({})).id
  const card = await stripe.client.paymentMethods.attach('pm_card_visa', { customer: other })
  await expect(stripe.client.customers.update(customer, { invoice_settings: { default_payment_method: card.id } })).rejects.toMatchObject({
    code: 'resource_missing',
  })
  await expect(stripe.client.paymentMethods.attach(card.id, { customer })).rejects.toMatchObject({ message: /already been attached/ })
})

test('a declined card is not attached; one that fails only when charged is', async () => {
  await expect(stripe.client.paymentMethods.attach('pm_card_chargeDeclined', { customer })).rejects.toMatchObject({
    statusCode: 402,
    code: 'card_declined',
  })
  const saved = await stripe.client.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  await expect(
    stripe.client.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      customer,
      payment_method: saved.id,
      allowed_payment_method_types: ['card'],
      confirm: true,
    }),
  ).rejects.toMatchObject({ code: 'card_declined' })
})

test.each([
  ['4242424242424241', {}, 402, 'incorrect_number'],
  ['4539578763621486', {}, 402, 'card_declined'],
  ['4242424242424242', { 'card[exp_month]': '13' }, 402, 'invalid_expiry_month'],
  ['4242424242424242', { 'card[exp_year]': '2020' }, 402, 'invalid_expiry_year'],
  ['4242424242424242', { 'card[cvc]': '12' }, 402, 'invalid_cvc'],
])('a page that sends the card %s with %j gets %i %s', async (number, more, status, code) => {
  expect(await stripe.callFromPage('/v1/payment_methods', { ...CARD, 'card[number]': number, ...more })).toMatchObject({
    status,
    body: { error: { code } },
  })
})

test('a page creates a method from a card and nothing else, and a number from a server is rejected', async () => {
  const response = await stripe.callFromPage('/v1/payment_methods', { ...CARD, ...OWNER })
  expect(response).toMatchObject({
    status: 200,
    body: {
      object: 'payment_method',
      customer: null,
      card: { brand: 'visa', last4: '4242', checks: { cvc_check: 'pass' } },
      billing_details: { name: 'Ann Customer' },
    },
  })
  expect(JSON.stringify(response.body)).not.toContain('42424242')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(await stripe.callFromPage('/v1/payment_intents', { amount: '500', currency: 'usd' })).toMatchObject({
    status: 401,
    body: { error: { code: 'secret_key_required' } },
  })
  expect(await stripe.call('POST', '/v1/payment_methods', new URLSearchParams(CARD).toString())).toMatchObject({
    status: 402,
    body: { error: { type: 'invalid_request_error', message: expect.stringContaining('generally unsafe') } },
  })
})

test.each([
  ['', 'You did not provide an API key.'],
  ['Bearer sk_live_1234567890abcdef', 'Invalid API Key provided: sk_live_'],
  ['Bearer sk_test_invalid_key', 'Invalid API Key provided: sk_test_'],
  ['Bearer nonsense', 'Invalid API Key provided: ********'],
])('the authorization "%s" is rejected', async (authorization, message) => {
  const { status, body, headers } = await stripe.call('GET', '/v1/account', undefined, { authorization })
  expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Stripe"'])
  expect(body.error).toEqual({ type: 'invalid_request_error', message: expect.stringContaining(message) })
})

test('a key may be the Basic user name, and an unknown path is a 404', async () => {
  const basic = Buffer.from('sk_test_bench_secret:').toString('base64')
  expect(await stripe.call('GET', '/v1/account', undefined, { authorization: `Basic ${basic}` })).toMatchObject({ status: 200 })
  expect(await stripe.call('GET', '/v1/nothing')).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringContaining('Unrecognized request URL (GET: /v1/nothing)') } },
  })
})

test('a setup intent saves a card for its customer', async () => {
  const intent = await stripe.client.setupIntents.create({ customer, allowed_payment_method_types: ['card'] })
  expect(intent).toMatchObject({
    status: 'requires_payment_method',
    usage: 'off_session',
    client_secret: expect.stringMatching(new RegExp(`^${intent.id}_secret_`)),
  })
  const page = (form: object) => stripe.callFromPage(`/v1/setup_intents/${intent.id}/confirm`, form as Record<string, string>)
  expect(await page({ payment_method: 'pm_card_visa', client_secret: `${intent.id}_secret_wrong` })).toMatchObject({
    status: 400,
    body: { error: { code: 'setup_intent_invalid_parameter' } },
  })
  const typed = {
    'payment_method_data[type]': 'card',
    ...Object.fromEntries(
      Object.entries(CARD)
        .slice(1)
        .map(([name, value]) => [name.replace('card', 'payment_method_data[card]'), value]),
    ),
  }
  const done = await page({ client_secret: intent.client_secret, ...typed, use_stripe_sdk: 'true' })
  expect(done).toMatchObject({ status: 200, body: { status: 'succeeded' } })
  expect((await stripe.client.paymentMethods.list({ customer })).data.map(({ id }) => id)).toEqual([done.body.payment_method])
})

test('a declined card leaves a setup intent open, with the reason', async () => {
  const error = await stripe.client.setupIntents
    .create({ customer, payment_method: 'pm_card_chargeDeclinedIncorrectCvc', confirm: true, allowed_payment_method_types: ['card'] })
    .catch((thrown: unknown) => thrown as StripeClient.errors.StripeCardError)
  expect(error).toMatchObject({
    statusCode: 402,
    code: 'incorrect_cvc',
    setup_intent: { status: 'requires_payment_method', payment_method: null, last_setup_error: { code: 'incorrect_cvc' } },
    payment_method: { card: { last4: '0127' } },
  })
})

const DEBIT = {
  au_becs_debit: {
    'payment_method_data[au_becs_debit][bsb_number]': '000-000',
    'payment_method_data[au_becs_debit][account_number]': '000123456',
  },
  sepa_debit: { 'payment_method_data[sepa_debit][iban]': 'AT61 1904 3002 3457 3201' },
}
const AGREED = {
  'mandate_data[customer_acceptance][type]': 'online',
  'mandate_data[customer_acceptance][online][infer_from_client]': 'true',
}

test.each([
  ['au_becs_debit', 'aud', { bsb_number: '000000', last4: '3456' }],
  ['sepa_debit', 'eur', { country: 'AT', last4: '3201', bank_code: '19043' }],
] as const)('%s: a page saves it with a mandate, and it pays later off session', async (type, currency, details) => {
  const intent = await stripe.client.setupIntents.create({ customer, allowed_payment_method_types: [type] })
  const owner = Object.fromEntries(
    Object.entries(OWNER).map(([name, value]) => [name.replace('billing_details', 'payment_method_data[billing_details]'), value]),
  )
  const confirm = (form: object) =>
    stripe.callFromPage(`/v1/setup_intents/${intent.id}/confirm`, {
      client_secret: intent.client_secret ?? '',
      'payment_method_data[type]': type,
      ...form,
    } as Record<string, string>)
  expect(await confirm({ ...DEBIT[type], ...AGREED })).toMatchObject({ status: 400, body: { error: { param: 'billing_details[name]' } } })
  expect(await confirm({ ...DEBIT[type], ...owner })).toMatchObject({ status: 400, body: { error: { param: 'mandate_data' } } })
  const done = await confirm({ ...DEBIT[type], ...owner, ...AGREED })
  expect(done).toMatchObject({ status: 200, body: { status: 'succeeded', mandate: expect.stringMatching(/^mandate_/) } })
  const method = await stripe.client.paymentMethods.retrieve(done.body.payment_method)
  expect(method[type]).toMatchObject(details)
  const paying = await stripe.client.paymentIntents.create({
    amount: 500,
    currency,
    customer,
    payment_method: method.id,
    allowed_payment_method_types: [type],
    confirm: true,
  })
  expect(paying.status).toBe('processing')
})

test('a wrong account number is rejected', async () => {
  const iban = { type: 'sepa_debit', 'sepa_debit[iban]': 'AT611904300234573202', ...OWNER }
  expect(await stripe.callFromPage('/v1/payment_methods', iban)).toMatchObject({ status: 400, body: { error: { code: 'invalid_iban' } } })
  const bsb = { type: 'au_becs_debit', 'au_becs_debit[bsb_number]': '12', 'au_becs_debit[account_number]': '000123456', ...OWNER }
  expect(await stripe.callFromPage('/v1/payment_methods', bsb)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_bsb_number' } },
  })
})

test('a US bank account is verified by two microdeposits', async () => {
  const begin = async () =>
    stripe.client.setupIntents.create({
      customer,
      payment_method: 'pm_usBankAccount_success',
      allowed_payment_method_types: ['us_bank_account'],
      mandate_data: { customer_acceptance: { type: 'online', online: { ip_address: '192.0.2.1', user_agent: 'x' } } },
      confirm: true,
    })
  const intent = await begin()
  expect(intent).toMatchObject({ status: 'requires_action', next_action: { type: 'verify_with_microdeposits' } })
  await expect(stripe.client.setupIntents.verifyMicrodeposits(intent.id, { amounts: [1, 2] })).rejects.toMatchObject({ statusCode: 400 })
  expect((await stripe.client.setupIntents.verifyMicrodeposits(intent.id, { amounts: [32, 45] })).status).toBe('succeeded')
  const failing = await begin()
  await expect(stripe.client.setupIntents.verifyMicrodeposits(failing.id, { descriptor_code: 'SM33CC' })).rejects.toMatchObject({
    code: 'payment_method_microdeposit_verification_attempts_exceeded',
  })
})

test('a page reads an intent only with its client secret', async () => {
  const intent = await stripe.client.setupIntents.create({ customer })
  const read = (secret: string) =>
    stripe.call('GET', `/v1/setup_intents/${intent.id}?key=${PUBLISHABLE_KEY}&client_secret=${secret}`, undefined, { authorization: '' })
  expect(await read(intent.client_secret ?? '')).toMatchObject({ status: 200, body: { id: intent.id } })
  expect(await read('x')).toMatchObject({ status: 400 })
})

test('no entered number is stored on disk', async () => {
  await stripe.callFromPage('/v1/payment_methods', {
    type: 'au_becs_debit',
    'au_becs_debit[bsb_number]': '000000',
    'au_becs_debit[account_number]': '918273645',
    ...OWNER,
  })
  await stripe.callFromPage('/v1/payment_methods', { ...CARD, 'card[number]': '4539578763621486', 'card[cvc]': '737' })
  const disk = await readFile(`${stripe.dir}/stripe.ndjson`, 'utf8')
  expect(disk).not.toContain('918273645')
  expect(disk).not.toContain('4539578763621486')
})
