import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'

let portalFolder: string
let context: TestContext
let app: FastifyInstance

beforeAll(async () => {
  portalFolder = await mkdtemp(join(tmpdir(), 'counterfoil-portal-'))
  await mkdir(join(portalFolder, 'assets'))
  for (const page of ['index', 'login', 'public', 'pay']) await writeFile(join(portalFolder, `${page}.html`), `<title>${page}</title>`)
  context = await testContext()
  app = await context.app({ portalFolder })
})
afterAll(async () => {
  await context.close()
  await rm(portalFolder, { recursive: true })
})

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test.each([
  ['/pay/%E0%A4%A', 'pay'],
  ['/%E0%A4%A', 'index'],
  ['/%00', 'index'],
  ['/invoices/%00', 'index'],
  ['/%zz', 'index'],
])('[NAV-01] a person who opens %s sees a page of the portal, under its policy', async (url, page) => {
  const answer = await app.inject({ url, headers: BROWSER })
  expect(answer.body).toBe(`<title>${page}</title>`)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("script-src 'self'"),
  })
})

test.each([
  ['/v1/ec/payment/details/%E0%A4%A', BROWSER],
  ['/token%E0%A4%A/', { accept: 'application/json' }],
  ['/pay/%E0%A4%A', {}],
])('a program that asks for %s gets a problem as JSON', async (url, headers) => {
  const answer = await app.inject({ url, headers })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, expect.stringContaining('application/problem+json')])
  expect(answer.json()).toMatchObject({ code: 'unreadable_request', message: 'This address cannot be read.' })
})

test('[SESS-01] who asks for such addresses has the limit of pages', async () => {
  const limits = { ...context.config.limits, page: { burst: 2, refillMs: 60_000 } }
  const strict = await buildApp({ ...context, config: { ...context.config, limits } }, { readiness: { isReady: true }, portalFolder })
  const ask = (remoteAddress: string) => strict.inject({ url: '/%zz', headers: BROWSER, remoteAddress })
  expect([await ask('192.0.2.1'), await ask('192.0.2.1')].map(({ statusCode }) => statusCode)).toEqual([400, 400])
  const refused = await ask('192.0.2.1')
  expect([refused.statusCode, refused.headers['retry-after'], refused.json<{ code: string }>().code]).toEqual([429, '60', 'rate_limited'])
  expect((await ask('192.0.2.2')).statusCode).toBe(400)
  await strict.close()
})
