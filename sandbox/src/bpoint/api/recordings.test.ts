import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { card, startTestBpoint, type TestBpoint } from '../test/test-bpoint.ts'

/** Samples of the real API, if they lie beside the repository. */
const RECORDINGS = new URL('../../../../../shared/providers/fixtures/bpoint/', import.meta.url)

let bpoint: TestBpoint

beforeAll(async () => {
  bpoint = await startTestBpoint()
})
afterAll(async () => {
  await bpoint.stop()
})

interface Recording {
  readonly request: { readonly method: string; readonly path: string; readonly body: Readonly<Record<string, unknown>> | null }
  readonly response: { readonly status: number; readonly body: unknown }
}

const readRecording = (name: string): Recording => JSON.parse(readFileSync(new URL(`${name}.json`, RECORDINGS), 'utf8')) as Recording

/** The paths of all fields with the kind of their value; what may be null is so here or there. */
const fieldPaths = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return value.flatMap((inner) => fieldPaths(inner, `${path}[]`))
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, inner]) => fieldPaths(inner, path === '' ? name : `${path}.${name}`))
}

/** Sends the recorded request again. */
const replay = async ({ request }: Recording, path: string, more: object = {}) =>
  bpoint.call(request.method, path.replace('/rest/v5', ''), request.body === null ? undefined : { ...request.body, ...more })

/** The amount 19.99 is a decline in test mode by the documents, and an approval in the samples. */
const TWO_PARTY = { testMode: false, cardDetails: { ...card().card } }

const REPLAYS: Readonly<Record<string, (recording: Recording) => ReturnType<typeof replay>>> = {
  'v5-create-txn-authkey': (recording) => replay(recording, recording.request.path),
  'v5-authkey-process-approved': async (recording) => replay(recording, `/txns/authkeys/${await bpoint.prepareTxn()}/process`),
  'v5-txn-approved': (recording) => replay(recording, recording.request.path, TWO_PARTY),
  'v5-txn-declined-05': (recording) =>
    replay(recording, recording.request.path, { ...TWO_PARTY, cardDetails: { ...TWO_PARTY.cardDetails, cvn: '987' } }),
  'v5-txn-read-by-number': async (recording) => replay(recording, `/txns/${(await bpoint.pay()).body.txn.txnNumber}`),
  'v5-invalid-fields': (recording) => replay(recording, recording.request.path),
  'v5-token-not-found': (recording) => replay(recording, recording.request.path),
  'v5-token-read': async (recording) => replay(recording, `/tokens/${(await bpoint.store()).body.token.token}`),
  'v5-token-search': async (recording) => {
    await bpoint.store(card(), { crn1: 'CUST-42' })
    return replay(recording, recording.request.path)
  },
}

test.runIf(existsSync(RECORDINGS)).each(Object.entries(REPLAYS))('%s is answered in the same form', async (name, send) => {
  const recording = readRecording(name)
  const { status, body } = await send(recording)
  expect(status).toBe(recording.response.status)
  expect(fieldPaths(body).toSorted()).toEqual(fieldPaths(recording.response.body).toSorted())
})

test.runIf(existsSync(RECORDINGS))('codes and words are those of the samples', async () => {
  const bodyOf = (name: string) => readRecording(name).response.body
  expect((await REPLAYS['v5-invalid-fields']?.(readRecording('v5-invalid-fields')))?.body).toEqual(bodyOf('v5-invalid-fields'))
  expect((await REPLAYS['v5-token-not-found']?.(readRecording('v5-token-not-found')))?.body).toEqual(bodyOf('v5-token-not-found'))
  for (const name of ['v5-txn-approved', 'v5-txn-declined-05']) {
    const recorded = bodyOf(name) as Record<string, unknown>
    const { body } = (await REPLAYS[name]?.(readRecording(name))) ?? { body: {} }
    for (const field of ['action', 'amount', 'responseCode', 'bankResponseCode', 'responseText'])
      expect([field, body[field]]).toEqual([field, recorded[field]])
  }
})

test('a payment has the fields that BPOINT documents', async () => {
  const { txn } = (await bpoint.pay()).body
  expect(Object.keys(txn)).toEqual([
    'action',
    'type',
    'subType',
    'source',
    'billerCode',
    'merchantNumber',
    'crn1',
    'crn2',
    'crn3',
    'merchantReference',
    'currency',
    'amount',
    'amountOriginal',
    'amountSurcharge',
    'paymentMethod',
    'processedDateTime',
    'settlementDate',
    'emailAddress',
    'originalTxnNumber',
    'responseCode',
    'bankResponseCode',
    'responseText',
    'txnNumber',
    'receiptNumber',
    'authoriseId',
    'rrn',
    'storeCard',
    'cvnResult',
    'isThreeDs',
    'isCvnPresent',
    'isTestTxn',
    'fraudScreeningResult',
    'statementDescriptor',
    'threeDsResult',
  ])
})
