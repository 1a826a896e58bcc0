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
