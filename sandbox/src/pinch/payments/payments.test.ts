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
const settle = async (id: string, outcome: string) => (await pinch.postControl('/settle', { provider: 'pinch', id, outcome })).status
const read = async (id: string) => (await pinch.call('GET', `/payments/${id}`)).body

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

test('a nonce that is used again answers with the first payment, and moves nothing', async () => {
  const first = await charge({ nonce: 'twice' })
  const again = await charge({ nonce: 'twice', amount: 999 })
  expect([again.status, again.body]).toMatchObject([
    403,
    { isNonceReplay: true, nonce: 'twice', data: { id: first.body.id, amount: 1245 } },
  ])
  expect(await listBooked('twice')).toEqual([['succeeded', 1245]])
  const check = async (nonce: string) => (await pinch.call('POST', '/payments/nonce', { nonce })).body
  expect(await check('twice')).toMatchObject({ isNonceReplay: true, data: { id: first.body.id, status: 'approved' } })
  expect(await check('never')).toEqual({ isNonceReplay: false, nonce: 'never', data: null })
})

test.each([
  [{ description: 'Hat #insufficient-funds' }, 'insufficient-funds'],
  [{ description: 'Hat #invalid-card' }, 'invalid-card'],
  [{ amount: 1051 }, 'insufficient-funds'],
  [{ amount: 1005 }, 'blocked-by-bank'],
  [{ amount: 1097 }, 'temporary-problem'],
])('a payment with %j is dishonoured, and moves nothing', async (more, type) => {
  const { status, body } = await charge({ ...more, nonce: `no ${type} ${JSON.stringify(more)}` })
  expect([status, body]).toMatchObject([201, { status: 'dishonoured', attempts: [{ status: 'dishonoured', dishonour: { type } }] }])
  expect(await listBooked(body.nonce)).toEqual([])
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

test('a debit is scheduled, settled and returned by its bank', async () => {
  const { status, body } = await debit({ nonce: 'debit' })
  expect([status, body]).toMatchObject([
    201,
    { status: 'scheduled', totalFee: 42, sourceType: 'bank-account', transactionDate: '2026-11-22T14:00:00.0000000Z' },
  ])
  expect(await listBooked('debit')).toEqual([['pending', 1245]])
  expect(await settle(body.id, 'returned')).not.toBe(200)
  expect(await settle(body.id, 'succeeded')).toBe(200)
  expect(await read(body.id)).toMatchObject({ status: 'settled', attempts: [{ settlement: { amount: 1245 } }] })
  expect(await listBooked('debit')).toEqual([['succeeded', 1245]])
  expect(await settle(body.id, 'returned')).toBe(200)
  expect(await read(body.id)).toMatchObject({
    status: 'dishonoured',
    attempts: [{ settlement: { amount: 1245 }, dishonour: { type: 'insufficient-funds' } }],
  })
  expect(await listBooked('debit')).toEqual([['returned', 1245]])
})

test('a debit that fails has no settlement, and one that is still scheduled can be cancelled', async () => {
  const failing = (await debit({ nonce: 'failing' })).body.id
  await settle(failing, 'failed')
  expect(await read(failing)).toMatchObject({ status: 'dishonoured', attempts: [{ settlement: null }] })
  expect(await listBooked('failing')).toEqual([['failed', 1245]])
  const cancelled = (await debit()).body.id
  expect((await pinch.call('DELETE', `/payments/${cancelled}`)).status).toBe(200)
  expect((await read(cancelled)).status).toBe('cancelled')
  expect(await pinch.call('DELETE', `/payments/${cancelled}`)).toMatchObject({
    status: 400,
    body: { successful: false, errorMessages: [{ propertyName: 'paymentId' }] },
  })
  expect((await pinch.call('DELETE', '/payments/pmt_none')).body.errorMessages[0].errorMessage).toBe('Payment with id: pmt_none not found')
})

test('refunds are requested once for each nonce, up to the amount, and end as completed or failed', async () => {
  const { id } = (await charge({ nonce: 'refunded' })).body
  const refund = (amount: number, nonce: string) =>
    pinch.call('POST', '/refunds', { paymentId: id, amount, reason: 'Requested by Payer', nonce })
  const first = await refund(1000, 'r1')
  expect([first.status, first.body]).toMatchObject([
    201,
    { amount: 1000, status: 'requested', reasonForRefund: 'Requested by Payer', nonce: 'r1' },
  ])
  expect(await refund(1000, 'r1')).toMatchObject({ status: 403, body: { isNonceReplay: true, data: { id: first.body.id } } })
  expect((await refund(1000, 'r2')).status).toBe(400)
  expect((await refund(245, 'r3')).status).toBe(201)
  expect((await read(id)).refunds).toMatchObject([{ amount: 245 }, { amount: 1000, status: 'requested' }])
  expect(await settle(first.body.id, 'failed')).toBe(200)
  expect((await pinch.call('GET', `/refund/${first.body.id}`)).body).toMatchObject({ status: 'failed', paymentId: id })
  expect((await refund(1000, 'r4')).status).toBe(201)
  expect((await pinch.call('POST', '/refunds/nonce', { nonce: 'r4' })).body).toMatchObject({ isNonceReplay: true })
  expect((await pinch.call('POST', '/refunds', { paymentId: 'pmt_none', amount: 1 })).body[0].errorMessage).toBe(
    'Could not find a payment with ID: pmt_none',
  )
  expect(await listBooked('refunded')).toEqual([
    ['succeeded', 1245],
    ['failed', 1000],
    ['refunded', 245],
    ['refunded', 1000],
  ])
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
