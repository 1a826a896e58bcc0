import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWebhookReceiver } from '../../test/webhook-receiver.ts'
import { startTestNexio, type TestNexio } from '../test/test-nexio.ts'

/** Recordings and samples of the real API, if they lie beside the repository. */
const RECORDINGS = new URL('../../../../../shared/providers/fixtures/nexio/', import.meta.url)

let nexio: TestNexio

beforeAll(async () => {
  nexio = await startTestNexio()
})
afterAll(async () => {
  await nexio.stop()
})

interface Fields {
  readonly [name: string]: unknown
}

interface Recording {
  readonly request: { readonly method: string; readonly path: string; readonly body: Fields | null }
  readonly response: { readonly status: number; readonly body: Fields | null }
}

const readRecording = (name: string): Recording => JSON.parse(readFileSync(new URL(`${name}.json`, RECORDINGS), 'utf8')) as Recording

/** Fields of a gateway or a token service that the sandbox does not play. */
const IGNORED_PATHS = new Set(['token.success', 'token.error', 'token.sesssionID', 'token.customerRefNumber', 'card.cardType'])

/** The paths of all fields with the type of their value. */
const fieldTypes = (value: unknown, path = ''): string[] => {
  if (typeof value !== 'object' || value === null) return IGNORED_PATHS.has(path) ? [] : [`${path}: ${typeof value}`]
  return Object.entries(value).flatMap(([name, inner]) => fieldTypes(inner, path === '' ? name : `${path}.${name}`))
}

const missingFields = (recorded: unknown, ours: unknown): string[] => {
  const has = new Set(fieldTypes(ours))
  return fieldTypes(recorded).filter((field) => !has.has(field))
}

/** Sends the recorded request again, with a body of today where the recording has placeholders. */
const replay = async ({ request }: Recording, body: object | undefined, path = request.path) =>
  nexio.call(request.method, path, body === undefined ? undefined : { ...request.body, ...body })

const PAYMENT = { amount: 5.99, currency: 'USD', customer: { orderNumber: '137' } }

const newPayment = async (more: object = {}) =>
  (await nexio.call('POST', '/pay/v3/process', { tokenex: { token: await nexio.saveCard() }, data: PAYMENT, ...more })).body

const oneTimeToken = async (): Promise<string> => (await nexio.call('POST', '/pay/v3/token', {})).body.token

/** Each recording with what replaces its placeholders. */
const REPLAYS: Readonly<Record<string, (recording: Recording) => Promise<Awaited<ReturnType<TestNexio['call']>>>>> = {
  'process-sale-approved': async (recording) => replay(recording, { tokenex: { token: await nexio.saveCard() } }),
  'process-auth-only-with-saved-card': async (recording) => replay(recording, { tokenex: { token: await nexio.saveCard() } }),
  'process-3ds-redirect': async (recording) => {
    const tokenex = { token: await nexio.saveCard('4000000000003220') }
    return replay(recording, { tokenex })
  },
  'process-declined': async (recording) => {
    const [tokenex, card] = [{ token: await nexio.saveCard() }, { securityCode: '999' }]
    return replay(recording, { tokenex, card, data: PAYMENT, processingOptions: { verifyCvc: false } })
  },
  'save-card-with-encrypted-number': async (recording) => {
    const card = { ...(recording.request.body?.['card'] as object), encryptedNumber: await nexio.encrypt('4111111111111111') }
    return replay(recording, { token: await oneTimeToken(), card })
  },
  'save-echeck': async (recording) => {
    const bank = { ...(recording.request.body?.['bank'] as object), encryptedBankAccountNumber: await nexio.encrypt('000123456789') }
    return replay(recording, { token: await oneTimeToken(), bank })
  },
  'vault-card-read': async (recording) => {
    const { token } = (await replay(readRecording('save-card-with-encrypted-number'), await newCardBody())).body.token
    return replay(recording, undefined, `/pay/v3/vault/card/${token}`)
  },
  'delete-tokens': async (recording) => replay(recording, { tokens: [await nexio.saveCard()] }),
  refund: async (recording) => {
    const { id } = await newPayment()
    await nexio.postControl('/nexio/settle-batch')
    return replay(recording, { id })
  },
  void: async (recording) => replay(recording, { id: (await newPayment()).id }),
}

const newCardBody = async (): Promise<object> => {
  const card = {
    encryptedNumber: await nexio.encrypt('4111111111111111'),
    expirationMonth: '12',
    expirationYear: '29',
    cardHolderName: 'John Doe',
  }
  return { token: await oneTimeToken(), card, data: { customer: { firstName: 'John', lastName: 'Doe' } } }
}

test.skipIf(!existsSync(RECORDINGS)).each(Object.entries(REPLAYS))(
  '%s: the response has the status and every field of the recording',
  async (name, send) => {
    const recording = readRecording(name)
    const { status, body } = await send(recording)
    expect(status).toBe(recording.response.status)
    expect(missingFields(recording.response.body ?? {}, body)).toEqual([])
    const { error, message, status: actionStatus, transactionStatus } = (recording.response.body ?? {}) as Fields
    for (const [field, value] of Object.entries({ error, message, status: actionStatus, transactionStatus }))
      if (value !== undefined) expect([field, body[field]]).toEqual([field, value])
  },
)

test.skipIf(!existsSync(RECORDINGS))('webhook-transaction-captured: the event has every field of the recording', async () => {
  const receiver = await startWebhookReceiver()
  const own = await startTestNexio({ webhooks: { nexio: { url: receiver.url, secret: 's' } } })
  const recorded = readRecording('webhook-transaction-captured').request.body as Fields & { data: { data: object } }
  await own.call('POST', '/pay/v3/process', { tokenex: { token: await own.saveCard() }, data: recorded.data.data })
  const received = await receiver.waitFor(2)
  const event = received.find(({ event: { eventType } }) => eventType === recorded['eventType'])
  expect(missingFields(recorded, { ...event?.event })).toEqual(
    ['success: boolean', 'error: string', 'sesssionID: string', 'customerRefNumber: string'].map((field) => `data.token.${field}`),
  )
  expect(event?.event.data.transactionStatus).toBe('pending')
  expect(event?.headers['nexio-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
  await own.stop()
  await receiver.close()
})

/** What the shapes of the documents are, for a repository without the recordings beside it. */
test('a sale, a decline and a stored card have the documented fields', async () => {
  expect(fieldTypes(await newPayment())).toEqual(
    expect.arrayContaining([
      'id: string',
      'merchantId: string',
      'transactionDate: string',
      'authCode: string',
      'transactionStatus: string',
      'amount: number',
      'transactionType: string',
      'currency: string',
      'gatewayResponse.result: string',
      'gatewayResponse.batchRef: string',
      'gatewayResponse.refNumber: string',
      'gatewayResponse.gatewayName: string',
      'gatewayResponse.message: string',
      'data.settlementCurrency: string',
      'card.cardNumber: string',
      'card.expirationYear: string',
      'card.expirationMonth: string',
      'card.cardHolder: string',
      'kountResponse.status: string',
      'token.firstSix: string',
      'token.lastFour: string',
    ]),
  )
  expect(fieldTypes(await newPayment({ data: { ...PAYMENT, amount: 1.05 } })).toSorted()).toEqual([
    'error: number',
    'gatewayResponse.gatewayName: string',
    'gatewayResponse.message: string',
    'gatewayResponse.refNum: string',
    'gatewayResponse.status: string',
    'merchantId: string',
    'message: string',
  ])
})
