import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CARD, startTestPinch, type TestPinch } from '../test/test-pinch.ts'

/** Recordings and samples of the real API, if they lie beside the repository. */
const RECORDINGS = new URL('../../../../../shared/providers/fixtures/pinch/', import.meta.url)

let pinch: TestPinch

beforeAll(async () => {
  pinch = await startTestPinch()
})
afterAll(async () => {
  await pinch.stop()
})

interface Recorded {
  readonly response: { readonly status: number; readonly body: unknown }
}

const readRecording = (name: string): Recorded => JSON.parse(readFileSync(new URL(`${name}.json`, RECORDINGS), 'utf8')) as Recorded

/** Fields that only subscriptions, transfers and older versions have. */
const IGNORED = /^(agreements|(.*\.)?(expiresAt|phones))\b/

/** The paths of all fields, those of a list by its first element. */
const fieldPaths = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return value.length === 0 ? [] : fieldPaths(value[0], `${path}[]`)
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, inner]) => fieldPaths(inner, path === '' ? name : `${path}.${name}`))
}

/** Whether the field is there, or a field above it is null or empty on our side. */
const missingFields = (recorded: unknown, ours: unknown): string[] => {
  const has = fieldPaths(ours)
  const isThere = (path: string): boolean => has.some((own) => own === path || own.startsWith(`${path}.`) || path.startsWith(`${own}.`))
  return fieldPaths(recorded).filter((path) => !IGNORED.test(path) && !isThere(path))
}

type Answer = Awaited<ReturnType<TestPinch['call']>>

const newCardOrder = async () => ({
  fullName: 'Ben Hotdog',
  email: 'ben.hotdog@mailinator.com',
  amount: '1245',
  description: 'A sweet new hat',
  creditCardToken: await pinch.cardToken(),
})
const debit = async (more: object = {}) =>
  pinch.call('POST', '/payments', {
    ...(await pinch.payerWithAccount()),
    amount: 1245,
    transactionDate: '2021-05-05',
    description: 'A lovely bunch of coconuts.',
    ...more,
  })
const paymentId = async (): Promise<string> => (await pinch.call('POST', '/payments/realtime', await newCardOrder())).body.id
const source = { sourceType: 'bank-account', bankAccountNumber: '000000000', bankAccountBsb: '000000', bankAccountName: 'Example Name' }

/** Each recording with a request like the recorded one. */
const REPLAYS: Readonly<Record<string, () => Promise<Answer>>> = {
  'authentication-authenticate-200-ok': () => pinch.authenticate(),
  'authentication-health-authenticated-200-ok': () => pinch.call('GET', '/health/auth'),
  'tokens-create-card-token-200-ok': () => pinch.call('POST', '/tokens', { publishableKey: 'pk_test_app_acme', ...CARD }, { bearer: '' }),
  'tokens-create-card-token-400-bad-request': () => pinch.call('POST', '/tokens', { publishableKey: 'pk_none', ...CARD }, { bearer: '' }),
  'docs-post-payers-201-result': () => pinch.call('POST', '/payers', { firstName: 'Test', emailAddress: 'a@b.example', source }),
  'payers-create-or-update-payer-200-ok-updated-with-source': async () =>
    pinch.call('POST', '/payers', { id: (await pinch.payerWithCard()).payerId, mobileNumber: '0400000000', source }),
  'payers-get-payer-404-not-found-invalid-payer': () => pinch.call('GET', '/payers/pyr_none'),
  'payers-source-create-source-200-ok-bank-account': async () =>
    pinch.call('POST', `/payers/${(await pinch.payerWithCard()).payerId}/sources`, source),
  'payers-source-create-source-400-bad-request': () => pinch.call('POST', '/payers/pyr_none/sources', source),
  'payers-source-delete-source-400-bad-request': async () =>
    pinch.call('DELETE', `/payers/${(await pinch.payerWithCard()).payerId}/sources/src_none`),
  'payments-create-payment-realtime-201-created-new-payer': async () => pinch.call('POST', '/payments/realtime', await newCardOrder()),
  'payments-create-payment-realtime-201-created-existing-payer': async () =>
    pinch.call('POST', '/payments/realtime', { ...(await pinch.payerWithCard()), amount: '1245', description: 'A sweet new hat' }),
  'payments-create-payment-realtime-400-bad-request': async () =>
    pinch.call('POST', '/payments/realtime', { ...(await newCardOrder()), payerId: (await pinch.payerWithCard()).payerId }),
  'payments-create-or-update-payment-201-created': () => debit(),
  'payments-create-or-update-payment-400-bad-request': () => debit({ payerId: 'pyr_XXXXXXX' }),
  'payments-create-or-update-payment-403-forbidden-nonce-replay': async () => {
    await debit({ nonce: 'test123' })
    return debit({ nonce: 'test123' })
  },
  'payments-check-for-nonce-200-ok-nonce-doesn-t-exist': () => pinch.call('POST', '/payments/nonce', { nonce: 'test456' }),
  'payments-delete-payment-200-ok': async () => pinch.call('DELETE', `/payments/${(await debit()).body.id}`),
  'payments-delete-payment-400-bad-request': () => pinch.call('DELETE', '/payments/pmt_none'),
  'payments-list-payments-processed-200-ok': () => pinch.call('GET', '/payments/processed'),
  'payments-list-payments-scheduled-200-ok': () => pinch.call('GET', '/payments/scheduled'),
  'docs-get-payments-id-200-result': async () => pinch.call('GET', `/payments/${await paymentId()}`),
  'refunds-create-a-refund-200-ok': async () =>
    pinch.call('POST', '/refunds', { paymentId: await paymentId(), amount: 100, reason: 'Requested by Payer', nonce: 'r' }),
  'refunds-create-a-refund-400-bad-request': () => pinch.call('POST', '/refunds', { paymentId: 'pmt_XXXXXXXXXXXXXX', amount: 1000 }),
  'docs-get-refunds-200-result': () => pinch.call('GET', '/refunds'),
  'webhooks-list-webhooks-200-ok': async () => {
    await pinch.call('POST', '/webhooks', { uri: 'https://example.com/callback' })
    return pinch.call('GET', '/webhooks')
  },
  'events-list-events-200-ok': () => pinch.call('GET', '/events'),
}

test.skipIf(!existsSync(RECORDINGS)).each(Object.entries(REPLAYS))(
  '%s: the response has the status and every field of the recording',
  async (name, send) => {
    const { status, body } = readRecording(name).response
    const answer = await send()
    expect(answer.status).toBe(status)
    expect(missingFields(body, answer.body)).toEqual([])
  },
)

/** What the shapes of the documents are, for a repository without the recordings beside it. */
test('a payment and an error have the documented fields', async () => {
  const { body } = await pinch.call('POST', '/payments/realtime', await newCardOrder())
  expect(Object.keys(body)).toEqual(
    expect.arrayContaining(['id', 'attemptId', 'amount', 'currency', 'status', 'payer', 'attempts', 'metadata']),
  )
  const error = await pinch.call('POST', '/payments/realtime', { amount: 0 })
  expect(error).toMatchObject({ status: 400, body: [{ propertyName: 'Amount', errorMessage: expect.any(String), attemptedValue: null }] })
})
