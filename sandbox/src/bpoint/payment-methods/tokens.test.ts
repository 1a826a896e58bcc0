import { afterAll, beforeAll, expect, test } from 'vitest'
import { MERCHANT, startTestBpoint, type TestBpoint } from '../test/test-bpoint.ts'

let bpoint: TestBpoint

beforeAll(async () => {
  bpoint = await startTestBpoint()
})
afterAll(async () => {
  await bpoint.stop()
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
