import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type CallOptions, startTestNexio, type TestNexio } from '../test/test-nexio.ts'

let nexio: TestNexio
let card: string
let now = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  nexio = await startTestNexio({ clock: () => now })
  card = await nexio.saveCard()
})
afterEach(async () => {
  await nexio.postControl('/reset')
})
afterAll(async () => {
  await nexio.stop()
})

interface Payment {
  readonly amount?: unknown
  readonly currency?: string
  readonly orderNumber?: string
  readonly token?: string
  readonly customer?: object
  readonly more?: object
  readonly options?: CallOptions
}

const pay = async (
  path: string,
  { amount = 5.99, currency = 'USD', orderNumber = 'a:1', customer, more, options, ...payment }: Payment = {},
) => {
  const data = { amount, currency, customer: { orderNumber, ...customer } }
  return nexio.call('POST', path, { tokenex: { token: payment.token ?? card }, data, ...more }, options)
}
const payByCard = async (payment?: Payment) => pay('/pay/v3/process', payment)
const payByECheck = async (payment?: Payment) =>
  pay('/pay/v3/processECheck', { token: await nexio.saveECheck(payment?.options), ...payment })

const lookUp = async (id: string) => nexio.call('GET', `/transaction/v3/paymentId/${encodeURIComponent(id)}`)
const list = async (query: string, options?: CallOptions) =>
  (await nexio.call('GET', `/transaction/v3?${query}`, undefined, options)).body.rows
const statuses = async (orderNumber = 'a:1') =>
  (await list(`plugin.orderNumber=${orderNumber}`)).map(({ transactionStatus }: { transactionStatus: number }) => transactionStatus)
const ledger = async () => (await nexio.ledger()).map(({ status, amount, reference }) => [status, amount, reference])

test('the list filters by status and dates, and has pages', async () => {
  for (const orderNumber of ['1', '2', '3']) {
    await payByCard({ orderNumber })
    now += 86_400_000
  }
  const orders = async (query: string) =>
    (await list(`plugin&${query}`)).map(({ plugin }: { plugin: { orderNumber: string } }) => plugin.orderNumber)
  const day = (offset: number) => new Date(now - offset * 86_400_000 - 3_600_000).toISOString()
  expect(await orders('transactionStatus=10')).toEqual(['3', '2', '1'])
  expect(await orders('transactionStatus=20')).toEqual([])
  expect(await orders('limit=1&offset=1')).toEqual(['2'])
  expect(await orders(`startDate=${day(2)}&endDate=${day(1)}`)).toEqual(['2'])
  expect((await nexio.call('GET', '/transaction/v3')).status).toBe(500)
})

test('a wrong security code or postal code is declined', async () => {
  const more = { card: { securityCode: '999' }, processingOptions: { verifyCvc: true } }
  expect(await payByCard({ more })).toMatchObject({ status: 400, body: { error: 437, cvcResults: { matchCvv: false } } })
  expect(await payByCard({ more: { ...more, processingOptions: { verifyCvc: false } } })).toMatchObject({
    status: 400,
    body: { error: 435, message: 'Declined for CVV failure' },
  })
  const address = { customer: { billToPostal: '46282' }, more: { processingOptions: { verifyAvs: 2 } } }
  expect(await payByCard(address)).toMatchObject({ status: 400, body: { error: 436, avsResults: { matchPostal: false } } })
  expect([await ledger(), await statuses()]).toEqual([[], [30, 30, 30]])
})

test('a card that has expired is declined when it is charged', async () => {
  const token = await nexio.saveCard()
  await nexio.call('PUT', `/pay/v3/vault/card/${token}`, { card: { expirationMonth: '9', expirationYear: '26' } })
  expect(await payByCard({ token })).toMatchObject({ status: 400, body: { error: 435, message: 'Expired card' } })
})

test('amounts are numbers with the decimals of their currency', async () => {
  for (const amount of ['5.99', 0, -1, 5.999, null, undefined])
    expect(await pay('/pay/v3/process', { amount: amount ?? null })).toMatchObject({ status: 400, body: { error: 400 } })
  expect((await payByCard({ amount: 500.5, currency: 'JPY' })).status).toBe(400)
  expect((await payByCard({ amount: 500, currency: 'JPY' })).body.amount).toBe(500)
  expect((await payByCard({ amount: 1234567.89 })).body.amount).toBe(1_234_567.89)
  expect((await payByCard({ token: 'none' })).status).toBe(404)
  expect(await ledger()).toEqual([
    ['succeeded', 500, 'a:1'],
    ['succeeded', 123_456_789, 'a:1'],
  ])
})

test('an authorization moves no money until it is captured', async () => {
  const { body } = await payByCard({ more: { isAuthOnly: true } })
  expect([body.transactionStatus, body.transactionType, await ledger(), await statuses()]).toEqual(['authOnly', 'auth', [], [11]])
  const capture = async (amount: number) => nexio.call('POST', '/pay/v3/capture', { id: body.id, data: { amount } })
  expect((await capture(6)).status).toBe(400)
  expect((await capture(5)).body).toMatchObject({ id: body.id, transactionStatus: 'pending', amount: 5 })
  expect([await ledger(), await statuses()]).toEqual([[['succeeded', 500, 'a:1']], [10]])
  expect((await capture(5)).status).toBe(400)
  const other = (await payByCard({ orderNumber: 'a:2', more: { isAuthOnly: true } })).body
  expect((await nexio.call('POST', '/pay/v3/void', { id: other.id })).status).toBe(200)
  expect(await ledger()).toHaveLength(1)
})

test('the payment option nexioAuto settles at once', async () => {
  const { body } = await payByCard({ more: { processingOptions: { paymentOptionTag: 'nexioAuto' } } })
  expect([body.transactionStatus, await statuses(), await ledger()]).toEqual(['settled', [20], [['succeeded', 599, 'a:1']]])
})

test('a pending eCheck can be voided, and a bank account can be debited without being stored', async () => {
  const bank = { accountHolderName: 'J', routingNumber: '999546788', encryptedBankAccountNumber: await nexio.encrypt('123456') }
  const { status, body } = await nexio.call('POST', '/pay/v3/processECheck', { bank, data: { amount: 7, currency: 'USD' } })
  expect([status, body.token.lastFour]).toEqual([200, '3456'])
  expect((await nexio.call('POST', '/pay/v3/void', { id: body.id })).status).toBe(200)
  expect(await ledger()).toEqual([['failed', 700, '']])
  expect(await payByECheck({ amount: 1.51 })).toMatchObject({ status: 400, body: { error: 435, message: 'Insufficient funds' } })
})

const REDIRECT = { processingOptions: { check3ds: true, customerRedirectUrl: 'https://portal.example/return?attempt=7' } }
const answerBank = async (url: string, outcome: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' })
const resultOf = (response: Response) => Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams)

test('3-D Secure: the payment is made when the customer completes it, and once', async () => {
  const { status, body } = await payByCard({ customer: { email: 'sam+3ds@acme.example' }, more: REDIRECT })
  expect([status, body]).toEqual([
    200,
    { status: 'redirect', redirectUrl: expect.stringMatching(`^${nexio.url}/nexio/3ds/[0-9a-f-]{36}$`) },
  ])
  expect([await ledger(), await statuses()]).toEqual([[], []])
  expect(await (await fetch(body.redirectUrl)).text()).toContain('USD 5.99')
  const result = resultOf(await answerBank(body.redirectUrl, 'complete'))
  expect(result).toEqual({ attempt: '7', id: expect.any(String), status: 'pending', orderNumber: 'a:1' })
  expect((await lookUp(result['id'] ?? '')).body).toMatchObject({ transactionStatus: 10, amount: 5.99 })
  expect(resultOf(await answerBank(body.redirectUrl, 'fail'))).toEqual(result)
  expect(await ledger()).toEqual([['succeeded', 599, 'a:1']])
  expect(await (await fetch(body.redirectUrl)).text()).toContain('Nothing is left to do here.')
})

test('3-D Secure: a failed authentication moves no money', async () => {
  const { body } = await payByCard({ token: await nexio.saveCard('4000000000003220'), more: REDIRECT })
  expect(resultOf(await answerBank(body.redirectUrl, 'fail'))).toMatchObject({ status: 'declined', orderNumber: 'a:1' })
  expect([await ledger(), await statuses()]).toEqual([[], [30]])
})

test('3-D Secure: an authenticated payment can be declined, and the bank’s page expires after an hour', async () => {
  const customer = { email: '3ds@acme.example' }
  const declined = await payByCard({ amount: 1.05, customer, more: REDIRECT })
  expect(resultOf(await answerBank(declined.body.redirectUrl, 'complete'))).toMatchObject({ status: 'declined' })
  const late = await payByCard({ orderNumber: 'a:2', customer, more: REDIRECT })
  now += 3_600_000
  expect(resultOf(await answerBank(late.body.redirectUrl, 'complete'))).toEqual({ attempt: '7', status: 'expired', orderNumber: 'a:2' })
  expect([await ledger(), await statuses('a:2')]).toEqual([[], []])
  expect((await payByCard({ customer })).body.status).toBeUndefined()
})
