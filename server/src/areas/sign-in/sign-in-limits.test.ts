import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import {
  comparableResponse,
  type Answer,
  clientFor,
  sendRequest,
  setCookieOf,
  MACHINE,
  refresh,
  sessionOf,
  signInAs,
  trySignIn,
  problemBody,
} from '../../../test/support/http-client.ts'
import { deliverMail, startTestMailbox, tokenIn } from '../../../test/support/mailbox.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addTenant, addPerson, queryAsAdministrator, openSession, PASSWORD, type TestPerson } from '../../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let person: TestPerson

beforeAll(async () => {
  context = await testContext({ LIMITS: '' }) // the defaults are what this file is about
  app = await context.app()
  tenant = await addTenant(context)
})
beforeEach(async () => {
  context.advance(3_600_000) // every bucket is full again
  person = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])
})
afterAll(() => context.close())

const failSignIn = (username: string, address = '127.0.0.1'): Promise<Answer> =>
  trySignIn(app, { username, password: 'wrong' }, {}, address)

const TOO_MANY = 'temporarily_unavailable'
const BY_MAIL = 'Or choose "Forgot your password?": the link that is mailed lets this browser in at once.'

test('[SESS-01] ten failures of one username are allowed, then one a minute, whichever address they come from', async () => {
  for (let at = 1; at <= 10; at += 1) expect((await failSignIn(person.username, `10.0.${at}.1`)).statusCode).toBe(400)
  const refused = await trySignIn(app, { username: person.username.toUpperCase() }, {}, '10.0.99.1')
  expect(refused.statusCode).toBe(429)
  expect(refused.headers['retry-after']).toBe('60')
  expect(refused.json()).toEqual({ error: TOO_MANY, error_description: `Too many attempts. Please try again in 1 minute. ${BY_MAIL}` })

  context.advance(59_000)
  expect((await failSignIn(person.username)).headers['retry-after']).toBe('1')
  context.advance(1_000)
  expect((await failSignIn(person.username)).statusCode).toBe(400)
  expect((await failSignIn(person.username)).statusCode).toBe(429)
  context.advance(60_000)
  expect((await trySignIn(app, { username: person.username })).statusCode).toBe(200)
})

test('[SESS-01] an unknown username is limited like a known one', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => failSignIn('nobody.at.all')))
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([...Array(10).fill(400), 429, 429])
})

test('[SESS-01] a sign-in that succeeds takes nothing from the limits', async () => {
  for (let at = 1; at <= 12; at += 1) expect((await trySignIn(app, { username: person.username })).statusCode).toBe(200)
})

test('[SESS-01] thirty failures from one address are allowed, and no more from it for any username', async () => {
  for (let at = 1; at <= 30; at += 1) expect((await failSignIn(`address-${at}`, '192.0.2.7')).statusCode).toBe(400)
  const refused = await trySignIn(app, { username: person.username }, {}, '192.0.2.7')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2'])
  expect((await trySignIn(app, { username: person.username }, {}, '192.0.2.8')).statusCode).toBe(200)
})

test.each([
  ['of IPv4, by its first three numbers', (host: number) => `198.51.100.${host + 1}`, '198.51.101.1'],
  ['of IPv6, by its first three groups', (host: number) => `2001:db8:7:${(host * 257).toString(16)}::1`, '2001:db8:8::1'],
])('[SESS-01] a hundred failures from one network are allowed: %s', async (_, address, outside) => {
  for (let at = 0; at < 100; at += 1) expect((await failSignIn(`network-${address(1)}-${at}`, address(at % 20))).statusCode).toBe(400)
  expect((await failSignIn('network-last', address(21))).statusCode).toBe(429)
  expect((await failSignIn('network-other', outside)).statusCode).toBe(400)
})

test('[SESS-06] a session is refreshed sixty times a minute at most, and the session continues', async () => {
  let { refreshToken } = await openSession(context, person, MACHINE.client_id)
  for (let at = 1; at <= 60; at += 1) {
    const next = sessionOf(await refresh(app, refreshToken, null, MACHINE)).refreshToken
    expect(sessionOf(await refresh(app, refreshToken, null, MACHINE)).refreshToken).toBe(next) // a repetition is not counted
    refreshToken = next
  }
  const refused = await refresh(app, refreshToken, null, MACHINE)
  expect([refused.statusCode, refused.headers['retry-after'], refused.json().error]).toEqual([429, '1', TOO_MANY])
  context.advance(1_000)
  expect((await refresh(app, refreshToken, null, MACHINE)).statusCode).toBe(200)
})

test('a user makes sixty calls at once and then twenty a second; other users are not touched', async () => {
  const session = await signInAs(app, person)
  const other = await signInAs(app, tenant.person)
  for (let at = 1; at <= 60; at += 1) expect((await clientFor(app, session).get('/v1/ec/me')).statusCode).toBe(200)
  const refused = await clientFor(app, session).get('/v1/ec/me')
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
    429,
    '1',
    problemBody('rate_limited', 'Too many attempts. Please try again in 1 second.'),
  ])
  expect((await clientFor(app, other).get('/v1/ec/me')).statusCode).toBe(200)
  context.advance(50)
  expect((await clientFor(app, session).get('/v1/ec/me')).statusCode).toBe(200)
})

const requestAnonymously = (remoteAddress: string): Promise<Answer> => app.inject({ url: '/v1/brands-settings/0', remoteAddress })

test('an address that is not signed in makes 120 calls at once and then twenty a second', async () => {
  for (let at = 1; at <= 120; at += 1) expect((await requestAnonymously('203.0.113.9')).statusCode).toBe(200)
  expect((await requestAnonymously('203.0.113.9')).statusCode).toBe(429)
  expect((await requestAnonymously('203.0.113.10')).statusCode).toBe(200)
})

test('neither usernames nor addresses stand in the limits that the database keeps', async () => {
  await failSignIn('canary-username', '203.0.113.77')
  const rows = await queryAsAdministrator<{ subject: Buffer }>(context, 'select subject from rate_limit')
  expect(rows.length).toBeGreaterThan(3)
  for (const { subject } of rows) expect(subject).toHaveLength(32)
  const all = Buffer.concat(rows.map(({ subject }) => subject)).toString('latin1')
  for (const text of ['canary-username', '203.0.113']) expect(all).not.toContain(text)
})

const MINUTE = 60_000

test('[SESS-01] attackers who keep using up the tries of an account do not lock out a browser that has signed in before', async () => {
  const device = setCookieOf(await trySignIn(app, { username: person.username }), 'counterfoil-device') ?? ''
  const known = (password?: string): Promise<Answer> =>
    trySignIn(app, { username: person.username, ...(password === undefined ? {} : { password }) }, { cookie: device }, '192.0.2.1')
  for (let minute = 0; minute < 16; minute += 1) {
    for (let at = 0; at < 12; at += 1) await failSignIn(person.username, `10.${minute}.${at}.1`)
    await Promise.all(Array.from({ length: 31 }, (_, at) => failSignIn(`nobody-${at}`, '192.0.2.1'))) // and those of its address
    expect((await trySignIn(app, { username: person.username }, {}, '192.0.2.200')).statusCode).toBe(429)
    expect((await known()).statusCode).toBe(200)
    context.advance(MINUTE)
  }
  const tries: number[] = []
  for (let at = 0; at < 12; at += 1) tries.push((await known('wrong')).statusCode)
  expect(tries).toEqual([...Array<number>(10).fill(400), 429, 429])
  context.advance(1.5 * MINUTE)
  expect((await known()).statusCode).toBe(200)
})

test('[SESS-01] after a password reset by mail, the browser and the address that set it can sign in at once, whatever attackers do', async () => {
  const mailbox = await startTestMailbox()
  const own = await testContext({ LIMITS: '', MAIL_URL: mailbox.url })
  try {
    const served = await own.app()
    const there = await addTenant(own)
    const kept = await addPerson(own, there.resellerId, there.brandId, [there.customerId], { email: 'kept@customer.net' })
    for (let at = 0; at < 12; at += 1) await trySignIn(served, { username: kept.username, password: 'wrong' }, {}, `10.0.${at}.1`)
    expect((await trySignIn(served, { username: kept.username })).statusCode).toBe(429)
    await sendRequest(served, { method: 'POST', url: '/v1/ec/password-reset-request', payload: { email: 'kept@customer.net' } })
    await deliverMail(own)
    const payload = { token: tokenIn(mailbox.list()[0]), password: 'Quarry-Otter-29-lantern' }
    const reset = await sendRequest(served, { method: 'POST', url: '/v1/ec/password-reset', payload })
    const cookie = setCookieOf(reset, 'counterfoil-device') ?? ''
    const fields = { username: kept.username, password: payload.password }
    expect((await trySignIn(served, fields, {}, '203.0.113.5')).statusCode).toBe(429)
    expect((await trySignIn(served, fields, { cookie }, '203.0.113.5')).statusCode).toBe(200)
    expect((await trySignIn(served, { ...fields, ...MACHINE })).statusCode).toBe(200) // a program where the link was opened
  } finally {
    await own.close()
    await mailbox.close()
  }
})

test('[SESS-01] [RST-01] a person at an unknown browser and address gets in by mail with the same password, also while attackers use up the mails', async () => {
  const mailbox = await startTestMailbox()
  const own = await testContext({ LIMITS: '', MAIL_URL: mailbox.url })
  try {
    const served = await own.app()
    const there = await addTenant(own)
    const kept = await addPerson(own, there.resellerId, there.brandId, [there.customerId], { email: 'besieged@customer.net' })
    const requestResetMail = (remoteAddress: string): Promise<Answer> =>
      sendRequest(served, {
        method: 'POST',
        url: '/v1/ec/password-reset-request',
        payload: { email: 'besieged@customer.net' },
        remoteAddress,
      })
    for (let minute = 0; minute < 26; minute += 1) {
      own.advance(MINUTE)
      for (let at = 0; at < 12; at += 1) await trySignIn(served, { username: kept.username, password: 'wrong' }, {}, `10.${minute}.${at}.1`)
      for (let at = 0; at < 4; at += 1) expect((await requestResetMail(`10.${minute}.${at}.2`)).statusCode).toBe(204)
      await deliverMail(own)
    }
    // Between two mails that attackers have requested, the newest link works.
    const place = '203.0.113.26'
    expect((await trySignIn(served, { username: kept.username }, {}, place)).statusCode).toBe(429)
    const sent = mailbox.list().length
    expect((await requestResetMail(place)).statusCode).toBe(204)
    await deliverMail(own)
    expect(mailbox.list()).toHaveLength(sent)
    const payload = { token: tokenIn(mailbox.list()[0]), password: PASSWORD }
    const reset = await sendRequest(served, { method: 'POST', url: '/v1/ec/password-reset', payload, remoteAddress: place })
    expect(reset.statusCode, reset.body).toBe(204)
    const cookie = setCookieOf(reset, 'counterfoil-device') ?? ''
    expect((await trySignIn(served, { username: kept.username }, { cookie }, '198.51.100.200')).statusCode).toBe(200)
    expect((await trySignIn(served, { username: kept.username, ...MACHINE }, {}, place)).statusCode).toBe(200)
  } finally {
    await own.close()
    await mailbox.close()
  }
})

/** An hour of continuous attack from changing addresses, and from neighbours of the given address. */
const attackForAnHour = async (
  minutes: number,
  neighbour: (at: number) => string,
  work: (minute: number) => Promise<void>,
): Promise<void> => {
  for (let minute = 0; minute < minutes; minute += 1) {
    for (let at = 0; at < 12; at += 1) await failSignIn(person.username, `10.${minute}.${at}.1`)
    for (let at = 0; at < 12; at += 1) await failSignIn(person.username, neighbour(at))
    await work(minute)
    context.advance(MINUTE)
  }
}
const program = (address: string, more: Record<string, string> = {}): Promise<Answer> =>
  trySignIn(app, { username: person.username, ...MACHINE, ...more }, {}, address)

test.each([
  ['IPv4', '203.0.113.9', (at: number) => `203.0.113.${at + 20}`, '203.0.113.9'],
  ['IPv6', '2001:db8:5:6::1', (at: number) => `2001:db8:5:${at + 20}::1`, '2001:db8:5:6:a:b:c:d'],
])('[SESS-01] nor a program without a cookie, whose address the account knows: %s', async (_, address, neighbour, later) => {
  expect((await program(address)).statusCode).toBe(200)
  await attackForAnHour(16, neighbour, async (minute) => {
    expect((await program('198.51.100.77')).statusCode).toBe(429) // an address that nobody knows waits
    expect((await program(minute < 8 ? address : later)).statusCode).toBe(200)
  })
  await attackForAnHour(1, neighbour, async () => {
    for (let at = 0; at < 10; at += 1) expect((await program(address, { password: 'wrong' })).statusCode).toBe(429)
    expect((await program(address)).statusCode).toBe(429) // who sits beside it guesses no faster
  })
})

test('[SESS-01] after ten failures a known and an unknown user at a shared address look alike', async () => {
  const shared = '203.0.113.60'
  expect((await program(shared)).statusCode).toBe(200)
  const elsewhere = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])
  const names = [person.username, elsewhere.username, 'nobody-here@customer.net']
  for (const username of names) for (let at = 0; at < 10; at += 1) await failSignIn(username, `10.3.${at}.1`)
  for (let at = 0; at < 12; at += 1) {
    const [first, ...others] = await Promise.all(names.map(async (username) => comparableResponse(await failSignIn(username, shared))))
    for (const other of others) expect(other).toEqual(first)
    expect(first).toMatchObject({ statusCode: 429 })
  }
})

test('[SESS-01] a known address is one user’s alone, and forgotten after 90 days', async () => {
  const other = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])
  expect((await program('203.0.113.40')).statusCode).toBe(200)
  for (let at = 0; at < 12; at += 1) await failSignIn(other.username, `10.1.${at}.1`)
  expect((await program('203.0.113.40', { username: other.username })).statusCode).toBe(429)
  context.advance(91 * 24 * 60 * MINUTE)
  for (let at = 0; at < 12; at += 1) await failSignIn(person.username, `10.2.${at}.1`)
  expect((await program('203.0.113.40')).statusCode).toBe(429)
})

test('[SESS-01] once the attack stops, the right password works within a minute from anywhere', async () => {
  for (let at = 0; at < 200; at += 1) await failSignIn(person.username, `10.0.${at}.1`)
  expect((await trySignIn(app, { username: person.username }, {}, '203.0.113.9')).statusCode).toBe(429)
  context.advance(MINUTE)
  expect((await trySignIn(app, { username: person.username }, {}, '203.0.113.9')).statusCode).toBe(200)
})

test('[SESS-01] a device cookie of another user, a made-up and a changed one are ignored', async () => {
  const other = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])
  const device = setCookieOf(await trySignIn(app, { username: other.username }), 'counterfoil-device') ?? ''
  expect(device).not.toContain(other.id)
  for (let at = 0; at < 10; at += 1) await failSignIn(person.username)
  for (const cookie of [device, device.replace(/.$/, '!'), device.replace(/[^=]*$/, `${'A'.repeat(43)}.${'A'.repeat(43)}`)])
    expect((await trySignIn(app, { username: person.username }, { cookie })).statusCode).toBe(429)
  const machine = await trySignIn(app, { username: other.username, ...MACHINE })
  expect(machine.headers['set-cookie']).toBeUndefined()
})
