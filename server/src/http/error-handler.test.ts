import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, sendRequest, refresh, signInAs, type TestSession, trySignIn, problemBody } from '../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addTenant, addInvoice, queryAsAdministrator, PASSWORD } from '../../test/support/people.ts'
import type { Store } from '../db/database.ts'
import { openLog } from '../kit/log.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let session: TestSession
let written = ''

const into = new Writable({
  write: (chunk: Buffer, _, done) => {
    written += chunk.toString()
    done()
  },
})

beforeAll(async () => {
  context = await testContext({}, { log: openLog('trace', into) })
  app = await context.app()
  tenant = await addTenant(context)
  session = await signInAs(app, tenant.person)
})
beforeEach(() => {
  written = ''
  context.advance(2_000) // nothing is remembered of the session
})
afterAll(() => context.close())

const lines = (): Record<string, unknown>[] =>
  written
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** The app of this context with a database that fails in a given way. */
const appWithFailingStore = async (error: Error & { code?: string }) => {
  const store: Store = { ...context.store, transact: () => Promise.reject(error) }
  const { buildApp } = await import('../app.ts')
  return buildApp({ ...context, store }, { readiness: { isReady: true }, portalFolder: null })
}

const failure = (message: string, code?: string): Error => Object.assign(new Error(message), code === undefined ? {} : { code })

test.each([
  [
    'refuses connections',
    failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
    503,
    'We cannot reach our records just now. Please try again in a moment.',
  ],
  ['hangs up', failure('Connection terminated unexpectedly'), 503, 'We cannot reach our records just now. Please try again in a moment.'],
  [
    'stops',
    failure('terminating connection due to administrator command', '57P01'),
    503,
    'We cannot reach our records just now. Please try again in a moment.',
  ],
  [
    'has no free connection',
    failure('timeout exceeded when trying to connect'),
    503,
    'We cannot reach our records just now. Please try again in a moment.',
  ],
  [
    'is locked',
    failure('canceling statement due to lock timeout', '55P03'),
    503,
    'We are very busy just now. Please try again in a moment.',
  ],
  [
    'takes too long',
    failure('canceling statement due to statement timeout', '57014'),
    503,
    'We are very busy just now. Please try again in a moment.',
  ],
  [
    'is full',
    failure('could not extend file', '53100'),
    507,
    'There is no room left to store this. Please tell your provider; nothing was changed.',
  ],
])('a database that %s is answered in words, with the time to try again', async (_, error, status, message) => {
  const failing = await appWithFailingStore(error)
  for (const [url, answer] of [
    ['/v1/ec/me', await clientFor(failing, session).get('/v1/ec/me')],
    ['/v1/brands-settings/0', await sendRequest(failing, { url: '/v1/brands-settings/0' })],
  ] as const) {
    expect([answer.statusCode, answer.json()], url).toEqual([status, expect.objectContaining({ message })])
    expect(answer.headers['retry-after']).toBe(status === 503 ? '5' : undefined)
  }
  const token = await trySignIn(failing, { username: tenant.person.username })
  expect([token.statusCode, token.json()]).toEqual([status, { error: 'temporarily_unavailable', error_description: message }])
  const ready = await failing.inject('/readyz')
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'the database does not answer' }])
  expect((await failing.inject('/healthz')).statusCode).toBe(200)
  await failing.close()
})

test('an unexpected error is answered with a reference only, and the log has the error', async () => {
  const failing = await appWithFailingStore(
    failure(`column "secret_thing" of ${PASSWORD} does not exist; unterminated quoted string`, '42703'),
  )
  const answer = await clientFor(failing, session).get('/v1/ec/me')
  const id = String(answer.headers['x-request-id'])
  expect([answer.statusCode, answer.json()]).toEqual([
    500,
    problemBody('internal_error', `Something went wrong on our side. Please try again later. (Reference ${id})`),
  ])
  expect(answer.body).not.toMatch(/secret_thing|\.ts|node_modules|select/)
  expect(lines()).toContainEqual(expect.objectContaining({ requestId: id, level: 50, msg: 'a call failed' }))
  await failing.close()
})

test('every response has an id that is in the log', async () => {
  const [one, two] = [await sendRequest(app, { url: '/v1/ec/me' }), await sendRequest(app, { url: '/v1/ec/me' })]
  expect(one.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(one.headers['x-request-id']).not.toBe(two.headers['x-request-id'])
  expect(lines().map(({ requestId }) => requestId)).toContain(one.headers['x-request-id'])
})

test('after the database has dropped every connection, the next request connects again', async () => {
  if (context.store.kind === 'embedded') return expect((await app.inject('/readyz')).statusCode).toBe(200)
  await queryAsAdministrator(
    context,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const statuses: number[] = []
  for (let at = 0; at < 10; at += 1) statuses.push((await clientFor(app, session).get('/v1/ec/me')).statusCode)
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(statuses.at(-1)).toBe(200)
})

test('the log has route, status and ids of a request, and nothing that a person typed or carries', async () => {
  const marks = ['mark-user', 'mark-password', 'mark-query', 'mark-body', 'mark-agent', 'mark-referrer', 'mark-path']
  const headers = { 'user-agent': 'mark-agent', referer: 'https://x.example/mark-referrer' }
  await trySignIn(app, { username: 'mark-user', password: 'mark-password' }, headers)
  const fresh = await signInAs(app, tenant.person)
  await refresh(app, fresh.refreshToken, fresh.cookie)
  const signed = clientFor(app, fresh, tenant.customerId)
  await sendRequest(app, { url: '/v1/brands-settings?d=mark-query' })
  await signed.post('/v1/ec/password', { oldPassword: 'mark-body', newPassword: 'mark-body' }, headers)
  await signed.get('/v1/ec/mark-path?token=mark-query')
  const invoice = await addInvoice(context, tenant.resellerId, tenant.customerId, { number: 'mark-number' })
  await signed.get('/v1/ec/invoices')
  await signed.get(`/v1/ec/invoices/${invoice + 1}`)
  for (const mark of [
    ...marks,
    'mark-number',
    PASSWORD,
    fresh.accessToken,
    fresh.refreshToken,
    fresh.cookie?.split('=')[1] ?? '-',
    tenant.person.username,
  ])
    expect(written, mark).not.toContain(mark)
  expect(lines()).toContainEqual(
    expect.objectContaining({
      method: 'GET',
      route: '/v1/ec/invoices/:id',
      status: 404,
      ms: expect.any(Number),
      userId: tenant.person.id,
      customerId: tenant.customerId,
      requestId: expect.any(String),
    }),
  )
})

test('what must never reach a log is unreadable there, in the message, the stack and every cause', () => {
  const cause = new Error('refused for password=hunter2-cause')
  const error = Object.assign(new Error('card 4111 1111 1111 1111 with token: abc.def.ghi and cvc=737', { cause }), { code: 'X1' })
  context.log.error({ err: error }, 'a call failed')
  const [line] = lines()
  expect(line?.['err']).toMatchObject({ code: 'X1', message: expect.stringContaining('[number]'), cause: { message: expect.any(String) } })
  expect(written).not.toMatch(/4111|abc\.def|737|hunter2/)
})

test('[API-01] a refusal is a problem with a code that programs can compare, beside the members that they read before', async () => {
  const answer = await app.inject({ method: 'GET', url: '/v1/ec/invoices' })

  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  expect([answer.statusCode, answer.json()]).toEqual([
    401,
    {
      type: '/problems/unauthenticated',
      title: 'Nobody is signed in',
      status: 401,
      detail: 'Please sign in.',
      code: 'unauthenticated',
      message: 'Please sign in.',
    },
  ])
  const unknown = await app.inject({ method: 'GET', url: '/v1/ec/nothing' })
  expect([unknown.headers['content-type'], unknown.json()]).toEqual([
    'application/problem+json; charset=utf-8',
    expect.objectContaining({ code: 'not_found', status: 404, detail: 'There is nothing at this address.' }),
  ])
})

test.each(['/token', '/revoke'])('[API-01] %s is refused as OAuth 2 writes it', async (url) => {
  const answer = await app.inject({ method: 'POST', url, payload: {} })

  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  expect([answer.statusCode, answer.json()]).toEqual([415, { error: 'invalid_request', error_description: expect.any(String) }])
})
