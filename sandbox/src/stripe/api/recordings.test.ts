import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestStripe, startTestStripe } from '../test/test-stripe.ts'

/** Recordings of the real API, if they lie beside the repository. */
const RECORDINGS = new URL('../../../../../shared/providers/fixtures/stripe/', import.meta.url)

let stripe: TestStripe

beforeAll(async () => {
  stripe = await startTestStripe()
})
afterAll(async () => {
  await stripe.stop()
})

interface Fields {
  readonly [name: string]: unknown
}

const readRecording = (name: string): Fields =>
  (JSON.parse(readFileSync(new URL(`${name}.json`, RECORDINGS), 'utf8')) as { response: { body: Fields } }).response.body

/** Fields that depend on the recorded request, or that the newest API version no longer has. */
const IGNORED_FIELDS = new Set([
  'tax',
  'invoice_credit_balance',
  'payment_method_configuration_details',
  'next_invoice_sequence',
  'origin_context',
  'integration_identifier',
  'wallet_options',
  'permissions',
  'collected_information',
  'branding_settings',
  'refunds',
])

const fieldNames = (body: object): string[] => Object.keys(body).filter((name) => !IGNORED_FIELDS.has(name))

const customer = async () => stripe.client.customers.create({ name: 'A' })
const FORM = 'amount=2900&currency=usd&confirm=true&return_url=http%3A%2F%2Flocalhost%3A3000%2F&expand[0]=latest_charge'
const pay = async (more: string) =>
  (await stripe.call('POST', '/v1/payment_intents', `${FORM}&${more}`, { 'stripe-version': '2026-03-25.dahlia' })).body

test.skipIf(!existsSync(RECORDINGS)).each([
  ['customer-create', customer],
  ['payment-intent-succeeded-confirm', () => pay('payment_method=pm_card_visa')],
  ['payment-intent-requires-action-sca', () => pay('payment_method=pm_card_authenticationRequired')],
  [
    'setup-intent-succeeded',
    async () => stripe.client.setupIntents.create({ payment_method: 'pm_card_visa', confirm: true, return_url: 'http://x.example' }),
  ],
  [
    'refund-partial',
    async () => stripe.client.refunds.create({ payment_intent: (await pay('payment_method=pm_card_visa')).id, amount: 1000 }),
  ],
])('%s: the response has every field of the recording', async (name, answer) => {
  const [recorded, ours] = [readRecording(name), (await answer()) as object as Fields]
  const has = new Set(Object.keys(ours))
  expect(fieldNames(recorded).filter((field) => !has.has(field))).toEqual([])
  const [recordedCharge, ourCharge] = [recorded['latest_charge'], ours['latest_charge']]
  if (typeof recordedCharge === 'object' && recordedCharge !== null) {
    const hasToo = new Set(Object.keys(ourCharge as object))
    expect(fieldNames(recordedCharge).filter((field) => !hasToo.has(field))).toEqual([])
  }
})

test.skipIf(!existsSync(RECORDINGS)).each([
  ['payment-intent-declined-generic', () => pay('payment_method=pm_card_chargeDeclined')],
  ['payment-intent-invalid-request', async () => (await stripe.call('POST', '/v1/payment_intents', 'amount=0&currency=usd')).body],
  ['customer-retrieve-missing', async () => (await stripe.call('GET', '/v1/customers/cus_K9Fo2BpabkGWva')).body],
  [
    'payment-method-attach-no-such-method',
    async () => (await stripe.call('POST', '/v1/payment_methods/abcd/attach', `customer=${(await customer()).id}`)).body,
  ],
])('%s: the error matches the recording', async (name, answer) => {
  const [recorded, ours] = [readRecording(name)['error'] as Fields, ((await answer()) as { error: Fields }).error]
  for (const field of ['type', 'code', 'decline_code']) expect([field, ours[field]]).toEqual([field, recorded[field]])
  expect(ours['message']).toBe(String(recorded['message']).split('; ')[0])
})
