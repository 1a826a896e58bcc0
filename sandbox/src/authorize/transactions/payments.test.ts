import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ACCOUNT, CARD, startTestAuthorize, type TestAuthorize } from '../test/test-authorize.ts'

let authorize: TestAuthorize
let now = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  authorize = await startTestAuthorize({ clock: () => now })
})
afterEach(async () => {
  await authorize.postControl('/reset')
})
afterAll(async () => {
  await authorize.stop()
})

const settle = async (id: string, outcome: string) => authorize.postControl('/settle', { provider: 'authorize', id, outcome })
const settleBatch = async () => (await authorize.postControl('/authorize/settle-batch', { loginId: 'bench' })).body.batches
const ledger = async () => (await authorize.ledger()).map(({ id, status, amount }) => [id, status, amount])
const statusOf = async (transId: string) => (await authorize.lookUp(transId)).transactionStatus
const refund = async (refTransId: string, amount: string, last4 = '1111') =>
  authorize.transact({
    transactionType: 'refundTransaction',
    amount,
    payment: { creditCard: { cardNumber: last4, expirationDate: 'XXXX' } },
    refTransId,
  })
const voidPayment = async (refTransId: string) => authorize.transact({ transactionType: 'voidTransaction', refTransId })
const errorCode = ({ transactionResponse }: { transactionResponse: { responseCode: string; errors?: { errorCode: string }[] } }) => [
  transactionResponse.responseCode,
  transactionResponse.errors?.[0]?.errorCode,
]

test('a card payment is approved, booked under its transId with the invoice number, and looked up', async () => {
  const { transactionResponse, messages } = await authorize.pay({ amount: '12.34', invoiceNumber: 'att-0001' })
  expect(messages.resultCode).toBe('Ok')
  expect(transactionResponse).toMatchObject({
    responseCode: '1',
    authCode: expect.stringMatching(/^[A-Z0-9]{6}$/),
    avsResultCode: 'Y',
    cvvResultCode: 'P',
    accountNumber: 'XXXX1111',
    accountType: 'Visa',
    messages: [{ code: '1', description: 'This transaction has been approved.' }],
  })
  const { transId } = transactionResponse
  expect(await authorize.ledger()).toMatchObject([
    { provider: 'authorize', id: transId, reference: 'att-0001', amount: 1234, currency: 'USD', status: 'succeeded', method: 'card' },
  ])
  expect(await authorize.lookUp(transId)).toMatchObject({
    transId,
    transactionType: 'authCaptureTransaction',
    transactionStatus: 'capturedPendingSettlement',
    responseCode: 1,
    authAmount: 12.34,
    settleAmount: 12.34,
    order: { invoiceNumber: 'att-0001', description: 'Invoice 1' },
    payment: { creditCard: { cardNumber: 'XXXX1111', expirationDate: 'XXXX', cardType: 'Visa' } },
    billTo: { firstName: 'Ann', lastName: 'Smith', zip: '98004' },
  })
})

test.each([
  ['370000000000002', 'AmericanExpress'],
  ['6011000000000012', 'Discover'],
  ['3088000000000017', 'JCB'],
  ['38000000000006', 'DinersClub'],
  ['4007000000027', 'Visa'],
  ['4012888818888', 'Visa'],
  ['5424000000000015', 'MasterCard'],
  ['2223000010309703', 'MasterCard'],
  ['2223000010309711', 'MasterCard'],
])('the test card %s is a %s', async (cardNumber, accountType) => {
  const payment = { creditCard: { cardNumber, expirationDate: '1240' } }
  expect((await authorize.pay({ payment })).transactionResponse).toMatchObject({ responseCode: '1', accountType, cvvResultCode: '' })
})

test('the zip 46282 declines: the answer is Ok, the response code 2, and nothing is booked', async () => {
  const { transactionResponse, messages } = await authorize.pay({ zip: '46282' })
  expect(messages.resultCode).toBe('Ok')
  expect(transactionResponse).toMatchObject({
    responseCode: '2',
    authCode: '',
    errors: [{ errorCode: '2', errorText: 'This transaction has been declined.' }],
  })
  expect(await statusOf(transactionResponse.transId)).toBe('declined')
  expect(await ledger()).toEqual([])
})

test.each([
  ['46201', 'A'],
  ['46203', 'E'],
  ['46204', 'G'],
  ['46205', 'N'],
  ['46207', 'R'],
  ['46208', 'S'],
  ['46209', 'U'],
  ['46211', 'W'],
  ['46214', 'X'],
  ['46217', 'Z'],
])('the zip %s has the address result %s', async (zip, avsResultCode) => {
  expect((await authorize.pay({ zip })).transactionResponse).toMatchObject({ responseCode: '1', avsResultCode })
})

test.each([
  ['900', 'M'],
  ['901', 'N'],
  ['902', 'P'],
  ['903', 'S'],
  ['904', 'U'],
])('the card code %s has the result %s', async (cardCode, cvvResultCode) => {
  const payment = { creditCard: { ...CARD.creditCard, cardCode } }
  expect((await authorize.pay({ payment })).transactionResponse).toMatchObject({ responseCode: '1', cvvResultCode })
})

test.each([
  ['6', { payment: { creditCard: { cardNumber: '4111111111111112', expirationDate: '2040-12' } } }],
  ['7', { payment: { creditCard: { cardNumber: '4111111111111111', expirationDate: '2040-13' } } }],
  ['8', { payment: { creditCard: { cardNumber: '4111111111111111', expirationDate: '2026-10' } } }],
  ['9', { payment: { bankAccount: { ...ACCOUNT.bankAccount, routingNumber: '121042883' } } }],
  ['10', { payment: { bankAccount: { ...ACCOUNT.bankAccount, accountNumber: '1234' } } }],
  ['5', { amount: '0.00' }],
  ['5', { amount: '1.005' }],
  ['39', { currencyCode: 'AUD' }],
])('the reason code %s: an error with the transId 0', async (reason, fields) => {
  const answer = await authorize.pay(fields)
  expect(answer.messages).toMatchObject({ resultCode: 'Error', message: [{ code: 'E00027' }] })
  expect([...errorCode(answer), answer.transactionResponse.transId]).toEqual(['3', reason, '0'])
  expect(await ledger()).toEqual([])
})

test('the same payment within the duplicate window is an error, and moves no money', async () => {
  const same = { invoiceNumber: 'att-1' }
  expect(errorCode(await authorize.pay(same))).toEqual(['1', undefined])
  expect(errorCode(await authorize.pay(same))).toEqual(['3', '11'])
  expect(errorCode(await authorize.pay({ ...same, amount: '10.01' }))).toEqual(['1', undefined])
  expect(errorCode(await authorize.pay({ invoiceNumber: 'att-2' }))).toEqual(['1', undefined])
  now += 121_000
  expect(errorCode(await authorize.pay({ ...same, duplicateWindow: '600' }))).toEqual(['3', '11'])
  expect(errorCode(await authorize.pay(same))).toEqual(['1', undefined])
  expect(errorCode(await authorize.pay({ ...same, duplicateWindow: '0' }))).toEqual(['1', undefined])
  expect(await ledger()).toHaveLength(5)
})

test('a declined payment may be tried again at once', async () => {
  expect(errorCode(await authorize.pay({ invoiceNumber: 'att-1', zip: '46282' }))).toEqual(['2', '2'])
  expect(errorCode(await authorize.pay({ invoiceNumber: 'att-1' }))).toEqual(['1', undefined])
})

test('in Test Mode a payment is approved with the transId 0 and moves no money', async () => {
  const { transactionResponse } = await authorize.pay({}, 'mytestmode')
  expect(transactionResponse).toMatchObject({ responseCode: '1', transId: '0', testRequest: '1', authCode: '000000' })
  const wished = await authorize.pay(
    { amount: '27.00', payment: { creditCard: { cardNumber: '4222222222222', expirationDate: '2040-12' } } },
    'mytestmode',
  )
  expect(errorCode(wished)).toEqual(['2', '27'])
  expect(await ledger()).toEqual([])
})

test('an unsettled payment can be voided and not refunded; a settled one the other way round', async () => {
  const first = (await authorize.pay()).transactionResponse.transId
  expect(errorCode(await refund(first, '10.00'))).toEqual(['3', '54'])
  expect((await voidPayment(first)).transactionResponse).toMatchObject({ responseCode: '1', transId: first, refTransID: first })
  expect((await voidPayment(first)).transactionResponse).toMatchObject({ responseCode: '1', messages: [{ code: '310' }] })
  expect(await statusOf(first)).toBe('voided')
  const second = (await authorize.pay()).transactionResponse.transId
  expect(await settleBatch()).toHaveLength(1)
  expect(await statusOf(second)).toBe('settledSuccessfully')
  expect(errorCode(await voidPayment(second))).toEqual(['3', '16'])
  const { transactionResponse } = await refund(second, '4.00')
  expect(transactionResponse).toMatchObject({ responseCode: '1', refTransID: second, accountNumber: 'XXXX1111' })
  expect(errorCode(await refund(second, '6.01'))).toEqual(['3', '55'])
  expect(errorCode(await refund(second, '1.00', '2222'))).toEqual(['3', '54'])
  expect(errorCode(await refund('404', '1.00'))).toEqual(['3', '54'])
  expect(await authorize.lookUp(transactionResponse.transId)).toMatchObject({
    transactionType: 'refundTransaction',
    transactionStatus: 'refundPendingSettlement',
    refTransId: second,
    settleAmount: 4,
  })
  expect(await ledger()).toEqual([
    [first, 'succeeded', 1000],
    [`void-${first}`, 'refunded', 1000],
    [second, 'succeeded', 1000],
    [transactionResponse.transId, 'refunded', 400],
  ])
  await settleBatch()
  expect(await statusOf(transactionResponse.transId)).toBe('refundSettledSuccessfully')
})

test('a voided refund is taken back, and may be made again', async () => {
  const payment = (await authorize.pay()).transactionResponse.transId
  await settleBatch()
  const { transId } = (await refund(payment, '10.00')).transactionResponse
  await voidPayment(transId)
  expect(await ledger()).toEqual([
    [payment, 'succeeded', 1000],
    [transId, 'failed', 1000],
  ])
  expect(errorCode(await refund(payment, '10.00'))).toEqual(['1', undefined])
})

test('an authorised payment moves money when it is captured', async () => {
  const { transId } = (await authorize.pay({ transactionType: 'authOnlyTransaction' })).transactionResponse
  expect([await statusOf(transId), await ledger()]).toEqual(['authorizedPendingCapture', []])
  const capture = async () => authorize.transact({ transactionType: 'priorAuthCaptureTransaction', amount: '8.00', refTransId: transId })
  expect((await capture()).transactionResponse).toMatchObject({ responseCode: '1', transId })
  expect((await capture()).transactionResponse).toMatchObject({ responseCode: '1', messages: [{ code: '311' }] })
  expect(await ledger()).toEqual([[transId, 'succeeded', 800]])
  const other = await authorize.transact({ transactionType: 'priorAuthCaptureTransaction', refTransId: '404' })
  expect(errorCode(other)).toEqual(['3', '16'])
})

test('an authorisation that is voided was never booked, held for review or not', async () => {
  for (const zip of ['98004', '46298']) {
    const { transId } = (await authorize.pay({ transactionType: 'authOnlyTransaction', zip })).transactionResponse
    expect((await voidPayment(transId)).transactionResponse.responseCode).toBe('1')
    expect(await statusOf(transId)).toBe('voided')
  }
  expect(await ledger()).toEqual([])
})

test('a direct debit that is voided before it settles has failed', async () => {
  const { transId } = (await authorize.pay({ payment: ACCOUNT })).transactionResponse
  expect((await voidPayment(transId)).transactionResponse).toMatchObject({ responseCode: '1', accountType: 'eCheck' })
  expect(await ledger()).toEqual([[transId, 'failed', 1000]])
})

test('a direct debit is accepted, settles, and may be returned later', async () => {
  const { transactionResponse } = await authorize.pay({ payment: ACCOUNT, amount: '99.00' })
  expect(transactionResponse).toMatchObject({
    responseCode: '1',
    authCode: '',
    avsResultCode: 'P',
    accountNumber: 'XXXX6789',
    accountType: 'eCheck',
  })
  const { transId } = transactionResponse
  expect(await ledger()).toEqual([[transId, 'pending', 9900]])
  expect(await settleBatch()).toEqual([])
  expect(await settle(transId, 'returned')).toMatchObject({ status: 404 })
  expect(await settle(transId, 'succeeded')).toMatchObject({ status: 200, body: { status: 'succeeded', method: 'echeck' } })
  expect(await authorize.lookUp(transId)).toMatchObject({
    transactionStatus: 'settledSuccessfully',
    payment: {
      bankAccount: { routingNumber: 'XXXX2882', accountNumber: 'XXXX6789', nameOnAccount: 'Ann Smith', echeckType: 'WEB' },
    },
  })
  expect(await settle(transId, 'returned')).toMatchObject({ status: 200, body: { status: 'returned' } })
  expect(await authorize.lookUp(transId)).toMatchObject({ transactionStatus: 'returnedItem', returnedItems: [{ code: 'R01' }] })
  expect(await settle(transId, 'succeeded')).toMatchObject({ status: 404 })
})

test('a direct debit of more than 100 dollars is declined, and a pending one may fail', async () => {
  expect(errorCode(await authorize.pay({ payment: ACCOUNT, amount: '100.01' }))).toEqual(['2', '2'])
  const { transId } = (await authorize.pay({ payment: ACCOUNT, amount: '100.00' })).transactionResponse
  expect(await settle(transId, 'failed')).toMatchObject({ status: 200, body: { status: 'failed' } })
  expect(await statusOf(transId)).toBe('settlementError')
})

test('a payment that is held for review is approved or declined later', async () => {
  const { transactionResponse, messages } = await authorize.pay({ zip: '46298' })
  expect([messages.resultCode, transactionResponse.responseCode, transactionResponse.messages[0].code]).toEqual(['Ok', '4', '253'])
  const { transId } = transactionResponse
  expect([await statusOf(transId), await ledger()]).toEqual(['FDSAuthorizedPendingReview', [[transId, 'pending', 1000]]])
  const { transactions } = await authorize.call('getUnsettledTransactionListRequest', { status: 'pendingApproval' })
  expect(transactions).toMatchObject([{ transId }])
  expect(await settle(transId, 'succeeded')).toMatchObject({ body: { status: 'succeeded' } })
  expect(await statusOf(transId)).toBe('capturedPendingSettlement')
  const other = (await authorize.pay({ zip: '46298' })).transactionResponse.transId
  expect(await settle(other, 'failed')).toMatchObject({ body: { status: 'failed' } })
  expect(await statusOf(other)).toBe('voided')
})

test('payments, their ids and methods survive a restart, and no id is given twice after a reset', async () => {
  const first = await startTestAuthorize({ dir: `${authorize.dir}-again` })
  const { transId } = (await first.pay()).transactionResponse
  await first.stop()
  const second = await startTestAuthorize({ dir: first.dir })
  expect((await second.lookUp(transId)).transactionStatus).toBe('capturedPendingSettlement')
  await second.postControl('/reset')
  expect(Number((await second.pay()).transactionResponse.transId)).toBeGreaterThan(Number(transId))
  await second.stop()
  await rm(first.dir, { recursive: true })
})
