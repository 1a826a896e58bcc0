import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAuthorize, CARD, startTestAuthorize } from '../test/test-authorize.ts'

let authorize: TestAuthorize

beforeAll(async () => {
  authorize = await startTestAuthorize()
})
afterAll(async () => {
  await authorize.stop()
})

const NAMESPACE = "in namespace 'AnetApi/xml/v1/schema/AnetApiSchema.xsd'"

const errorOf = (body: { messages: { resultCode: string; message: { code: string; text: string }[] } }) => [
  body.messages.resultCode,
  body.messages.message[0]?.code,
  body.messages.message[0]?.text,
]

test('every answer has the status 200, a byte order mark and the refId of the request', async () => {
  const answer = await authorize.send(
    JSON.stringify({ authenticateTestRequest: { merchantAuthentication: { name: 'a', transactionKey: 'b' }, refId: 'r-7' } }),
  )
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(answer.text).toBe('\uFEFF{"refId":"r-7","messages":{"resultCode":"Ok","message":[{"code":"I00001","text":"Successful."}]}}')
  const wrong = await authorize.send('not JSON')
  expect([wrong.status, wrong.text[0], wrong.text.includes('"E00003"')]).toEqual([200, '\uFEFF', true])
})

test('wrong credentials and unknown requests are rejected', async () => {
  const call = async (name: string, transactionKey: string) =>
    JSON.parse(
      (await authorize.send(JSON.stringify({ authenticateTestRequest: { merchantAuthentication: { name, transactionKey } } }))).text.slice(
        1,
      ),
    )
  expect(errorOf(await call('a', 'invalid1'))).toEqual([
    'Error',
    'E00007',
    'User authentication failed due to invalid authentication values.',
  ])
  expect(errorOf(await call('a', ''))[1]).toBe('E00005')
  expect(errorOf(await call('', 'b'))[1]).toBe('E00006')
  expect(errorOf(await call('a'.repeat(26), 'b'))[1]).toBe('E00003')
  expect(errorOf(await authorize.call('createMoneyRequest'))[1]).toBe('E00004')
})

test('keys in the wrong order are rejected with the sentence of the schema’s validator', async () => {
  const swapped = await authorize.transact({ transactionType: 'authCaptureTransaction', payment: CARD, amount: '5.00' })
  expect(errorOf(swapped)).toEqual([
    'Error',
    'E00003',
    expect.stringContaining(`The element 'transactionRequest' ${NAMESPACE} has invalid child element 'amount' ${NAMESPACE}.`),
  ])
  expect(swapped.transactionResponse).toBeUndefined()
  const profile = await authorize.call('createCustomerProfileRequest', {
    profile: { email: 'a@example.com', paymentProfiles: { payment: CARD, billTo: { zip: '98004' } } },
  })
  expect(errorOf(profile)[2]).toBe(
    `The element 'paymentProfiles' ${NAMESPACE} has invalid child element 'billTo' ${NAMESPACE}. List of possible elements expected: 'driversLicense, taxId, defaultPaymentProfile, subsequentAuthInformation, excludeFromAccountUpdater' ${NAMESPACE}.`,
  )
})

test.each([
  ['an unknown key', { transactionType: 'voidTransaction', colour: 'red' }, /has invalid child element 'colour'/],
  ['a missing key', {}, /has incomplete content\. List of possible elements expected: 'transactionType'/],
  ['a word that is not allowed', { transactionType: 'pay' }, /transactionType' element is invalid .*The Enumeration constraint failed\./],
  ['an amount that is no number', { transactionType: 'voidTransaction', amount: 'ten' }, /The string 'ten' is not a valid Decimal value\./],
  [
    'an invoice number that is too long',
    { transactionType: 'voidTransaction', order: { invoiceNumber: 'x'.repeat(21) } },
    /invoiceNumber' element is invalid .*The actual length is greater than the MaxLength value\./,
  ],
  [
    'a list without its wrapper',
    { transactionType: 'voidTransaction', userFields: [{ name: 'a', value: 'b' }] },
    /The element 'userFields' .* has invalid child element 'name'/,
  ],
  [
    'two instruments',
    { transactionType: 'voidTransaction', payment: { ...CARD, bankAccount: {} } },
    /The element 'payment' .* has invalid child element 'bankAccount'/,
  ],
])('%s is rejected: E00003', async (_what, fields, sentence) => {
  expect(errorOf(await authorize.transact(fields))).toEqual(['Error', 'E00003', expect.stringMatching(sentence)])
})

test('a card number is not repeated in an error', async () => {
  const { messages } = await authorize.transact({
    transactionType: 'authCaptureTransaction',
    amount: '5.00',
    payment: { creditCard: { cardNumber: '41111111111111111', expirationDate: '2040-12' } },
  })
  expect(messages.message[0].text).toContain('greater than the MaxLength')
  expect(messages.message[0].text).not.toContain('4111')
})

test('the account says its name, its currency and whether it is in Test Mode', async () => {
  expect(await authorize.call('getMerchantDetailsRequest')).toMatchObject({ isTestMode: false, currencies: ['USD'] })
  expect(await authorize.call('getMerchantDetailsRequest', {}, 'mytestmode')).toMatchObject({ isTestMode: true })
})

test('an account without the Transaction Details API cannot look anything up', async () => {
  expect(errorOf(await authorize.call('getTransactionDetailsRequest', { transId: '1' }, 'mynodetails'))).toEqual([
    'Error',
    'E00011',
    'Access denied. You do not have permissions to call the Transaction Details API.',
  ])
  expect((await authorize.pay({}, 'mynodetails')).transactionResponse.responseCode).toBe('1')
})
