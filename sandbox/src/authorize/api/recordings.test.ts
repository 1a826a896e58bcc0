import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ACCOUNT, CARD, startTestAuthorize, type TestAuthorize } from '../test/test-authorize.ts'

/** Recordings of the real API, if they lie beside the repository. */
const RECORDINGS = new URL('../../../../../shared/providers/fixtures/authorize/', import.meta.url)
const hasRecordings = existsSync(RECORDINGS)

interface Fields {
  readonly [name: string]: unknown
}

interface Recording {
  readonly name: string
  readonly requestName: string
  readonly request: Fields
  readonly response: Fields
}

/** Every recording of the JSON face that has a request. */
const readRecordings = (): Recording[] =>
  readdirSync(RECORDINGS)
    .filter((file) => /^json-.*\.json$/.test(file))
    .flatMap((file) => {
      const { request, response } = JSON.parse(readFileSync(new URL(file, RECORDINGS), 'utf8')) as {
        request: { body: Record<string, Fields> | null }
        response: { body: Fields }
      }
      const [root] = Object.entries(request.body ?? {})
      return root === undefined ? [] : [{ name: file, requestName: root[0], request: root[1], response: response.body }]
    })

/** Requests that the sandbox does not offer. */
const NOT_OFFERED = new Set([
  'createCustomerProfileTransactionRequest',
  'getCustomerShippingAddressRequest',
  'getHostedProfilePageRequest',
  'updateCustomerShippingAddressRequest',
])

/** Shipping addresses of customers are not offered. */
const IGNORED_FIELDS = new Set(['shipToList'])

const BILL_TO = {
  firstName: 'John',
  lastName: 'Smith',
  address: '123 Main Street',
  city: 'Townsville',
  state: 'NJ',
  zip: '12345',
  country: 'USA',
  phoneNumber: '800-555-1234',
}

let authorize: TestAuthorize
let ids: { customer: string; method: string; settled: string; unsettled: string; authorized: string; batch: string }
let customers = 0

beforeAll(async () => {
  authorize = await startTestAuthorize()
})
beforeEach(async () => {
  const created = await authorize.call('createCustomerProfileRequest', {
    profile: {
      merchantCustomerId: `${(customers += 1)}`,
      email: 'user@example.com',
      paymentProfiles: { billTo: BILL_TO, payment: CARD },
    },
  })
  const [customer, method] = [created.customerProfileId, created.customerPaymentProfileIdList[0]]
  const settled = await authorize.transact({
    transactionType: 'authCaptureTransaction',
    amount: '10.00',
    profile: { customerProfileId: customer, paymentProfile: { paymentProfileId: method } },
    order: { invoiceNumber: '60', description: 'Invoice 60' },
  })
  const { body } = await authorize.postControl('/authorize/settle-batch')
  ids = {
    customer,
    method,
    settled: settled.transactionResponse.transId,
    unsettled: (await authorize.pay()).transactionResponse.transId,
    authorized: (await authorize.pay({ transactionType: 'authOnlyTransaction' })).transactionResponse.transId,
    batch: body.batches[0].batchId,
  }
})
afterAll(async () => {
  await authorize.stop()
})

/** The recorded request for our objects: with a date to come, and with the lists in the wrappers that the schema asks for. */
const toOurRequest = ({ name, request }: Recording): Fields => {
  const { merchantAuthentication: _credentials, ...fields } = request
  const isError = name.includes('error')
  const transaction = fields['transactionRequest'] as Fields | undefined
  if (transaction !== undefined) return { ...fields, transactionRequest: toOurTransaction(name, transaction) }
  const text = JSON.stringify(fields)
    .replaceAll(/"(2016-08|122016)"/g, '"2040-12"')
    .replaceAll(/"customerProfileId":"\d+"/g, `"customerProfileId":"${ids.customer}"`)
    .replaceAll(/"customerPaymentProfileId":"\d+"/g, `"customerPaymentProfileId":"${ids.method}"`)
    .replaceAll(/"batchId":"\d+"/g, `"batchId":"${ids.batch}"`)
    .replaceAll(/"transId":"\d+"/g, `"transId":"${ids.settled}"`)
  const ours = JSON.parse(text) as Fields
  // The recorded errors have no fields, which the schema does not allow.
  if (!isError) return ours
  return name.includes('update') ? { profile: { email: 'a@example.com', customerProfileId: '404' } } : { customerProfileId: '404' }
}

const toOurTransaction = (name: string, transaction: Fields): Fields => {
  const { authCode: _authCode, ...fields } = JSON.parse(JSON.stringify(transaction).replaceAll('"122016"', '"2040-12"')) as Fields
  const ours = Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, Array.isArray(value) ? { [WRAPPED[key] ?? '']: value } : value]),
  )
  if (name.includes('refund')) return { ...ours, refTransId: ids.settled }
  if (name.includes('void')) return { ...ours, refTransId: ids.unsettled }
  return name.includes('prior') && !name.includes('error') ? { ...ours, refTransId: ids.authorized } : ours
}

/** The wrapper of a list that the recorded request wrote without one. */
const WRAPPED: Readonly<Record<string, string>> = { userFields: 'userField', transactionSettings: 'setting' }

const fieldNames = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return value.length === 0 ? [] : fieldNames(value[0], `${path}[]`)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .filter(([name]) => !IGNORED_FIELDS.has(name))
    .flatMap(([name, inner]) => [`${path}.${name}`, ...fieldNames(inner, `${path}.${name}`)])
}

const codesOf = (body: Fields): unknown[] => {
  const { messages, transactionResponse } = body as {
    messages: { resultCode: string; message: { code: string; text: string }[] }
    transactionResponse?: { responseCode: string; errors?: unknown }
  }
  return [messages.resultCode, messages.message, transactionResponse?.responseCode, transactionResponse?.errors]
}

const replay = async (recording: Recording): Promise<Fields> => {
  const { name, requestName } = recording
  const request = toOurRequest(recording)
  if (!name.includes('auth-only-error')) return authorize.call(requestName, request)
  // The recorded error is that of a duplicate.
  const text = JSON.stringify(request).replace('"duplicateWindow","settingValue":"0"', '"duplicateWindow","settingValue":"600"')
  await authorize.call(requestName, JSON.parse(text) as Fields)
  return authorize.call(requestName, JSON.parse(text) as Fields)
}

const offered = hasRecordings
  ? readRecordings().filter(({ name, requestName }) => !NOT_OFFERED.has(requestName) && !name.includes('capture-only'))
  : []

test.skipIf(!hasRecordings).each(offered)('$name: the answer has the fields and codes of the recording', async (recording) => {
  const ours = await replay(recording)
  expect(codesOf(ours)).toEqual(codesOf(recording.response))
  const has = new Set(fieldNames(ours))
  expect(fieldNames(recording.response).filter((field) => !has.has(field))).toEqual([])
})

test.skipIf(!hasRecordings)('requests that are not offered say so', async () => {
  for (const { requestName, request } of readRecordings().filter((recording) => NOT_OFFERED.has(recording.requestName))) {
    const { merchantAuthentication: _credentials, ...fields } = request
    expect((await authorize.call(requestName, fields)).messages.message[0].code).toBe('E00004')
  }
})

/** Fields of recorded answers, written down here for those who do not have the recordings. */
test('an answer to a payment has the fields of the real one', async () => {
  const approved = await authorize.pay()
  expect(Object.keys(approved)).toEqual(['transactionResponse', 'messages'])
  expect(Object.keys(approved.transactionResponse).slice(0, 12)).toEqual([
    'responseCode',
    'authCode',
    'avsResultCode',
    'cvvResultCode',
    'cavvResultCode',
    'transId',
    'refTransID',
    'transHash',
    'testRequest',
    'accountNumber',
    'accountType',
    'messages',
  ])
  const debit = await authorize.pay({ payment: ACCOUNT })
  expect(debit.transactionResponse).toMatchObject({ accountType: 'eCheck', avsResultCode: 'P', cvvResultCode: '' })
})
