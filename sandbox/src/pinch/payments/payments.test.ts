import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPinch, type TestPinch } from '../test/test-pinch.ts'

let pinch: TestPinch
let card: { payerId: string; sourceId: string }
let account: { payerId: string; sourceId: string }
const now = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  pinch = await startTestPinch({ clock: () => now })
  card = await pinch.payerWithCard()
  account = await pinch.payerWithAccount()
})
afterAll(async () => {
  await pinch.stop()
})

let count = 0
const newNonce = (): string => `nonce-${++count}`
const charge = (more: object = {}) => pinch.call('POST', '/payments/realtime', { ...card, amount: 1245, nonce: newNonce(), ...more })
const debit = (more: object = {}) =>
  pinch.call('POST', '/payments', { ...account, amount: 1245, transactionDate: '2026-11-23', nonce: newNonce(), ...more })
const listBooked = async (nonce: string) =>
  (await pinch.ledger()).filter(({ reference }) => reference === nonce).map(({ status, amount }) => [status, amount])

test('a stored card is charged at once, with the fees of the examples', async () => {
  const { status, body } = await charge({ nonce: 'one', description: 'A sweet new hat', metadata: 'ref' })
  expect([status, body]).toMatchObject([
    201,
    {
      amount: 1245,
      currency: 'AUD',
      status: 'approved',
      totalFee: 61,
      sourceType: 'credit-card',
      nonce: 'one',
      metadata: 'ref',
      refunds: [],
    },
  ])
  expect(body.attempts[0]).toMatchObject({ status: 'approved', source: { displayCardNumber: '4242' }, dishonour: null })
  expect((await charge({ amount: '1000' })).body.totalFee).toBe(55)
  expect(await listBooked('one')).toEqual([['succeeded', 1245]])
})

test('a new card needs a full name and an email address, and makes a payer', async () => {
  const token = await pinch.cardToken()
  const order = { amount: 1245, token, fullName: 'Ada Lovelace', email: 'ada@payer.example' }
  const pay = (fields: object) => pinch.call('POST', '/payments/realtime', { ...order, ...fields })
  expect((await pay({})).body).toMatchObject({ status: 'approved', payer: { firstName: 'Ada', lastName: 'Lovelace' } })
  expect((await pay({ fullName: '' })).status).toBe(400)
  expect((await pay({ email: '' })).status).toBe(400)
  expect((await pay({ token: 'tkn_none' })).status).toBe(400)
  expect((await pay(card)).body[0].errorMessage).toBe('Supply only a payerId (no full/first/last names) to use an existing Payer')
  expect((await charge({ payerId: 'pyr_none' })).body[0].errorMessage).toBe("Can't find payer with Id: pyr_none")
})

test('a code in the text means nothing in live mode', async () => {
  const own = await pinch.authenticate()
  const live = { mode: 'live', bearer: own.body.access_token }
  const { body: payer } = await pinch.call(
    'POST',
    '/payers',
    {
      firstName: 'Ada',
      emailAddress: 'a@b.example',
      source: { sourceType: 'bank-account', bankAccountName: 'A', bankAccountBsb: '000000', bankAccountNumber: '12345' },
    },
    live,
  )
  const order = { payerId: payer.id, amount: 100, transactionDate: '2026-11-23', description: '#insufficient-funds' }
  expect((await pinch.call('POST', '/payments', order, live)).body.status).toBe('scheduled')
})

test('lists have pages and days, and show neither nonce nor attempts', async () => {
  await charge()
  const list = async (query: string, kind = 'processed') => (await pinch.call('GET', `/payments/${kind}?${query}`)).body
  const { data, totalItems } = await list('startDate=2026-11-21&endDate=2026-11-21&pageSize=2')
  expect([data.length, totalItems > 2]).toEqual([2, true])
  expect(Object.keys(data[0])).not.toContain('nonce')
  expect((await list('startDate=2026-11-24')).totalItems).toBe(0)
  const scheduled = (await debit()).body.id
  expect((await list('', 'scheduled')).data).toMatchObject([{ id: scheduled, status: 'scheduled' }])
  expect((await pinch.call('GET', `/payments/payer/${account.payerId}`)).body).toContainEqual(expect.objectContaining({ id: scheduled }))
})
