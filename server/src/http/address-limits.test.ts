import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { postForm, PORTAL, sendRequest } from '../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addTenant } from '../../test/support/people.ts'
import { DEFAULT_LIMITS } from '../rate-limits/limits.ts'

let context: TestContext
let app: FastifyInstance

beforeAll(async () => {
  context = await testContext({ LIMITS: 'anonymous=100000/1s' })
  app = await context.app()
  await addTenant(context)
})
beforeEach(() => context.advance(25 * 3_600_000)) // every bucket is full again
afterAll(() => context.close())

let count = 0
/** A failed attempt from an address; returns the status of the response. */
type Attempt = (address: string) => Promise<number>

const token =
  (fields: () => Readonly<Record<string, string>>): Attempt =>
  async (remoteAddress) =>
    (await postForm(app, '/token', { ...PORTAL, ...fields() }, {}, remoteAddress)).statusCode

const post =
  (url: string, body: () => object): Attempt =>
  async (remoteAddress) =>
    (await sendRequest(app, { method: 'POST', url, payload: body(), remoteAddress })).statusCode

const get =
  (url: string): Attempt =>
  async (remoteAddress) =>
    (await app.inject({ method: 'GET', url, remoteAddress })).statusCode

/** Every limit of an address, by the calls that it counts. */
const LIMITED: readonly (readonly [name: string, limit: keyof typeof DEFAULT_LIMITS, attempt: Attempt])[] = [
  ['sign-ins', 'address', token(() => ({ grant_type: 'password', username: `nobody-${(count += 1)}`, password: 'wrong' }))],
  ['codes', 'link', token(() => ({ grant_type: 'authorization_code', code: 'none', redirect_uri: 'http://localhost/la/none' }))],
  ['sign-on codes', 'link', token(() => ({ grant_type: 'authorization_code', code: 'none', redirect_uri: 'http://localhost/login' }))],
  ['reset requests', 'resetRequestAddress', post('/v1/ec/password-reset-request', () => ({ email: `nobody-${(count += 1)}@example.com` }))],
  ['mailed links', 'link', post('/v1/ec/password-reset', () => ({ token: 'none', password: 'Long-enough-2026!' }))],
  ['company names', 'organization', get('/sso/login?b=nobody')],
]

const REFUSED = 429

test.each(LIMITED)(
  '[SESS-01] %s of one IPv6 machine are limited together, whatever address of its /64 it takes',
  async (_, limit, attempt) => {
    const { burst } = DEFAULT_LIMITS[limit]
    for (let at = 0; at < burst; at += 1) expect(await attempt(`2001:db8:1:2:${at.toString(16)}::1`)).not.toBe(REFUSED)
    expect(await attempt('2001:db8:1:2:ffff::1')).toBe(REFUSED)
    expect(await attempt('2001:db8:2:1::1')).not.toBe(REFUSED)
  },
)

test.each(LIMITED)('[SESS-01] %s of one IPv6 network are limited to a few times as many', async (_, limit, attempt) => {
  const maxAttempts = DEFAULT_LIMITS[limit].burst * 4
  const statuses: number[] = []
  for (let at = 0; at < maxAttempts + 20; at += 1) statuses.push(await attempt(`2001:db8:9:${(at * 257).toString(16)}::1`))
  const allowed = statuses.filter((status) => status !== REFUSED).length
  expect(allowed).toBeLessThanOrEqual(maxAttempts)
  expect(allowed).toBeGreaterThan(DEFAULT_LIMITS[limit].burst)
  expect(await attempt('2001:db8:a:1::1')).not.toBe(REFUSED)
})

test('[SESS-01] attempts that one limit refuses use up no other: an address that is shut out does not lock a username', async () => {
  for (let at = 0; at < DEFAULT_LIMITS.address.burst; at += 1)
    await token(() => ({ grant_type: 'password', username: `filler-${at}`, password: 'wrong' }))('192.0.2.9')
  const victim = token(() => ({ grant_type: 'password', username: 'a.victim', password: 'wrong' }))
  for (let at = 0; at < 15; at += 1) expect(await victim('192.0.2.9')).toBe(REFUSED)
  for (let at = 0; at < DEFAULT_LIMITS.account.burst; at += 1) expect(await victim('198.51.100.1')).not.toBe(REFUSED)
  expect(await victim('198.51.100.1')).toBe(REFUSED)
})
