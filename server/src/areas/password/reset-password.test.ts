import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { type Answer, clientFor, sendRequest, refresh, signInAs, trySignIn, problemBody } from '../../../test/support/http-client.ts'
import { deliverMail, type TestMailbox, startTestMailbox, tokenIn } from '../../../test/support/mailbox.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addTenant, addPerson, changePerson, PASSWORD, type TestPerson } from '../../../test/support/people.ts'

const NEW = 'Quarry-Otter-29-lantern'
const EXPIRED = problemBody('link_expired', 'Your change password session has expired. Please try again.')
const LIMITS = ['user', 'anonymous', 'address', 'network', 'email', 'requester', 'link'].map((name) => `${name}=100000/1s`).join(' ')

let mailbox: TestMailbox
let portalFolder: string
let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let person: TestPerson
let people = 0

beforeAll(async () => {
  portalFolder = await mkdtemp(join(tmpdir(), 'counterfoil-portal-'))
  await mkdir(join(portalFolder, 'assets'))
  for (const page of ['index', 'login', 'public', 'pay']) await writeFile(join(portalFolder, `${page}.html`), `<title>${page}</title>`)
  mailbox = await startTestMailbox()
  context = await testContext({ LIMITS, MAIL_URL: mailbox.url })
  app = await context.app({ portalFolder })
  tenant = await addTenant(context)
})
beforeEach(async () => {
  people += 1
  person = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], { email: `person-${people}@customer.net` })
  mailbox.empty()
})
afterAll(async () => {
  await context.close()
  await mailbox.close()
  await rm(portalFolder, { recursive: true })
})

/** Requests a mail, as the person does, and returns the token of its link. */
const requestMailedToken = async (): Promise<string> => {
  mailbox.empty()
  await sendRequest(app, { method: 'POST', url: '/v1/ec/password-reset-request', payload: { email: `person-${people}@customer.net` } })
  await deliverMail(context)
  return tokenIn(mailbox.list().find(({ text }) => text.includes('/reset-password/')))
}

const reset = (token: string, password = NEW, at: FastifyInstance = app): Promise<Answer> =>
  sendRequest(at, { method: 'POST', url: '/v1/ec/password-reset', payload: { token, password } })

const expectExpired = (answer: Answer): void => expect([answer.statusCode, answer.json()]).toEqual([400, EXPIRED])

const signsIn = async (password: string): Promise<boolean> =>
  (await trySignIn(app, { username: person.username, password })).statusCode === 200

test('[RST-01] the link of the mail sets a new password, once; the old one no longer signs in', async () => {
  const token = await requestMailedToken()
  const answer = await reset(token)
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  expect([await signsIn(NEW), await signsIn(PASSWORD)]).toEqual([true, false])
  expectExpired(await reset(token, 'Another-Walrus-44-candle'))
  expect(await signsIn(NEW)).toBe(true)
})

test('[RST-01] every session of the user ends at once, and a mail without any password informs the user', async () => {
  const session = await signInAs(app, person)
  expect((await clientFor(app, session).get('/v1/ec/me')).statusCode).toBe(200) // and is now cached by the process
  expect((await reset(await requestMailedToken())).statusCode).toBe(204)
  expect((await clientFor(app, session).get('/v1/ec/me')).statusCode).toBe(401)
  expect((await refresh(app, session.refreshToken, session.cookie)).statusCode).toBe(400)

  mailbox.empty()
  await deliverMail(context)
  expect(mailbox.list()).toMatchObject([
    { to: `person-${people}@customer.net`, subject: expect.stringMatching(/^Your password for .* was changed$/) },
  ])
  expect(mailbox.list()[0]?.text).toContain(`the username ${person.username}`)
  expect(mailbox.list()[0]?.text).not.toContain(NEW)
})

test('[RST-01] of a hundred redemptions at once, at two servers, exactly one succeeds', async () => {
  const servers = [app, await context.app()]
  const token = await requestMailedToken()
  const passwords = Array.from({ length: 100 }, (_, at) => `${NEW}-${at}`)
  const answers = await Promise.all(passwords.map((password, at) => reset(token, password, servers[at % 2])))
  const won = passwords.filter((_, at) => answers[at]?.statusCode === 204)
  expect(won).toHaveLength(1)
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 204)) expectExpired(answer)
  expect(await signsIn(won[0] ?? '')).toBe(true)
})

test('[RST-01] of two links redeemed at once one succeeds, and neither works afterwards', async () => {
  const tokens = [await requestMailedToken(), await requestMailedToken()]
  const answers = await Promise.all(tokens.map((token, at) => reset(token, `${NEW}-${at}`)))
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 400])
  for (const token of tokens) expectExpired(await reset(token))
})

test('[RST-01] a program that opens the mailed link uses nothing up, and the page sends its address to no other server', async () => {
  const token = await requestMailedToken()
  for (const method of ['HEAD', 'GET', 'HEAD', 'GET'] as const) {
    const page = await app.inject({ method, url: `/reset-password/${token}` })
    expect([page.statusCode, page.headers['referrer-policy'], page.headers['content-type']]).toEqual([
      200,
      'no-referrer',
      'text/html; charset=utf-8',
    ])
    if (method === 'GET') expect(page.body).toBe('<title>public</title>')
  }
  expect((await reset(token)).statusCode).toBe(204)
})

test('[RST-01] the page of a link says whose password it sets, on any host, for as long as the link is valid', async () => {
  const used = await requestMailedToken()
  const ask = (token: string, host = 'localhost:3000', purpose = 'reset') =>
    app.inject({ method: 'POST', url: '/v1/ec/password-link', payload: { token, purpose }, headers: { host } })
  const owner = { username: person.username, resellerName: expect.stringMatching(/\w/) as string, brandId: tenant.brandId }
  for (const host of ['localhost:3000', 'another.host']) expect((await ask(used, host)).json()).toEqual(owner)
  expect((await reset(used)).statusCode).toBe(204)
  const late = await requestMailedToken()
  context.advance(3_600_000)
  for (const answer of [
    await ask(used),
    await ask(late),
    await ask(wrong(late)),
    await ask(await requestMailedToken(), undefined, 'registration'),
  ])
    expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ code: 'link_expired' })])
})

test('[RST-01] a link works for one hour', async () => {
  const [early, late] = [await requestMailedToken(), await requestMailedToken()]
  context.advance(3_600_000 - 1)
  expect((await reset(early)).statusCode).toBe(204)
  const next = await requestMailedToken()
  context.advance(3_600_000)
  for (const token of [late, next]) expectExpired(await reset(token))
})

test.each([
  ['nothing like one', 'abc'],
  ['a made-up one', 'A'.repeat(65)],
  ['a longer one', 'A'.repeat(512)],
  ['one with strange letters', '%2e%2e/'.repeat(9)],
])('[RST-01] a token that is none is refused like one that has expired: %s', async (_, token) => {
  expectExpired(await reset(token))
})

const wrong = (token: string): string => token.slice(0, 22) + 'A'.repeat(43)

test('[RST-01] four wrong secrets leave a link valid, the fifth disables it', async () => {
  const first = await requestMailedToken()
  for (let at = 1; at <= 4; at += 1) expectExpired(await reset(wrong(first)))
  expect((await reset(first)).statusCode).toBe(204)

  const second = await requestMailedToken()
  for (let at = 1; at <= 5; at += 1) expectExpired(await reset(wrong(second)))
  expectExpired(await reset(second))
})

test.each([
  ['too short', '12345', 'The new password needs at least 6 characters.'],
  ['too long', 'Ä'.repeat(513), 'The new password is too long.'],
  ['easy to guess', 'qwertyuiop', /^This password is too easy to guess\./],
])('[RST-01] a new password that is %s is refused beside its field, and the link goes on working', async (_, password, words) => {
  const token = await requestMailedToken()
  for (let at = 1; at <= 6; at += 1) {
    const answer = await reset(token, password)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(words),
      errors: [{ path: 'body.password', message: expect.stringMatching(words) }],
    })
  }
  expect((await reset(token)).statusCode).toBe(204)
})

test('[RST-01] changing the password and disabling the user invalidate pending links', async () => {
  const token = await requestMailedToken()
  const session = await signInAs(app, person)
  const changed = await clientFor(app, session, tenant.customerId).post('/v1/ec/password', { oldPassword: PASSWORD, newPassword: NEW })
  expect(changed.statusCode).toBe(204)
  expectExpired(await reset(token))

  const second = await requestMailedToken()
  await changePerson(context, tenant.resellerId, person.id, { disabled_at: context.clock() })
  expectExpired(await reset(second))
})

test('[PWD-02] a mail reports a changed password', async () => {
  const session = await signInAs(app, person)
  await clientFor(app, session, tenant.customerId).post('/v1/ec/password', { oldPassword: PASSWORD, newPassword: NEW })
  await deliverMail(context)
  expect(mailbox.list()).toMatchObject([{ to: `person-${people}@customer.net` }])
  expect(mailbox.list()[0]?.text).toContain('was changed on ')
})

test('[RST-01] one address redeems twenty links a minute, good or bad', async () => {
  const strict = await testContext({ LIMITS: '' })
  try {
    const there = await strict.app()
    for (let at = 1; at <= 20; at += 1) expectExpired(await reset('A'.repeat(65), NEW, there))
    const refused = await reset('A'.repeat(65), NEW, there)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3'])
  } finally {
    await strict.close()
  }
})
