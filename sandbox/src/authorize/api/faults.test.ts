import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CARD, startTestAuthorize, type TestAuthorize } from '../test/test-authorize.ts'

let authorize: TestAuthorize

beforeAll(async () => {
  authorize = await startTestAuthorize()
})
afterEach(async () => {
  await authorize.postControl('/reset')
})
afterAll(async () => {
  await authorize.stop()
})

const orderFault = async (kind: string, more: object = {}) => {
  const { status } = await authorize.postControl('/faults', { provider: 'authorize', operation: 'charge', kind, times: 1, ...more })
  expect(status).toBe(200)
}
const ledger = async () => (await authorize.ledger()).map(({ status, amount }) => [status, amount])
const codeOf = ({ messages }: { messages: { message: { code: string }[] } }) => messages.message[0]?.code

/** What a look-up finds, by the invoice number. */
const find = async (invoiceNumber: string) => {
  const { transactions = [] } = await authorize.call('getUnsettledTransactionListRequest')
  return transactions
    .filter((transaction: { invoiceNumber: string }) => transaction.invoiceNumber === invoiceNumber)
    .map((transaction: { transactionStatus: string; settleAmount: number }) => [transaction.transactionStatus, transaction.settleAmount])
}
const PAID = [['capturedPendingSettlement', 10]]
const pay = async () => authorize.pay({ invoiceNumber: 'att-1' })

test.each([true, false])('a decline: booked %s', async (booked) => {
  await orderFault('decline', { booked })
  const { transactionResponse, messages } = await pay()
  expect(messages.resultCode).toBe('Ok')
  expect(transactionResponse).toMatchObject({ responseCode: '2', authCode: '', errors: [{ errorCode: '2' }] })
  expect(transactionResponse.messages).toBeUndefined()
  expect(await find('att-1')).toEqual(booked ? PAID : [['declined', 0]])
  expect(await ledger()).toEqual(booked ? [['succeeded', 1000]] : [])
})

test.each([true, false])('an error: booked %s', async (booked) => {
  await orderFault('error', { booked })
  expect(await pay()).toEqual({
    messages: { resultCode: 'Error', message: [{ code: 'E00001', text: 'An error occurred during processing. Please try again.' }] },
  })
  expect(await find('att-1')).toEqual(booked ? PAID : [])
  expect(await ledger()).toEqual(booked ? [['succeeded', 1000]] : [])
})

test.each([true, false])('a dropped connection: booked %s', async (booked) => {
  await orderFault('drop', { booked })
  await expect(pay()).rejects.toThrow()
  expect(await find('att-1')).toEqual(booked ? PAID : [])
  expect((await pay()).transactionResponse.responseCode).toBe(booked ? '3' : '1')
})

test('a refused connection: nothing happened', async () => {
  await orderFault('refuse', { booked: true })
  await expect(pay()).rejects.toThrow()
  expect([await find('att-1'), await ledger()]).toEqual([[], []])
})

test('a slow answer: the money moved before it, or it says that the gateway is busy', async () => {
  await orderFault('slow', { ms: 50 })
  expect((await pay()).transactionResponse.responseCode).toBe('1')
  await orderFault('slow', { ms: 50, booked: false })
  expect(codeOf(await authorize.pay({ invoiceNumber: 'att-2' }))).toBe('E00053')
  expect([await find('att-1'), await find('att-2')]).toEqual([PAID, []])
})

test.each([true, false])('garbage with a 200: booked %s', async (booked) => {
  await orderFault('garbage', { booked })
  await expect(pay()).rejects.toThrow()
  expect(await find('att-1')).toEqual(booked ? PAID : [])
})

test.each([true, false])('a false approval: booked %s', async (booked) => {
  await orderFault('wrong-amount', { booked })
  const { transactionResponse, messages } = await pay()
  expect([messages.resultCode, transactionResponse.responseCode]).toEqual(['Ok', '1'])
  expect((await authorize.lookUp(transactionResponse.transId)).transactionStatus).toBe(booked ? 'capturedPendingSettlement' : 'declined')
  expect(await ledger()).toEqual(booked ? [['succeeded', 1000]] : [])
})

test('a look-up and a list with a wrong amount', async () => {
  const { transId } = (await pay()).transactionResponse
  await orderFault('wrong-amount', { operation: 'lookup' })
  expect(await authorize.lookUp(transId)).toMatchObject({ authAmount: 11, settleAmount: 11 })
  await orderFault('wrong-amount', { operation: 'list' })
  expect(await find('att-1')).toEqual([['capturedPendingSettlement', 11]])
})

test('a payment that arrives twice: the duplicate window catches the second', async () => {
  await orderFault('twice')
  expect(codeOf(await pay())).toBe('E00053')
  expect(await ledger()).toEqual([])
  await orderFault('twice', { booked: true })
  expect((await pay()).transactionResponse.errors).toMatchObject([{ errorCode: '11' }])
  expect(await ledger()).toEqual([['succeeded', 1000]])
})

test('a payment that arrives twice without a duplicate window is executed twice', async () => {
  await orderFault('twice', { booked: true })
  expect((await authorize.pay({ duplicateWindow: '0' })).transactionResponse.responseCode).toBe('1')
  expect(await ledger()).toEqual([
    ['succeeded', 1000],
    ['succeeded', 1000],
  ])
})

test.each(['action', 'script-action'])('%s: the payment is held for review, or the answer says so', async (kind) => {
  await orderFault(kind)
  expect((await pay()).transactionResponse.responseCode).toBe('4')
  expect([await find('att-1'), await ledger()]).toEqual([[['FDSAuthorizedPendingReview', 10]], [['pending', 1000]]])
  await orderFault(kind, { booked: true })
  expect((await authorize.pay({ invoiceNumber: 'att-2' })).transactionResponse.responseCode).toBe('4')
  expect(await find('att-2')).toEqual(PAID)
})

const STORED = { customerProfileId: '1', customerPaymentProfileId: '1' }

test.each([
  ['lookup', 'getTransactionDetailsRequest', { transId: '1' }],
  ['list', 'getUnsettledTransactionListRequest', {}],
  ['list', 'getSettledBatchListRequest', {}],
  ['list', 'getTransactionListRequest', { batchId: '1' }],
  ['list', 'getTransactionListForCustomerRequest', { customerProfileId: '1' }],
  ['account', 'authenticateTestRequest', {}],
  ['account', 'getMerchantDetailsRequest', {}],
  ['customer', 'getCustomerProfileRequest', { customerProfileId: '1' }],
  ['customer', 'createCustomerProfileRequest', { profile: { email: 'never@example.com' } }],
  ['store', 'createCustomerProfileRequest', { profile: { email: 'never@example.com', paymentProfiles: { payment: CARD } } }],
  ['store', 'createCustomerPaymentProfileRequest', { customerProfileId: '1', paymentProfile: { payment: CARD } }],
  ['method', 'getCustomerPaymentProfileRequest', STORED],
  [
    'update',
    'updateCustomerPaymentProfileRequest',
    { customerProfileId: '1', paymentProfile: { payment: CARD, customerPaymentProfileId: '1' } },
  ],
  ['remove', 'deleteCustomerPaymentProfileRequest', STORED],
  ['validate', 'validateCustomerPaymentProfileRequest', { ...STORED, validationMode: 'liveMode' }],
  ['charge', 'createTransactionRequest', { transactionRequest: { transactionType: 'authCaptureTransaction' } }],
  ['refund', 'createTransactionRequest', { transactionRequest: { transactionType: 'refundTransaction' } }],
  ['void', 'createTransactionRequest', { transactionRequest: { transactionType: 'voidTransaction' } }],
])('%s: %s fails with a fault', async (operation, name, fields) => {
  await orderFault('error', { operation })
  expect(codeOf(await authorize.call(name, fields))).toBe('E00001')
  await orderFault('drop', { operation })
  await expect(authorize.call(name, fields)).rejects.toThrow()
})

test('a refund and a void that a fault declines change nothing, also when the answer says that they were approved', async () => {
  const first = (await pay()).transactionResponse.transId
  await authorize.postControl('/authorize/settle-batch')
  const second = (await authorize.pay({ invoiceNumber: 'att-2' })).transactionResponse.transId
  const refund = async () =>
    authorize.transact({
      transactionType: 'refundTransaction',
      amount: '1.00',
      payment: { creditCard: { cardNumber: '1111', expirationDate: 'XXXX' } },
      refTransId: first,
    })
  const cancel = async () => authorize.transact({ transactionType: 'voidTransaction', refTransId: second })
  for (const [kind, responseCode] of [
    ['decline', '2'],
    ['wrong-amount', '1'],
  ] as const) {
    await orderFault(kind, { operation: 'refund' })
    const { transactionResponse } = await refund()
    expect(transactionResponse.responseCode).toBe(responseCode)
    expect((await authorize.lookUp(transactionResponse.transId)).transactionStatus).toBe('declined')
    await orderFault(kind, { operation: 'void' })
    expect((await cancel()).transactionResponse).toMatchObject({ responseCode, transId: second })
    expect(await find('att-2')).toEqual(PAID)
  }
  expect(await ledger()).toEqual([
    ['succeeded', 1000],
    ['succeeded', 1000],
  ])
})

test('a method whose storing a fault declines is not stored, whatever the validation mode', async () => {
  const profile = { email: 'declined@example.com', paymentProfiles: { payment: CARD } }
  await orderFault('decline', { operation: 'store' })
  expect(codeOf(await authorize.call('createCustomerProfileRequest', { profile }))).toBe('E00027')
  expect(codeOf(await authorize.call('getCustomerProfileRequest', { email: 'declined@example.com' }))).toBe('E00040')
  await orderFault('decline', { operation: 'store', booked: true })
  expect(codeOf(await authorize.call('createCustomerProfileRequest', { profile }))).toBe('E00027')
  expect(codeOf(await authorize.call('getCustomerProfileRequest', { email: 'declined@example.com' }))).toBe('I00001')
})
