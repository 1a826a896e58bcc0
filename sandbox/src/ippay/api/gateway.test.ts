import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCOUNT, CARD, newTransactionId, readAnswer, startTestIPpay, type TestIPpay } from '../test/test-ippay.ts'

let ippay: TestIPpay

beforeAll(async () => {
  ippay = await startTestIPpay()
})
afterAll(() => ippay.stop())

const tokenize = async (fields: Readonly<Record<string, string>> = CARD): Promise<string> =>
  (await ippay.call('TOKENIZE', { TransactionID: newTransactionId(), ...fields })).fields['Token'] ?? ''

const sell = (amount: string, more: Readonly<Record<string, string>> = {}) =>
  ippay.call('SALE', { TransactionID: newTransactionId(), ...CARD, TotalAmount: amount, ...more })

const readBookings = async (reference: string) =>
  (await ippay.ledger()).filter((entry) => entry.reference === reference).map(({ status, amount, method }) => [status, amount, method])

const achOf = (token: string): string => `<ACH Type="CHECKING" SEC="WEB"><Token>${token}</Token><CheckNumber>100</CheckNumber></ACH>`

test('the same TransactionID is answered with 094 and moves nothing', async () => {
  const TransactionID = newTransactionId()
  await ippay.call('SALE', { TransactionID, ...CARD, TotalAmount: '1000' })
  expect((await ippay.call('SALE', { TransactionID: TransactionID.toLowerCase(), ...CARD, TotalAmount: '1000' })).fields).toMatchObject({
    ActionCode: '094',
  })
  expect(await readBookings(TransactionID)).toHaveLength(1)
})

test('a transaction without an id gets one of the gateway’s own', async () => {
  const { fields } = await ippay.call('SALE', { ...CARD, TotalAmount: '1000' })
  expect(fields['TransactionID']).toMatch(/^B\d{17}$/)
})

test.each([
  [{ CardNum: '4111111111111112' }, '900', 'Invalid card number.'],
  [{ TotalAmount: '10.00' }, '920', 'Invalid amount'],
  [{ TransactionID: 'with spaces' }, '900', 'Invalid TransactionID'],
])('a request that is not right says why: %j', async (change, code, text) => {
  const answer = await sell('1000', change)
  expect(answer.fields).toMatchObject({ ActionCode: code, ErrMsg: text })
})

test('a terminal or a password that is not known is refused', async () => {
  const send = async (fields: string) =>
    readAnswer((await ippay.post('/ippay/ippay', `<ippay><TransactionType>PING</TransactionType>${fields}</ippay>`)).text)
  expect((await send('<TerminalID>INVALID1</TerminalID>')).fields['ActionCode']).toBe('925')
  expect((await send('<TerminalID>T</TerminalID><Password>wrong</Password>')).fields['ActionCode']).toBe('926')
  expect((await send('')).fields['ActionCode']).toBe('925')
  expect(readAnswer((await ippay.post('/ippay/ippay', 'not xml')).text).fields['ActionCode']).toBe('900')
})

test('a card that may be real is declined and never stored', async () => {
  const { fields } = await ippay.call('TOKENIZE', { TransactionID: newTransactionId(), ...CARD, CardNum: '4539578763621486' })
  expect(fields).toMatchObject({ ActionCode: '005' })
  expect(fields['Token']).toBeUndefined()
})

test('tokens keep the length, the first digit of a card and the last four digits, and charge their card or account', async () => {
  const [card, account] = [await tokenize(), await tokenize(ACCOUNT)]
  expect(card).toMatch(/^4[A-M\d]{11}1000$/)
  expect(account).toMatch(/^[A-M\d]{4}1999$/)
  expect((await ippay.call('SALE', { TransactionID: newTransactionId(), Token: card, TotalAmount: '1000' })).fields['ActionCode']).toBe(
    '000',
  )
  const TransactionID = newTransactionId()
  expect((await ippay.call('CHECK', { TransactionID, TotalAmount: '2000' }, achOf(account))).fields).toMatchObject({
    ActionCode: '000',
    Approval: '000000',
    ResponseText: 'CHECK ACCEPTED',
  })
  expect(await readBookings(TransactionID)).toEqual([['pending', 2000, 'ach']])
  expect((await ippay.call('CHECK', { TransactionID: newTransactionId(), TotalAmount: '2000' }, achOf(card))).fields['ActionCode']).toBe(
    '924',
  )
  expect((await ippay.call('SALE', { TransactionID: newTransactionId(), Token: account, TotalAmount: '2000' })).fields['ActionCode']).toBe(
    '900',
  )
})

test('an enquiry has the elements of the original, and 940 for nothing', async () => {
  const TransactionID = newTransactionId()
  const { fields } = await ippay.call('TOKENIZE', { TransactionID, ...CARD })
  expect((await ippay.call('ENQ', { TransactionID })).fields).toEqual(fields)
  expect((await ippay.call('ENQ', { TransactionID: newTransactionId() })).fields['ActionCode']).toBe('940')
})

describe('faults', () => {
  const sellWith = async (kind: string, isBooked?: boolean) => {
    await ippay.fault('charge', kind, { ms: 50, ...(isBooked === undefined ? {} : { booked: isBooked }) })
    const TransactionID = newTransactionId()
    const answer = await ippay.call('SALE', { TransactionID, ...CARD, TotalAmount: '1000' }).catch(() => null)
    return { code: answer?.fields['ActionCode'] ?? null, isBooked: (await readBookings(TransactionID)).length > 0, TransactionID, answer }
  }

  test.each([
    ['decline', undefined, '005', false],
    ['drop', undefined, null, true],
    ['drop', false, null, false],
    ['error', undefined, null, false],
    ['error', true, null, true],
    ['slow', undefined, '000', true],
    ['slow', false, '992', false],
    ['wrong-amount', true, '000', true],
    ['wrong-amount', undefined, '000', false],
    ['twice', undefined, '094', false],
    ['twice', true, '094', true],
    ['refuse', undefined, null, false],
  ] as const)('%s, booked %s: the answer is %s, and money moved: %s', async (kind, isBooked, code, moved) => {
    const outcome = await sellWith(kind, isBooked)
    expect([outcome.code, outcome.isBooked]).toEqual([code, moved])
    // A look-up finds the truth.
    const enquiry = (await ippay.call('ENQ', { TransactionID: outcome.TransactionID })).fields['ActionCode']
    expect(enquiry === '000').toBe(moved)
  })

  test('reports and pings fail too', async () => {
    await ippay.fault('list', 'error')
    expect((await ippay.post('/ippay/ippayReport/', '<ippayReport/>')).status).toBe(500)
    await ippay.fault('ping', 'garbage')
    await expect(ippay.call('PING')).rejects.toThrow('It works!')
    expect((await ippay.call('PING')).fields).toEqual({ ActionCode: '000', ResponseText: 'PING' })
  })
})

test('data survives a restart; a reset removes payments and keeps tokens', async () => {
  const first = await startTestIPpay({ dir: ippay.dir })
  const token = (await first.call('TOKENIZE', { TransactionID: newTransactionId(), ...CARD })).fields['Token'] ?? ''
  await first.stop()
  const second = await startTestIPpay({ dir: ippay.dir })
  const TransactionID = newTransactionId()
  await second.call('SALE', { TransactionID, Token: token, TotalAmount: '1000' })
  await second.postControl('/reset', {})
  expect((await second.call('ENQ', { TransactionID })).fields['ActionCode']).toBe('940')
  expect((await second.call('SALE', { TransactionID: newTransactionId(), Token: token, TotalAmount: '1000' })).fields['ActionCode']).toBe(
    '000',
  )
  await second.stop()
})
