import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { insertRow, addBrand, addReseller } from '../../../test/support/people.ts'
import { stripe } from '../providers/stripe/stripe.ts'
import { providerOrigins } from './page-origins.ts'

const PAGES = ['index', 'login', 'public', 'pay']
const PAYMENT_PATHS = ['/pay/some-token', '/payment-types', '/payment-types/?setup_intent=seti_1', '/bulk-pay', '/payment-result?req_uid=1']

let portalFolder: string
let context: TestContext
let app: FastifyInstance

beforeAll(async () => {
  portalFolder = await mkdtemp(join(tmpdir(), 'counterfoil-portal-'))
  await mkdir(join(portalFolder, 'assets'))
  for (const page of PAGES) await writeFile(join(portalFolder, `${page}.html`), `<title>${page}</title>`)
  context = await testContext()
  app = await context.app({ portalFolder })
})
afterAll(async () => {
  await context.close()
  await rm(portalFolder, { recursive: true })
})

const addBrandWithAccount = async (domain: string, baseUrl: string | null): Promise<void> => {
  const resellerId = await addReseller(context, { payment_type: 1, payments_enabled: true })
  await addBrand(context, resellerId, { domain })
  if (baseUrl === null) return
  await insertRow(context, resellerId, 'payment_account', {
    reseller_id: resellerId,
    provider: 'stripe',
    base_url: baseUrl,
    sealed: Buffer.from('sealed'),
    changed_at: context.clock(),
  })
}

/** The content security policy of a page by directive. */
const policy = async (url: string, host: string): Promise<Record<string, string>> => {
  const { headers } = await app.inject({ url, headers: { host } })
  const directives = String(headers['content-security-policy']).split(';')
  return Object.fromEntries(directives.map((text) => [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)]))
}

test.each(PAYMENT_PATHS)("[NAV-08][SP-01] %s may load its own brand's payment provider, and nothing of another's", async (path) => {
  const [live, sandbox] = [`live-${path.length}.example`, `sandbox-${path.length}.example`]
  await addBrandWithAccount(live, 'https://api.stripe.com')
  await addBrandWithAccount(sandbox, 'http://localhost:3900/stripe')
  expect(await policy(path, live)).toMatchObject({
    'default-src': "'none'",
    'script-src': "'self' https://js.stripe.com https://*.js.stripe.com",
    'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
    'connect-src': "'self' https://api.stripe.com",
    'frame-ancestors': "'none'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'object-src': "'none'",
  })
  expect(await policy(path, sandbox)).toMatchObject({
    'script-src': "'self' http://localhost:3900",
    'frame-src': 'http://localhost:3900 http://127.0.0.1:3900',
    'connect-src': "'self' http://localhost:3900",
  })
})

test('[NAV-08] a brand without an account at a payment provider may load nothing more; a host of no brand what any reseller here needs', async () => {
  await addBrandWithAccount('bare.example', null)
  expect(await policy('/payment-types', 'bare.example')).toMatchObject({
    'script-src': "'self'",
    'frame-src': "'none'",
    'connect-src': "'self'",
  })
  const anywhere = await policy('/payment-types', 'localhost')
  expect(anywhere['script-src']?.split(' ').toSorted()).toEqual(
    ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com', 'http://localhost:3900'].toSorted(),
  )
})

test('[NAV-08] a page at a host that no brand claims costs one query however many resellers there are, and none of another host', async () => {
  for (let at = 0; at < 10; at += 1) await addBrandWithAccount(`many-${at}.example`, 'https://api.stripe.com')
  context.advance(60_000)
  let connections = 0
  const count = (): number => (connections += 1)
  context.store.pools.interactive.on('acquire', count)
  await policy('/payment-types', 'made-up-1.example')
  await policy('/payment-types', 'made-up-2.example')
  context.store.pools.interactive.off('acquire', count)
  // Whose host it is, for each; what all resellers need, once.
  expect(connections).toBe(3)
})

test('every other document may load nothing of a payment provider, and demands trusted types', async () => {
  for (const path of ['/', '/login', '/invoices', '/payment-typesx', '/bulk-pay/x', '/reset-password/x']) {
    const directives = await policy(path, 'localhost')
    expect([directives['script-src'], directives['frame-src'], directives['require-trusted-types-for']], path).toEqual([
      "'self'",
      undefined,
      "'script'",
    ])
  }
})

test('[SP-01] a payment link opens an HTML page of its own, and its address is sent to no other server', async () => {
  const { headers, body } = await app.inject({ url: '/pay/some-token' })
  expect([body, headers['referrer-policy'], headers['cache-control']]).toEqual(['<title>pay</title>', 'no-referrer', 'no-cache'])
  expect((await app.inject({ url: '/bulk-pay' })).body).toBe('<title>index</title>')
})

test('a provider without a script of its own adds nothing to a page', () => {
  const plain = { ...stripe, entry: { accepts: [] } }
  expect(providerOrigins(plain, 'https://api.stripe.com')).toEqual({ script: [], frame: [], connect: [] })
  expect(providerOrigins(stripe, 'https://stripe.proxy.example/v1').frame).toEqual(['https://stripe.proxy.example'])
})
