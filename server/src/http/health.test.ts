import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { buildApp } from '../app.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { freePort } from '../../test/databases/free-port.ts'
import { sendRequest } from '../../test/support/http-client.ts'
import { queryAsAdministrator } from '../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
const readiness = { isReady: true }

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['performance'] }) // how old an answer about the database is
  context = await testContext()
  app = await context.app({ readiness })
})
afterAll(async () => {
  await context.close()
  vi.useRealTimers()
})

const both = async () => [await app.inject('/healthz'), await app.inject('/readyz')].map((answer) => [answer.statusCode, answer.json()])

test('health says that the process lives; readiness ends when it begins to stop', async () => {
  expect(await both()).toEqual([
    [200, { status: 'alive' }],
    [200, { status: 'ready' }],
  ])
  readiness.isReady = false
  expect(await both()).toEqual([
    [200, { status: 'alive' }],
    [503, { status: 'stopping' }],
  ])
  readiness.isReady = true
})

test('a hundred who ask whether it is ready cost one query', async () => {
  vi.advanceTimersByTime(60_000)
  let connections = 0
  const count = (): number => (connections += 1)
  context.store.pools.interactive.on('acquire', count)
  const answers = await Promise.all(Array.from({ length: 100 }, () => app.inject('/readyz')))
  context.store.pools.interactive.off('acquire', count)
  expect([connections, answers.filter(({ statusCode }) => statusCode !== 200)]).toEqual([1, []])
})

test('pages and files have a limit of each address, and what a balancer asks has none', async () => {
  const limits = { ...context.config.limits, page: { burst: 3, refillMs: 60_000 } }
  const strict = await buildApp({ ...context, config: { ...context.config, limits } }, { readiness, portalFolder: null })
  const ask = async (url: string, remoteAddress: string): Promise<number> => (await strict.inject({ url, remoteAddress })).statusCode
  for (const url of ['/openapi.json', '/openapi.json', '/nothing/here']) expect(await ask(url, '192.0.2.1')).not.toBe(429)
  for (const url of ['/openapi.json', '/nothing/here']) expect(await ask(url, '192.0.2.1')).toBe(429)
  for (const url of ['/healthz', '/readyz']) expect(await ask(url, '192.0.2.1')).toBe(200)
  expect(await ask('/openapi.json', '192.0.2.2')).toBe(200)
  await strict.close()
})

test('[OPS-03] a server is not ready beside a migration that it does not know, unless that lets earlier programs go on, nor without one that it needs', async () => {
  const [row] = await queryAsAdministrator<{ name: string }>(context, `select max(name) as name from migration where name like '%.sql'`)
  const isReady = async (statement: string): Promise<unknown[]> => {
    await queryAsAdministrator(context, statement)
    vi.advanceTimersByTime(60_000)
    context.advance(-60_000) // nor does it count for how long an answer is good when the clock steps back
    const answer = await app.inject('/readyz')
    return [answer.statusCode, answer.json<{ status: string }>().status]
  }
  expect(await isReady(`insert into migration (name, digest, is_compatible) values ('9998-addition.sql', 'x', true)`)).toEqual([
    200,
    'ready',
  ])
  expect(await isReady(`insert into migration (name, digest) values ('9999-tomorrow.sql', 'x')`)).toEqual([
    503,
    'the database has a migration that this program does not know',
  ])
  expect(await isReady(`delete from migration where name = '9999-tomorrow.sql'`)).toEqual([200, 'ready'])
  expect(await isReady(`update migration set name = '9997-lacking.sql', is_compatible = true where name = '${row?.name}'`)).toEqual([
    503,
    'the database lacks a migration that this program needs',
  ])
  expect(await isReady(`update migration set name = '${row?.name}', is_compatible = false where name = '9997-lacking.sql'`)).toEqual([
    200,
    'ready',
  ])
  await queryAsAdministrator(context, `delete from migration where name = '9998-addition.sql'`)
})

test.each<[string, InjectOptions, number]>([
  ['this machine', {}, 200],
  ['this machine, by IPv6', { remoteAddress: '::1' }, 200],
  ['this machine, by IPv4 in IPv6', { remoteAddress: '::ffff:127.0.0.1' }, 200],
  ['another machine', { remoteAddress: '192.0.2.1' }, 404],
  ['another machine through a proxy on this one', { headers: { 'x-forwarded-for': '192.0.2.1' } }, 404],
  ['another machine that says it is this one', { headers: { 'x-forwarded-for': '127.0.0.1' } }, 404],
  ['a machine whose address only begins like this one', { remoteAddress: '1270.0.0.1' }, 404],
  ['this machine, by its name', { headers: { host: 'localhost:3000' } }, 200],
  ['this machine, by its IPv6 address', { headers: { host: '[::1]:3000' } }, 200],
  ['a proxy that passes the host on', { headers: { host: 'billing.example.com' } }, 404],
  ['a host that only begins like this machine', { headers: { host: '127.0.0.1.example.com' } }, 404],
  ...['forwarded', 'via', 'x-real-ip', 'x-forwarded-proto', 'x-forwarded-host'].map((name): [string, InjectOptions, number] => [
    `a proxy that sends ${name}`,
    { headers: { [name]: 'http' } },
    404,
  ]),
])('the figures are asked for by %s: %j', async (_, from, status) => {
  const answer = await app.inject({ url: '/metrics', ...from })
  expect(answer.statusCode).toBe(status)
  if (status === 404) expect(answer.json()).toMatchObject({ code: 'not_found', message: 'There is nothing at this address.' })
})

test('[OPS-03] nginx with proxy_pass alone, which speaks HTTP/1.0 and says nothing of itself, is no way to the figures', async () => {
  const served = await buildApp(context, { readiness, portalFolder: null })
  const port = Number(new URL(await served.listen({ host: '127.0.0.1', port: 0 })).port)
  const statusBy = async (version: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    socket.end(`GET /metrics HTTP/${version}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
    return (await text(socket)).slice(9, 12)
  }
  expect([await statusBy('1.0'), await statusBy('1.1')]).toEqual(['404', '200'])
  await served.close()
})

test('METRICS=open shows the figures to anybody', async () => {
  const open = await buildApp({ ...context, config: { ...context.config, metricsOpen: true } }, { readiness, portalFolder: null })
  expect((await open.inject({ url: '/metrics', remoteAddress: '192.0.2.1' })).statusCode).toBe(200)
  await open.close()
})

test('[OPS-03] METRICS_TOKEN shows the figures to whoever sends it, from anywhere, and to nobody else', async () => {
  const config = { ...context.config, metricsToken: 'a-token-of-the-scraper' }
  const closed = await buildApp({ ...context, config }, { readiness, portalFolder: null })
  const ask = async (authorization?: string): Promise<number> => {
    const headers = { host: 'billing.example.com', ...(authorization === undefined ? {} : { authorization }) }
    return (await closed.inject({ url: '/metrics', remoteAddress: '192.0.2.1', headers })).statusCode
  }
  expect(await ask('Bearer a-token-of-the-scraper')).toBe(200)
  for (const wrong of ['Bearer a-token-of-the-scrapeR', 'Bearer ', 'a-token-of-the-scraper', undefined]) expect(await ask(wrong)).toBe(404)
  expect((await closed.inject('/metrics')).statusCode).toBe(404)
  await closed.close()
})

test('[OPS-03] METRICS_PORT takes the figures off the public port, and says when it is taken', async () => {
  const port = await freePort()
  const config = { ...context.config, metricsPort: port }
  const apart = await buildApp({ ...context, config }, { readiness, portalFolder: null })
  await apart.ready()
  expect((await apart.inject('/metrics')).statusCode).toBe(404)
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('counterfoil_sign_ins_waiting')])
  expect((await fetch(`http://127.0.0.1:${port}/v1/ec/me`)).status).toBe(404)
  const second = await buildApp({ ...context, config }, { readiness, portalFolder: null })
  await expect(Promise.resolve(second.ready())).rejects.toThrow(
    `Port ${port} is taken by another program. Stop it, or choose another with METRICS_PORT.`,
  )
  await second.close()
  await apart.close()
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow('fetch failed')
})

test('the figures count calls by route template and status, connections and waiting sign-ins', async () => {
  await sendRequest(app, { url: '/v1/brands-settings/424242' })
  await app.inject('/mark-unknown-path')
  const { body } = await app.inject('/metrics')
  expect(body).toMatch(/counterfoil_request_seconds_count\{method="GET",route="\/v1\/brands-settings\/:id",status="404"\} 1/)
  expect(body).toContain('counterfoil_sign_ins_waiting 0')
  expect(body).toContain('counterfoil_database_connections{lane="interactive",state="open"}')
  for (const mark of ['424242', 'mark-unknown-path']) expect(body).not.toContain(mark)
})

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    'report-to csp',
    'report-uri /csp-reports',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringMatching(/^accelerometer=\(\), camera=\(\), .*geolocation=\(\).*usb=\(\)$/),
  'referrer-policy': 'same-origin',
  'reporting-endpoints': 'csp="/csp-reports"',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const ANSWERS: [number, InjectOptions][] = [
  [200, { url: '/v1/brands-settings/0' }],
  [404, { url: '/nothing/here' }],
  [404, { url: '/v1/brands-settings/999999' }],
  [401, { url: '/v1/ec/me' }],
  [400, { url: '/v1/brands-settings' }],
  [413, { url: '/token', method: 'POST', payload: 'x'.repeat(70_000), headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  [415, { url: '/token', method: 'POST', payload: 'x', headers: { 'content-type': 'text/plain' } }],
]

test.each(ANSWERS)('a response %i to %j has every security header and reveals nothing about the server', async (status, request) => {
  const { statusCode, headers } = await app.inject(request)
  expect(statusCode).toBe(status)
  expect(headers).toMatchObject(HEADERS)
  for (const name of ['server', 'x-powered-by', 'strict-transport-security', 'access-control-allow-origin'])
    expect(headers[name], name).toBeUndefined()
})

test('over https every response has Strict-Transport-Security', async () => {
  const config = { ...context.config, publicUrl: 'https://billing.example.com' }
  const secure = await buildApp({ ...context, config }, { readiness, portalFolder: null })
  for (const [, request] of ANSWERS) expect((await secure.inject(request)).headers['strict-transport-security']).toBe('max-age=31536000')
  await secure.close()
})

test('an answer with the security headers comes when too many ask, too', async () => {
  const limits = { ...context.config.limits, anonymous: { burst: 1, refillMs: 60_000 } }
  const strict = await buildApp({ ...context, config: { ...context.config, limits } }, { readiness, portalFolder: null })
  await strict.inject('/v1/brands-settings/0')
  const answer = await strict.inject('/v1/brands-settings/0')
  expect(answer.statusCode).toBe(429)
  expect(answer.headers).toMatchObject({ ...HEADERS, 'retry-after': '60' })
  await strict.close()
})
