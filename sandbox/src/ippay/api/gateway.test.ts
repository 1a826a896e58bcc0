import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCOUNT, CARD, newId, readAnswer, startTestIPpay, type TestIPpay } from '../test/test-ippay.ts'

let ippay: TestIPpay

beforeAll(async () => {
  ippay = await startTestIPpay()
})
afterAll(() => ippay.stop())

const tokenize = async (fields: Readonly<Record<string, string>> = CARD): Promise<string> =>
  (await ippay.call('TOKENIZE', { TransactionID: newId(), ...fields })).fields['Token'] ?? ''

const sell = (amount: string, more: Readonly<Record<string, string>> = {}) =>
  ippay.call('SALE', { TransactionID: newId(), ...CARD, TotalAmount: amount, ...more })

const readBookings = async (reference: string) =>
  (await ippay.ledger()).filter((entry) => entry.reference === reference).map(({ status, amount, method }) => [status, amount, method])

const achOf = (token: string): string => `<ACH Type="CHECKING" SEC="WEB"><Token>${token}</Token><CheckNumber>100</CheckNumber></ACH>`

test('a sale is approved or declined by the cents of its amount, and booked once', async () => {
  const TransactionID = newId()
  const approved = await ippay.call('SALE', { TransactionID, ...CARD, CVV2: '123', BillingAddress: '1 Street', TotalAmount: '4995' })
  expect(approved).toEqual({
    root: 'ippayResponse',
    fields: {
      TransactionID,
      ActionCode: '000',
      Approval: 'TEST95',
      CVV2: 'P',
      ResponseText: 'APPROVED',
      AVS: 'Y',
      Token: expect.any(String),
    },
  })
  expect(await readBookings(TransactionID)).toEqual([['succeeded', 4995, 'card']])
  for (const [amount, code] of [
    ['11051', '051'],
    ['11005', '005'],
    ['11034', '005'],
    ['11091', '091'],
    ['8', '000'],
  ] as const)
    expect((await sell(amount)).fields['ActionCode'], amount).toBe(code)
})

test('the same TransactionID is answered with 094 and moves nothing', async () => {
  const TransactionID = newId()
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
  const { fields } = await ippay.call('TOKENIZE', { TransactionID: newId(), ...CARD, CardNum: '4539578763621486' })
  expect(fields).toMatchObject({ ActionCode: '005' })
  expect(fields['Token']).toBeUndefined()
})

test('tokens keep the length, the first digit of a card and the last four digits, and charge their card or account', async () => {
  const [card, account] = [await tokenize(), await tokenize(ACCOUNT)]
  expect(card).toMatch(/^4[A-M\d]{11}1000$/)
  expect(account).toMatch(/^[A-M\d]{4}1999$/)
  expect((await ippay.call('SALE', { TransactionID: newId(), Token: card, TotalAmount: '1000' })).fields['ActionCode']).toBe('000')
  const TransactionID = newId()
  expect((await ippay.call('CHECK', { TransactionID, TotalAmount: '2000' }, achOf(account))).fields).toMatchObject({
    ActionCode: '000',
    Approval: '000000',
    ResponseText: 'CHECK ACCEPTED',
  })
  expect(await readBookings(TransactionID)).toEqual([['pending', 2000, 'ach']])
  expect((await ippay.call('CHECK', { TransactionID: newId(), TotalAmount: '2000' }, achOf(card))).fields['ActionCode']).toBe('924')
  expect((await ippay.call('SALE', { TransactionID: newId(), Token: account, TotalAmount: '2000' })).fields['ActionCode']).toBe('900')
})

test('an enquiry has the elements of the original, and 940 for nothing', async () => {
  const TransactionID = newId()
  const { fields } = await ippay.call('TOKENIZE', { TransactionID, ...CARD })
  expect((await ippay.call('ENQ', { TransactionID })).fields).toEqual(fields)
  expect((await ippay.call('ENQ', { TransactionID: newId() })).fields['ActionCode']).toBe('940')
})

describe('what is given back', () => {
  test('a sale is voided while its batch is open, and credited in parts afterwards', async () => {
    const [open, closed] = [newId(), newId()]
    for (const TransactionID of [open, closed]) await ippay.call('SALE', { TransactionID, ...CARD, TotalAmount: '1000' })
    expect((await ippay.call('VOID', { TransactionID: open })).fields).toMatchObject({ ActionCode: '000', ResponseText: 'VOID PROCESSED' })
    expect((await ippay.call('VOID', { TransactionID: open })).fields['ActionCode']).toBe('021')
    await ippay.postControl('/ippay/settle-batch', {})
    expect((await ippay.call('VOID', { TransactionID: closed })).fields['ActionCode']).toBe('021')
    const credit = (amount: string) => ippay.call('CREDIT', { TransactionID: closed, TotalAmount: amount })
    expect((await credit('400')).fields).toMatchObject({ ActionCode: '000', ResponseText: 'RETURN ACCEPTED' })
    expect((await credit('601')).fields['ActionCode']).toBe('942')
    expect((await credit('600')).fields['ActionCode']).toBe('000')
    expect((await ippay.call('CREDIT', { TransactionID: newId(), TotalAmount: '1' })).fields['ActionCode']).toBe('025')
    expect(await readBookings(closed)).toEqual([
      ['succeeded', 1000, 'card'],
      ['refunded', 400, 'card'],
      ['refunded', 600, 'card'],
    ])
    const rows = (await ippay.report('credit')).filter(({ Transaction_ID: id }) => id === closed)
    expect(rows.map(({ Request_Type, Total_Amount }) => [Request_Type, Total_Amount])).toEqual([
      ['SALE', '10.0000'],
      ['CREDIT', '4.0000'],
      ['CREDIT', '6.0000'],
    ])
  })
})

describe('debits', () => {
  test('a debit settles, or is rejected before or after, and the reports say so', async () => {
    const token = await tokenize(ACCOUNT)
    const [paid, refused] = [newId(), newId()]
    for (const TransactionID of [paid, refused]) await ippay.call('CHECK', { TransactionID, TotalAmount: '2000' }, achOf(token))
    const entries = await ippay.ledger()
    const settle = (reference: string, outcome: string) =>
      ippay.postControl('/settle', { provider: 'ippay', id: entries.find((entry) => entry.reference === reference)?.id ?? '', outcome })
    expect((await settle(paid, 'returned')).status).toBe(404)
    expect((await settle(paid, 'succeeded')).status).toBe(200)
    expect((await settle(refused, 'failed')).status).toBe(200)
    const idsIn = async (report: string) => (await ippay.report(report)).map(({ Transaction_ID: id }) => id)
    expect(await idsIn('achsettlement')).toEqual([paid])
    expect(await idsIn('achrejects')).toEqual([refused])
    expect((await settle(paid, 'returned')).status).toBe(200)
    expect(await idsIn('achrejects')).toEqual([paid, refused])
    expect(await readBookings(paid)).toEqual([['returned', 2000, 'ach']])
  })

  test('a reversal pays into the account, once for each id', async () => {
    const [token, TransactionID] = [await tokenize(ACCOUNT), newId()]
    const reverse = () => ippay.call('REVERSAL', { TransactionID, TotalAmount: '500', UDField2: 'OURS' }, achOf(token))
    expect((await reverse()).fields['ActionCode']).toBe('000')
    expect((await reverse()).fields['ActionCode']).toBe('094')
    expect(await readBookings(TransactionID)).toEqual([['refunded', 500, 'ach']])
    expect((await ippay.report('ach')).find(({ Transaction_ID: id }) => id === TransactionID)).toMatchObject({ UD2: 'OURS' })
  })
})

describe('faults', () => {
  const sellWith = async (kind: string, isBooked?: boolean) => {
    await ippay.fault('charge', kind, { ms: 50, ...(isBooked === undefined ? {} : { booked: isBooked }) })
    const TransactionID = newId()
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
  const token = (await first.call('TOKENIZE', { TransactionID: newId(), ...CARD })).fields['Token'] ?? ''
  await first.stop()
  const second = await startTestIPpay({ dir: ippay.dir })
  const TransactionID = newId()
  await second.call('SALE', { TransactionID, Token: token, TotalAmount: '1000' })
  await second.postControl('/reset', {})
  expect((await second.call('ENQ', { TransactionID })).fields['ActionCode']).toBe('940')
  expect((await second.call('SALE', { TransactionID: newId(), Token: token, TotalAmount: '1000' })).fields['ActionCode']).toBe('000')
  await second.stop()
})
