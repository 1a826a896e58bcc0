import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { hash } from '@node-rs/argon2'
import { buildApp } from '../../app.ts'
import {
  clientFor,
  sendRequest,
  MACHINE,
  PORTAL,
  refresh,
  postForm,
  sessionOf,
  signInAs,
  trySignIn,
} from '../../../test/support/http-client.ts'
import { ARGON2 } from '../../session/passwords.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addBrand, addCustomer, addTenant, addPerson, queryAsAdministrator, changePerson, PASSWORD } from '../../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>

beforeAll(async () => {
  context = await testContext({ LIMITS: 'account=100000/1s address=100000/1s network=100000/1s anonymous=100000/1s' }, { cost: ARGON2 })
  app = await context.app()
  tenant = await addTenant(context, { reseller: { id: 2204, name: 'Nimbus' }, brand: { domain: 'portal.nimbus.example' } })
})
afterAll(() => context.close())

const WRONG = { error: 'invalid_grant', error_description: 'Invalid username or password' }

test('[SESS-01] the password grant answers with tokens whose claims name the user, the brand and the reseller', async () => {
  const answer = await trySignIn(app, { username: tenant.person.username })
  expect(answer.json()).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 300,
    refresh_token: expect.stringMatching(/^[\w-]{43}$/),
  })
  const { access_token } = answer.json<{ access_token: string }>()
  expect(decodeProtectedHeader(access_token)).toEqual({ alg: 'EdDSA', typ: 'at+jwt' })
  const issuedAt = context.clock().getTime() / 1_000
  expect(decodeJwt(access_token)).toEqual({
    sid: expect.any(String),
    sub: tenant.person.id,
    BrandId: tenant.brandId,
    resellername: 'Nimbus',
    ResellerId: 2204,
    DisplayName: 'Some Body',
    iss: 'counterfoil',
    aud: 'counterfoil',
    iat: issuedAt,
    exp: issuedAt + 300,
  })
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('[SESS-01] neither the password nor a refresh token stands in the database', async () => {
  const { refreshToken, cookie } = await signInAs(app, tenant.person)
  const rows = await queryAsAdministrator<{ text: string }>(
    context,
    `select s::text || t::text || u::text as text from session s join refresh_token t on t.session_id = s.id join app_user u on u.id = s.user_id`,
  )
  const stored = rows.map(({ text }) => text).join('\n')
  for (const secret of [PASSWORD, refreshToken, cookie?.split('=')[1] ?? '']) {
    expect(secret).not.toBe('')
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
  }
})

test('[AUTH-03] a wrong password, an unknown user, a disabled user and one without a password have one answer', async () => {
  const { resellerId, brandId } = tenant
  const disabled = await addPerson(context, resellerId, brandId, [], { disabled_at: new Date() })
  const wordless = await addPerson(context, resellerId, brandId, [], { password_hash: null })
  for (const fields of [
    { username: tenant.person.username, password: 'wrong' },
    { username: 'nobody' },
    { username: disabled.username },
    { username: wordless.username },
    { username: tenant.person.username, password: PASSWORD.repeat(90).slice(0, 2_000) },
    { username: tenant.person.username, password: PASSWORD.toLowerCase() },
  ]) {
    const answer = await trySignIn(app, fields)
    expect([answer.statusCode, answer.json()]).toEqual([400, WRONG])
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
})

test('[SESS-01] a username is taken in any case and with blanks around it', async () => {
  await addPerson(context, tenant.resellerId, tenant.brandId, [], { username: 'Zoe.Müller@Example.com' })
  for (const username of ['zoe.müller@example.com', 'ZOE.MÜLLER@EXAMPLE.COM', '  Zoe.Müller@example.com ']) {
    expect((await trySignIn(app, { username })).statusCode, username).toBe(200)
  }
})

test.each([
  ['http://localhost:3000', /^counterfoil=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/],
  ['https://billing.example.com', /^__Host-counterfoil=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/],
  ['http://billing.example.com', /^counterfoil=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/],
])('[SESS-01] at %s the cookie of the portal is %s', async (publicUrl, cookie) => {
  const there = await buildApp(
    { ...context, config: { ...context.config, publicUrl } },
    { readiness: { isReady: true }, portalFolder: null },
  )
  const answer = await trySignIn(there, { username: tenant.person.username })
  const cookies = [answer.headers['set-cookie']].flat()
  expect(cookies).toContainEqual(expect.stringMatching(cookie))
  expect(cookies.map((set) => /; HttpOnly;( Secure;)? SameSite=Strict$/.test(set ?? ''))).toEqual([true, true])
  const session = sessionOf(answer)
  expect((await refresh(there, session.refreshToken, session.cookie)).statusCode).toBe(200)
  await there.close()
})

test("[SESS-01] a refresh of the portal's client without its cookie, or with another's, is refused and ends nothing", async () => {
  const mine = await signInAs(app, tenant.person)
  const other = await signInAs(app, tenant.person)
  for (const cookie of [null, other.cookie, 'counterfoil=', 'counterfoil=x', `__Host-${mine.cookie}`]) {
    const answer = await refresh(app, mine.refreshToken, cookie)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'Your session has ended. Please sign in again.' },
    ])
  }
  expect((await refresh(app, mine.refreshToken, `theme=dark; ${mine.cookie}; more=1`)).statusCode).toBe(200)
})

test('[SESS-01] another client id gets no cookie and refreshes without one, but never a token of the portal', async () => {
  const answer = await trySignIn(app, { username: tenant.person.username, ...MACHINE })
  expect(answer.headers['set-cookie']).toBeUndefined()
  const machine = sessionOf(answer)
  expect((await refresh(app, machine.refreshToken, null, MACHINE)).statusCode).toBe(200)
  const portal = await signInAs(app, tenant.person)
  expect((await refresh(app, portal.refreshToken, null, MACHINE)).statusCode).toBe(400)
  expect((await refresh(app, portal.refreshToken, portal.cookie, MACHINE)).statusCode).toBe(400)
})

test("[SESS-01] the portal's client id with another secret is refused as OAuth says", async () => {
  const answer = await trySignIn(app, { username: tenant.person.username, client_secret: 'guess' })
  expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_client'])
})

test.each<[string, Record<string, string>, boolean]>([
  ['the portal itself', { 'sec-fetch-site': 'same-origin', origin: 'https://portal.nimbus.example' }, true],
  ['a form on another site', { 'sec-fetch-site': 'cross-site', origin: 'https://attacker.net' }, false],
  ['a form on a neighbouring host', { 'sec-fetch-site': 'same-site', origin: 'https://shop.nimbus.example' }, false],
  ['a page elsewhere that hides its origin', { 'sec-fetch-site': 'cross-site' }, false],
  ['an older browser at the portal', { origin: 'https://portal.nimbus.example' }, true],
  ['an older browser elsewhere', { origin: 'https://attacker.net' }, false],
  ['a sandboxed frame', { origin: 'null' }, false],
  ['a program', {}, true],
])('[SESS-01] %s signs in the portal’s client, and gets its cookies, or does not', async (_, headers, isAllowed) => {
  const answer = await trySignIn(app, { username: tenant.person.username }, { host: 'portal.nimbus.example', ...headers })
  expect([answer.statusCode, answer.headers['set-cookie'] !== undefined]).toEqual([isAllowed ? 200 : 403, isAllowed])
  const machine = await trySignIn(app, { username: tenant.person.username, ...MACHINE }, { host: 'portal.nimbus.example', ...headers })
  expect([machine.statusCode, machine.headers['set-cookie']]).toEqual([200, undefined])
})

test('[SESS-01] an unknown code is refused', async () => {
  const answer = await postForm(app, '/token', {
    grant_type: 'authorization_code',
    code: 'abc',
    redirect_uri: 'https://x.example',
    ...PORTAL,
  })
  expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_grant'])
})

const user = { username: 'demo', password: PASSWORD, ...PORTAL }
test.each<[string, Record<string, string | string[]>, string, string]>([
  ['an unknown grant', { ...user, grant_type: 'implicit' }, 'unsupported_grant_type', 'This grant type is not supported.'],
  ['no grant', user, 'invalid_request', 'body.grant_type is missing.'],
  ['a grant twice', { ...user, grant_type: ['password', 'password'] }, 'invalid_request', 'body.grant_type must be string.'],
  ['a username twice', { ...user, grant_type: 'password', username: ['a', 'b'] }, 'invalid_request', 'body.username must be string.'],
  ['no password', { grant_type: 'password', username: 'demo', ...PORTAL }, 'invalid_request', 'body.password is missing.'],
  ['no client', { grant_type: 'password', username: 'demo', password: 'x' }, 'invalid_request', 'body.client_id is missing.'],
  ['an unknown field', { ...user, grant_type: 'password', admin: 'true' }, 'invalid_request', 'body.admin is not a field of this call.'],
  ['a NUL', { ...user, grant_type: 'password', username: 'de\0mo' }, 'invalid_request', 'The text holds a character that cannot be used.'],
  [
    'an empty refresh token',
    { grant_type: 'refresh_token', refresh_token: '', ...PORTAL },
    'invalid_request',
    'body.refresh_token must NOT have fewer than 1 characters.',
  ],
])('[SESS-01] a form with %s is refused in words, as OAuth writes it', async (_, fields, error, words) => {
  const answer = await postForm(app, '/token', fields)
  expect([answer.statusCode, answer.json()]).toEqual([400, { error, error_description: words }])
})

test('[SESS-01] a password of ten megabytes is not even read', async () => {
  const answer = await trySignIn(app, { username: 'demo', password: 'x'.repeat(10_000_000) })
  expect([answer.statusCode, answer.json()]).toEqual([413, { error: 'invalid_request', error_description: 'The request is too large.' }])
})

test('[SESS-01] the token call takes forms alone: JSON, plain text and no type at all are refused', async () => {
  const fields = { grant_type: 'password', username: tenant.person.username, password: PASSWORD, ...PORTAL }
  const payload = JSON.stringify(fields)
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', undefined]) {
    const answer = await sendRequest(app, {
      method: 'POST',
      url: '/token',
      payload,
      headers: type === undefined ? {} : { 'content-type': type },
    })
    expect([answer.statusCode, answer.json().error], type ?? 'none').toEqual([415, 'invalid_request'])
  }
})

test("[AUTH-03] on a brand's own host only its own users sign in, and a session of another brand is not known there", async () => {
  const { resellerId, customerId } = tenant
  const otherBrand = await addBrand(context, resellerId, { domain: 'other.nimbus.example' })
  const otherCustomer = await addCustomer(context, resellerId, otherBrand)
  const other = await addPerson(context, resellerId, otherBrand, [otherCustomer])
  const at = { host: 'Portal.Nimbus.example:8443' }
  expect((await trySignIn(app, { username: tenant.person.username }, at)).statusCode).toBe(200)
  const refused = await trySignIn(app, { username: other.username }, at)
  expect([refused.statusCode, refused.json()]).toEqual([400, WRONG])

  const anywhere = await trySignIn(app, { username: other.username }, { host: 'unclaimed.example' })
  const session = sessionOf(anywhere)
  expect((await clientFor(app, session, otherCustomer).get('/v1/ec/settings')).statusCode).toBe(200)
  expect((await clientFor(app, session, otherCustomer).get('/v1/ec/settings', at)).statusCode).toBe(401)
  expect((await clientFor(app, session, customerId).get('/v1/ec/me', at)).statusCode).toBe(401)
})

test('[SESS-01] a hash of older parameters is made anew at the next sign-in, and the password stays the same', async () => {
  const secret = context.keys.mac('pepper')
  const dated = await hash(PASSWORD, { memoryCost: 4_096, timeCost: 1, parallelism: 1, secret })
  const person = await addPerson(context, tenant.resellerId, tenant.brandId, [], { password_hash: dated })
  const stored = async () =>
    (await queryAsAdministrator<{ hash: string }>(context, 'select password_hash as hash from app_user where id = $1', [person.id]))[0]
      ?.hash
  expect((await trySignIn(app, { username: person.username, password: 'wrong' })).statusCode).toBe(400)
  expect(await stored()).toBe(dated)
  await signInAs(app, person)
  expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  await signInAs(app, person)
})

test('[SESS-04] revoking the refresh token ends the session at once, and an unknown token has the same answer', async () => {
  const session = await signInAs(app, tenant.person)
  const signed = clientFor(app, session)
  expect((await signed.get('/v1/ec/me')).statusCode).toBe(200)
  const stranger = await postForm(app, '/revoke', { token: session.refreshToken, ...MACHINE })
  expect((await signed.get('/v1/ec/me')).statusCode).toBe(200)
  const unknown = await postForm(app, '/revoke', { token: 'no-such-token', ...PORTAL })
  const known = await postForm(app, '/revoke', { token: session.refreshToken, token_type_hint: 'refresh_token', ...PORTAL })
  for (const answer of [stranger, unknown, known]) expect([answer.statusCode, answer.body]).toEqual([200, '{}'])
  expect((await signed.get('/v1/ec/me')).statusCode).toBe(401)
  expect((await refresh(app, session.refreshToken, session.cookie)).statusCode).toBe(400)
})

test('[SESS-04] a disabled user is signed out within a second and cannot refresh', async () => {
  const person = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])
  const session = await signInAs(app, person)
  expect((await clientFor(app, session).get('/v1/ec/me')).statusCode).toBe(200)
  await changePerson(context, tenant.resellerId, person.id, { disabled_at: context.clock() })
  context.advance(1_000)
  expect((await clientFor(app, session).get('/v1/ec/me')).statusCode).toBe(401)
  expect((await refresh(app, session.refreshToken, session.cookie)).statusCode).toBe(400)
})
