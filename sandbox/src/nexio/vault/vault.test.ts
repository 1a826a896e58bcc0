import { randomBytes } from 'node:crypto'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNexio, type TestNexio } from '../test/test-nexio.ts'

let nexio: TestNexio
let now = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  nexio = await startTestNexio({ clock: () => now })
})
afterAll(async () => {
  await nexio.stop()
})

const newToken = async (body: object = {}): Promise<string> => (await nexio.call('POST', '/pay/v3/token', body)).body.token

const CARD = { expirationMonth: '1', expirationYear: '2030', cardHolderName: 'Kevin Batchelor', securityCode: '123' }

const save = async (card: object, more: object = {}, tokenBody: object = {}) =>
  nexio.call('POST', '/pay/v3/saveCard', { token: await newToken(tokenBody), card: { ...CARD, ...card }, ...more }, { user: '' })

test('a bank account is stored and read without its number', async () => {
  const token = await nexio.saveECheck()
  expect((await nexio.call('GET', `/pay/v3/vault/echeck/${token}`)).body).toMatchObject({
    bank: { accountHolderName: 'Jane Doe', routingNumber: '231375151' },
    tokenex: { lastFour: '6789', token },
  })
  expect(await readFile(join(nexio.dir, 'nexio.ndjson'), 'utf8')).not.toContain('000123456789')
})

test('a token can be used once, within an hour', async () => {
  const { body } = await nexio.call('POST', '/pay/v3/token', {})
  expect(body).toMatchObject({ expiration: new Date(now + 3_600_000).toISOString(), fraudUrl: expect.stringContaining(body.token) })
  const [card, options] = [{ ...CARD, encryptedNumber: await nexio.encrypt('4111111111111111') }, { user: '' }]
  expect((await nexio.call('POST', `/pay/v3/saveCard?token=${body.token}`, { card }, options)).status).toBe(200)
  expect(await nexio.call('POST', '/pay/v3/saveCard', { token: body.token, card }, options)).toMatchObject({
    status: 403,
    body: { error: 403 },
  })
  const late = await newToken()
  now += 3_600_000
  expect((await nexio.call('POST', '/pay/v3/saveCard', { token: late, card }, options)).status).toBe(403)
  expect((await nexio.call('POST', '/pay/v3/saveCard', { card })).status).toBe(401)
})

test('the public key is RSA of 2048 bits and stays the same after a restart', async () => {
  const publicKey = async (url: string) => (await fetch(`${url}/nexio/public-key`)).text()
  const first = await publicKey(nexio.url)
  expect(first).toMatch(/^MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A/)
  expect(await nexio.encrypt('4111111111111111')).toHaveLength(344)
  expect((await stat(join(nexio.dir, 'nexio-key.pem'))).mode & 0o077).toBe(0)
  const again = await startTestNexio({ dir: nexio.dir })
  expect(await publicKey(again.url)).toBe(first)
  await again.stop()
  const other = await startTestNexio()
  expect(await publicKey(other.url)).not.toBe(first)
  await other.stop()
})

test('what was not encrypted with this key, or holds no card number, is a validation error', async () => {
  const encrypted = [randomBytes(256).fill(1, 0, 1).toString('base64'), 'AAAA', 'not base64', await nexio.encrypt('4111111111111112')]
  for (const encryptedNumber of [...encrypted, await nexio.encrypt('name'), await nexio.encrypt('')])
    expect(await save({ encryptedNumber })).toMatchObject({ status: 400, body: { error: 400, message: expect.any(String) } })
  expect(await save({})).toMatchObject({ status: 400, body: { message: '"card.encryptedNumber" is required' } })
})

test('the security code 999 and the postal code 46282 are declined where they are verified', async () => {
  const encryptedNumber = await nexio.encrypt('4242424242424242')
  expect(await save({ encryptedNumber, securityCode: '999' }, { processingOptions: { verifyCvc: true } })).toMatchObject({
    status: 400,
    body: { error: 437, message: 'Verify CVC Failed', cvcResults: { matchCvv: false }, merchantId: '100039' },
  })
  expect((await save({ encryptedNumber, securityCode: '999' }, { processingOptions: { verifyCvc: false } })).status).toBe(200)
  const data = { customer: { billToPostal: '46282' } }
  expect(await save({ encryptedNumber }, { data, processingOptions: { verifyAvs: 1 } })).toMatchObject({
    status: 400,
    body: { error: 436, avsResults: { matchPostal: false } },
  })
  expect((await save({ encryptedNumber }, { data, processingOptions: { verifyAvs: 0 } })).status).toBe(200)
})

test('a card type that the token does not allow is rejected', async () => {
  const encryptedNumber = await nexio.encrypt('4242424242424242')
  expect((await save({ encryptedNumber }, {}, { data: { allowedCardTypes: ['amex'] } })).status).toBe(400)
  expect((await save({ encryptedNumber }, {}, { data: { allowedCardTypes: ['amex', 'visa'] } })).status).toBe(200)
})

test('merchants: one per account, two where the user name says so, and no others', async () => {
  expect((await nexio.call('GET', '/user/v3/account/whoAmI')).body).toMatchObject({ accessRights: { merchantIds: { '100039': 'A' } } })
  expect((await nexio.call('GET', '/merchant/v3')).body.rows).toMatchObject([{ merchantId: '100039' }])
  expect(await nexio.call('POST', '/pay/v3/token', { merchantId: '7' })).toMatchObject({ status: 400, body: { error: 409 } })
  const user = 'two-merchants'
  expect((await nexio.call('GET', '/merchant/v3', undefined, { user })).body.rows).toHaveLength(2)
  expect((await nexio.call('POST', '/pay/v3/token', {}, { user })).status).toBe(400)
  expect((await nexio.call('POST', '/pay/v3/token', { merchantId: '314467' }, { user })).status).toBe(200)
})

test('stored cards survive a restart and a reset; one-time-use tokens do not survive a reset', async () => {
  const first = await startTestNexio({ dir: `${nexio.dir}-again` })
  const token = await first.saveCard()
  const oneTime = (await first.call('POST', '/pay/v3/token', {})).body.token
  await first.stop()
  const second = await startTestNexio({ dir: first.dir })
  await second.postControl('/reset')
  expect((await second.call('GET', `/pay/v3/vault/card/${token}`)).status).toBe(200)
  expect((await second.call('POST', '/pay/v3/saveCard', { token: oneTime }, { user: '' })).status).toBe(403)
  await second.stop()
  await rm(first.dir, { recursive: true })
})

test('an unknown path, a body that is not JSON and an unknown method are answered in Nexio’s form', async () => {
  expect(await nexio.call('GET', '/pay/v4/nothing')).toMatchObject({ status: 404, body: { error: 404 } })
  expect(await nexio.call('POST', '/pay/v3/token', '{"broken')).toMatchObject({ status: 400, body: { error: 400 } })
})
