import { afterAll, beforeAll, expect, test } from 'vitest'
import { CARD, startTestPinch, type TestPinch } from '../test/test-pinch.ts'

let pinch: TestPinch
let now = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  pinch = await startTestPinch({ clock: () => now })
})
afterAll(async () => {
  await pinch.stop()
})

const firstMessage = (body: { errorMessage: string }[]): string => body[0]?.errorMessage ?? ''

test('a browser of any site makes tokens with the publishable key, whatever the case of the names', async () => {
  const own = await startTestPinch({ clock: () => now })
  const pascal = Object.fromEntries(
    Object.entries(CARD).map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), String(value)]),
  )
  const answer = await own.call('POST', '/tokens', { PublishableKey: 'pk_test_app_acme', ...pascal }, { bearer: '' })
  expect(answer).toMatchObject({
    status: 200,
    body: {
      token: expect.stringMatching(/^tkn_\w{28}$/),
      cardHolderName: 'Ben Hotdog',
      displayCardNumber: '4242',
      expiryDate: '2039-12-01T00:00:00Z',
      cardScheme: 'visa',
      origin: 'AU',
    },
  })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect((await own.call('OPTIONS', '/tokens')).headers.get('access-control-allow-headers')).toContain('content-type')
  await own.stop()
})

test.each([
  [{ publishableKey: 'pk_live_app_acme' }, 'Invalid publishable key: pk_live_app_acme'],
  [{ cardNumber: '4539578763621486' }, /^Not a valid test card number/],
  [{ cardNumber: '4242' }, 'Card number is not a valid credit card number.'],
  [{ expiryMonth: 13 }, 'The card has expired.'],
  [{ expiryYear: 2020 }, 'The card has expired.'],
  [{ cvc: '1' }, 'CVC is not valid.'],
  [{ cardHolderName: ' ' }, "'Card Holder Name' must not be empty."],
])('no token is made for %j', async (change, message) => {
  const own = await startTestPinch({ clock: () => now })
  const { status, body } = await own.call('POST', '/tokens', { publishableKey: 'pk_test_app_acme', ...CARD, ...change }, { bearer: '' })
  expect([status, firstMessage(body)]).toEqual([400, expect.stringMatching(message)])
  await own.stop()
})

test('a payer needs a first name, an email address and an Australian mobile number', async () => {
  const own = await startTestPinch({ clock: () => now })
  const save = async (fields: object) =>
    firstMessage((await own.call('POST', '/payers', { firstName: 'Ben', emailAddress: 'a@b.example', ...fields })).body)
  expect(await save({ firstName: '' })).toContain('First Name')
  expect(await save({ emailAddress: 'ben' })).toContain('Email Address')
  expect(await save({ mobileNumber: '0000000000' })).toBe('Mobile number must be a valid Australian number without international codes.')
  const { payerId } = await own.payerWithCard()
  expect(await own.call('POST', '/payers', { id: payerId, lastName: 'Sausage' })).toMatchObject({
    status: 200,
    body: { lastName: 'Sausage', firstName: 'Ben' },
  })
  await own.stop()
})

test('modes and accounts are separate, and payers survive a restart', async () => {
  const own = await startTestPinch({ clock: () => now })
  const { payerId } = await own.payerWithCard()
  expect((await own.call('GET', `/payers/${payerId}`, undefined, { mode: 'live' })).status).toBe(404)
  const other = (await own.authenticate('app_other')).body.access_token
  expect((await own.call('GET', `/payers/${payerId}`, undefined, { bearer: other })).status).toBe(404)
  const restarted = await startTestPinch({ clock: () => now, dir: own.dir })
  expect((await restarted.call('GET', `/payers/${payerId}`)).body.sources).toHaveLength(1)
  await restarted.stop()
  await own.stop()
})
