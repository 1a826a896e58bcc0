import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, startBench } from '../test/test-stripe.ts'

/** Recordings of the real thing, where somebody has them beside the repository. */
const RECORDINGS = new URL('../../../../../shared/providers/fixtures/stripe/', import.meta.url)

let bench: Bench

beforeAll(async () => {
  bench = await startBench()
})
afterAll(async () => {
  await bench.stop()
})

interface Fields {
  readonly [name: string]: unknown
}

const recorded = (name: string): Fields =>
  (JSON.parse(readFileSync(new URL(`${name}.json`, RECORDINGS), 'utf8')) as { response: { body: Fields } }).response.body

/** What is in a recording because of what was asked there, or is gone from the newest version. */
const APART = new Set([
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

const namesOf = (body: object): string[] => Object.keys(body).filter((name) => !APART.has(name))

const customer = async () => bench.client.customers.create({ name: 'A' })
const FORM = 'amount=2900&currency=usd&confirm=true&return_url=http%3A%2F%2Flocalhost%3A3000%2F&expand[0]=latest_charge'
const pay = async (more: string) =>
  (await bench.call('POST', '/v1/payment_intents', `${FORM}&${more}`, { 'stripe-version': '2026-03-25.dahlia' })).body

test.skipIf(!existsSync(RECORDINGS)).each([
  ['customer-create', customer],
  ['payment-intent-succeeded-confirm', () => pay('payment_method=pm_card_visa')],
  ['payment-intent-requires-action-sca', () => pay('payment_method=pm_card_authenticationRequired')],
  [
    'setup-intent-succeeded',
    async () => bench.client.setupIntents.create({ payment_method: 'pm_card_visa', confirm: true, return_url: 'http://x.example' }),
  ],
  [
    'refund-partial',
    async () => bench.client.refunds.create({ payment_intent: (await pay('payment_method=pm_card_visa')).id, amount: 1000 }),
  ],
])('%s: every field of the recording is in our answer', async (name, answer) => {
  const [theirs, ours] = [recorded(name), (await answer()) as object as Fields]
  const has = new Set(Object.keys(ours))
  expect(namesOf(theirs).filter((field) => !has.has(field))).toEqual([])
  const [theirCharge, ourCharge] = [theirs['latest_charge'], ours['latest_charge']]
  if (typeof theirCharge === 'object' && theirCharge !== null) {
    const hasToo = new Set(Object.keys(ourCharge as object))
    expect(namesOf(theirCharge).filter((field) => !hasToo.has(field))).toEqual([])
  }
})

test.skipIf(!existsSync(RECORDINGS)).each([
  ['payment-intent-declined-generic', () => pay('payment_method=pm_card_chargeDeclined')],
  ['payment-intent-invalid-request', async () => (await bench.call('POST', '/v1/payment_intents', 'amount=0&currency=usd')).body],
  ['customer-retrieve-missing', async () => (await bench.call('GET', '/v1/customers/cus_K9Fo2BpabkGWva')).body],
  [
    'payment-method-attach-no-such-method',
    async () => (await bench.call('POST', '/v1/payment_methods/abcd/attach', `customer=${(await customer()).id}`)).body,
  ],
])('%s: the error says what the recording says', async (name, answer) => {
  const [theirs, ours] = [recorded(name)['error'] as Fields, ((await answer()) as { error: Fields }).error]
  for (const field of ['type', 'code', 'decline_code']) expect([field, ours[field]]).toEqual([field, theirs[field]])
  expect(ours['message']).toBe(String(theirs['message']).split('; ')[0])
})
