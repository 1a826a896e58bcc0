import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, refresh, signInAs, type TestSession, trySignIn, problemBody } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addTenant, addPerson, queryAsAdministrator, PASSWORD, type TestPerson } from '../../../test/support/people.ts'

const NEW = 'Quarry-Otter-29-lantern'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let person: TestPerson
let session: TestSession

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  tenant = await addTenant(context)
})
beforeEach(async () => {
  person = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])
  session = await signInAs(app, person)
})
afterAll(() => context.close())

const change = (oldPassword: string, newPassword: string, by = session) =>
  clientFor(app, by, tenant.customerId).post('/v1/ec/password', { oldPassword, newPassword })

test('[PWD-02] a changed password signs in, and the old one no longer does', async () => {
  const answer = await change(PASSWORD, NEW)
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  expect((await trySignIn(app, { username: person.username, password: NEW })).statusCode).toBe(200)
  expect((await trySignIn(app, { username: person.username })).statusCode).toBe(400)
})

test('[PWD-03] the other sessions end at once, access token and refresh token; the current one stays', async () => {
  const other = await signInAs(app, person)
  expect((await clientFor(app, other).get('/v1/ec/me')).statusCode).toBe(200) // and is now cached by the process
  expect((await change(PASSWORD, NEW)).statusCode).toBe(204)
  expect((await clientFor(app, other).get('/v1/ec/me')).statusCode).toBe(401)
  expect((await refresh(app, other.refreshToken, other.cookie)).statusCode).toBe(400)
  expect((await clientFor(app, session).get('/v1/ec/me')).statusCode).toBe(200)
  expect((await refresh(app, session.refreshToken, session.cookie)).statusCode).toBe(200)
})

test("[PWD-03] another user's sessions are none of its business", async () => {
  const stranger = await signInAs(app, tenant.person)
  expect((await change(PASSWORD, NEW)).statusCode).toBe(204)
  expect((await clientFor(app, stranger).get('/v1/ec/me')).statusCode).toBe(200)
})

test.each([
  ['12345', 'The new password needs at least 6 characters.'],
  ['päss✓', 'The new password needs at least 6 characters.'],
  ['👨‍👩‍👧', 'The new password needs at least 6 characters.'],
  ['Ä'.repeat(513), 'The new password is too long.'],
  ['qwertyuiop', /^This password is too easy to guess\. .*Add another word or two\.$/],
  ['password', /^This password is too easy to guess\. .*Add another word or two\.$/],
  ['aaaaaaaaaaaa', /^This password is too easy to guess\. .*Add another word or two\.$/],
])('[PWD-01] the new password %s is refused beside its field: %s', async (newPassword, words) => {
  const answer = await change(PASSWORD, newPassword)
  const matched = typeof words === 'string' ? words : expect.stringMatching(words)
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    problemBody('invalid_input', matched, { errors: [{ path: 'body.newPassword', message: matched }] }),
  ])
  expect((await trySignIn(app, { username: person.username })).statusCode).toBe(200)
})

test('[PWD-01] a wrong current password is refused beside its field, and changes nothing', async () => {
  const other = await signInAs(app, person)
  const answer = await change('wrong', NEW)
  const message = 'The current password is not right.'
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    problemBody('invalid_input', message, { errors: [{ path: 'body.oldPassword', message }] }),
  ])
  expect((await clientFor(app, other).get('/v1/ec/me')).statusCode).toBe(200)
  expect((await trySignIn(app, { username: person.username, password: NEW })).statusCode).toBe(400)
})

test('[PWD-01] ten wrong current passwords are allowed, then not even the right one for a minute', async () => {
  for (let at = 1; at <= 10; at += 1) expect((await change('wrong', NEW)).statusCode).toBe(400)
  const refused = await change(PASSWORD, NEW)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
  expect((await trySignIn(app, { username: person.username })).statusCode).toBe(200) // signing in has a limit of its own
  context.advance(60_000)
  expect((await change(PASSWORD, NEW)).statusCode).toBe(204)
})

test('[PWD-01] new passwords that are too weak do not count against the current one', async () => {
  for (let at = 1; at <= 11; at += 1) expect((await change(PASSWORD, 'password')).statusCode).toBe(400)
  expect((await change(PASSWORD, NEW)).statusCode).toBe(204)
})

test.each([
  [{}, 'body.oldPassword'],
  [{ oldPassword: PASSWORD }, 'body.newPassword'],
  [{ oldPassword: '', newPassword: NEW }, 'body.oldPassword'],
  [{ oldPassword: PASSWORD, newPassword: 1_234_567 }, 'body.newPassword'],
  [{ oldPassword: PASSWORD, newPassword: ['a', 'b'] }, 'body.newPassword'],
  [{ oldPassword: PASSWORD, newPassword: NEW, userId: 'x' }, 'body.userId'],
  [{ oldPassword: PASSWORD, newPassword: `${NEW}\0` }, 'body.newPassword'],
  [{ oldPassword: 'x'.repeat(4_097), newPassword: NEW }, 'body.oldPassword'],
])('[PWD-01] the body %j is refused at %s', async (body, path) => {
  const answer = await clientFor(app, session, tenant.customerId).post('/v1/ec/password', body)
  expect([answer.statusCode, answer.json().errors]).toEqual([400, [{ path, message: expect.any(String) }]])
})

test('[PWD-01] a password of any script works, however its letters are composed', async () => {
  const composed = 'Ångström-Überfähre-ü'.normalize('NFC')
  expect((await change(PASSWORD, composed)).statusCode).toBe(204)
  expect((await trySignIn(app, { username: person.username, password: composed.normalize('NFD') })).statusCode).toBe(200)
})

test('[PWD-03] a support session cannot change the password', async () => {
  await queryAsAdministrator(context, `update session set kind = 'support', supporter = 'Sam' where user_id = $1`, [person.id])
  const answer = await change(PASSWORD, NEW)
  expect([answer.statusCode, answer.json()]).toEqual([
    403,
    problemBody('forbidden_for_support', 'A support session cannot change the password.'),
  ])
  expect((await trySignIn(app, { username: person.username })).statusCode).toBe(200)
})
