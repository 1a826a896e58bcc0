import { afterAll, beforeAll, expect, test } from 'vitest'
import { bank, card, MERCHANT, startTestBpoint, type TestBpoint } from '../test/test-bpoint.ts'

let bpoint: TestBpoint

beforeAll(async () => {
  bpoint = await startTestBpoint()
})
afterAll(async () => {
  await bpoint.stop()
})

test('a card becomes a token of the customer that the server has fixed, without number and code', async () => {
  const { status, body } = await bpoint.store(card({ number: '4987654321098769' }), { crn1: '42', emailAddress: 'jane@example.com' })
  expect([status, body.token]).toEqual([
    200,
    {
      token: expect.stringMatching(/^9999\d{12}$/),
      merchantNumber: MERCHANT,
      crn1: '42',
      crn2: null,
      crn3: null,
      paymentMethod: {
        card: {
          number: '498765...769',
          expiry: { month: '05', year: '39' },
          name: 'Jane Citizen',
          scheme: 'Visa',
          localisation: 'Local',
          type: 'Credit',
        },
        bank: null,
      },
      emailAddress: 'jane@example.com',
      createdDateTime: expect.any(String),
      updatedDateTime: expect.any(String),
    },
  ])
  const { token } = body.token
  expect((await bpoint.call('GET', `/tokens/${token}`)).body).toEqual(body.token)
  expect((await bpoint.call('POST', '/tokens/search', { crn1: '42' })).body).toMatchObject({ resultCount: 1, tokens: [{ token }] })
  expect((await bpoint.call('POST', '/tokens/search', { crn1: '43' })).body.resultCount).toBe(0)
})

test('a token pays through a key of its own, and no longer when it is deleted', async () => {
  const { token } = (await bpoint.store()).body.token
  const { txn } = (await bpoint.pay({ token })).body
  expect(txn).toMatchObject({ responseCode: '0', isCvnPresent: false, paymentMethod: { token, card: { number: '512345...346' } } })
  const key = await bpoint.prepareTxn({ token })
  expect((await bpoint.call('GET', `/txns/authkeys/${key}/payment-method`)).body).toEqual({ accepted: true, surcharge: 0, token })
  expect((await bpoint.call('DELETE', `/tokens/${token}`)).status).toBe(200)
  expect(await bpoint.call('DELETE', `/tokens/${token}`)).toMatchObject({
    status: 404,
    body: { code: 'NotFound', message: 'Token not found' },
  })
  expect((await bpoint.pay({ token })).body.code).toBe('InvalidFlow')
})

test('a key for a token changes that one: its details, and its method where one is attached', async () => {
  const { token } = (await bpoint.store(bank(), { crn1: '7' })).body.token
  const change = async (details: object, method?: object) => {
    const key = (await bpoint.call('POST', '/tokens/authkeys', { token })).body.authkey
    await bpoint.call('PUT', `/tokens/authkeys/${key}/token-details`, details)
    if (method !== undefined) await bpoint.call('PUT', `/tokens/authkeys/${key}/payment-method`, method, { merchant: '' })
    return (await bpoint.call('POST', `/tokens/authkeys/${key}/process`, {})).body.token
  }
  expect(await change({ emailAddress: 'new@example.com' })).toMatchObject({
    token,
    crn1: '7',
    emailAddress: 'new@example.com',
    paymentMethod: { bank: { bsb: '062000' } },
  })
  expect(await change({}, card())).toMatchObject({ token, emailAddress: 'new@example.com', paymentMethod: { bank: null } })
  expect((await bpoint.call('PUT', `/tokens/${token}`, { crn1: '8' })).body.crn1).toBe('8')
  expect((await bpoint.call('POST', '/tokens/authkeys', { token: 'none' })).status).toBe(404)
})

test('a key stores one method, once', async () => {
  const key = (await bpoint.call('POST', '/tokens/authkeys', {})).body.authkey
  const process = async () => bpoint.call('POST', `/tokens/authkeys/${key}/process`, {})
  expect((await process()).body.code).toBe('InvalidFlow')
  await bpoint.call('PUT', `/tokens/authkeys/${key}/payment-method`, card(), { merchant: '' })
  expect([(await process()).status, (await process()).body.code]).toEqual([200, 'InvalidFlow'])
  // A key for a payment stores nothing.
  expect((await bpoint.call('POST', `/tokens/authkeys/${await bpoint.prepareTxn()}/process`, {})).status).toBe(404)
})

test('a payment becomes a token', async () => {
  const { txnNumber } = (await bpoint.pay()).body.txn
  expect((await bpoint.call('POST', `/tokens/txn/${txnNumber}`, {})).body).toMatchObject({ crn1: '7', paymentMethod: { bank: null } })
})

test.each(['', 'Basic x', `Basic ${btoa('user:secret')}`, `Basic ${btoa('user|123:secret')}`, `Basic ${btoa(`user|${MERCHANT}:invalid`)}`])(
  'the authorization "%s" is refused',
  async (authorization) => {
    const answer = await fetch(`${bpoint.url}/bpoint/rest/v5/txns/authkeys`, { method: 'POST', headers: { authorization } })
    expect([answer.status, await answer.json()]).toEqual([401, { code: 'InvalidCredentials', message: 'Invalid credentials' }])
  },
)
