import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newTransactionId, readAnswer, startTestIPpay, type TestIPpay } from '../test/test-ippay.ts'

/** Recordings and documented samples of the real gateway, if they lie beside the repository. */
const RECORDINGS = new URL('../../../../../shared/providers/fixtures/ippay/', import.meta.url)

let ippay: TestIPpay

beforeAll(async () => {
  ippay = await startTestIPpay({ clock: () => Date.parse('2022-10-07T12:00:00Z') })
})
afterAll(() => ippay.stop())

interface Recording {
  readonly request: { readonly body: string }
  readonly response: { readonly body: string }
}

const readRecording = (name: string): Recording => JSON.parse(readFileSync(new URL(`${name}.json`, RECORDINGS), 'utf8')) as Recording

const GATEWAY_RECORDINGS = [
  'sale-approved-testterminal',
  'bop-sale-approved-avs-cvv',
  'bop-sale-invalid-card-number',
  'bop-ach-check-accepted',
  'bop-ach-reversal-accepted',
  'tokenize-card',
  'tokenize-ach',
  'ping',
]

test.runIf(existsSync(RECORDINGS)).each(GATEWAY_RECORDINGS)('%s is answered as it was recorded', async (name) => {
  const { request, response } = readRecording(name)
  const expected = readAnswer(response.body)
  const sent = request.body.replace('{18 alnum}', newTransactionId())
  const answer = readAnswer((await ippay.post('/ippay/ippay', sent)).text)
  expect(answer.root).toBe(expected.root)
  for (const [field, text] of Object.entries(expected.fields))
    if (['ActionCode', 'ResponseText', 'ErrMsg', 'AVS', 'CVV2'].includes(field)) expect(answer.fields[field], field).toBe(text)
    else expect(answer.fields[field], field).toBeDefined()
  expect((answer.fields['Token'] ?? '').length).toBeGreaterThanOrEqual((expected.fields['Token'] ?? '').length)
})

const REPORT_RECORDINGS = [
  'report-credit',
  'report-ach',
  'report-token',
  'report-achsettlement',
  'report-ccchargebacks',
  'report-no-results',
]

test.runIf(existsSync(RECORDINGS)).each(REPORT_RECORDINGS)('%s can be asked for, and has no rows of an unknown terminal', async (name) => {
  const { text } = await ippay.post('/ippay/ippayReport/', readRecording(name).request.body)
  expect(text).toContain('>No Results</Transactions></ippayReport>')
})

test.runIf(existsSync(RECORDINGS))('the rows of reports have the elements that are recorded', async () => {
  const token =
    (await ippay.call('TOKENIZE', { TransactionID: newTransactionId(), AccountNumber: '11111999', ABA: '071025661' })).fields['Token'] ?? ''
  const ach = `<ACH Type="CHECKING" SEC="WEB"><Token>${token}</Token><CheckNumber>1</CheckNumber></ACH>`
  await ippay.call('CHECK', { TransactionID: newTransactionId(), TotalAmount: '2000' }, ach)
  await ippay.call('SALE', {
    TransactionID: newTransactionId(),
    CardNum: '4000300020001000',
    CardExpMonth: '12',
    CardExpYear: '29',
    TotalAmount: '190',
  })
  for (const [report, fields] of [
    ['credit', ['Transaction_ID', 'Request_Type', 'Total_Amount', 'ActionCode', 'Token', 'UD1']],
    ['ach', ['Transaction_ID', 'Request_Type', 'Total_Amount', 'ActionCode', 'Token', 'UD1', 'CheckNumber']],
    ['token', ['Transaction_ID', 'Request_Type', 'Token']],
  ] as const) {
    const recorded = readRecording(`report-${report}`).response.body
    const [row] = await ippay.report(report)
    for (const field of fields) {
      expect(recorded).toContain(`<${field}>`)
      expect(row?.[field], `${report} ${field}`).toBeDefined()
    }
    for (const field of Object.keys(row ?? {})) expect(recorded, `${report} ${field}`).toContain(`<${field}`)
  }
})
