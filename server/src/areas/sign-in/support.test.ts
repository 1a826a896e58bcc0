import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { verifyAudit } from '../../audit/verify-audit.ts'
import type { CommandIo, Options } from '../../cli/command.ts'
import { dispatchCommand } from '../../cli/program/dispatch.ts'
import {
  type Answer,
  clientFor,
  comparableResponse,
  expectKeptCookies,
  MACHINE,
  PORTAL,
  PUBLIC_URLS,
  refresh,
  postForm,
  sessionOf,
  signInAs,
  problemBody,
} from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addBrand, addCustomer, addTenant, addPerson, changePerson, PASSWORD, type TestPerson } from '../../../test/support/people.ts'

const NO_CODE = { error: 'invalid_grant', error_description: 'This code is not valid, or it was used before.' }
const LIMITS = ['user', 'anonymous', 'address', 'network', 'link', 'account'].map((name) => `${name}=100000/1s`).join(' ')
const MINUTE = 60_000

let portalFolder: string
let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let second: number
let person: TestPerson

beforeAll(async () => {
  portalFolder = await mkdtemp(join(tmpdir(), 'counterfoil-portal-'))
  await mkdir(join(portalFolder, 'assets'))
  for (const page of ['index', 'login', 'public', 'pay']) await writeFile(join(portalFolder, `${page}.html`), `<title>${page}</title>`)
  context = await testContext({ LIMITS })
  app = await context.app({ portalFolder })
  tenant = await addTenant(context, { reseller: { customer_permission_for_charging: true } })
  second = await addCustomer(context, tenant.resellerId, tenant.brandId)
})
beforeEach(async () => {
  person = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId, second], { display_name: 'Grace Customer' })
})
afterAll(async () => {
  await context.close()
  await rm(portalFolder, { recursive: true })
})

/** What the command prints, by its lines. */
const run = async (options: Options, json = false, at: TestContext = context): Promise<string[]> => {
  const lines: string[] = []
  const io: CommandIo = { json, out: (line) => lines.push(line), err: (line) => lines.push(line), openFile: () => Promise.reject() }
  expect(await dispatchCommand('support-link', at, io, [], { as: 'Sam Support', ...options })).toBe(0)
  return lines
}

const newCode = async (options: Options = {}, at: TestContext = context): Promise<string> => {
  const [url = ''] = await run({ user: person.username, ...options }, false, at)
  return new URL(url).pathname.slice('/la/'.length)
}

const redeem = (code: string, fields: Record<string, string> = {}, headers = {}, at: FastifyInstance = app): Promise<Answer> =>
  postForm(
    at,
    '/token',
    { grant_type: 'authorization_code', code, redirect_uri: 'http://localhost/la', ...PORTAL, ...fields },
    { host: 'localhost', ...headers },
  )

const expectRefused = (answer: Answer): void => expect([answer.statusCode, answer.json()]).toEqual([400, NO_CODE])

const trail = (): Promise<object[]> =>
  context.store.transact({ role: 'counterfoil_system' }, (db) =>
    db
      .selectFrom('audit_entry')
      .select(['action', 'actor_kind', 'actor_name', 'in_name_of', 'subject', 'about_customer_id', 'source', 'detail'])
      .where((where) => where.or([where('in_name_of_id', '=', person.id), where('subject', '=', `user ${person.id}`)]))
      .orderBy('seq')
      .execute(),
  )

test('[SUP-01] the command prints a link to the portal, with the customer and the page to open', async () => {
  const [url = '', until] = await run({ user: person.username, customer: String(second), redirect: '/invoices?page=2' })
  expect(url).toMatch(new RegExp(`^http://localhost:3000/la/[\\w-]{65}\\?c=${second}&r=%2Finvoices%3Fpage%3D2$`))
  expect(until).toBe(`Signs Sam Support in as ${person.username}, once, until 12:05:00 UTC.`)
  const [json = ''] = await run({ user: person.username }, true)
  expect(JSON.parse(json)).toEqual({
    url: expect.stringMatching(/^http:\/\/localhost:3000\/la\/[\w-]{65}$/),
    username: person.username,
    expiresAt: '2026-11-20T12:05:00.000Z',
    as: 'Sam Support',
  })
})

test('[SUP-01] a customer is named by its external id too, and the audit log has both who made the link and for whom', async () => {
  const externalId = `C-${second}`
  await context.store.transact({ role: 'counterfoil_reseller', resellerId: tenant.resellerId }, (db) =>
    db.updateTable('customer').set({ external_id: externalId }).where('id', '=', second).execute(),
  )
  const [json = ''] = await run({ user: person.username, customer: externalId }, true)
  expect(JSON.parse(json)).toMatchObject({ customer: second, as: 'Sam Support' })
  expect(await trail()).toMatchObject([
    {
      action: 'support.link-made',
      actor_kind: 'operator',
      actor_name: userInfo().username,
      detail: 'for Sam Support',
      about_customer_id: second,
    },
  ])
})

test.each([
  [{ user: 'nobody-has-this' }, 'There is no user nobody-has-this.'],
  [{ customer: '987654' }, 'may not act for the customer 987654'],
  [{ customer: 'first' }, 'may not act for the customer first'],
  [{ redirect: 'https://evil.example/' }, 'must be a path of the portal'],
  [{ redirect: '//evil.example' }, 'must be a path of the portal'],
  [{ as: ' ' }, 'must have 1 to 100 characters'],
] as [Options, string][])('[SUP-01] the command refuses %j in a sentence, and makes no link', async (wrong, words) => {
  await expect(run({ user: person.username, ...wrong })).rejects.toThrow(words)
  expect(await trail()).toEqual([])
})

test('[SUP-01] the code opens a session that is marked as support’s, with its name', async () => {
  const session = sessionOf(await redeem(await newCode()))
  const claims = { sub: person.id, DisplayName: 'Grace Customer', su: true, act: { sub: 'Sam Support' } }
  expect(decodeJwt(session.accessToken)).toMatchObject(claims)
  expect(session.cookie).not.toBeNull()
  const next = sessionOf(await refresh(app, session.refreshToken, session.cookie))
  expect(decodeJwt(next.accessToken)).toMatchObject(claims)
  expect((await refresh(app, next.refreshToken, null)).statusCode).toBe(400)
  expect((await clientFor(app, next, second).get('/v1/ec/invoices')).statusCode).toBe(200)
  const own = await signInAs(app, person)
  expect(decodeJwt(own.accessToken)).not.toHaveProperty('su')
  expect(decodeJwt(own.accessToken)).not.toHaveProperty('act')
})

test.each(PUBLIC_URLS)('[SUP-01] at %s a browser keeps the cookie of support, and its session is refreshed', async (publicUrl) => {
  const there = await context.app({ publicUrl })
  const { host, origin } = new URL(publicUrl)
  const answer = await redeem(await newCode(), { redirect_uri: `${origin}/la` }, { host }, there)
  const session = sessionOf(answer)
  expectKeptCookies(answer, publicUrl)
  expect((await refresh(there, session.refreshToken, session.cookie)).statusCode).toBe(200)
})

test('[SUP-01] a code works once, and programs that open the link use nothing up', async () => {
  const code = await newCode()
  for (const method of ['HEAD', 'GET', 'HEAD'] as const) {
    const page = await app.inject({ method, url: `/la/${code}?c=${second}` })
    expect([page.statusCode, page.headers['referrer-policy'], page.headers['cache-control']]).toEqual([200, 'no-referrer', 'no-cache'])
  }
  const registration = await app.inject({ url: '/finish-registration/anything' })
  expect([registration.body, registration.headers['referrer-policy']]).toEqual(['<title>public</title>', 'no-referrer'])
  expect((await redeem(code)).statusCode).toBe(200)
  expectRefused(await redeem(code))
})

test('[SUP-01] of a hundred redemptions at once, at two servers, exactly one succeeds', async () => {
  const servers = [app, await context.app()]
  const code = await newCode()
  const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => redeem(code, {}, {}, servers[at % 2])))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) expectRefused(answer)
  expect(await trail()).toMatchObject([{ action: 'support.link-made' }, { action: 'support.link-redeemed' }])
})

test('[SUP-01] two people of support may hold a link to one user at the same time', async () => {
  const codes = [await newCode({ as: 'Sam' }), await newCode({ as: 'Alex' })]
  for (const code of codes) expect((await redeem(code)).statusCode).toBe(200)
})

test('[SUP-01] an unknown code, an expired one, one of another brand, for another page and of a disabled user get the same response', async () => {
  const domain = 'elsewhere.test'
  await addBrand(context, tenant.resellerId, { domain })
  const code = await newCode()
  const off = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])
  const offCode = await newCode({ user: off.username })
  await changePerson(context, tenant.resellerId, off.id, { disabled_at: context.clock() })
  const answers = [
    await redeem('nobody-was-given-this'),
    await redeem('A'.repeat(65)),
    await redeem(code, {}, { host: domain }),
    await redeem(code, { redirect_uri: `http://${domain}/la` }),
    await redeem(code, { redirect_uri: 'http://localhost/login' }),
    await redeem(code, { redirect_uri: 'javascript:alert(1)' }),
    await redeem(code, { redirect_uri: '/la' }),
    await redeem(offCode),
  ]
  for (const answer of answers) {
    expectRefused(answer)
    expect(comparableResponse(answer)).toEqual(comparableResponse(answers[0] as Answer))
  }
  expect((await redeem(code, { redirect_uri: `http://localhost:3000/la/${code}` })).statusCode).toBe(200)
})

test('[SUP-01] five wrong secrets disable a code', async () => {
  const code = await newCode()
  for (let at = 0; at < 5; at += 1) expectRefused(await redeem(`${code.slice(0, 22)}${'A'.repeat(43)}`))
  expectRefused(await redeem(code))
})

test('[SUP-01] a code is valid for five minutes; its session for 30 minutes unused and two hours in total', async () => {
  const own = await testContext({ LIMITS })
  try {
    const served = await own.app()
    const there = await addTenant(own)
    const codes = [await newCode({ user: there.person.username }, own), await newCode({ user: there.person.username }, own)]
    own.advance(5 * MINUTE - 1)
    let session = sessionOf(await redeem(codes[0] ?? '', MACHINE, {}, served))
    own.advance(1)
    expectRefused(await redeem(codes[1] ?? '', MACHINE, {}, served))
    for (let at = 0; at < 4; at += 1) {
      own.advance(30 * MINUTE - 2)
      const answer = await refresh(served, session.refreshToken, null, MACHINE)
      session = sessionOf(answer)
    }
    own.advance(10)
    expect((await clientFor(served, session).get('/v1/ec/me')).statusCode).toBe(401)
    expect((await refresh(served, session.refreshToken, null, MACHINE)).statusCode).toBe(400)

    const idle = sessionOf(await redeem(await newCode({ user: there.person.username }, own), MACHINE, {}, served))
    own.advance(30 * MINUTE)
    expect((await refresh(served, idle.refreshToken, null, MACHINE)).statusCode).toBe(400)
  } finally {
    await own.close()
  }
})

test('[SUP-01] a session for one customer acts for no other, though the user may', async () => {
  const session = sessionOf(await redeem(await newCode({ customer: String(second) })))
  const me = await clientFor(app, session).get('/v1/ec/me')
  expect(me.json().customers).toMatchObject([{ customerId: second }])
  expect((await clientFor(app, session, second).get('/v1/ec/invoices')).statusCode).toBe(200)
  expect((await clientFor(app, session).get('/v1/ec/invoices')).statusCode).toBe(200)
  const foreign = await clientFor(app, session, tenant.customerId).get('/v1/ec/invoices')
  expect(foreign.statusCode).toBe(403)
  expect(comparableResponse(foreign)).toEqual(comparableResponse(await clientFor(app, session, 987_654).get('/v1/ec/invoices')))
})

test('[SUP-01] support cannot change the password: refused with a message, and the attempt is in the audit log', async () => {
  const session = sessionOf(await redeem(await newCode()))
  const answer = await clientFor(app, session, second).post('/v1/ec/password', {
    oldPassword: PASSWORD,
    newPassword: 'Quarry-Otter-29-lantern',
  })
  expect([answer.statusCode, answer.json()]).toEqual([
    403,
    problemBody('forbidden_for_support', 'A support session cannot change the password.'),
  ])
  await signInAs(app, person)
  expect((await trail()).at(-1)).toMatchObject({
    action: 'support.refused',
    actor_name: 'Sam Support',
    in_name_of: 'Grace Customer',
    subject: 'POST /v1/ec/password',
  })
})

test('[SUP-01] support can neither give nor withdraw the consent to be charged', async () => {
  const session = sessionOf(await redeem(await newCode()))
  for (const allowResellerCharge of [true, false]) {
    const answer = await app.inject({
      method: 'PUT',
      url: '/v1/ec/allow-reseller-charge',
      payload: { allowResellerCharge },
      headers: { authorization: `Bearer ${session.accessToken}`, 'x-customer-id': String(second) },
    })
    expect(answer.statusCode).toBe(403)
  }
  expect((await clientFor(app, session, second).get('/v1/ec/allow-reseller-charge')).json()).toMatchObject({ allowResellerCharge: false })
  expect(await trail()).toMatchObject([
    {},
    {},
    { action: 'support.refused' },
    { action: 'support.refused', subject: 'PUT /v1/ec/allow-reseller-charge' },
  ])
})

test('[SUP-01] the audit log has what support does with both names, from the link to every request that is not a read', async () => {
  const session = sessionOf(await redeem(await newCode({ customer: String(second) })))
  const signed = clientFor(app, session, second)
  await signed.get('/v1/ec/invoices')
  expect((await signed.post('/v1/ec/reports', { id: 2, parameters: [{ name: 'ServiceId', value: '0' }] })).statusCode).toBe(200)
  expect((await signed.post('/v1/ec/reports', { id: 987, parameters: [] })).statusCode).toBe(400)
  const both = {
    actor_kind: 'support',
    actor_name: 'Sam Support',
    in_name_of: 'Grace Customer',
    about_customer_id: second,
    source: '127.0.0.1',
  }
  const call = { ...both, subject: 'POST /v1/ec/reports' }
  expect(await trail()).toEqual([
    {
      action: 'support.link-made',
      actor_kind: 'operator',
      actor_name: userInfo().username,
      in_name_of: null,
      subject: `user ${person.id}`,
      about_customer_id: second,
      source: 'command line',
      detail: 'for Sam Support',
    },
    { ...both, action: 'support.link-redeemed', subject: `user ${person.id}`, detail: null },
    { ...call, action: 'support.asked', detail: null },
    { ...call, action: 'support.answered', detail: '200' },
    { ...call, action: 'support.asked', detail: null },
    { ...call, action: 'support.answered', detail: '400' },
  ])
  expect((await verifyAudit(context.store, context.keys)).faults).toEqual([])
})

test('[SUP-01] the user’s own requests are not audited', async () => {
  const session = await signInAs(app, person)
  await clientFor(app, session, second).post('/v1/ec/reports', { id: 2, parameters: [{ name: 'ServiceId', value: '0' }] })
  expect(await trail()).toEqual([])
})

test('[SUP-01] a support session ends when the user changes the password, is disabled, or the session is ended', async () => {
  const open = async () => sessionOf(await redeem(await newCode()))
  const changed = await open()
  const own = await signInAs(app, person)
  expect(
    (await clientFor(app, own, second).post('/v1/ec/password', { oldPassword: PASSWORD, newPassword: 'Quarry-Otter-29-lantern' }))
      .statusCode,
  ).toBe(204)
  expect((await clientFor(app, changed).get('/v1/ec/me')).statusCode).toBe(401)
  const revoked = await open()
  await postForm(app, '/revoke', { token: revoked.refreshToken, ...PORTAL })
  expect((await clientFor(app, revoked).get('/v1/ec/me')).statusCode).toBe(401)
  const off = await open()
  await changePerson(context, tenant.resellerId, person.id, { disabled_at: context.clock() })
  context.advance(1_000)
  expect((await clientFor(app, off).get('/v1/ec/me')).statusCode).toBe(401)
})

test('[SUP-01] one address redeems twenty codes a minute, good or bad', async () => {
  const own = await testContext({ LIMITS: 'anonymous=100000/1s' })
  try {
    const served = await own.app()
    for (let at = 0; at < 20; at += 1) expectRefused(await redeem('A'.repeat(65), {}, {}, served))
    expect((await redeem('A'.repeat(65), {}, {}, served)).statusCode).toBe(429)
  } finally {
    await own.close()
  }
})
