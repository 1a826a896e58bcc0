import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { trySignIn, problemBody } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addBrand, addTenant, addPerson } from '../../../test/support/people.ts'
import { addOrganization, startSignOn } from '../../../test/support/single-sign-on.ts'
import { type TestIdentityProvider, startIdentityProvider } from '../../../test/support/identity-provider.ts'
import { portalOriginOf } from './sso-origin.rules.ts'

let context: TestContext
let app: FastifyInstance
let provider: TestIdentityProvider
let tenant: Awaited<ReturnType<typeof addTenant>>

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  provider = await startIdentityProvider()
  tenant = await addTenant(context, {
    reseller: { name: 'Nimbus', legal_name: 'Nimbus Pty Ltd' },
    brand: { name: 'Cloud Nine', domain: 'nine.example' },
  })
  await addOrganization(context, tenant, { issuer: provider.issuer, secret: provider.client.secret })
  await addOrganization(context, tenant, { name: 'Blocked & Co', domains: ['blocked.example'], isBlocked: true })
  await addOrganization(context, tenant, { name: 'Nimbus Pty Ltd', domains: ['hidden.example'], isBlocked: true })
})
beforeEach(() => context.advance(60_000))
afterAll(async () => {
  await provider.close()
  await context.close()
})

const start = (query: Record<string, string>, remoteAddress = '127.0.0.1') =>
  app.inject({ url: `/sso/login?${new URLSearchParams(query)}`, headers: { host: 'localhost:3000' }, remoteAddress })

const UNKNOWN = '/login?e=Unexpected%20redirect%20error'
const NO_SSO = '/login?e=The%20Company%20does%20not%20have%20SSO%20authentication'

test('[AUTH-09][SSO-04] an unknown organization comes back to the sign-in page with the message that the portal knows, what was typed, and the path to go on to', async () => {
  const answer = await start({ b: 'acme', ct: '2', r: '/invoices?page=2#open' })
  expect([answer.statusCode, answer.headers.location]).toEqual([302, `${UNKNOWN}&b=acme&r=%2Finvoices%3Fpage%3D2%23open`])
  expect((await start({ b: '  ' })).headers.location).toBe(UNKNOWN)
})

test('[SSO-04] a blocked organization looks like an unknown one; a brand or a reseller is an organization without single sign-on', async () => {
  const messages: Record<string, unknown> = {}
  for (const b of ['blocked & co', 'nobody', 'Cloud Nine', 'NIMBUS', 'Nimbus Pty Ltd']) messages[b] = (await start({ b })).headers.location
  expect(messages).toEqual({
    'blocked & co': `${UNKNOWN}&b=blocked%20%26%20co`,
    nobody: `${UNKNOWN}&b=nobody`,
    'Cloud Nine': `${NO_SSO}&b=Cloud%20Nine`,
    NIMBUS: `${NO_SSO}&b=NIMBUS`,
    'Nimbus Pty Ltd': `${UNKNOWN}&b=Nimbus%20Pty%20Ltd`,
  })
})

test('[SSO-01] an organization’s name, whatever its case, leads to its provider with state, nonce and PKCE', async () => {
  const { status, location, cookie } = await startSignOn(app, { b: ' ORBIT ', ct: '2' })
  const { origin, pathname, searchParams } = new URL(location)
  expect([status, origin + pathname]).toEqual([302, `${provider.issuer}/authorize`])
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'portal',
    response_type: 'code',
    redirect_uri: 'http://localhost:3000/sso/callback',
    scope: 'openid email profile',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  expect(cookie).toMatch(/^counterfoil-sso=[\w-]{43}$/)
})

test('[SSO-01] the organization of another brand is unknown on a brand’s own host', async () => {
  const other = await addBrand(context, tenant.resellerId, { name: 'Other', domain: 'other.example' })
  expect(other).toBeGreaterThan(0)
  const start = (host: string, b: string) => startSignOn(app, { b }, { host })
  expect((await start('other.example', 'orbit')).location).toBe(`${UNKNOWN}&b=orbit`)
  expect((await start('other.example', 'Cloud Nine')).location).toBe(`${UNKNOWN}&b=Cloud%20Nine`)
  expect(new URL((await start('nine.example', 'orbit')).location).searchParams.get('redirect_uri')).toBe('http://nine.example/sso/callback')
})

test.each([
  'https://attacker.net',
  '//attacker.net',
  '/\\attacker.net',
  '\\/attacker.net',
  '/%2Fattacker.net',
  '/%5Cattacker.net',
  '/\t/attacker.net',
  '/%09/attacker.net',
  'javascript:alert(1)',
  'java\r\nscript:alert(1)',
  'https:attacker.net',
  'http://localhost:3000@attacker.net/',
  'invoices',
  '/invoices\r\nset-cookie: a=b',
  '',
])('[AUTH-09] a redirect target that is no plain path of this origin is dropped: %j', async (r) => {
  expect((await start({ b: 'acme', ct: '2', r })).headers.location).toBe(`${UNKNOWN}&b=acme`)
})

const HEADS =
  '// /// /\\ \\\\ \\/ https:// https: https:/ http:\\\\ ftp:// javascript:// data:// blob:https:// /%2F /%2f%2F /%5C /%5c%5C %2F%2F %5C%5C'.split(
    ' ',
  )
const BLANKS = ['/\t/', '\t//', ' //', '/\n/', '//\r\n', '/%09/', '/%0a/', '/%0D%0A/', '\u0000//', '\u200b//', '/\u00ad/']
const HOSTS = [
  'evil.example',
  'evil.example:443',
  'localhost:3000@evil.example',
  'evil。example',
  'xn--e1afmkfd.example',
  'evil.example%2f..',
]

test('[AUTH-09] none of some two hundred spellings of other targets is redirected to', async () => {
  const strayed: string[] = []
  const spellings = [...HEADS, ...BLANKS].flatMap((head) => HOSTS.map((host) => head + host))
  expect(spellings.length).toBeGreaterThan(120)
  for (const [at, r] of spellings.entries()) {
    const answer = await start({ b: 'acme', r }, `198.51.${at >> 8}.${at & 255}`)
    const target = new URL(String(answer.headers.location), 'http://localhost:3000').searchParams.get('r')
    if (target !== null) strayed.push(r)
  }
  expect(strayed).toEqual([])
})

test('[AUTH-09] one address tries ten organizations a minute and no more', async () => {
  for (let at = 1; at <= 10; at += 1) expect((await start({ b: `company-${at}` })).statusCode).toBe(302)
  const refused = await start({ b: 'company-11' })
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
    429,
    '6',
    problemBody('rate_limited', 'Too many attempts. Please try again in 6 seconds.'),
  ])
  expect((await start({ b: 'acme' }, '192.0.2.1')).statusCode).toBe(302)
  const inBrowser = await app.inject({ url: '/sso/login?b=acme', headers: { accept: 'text/html,*/*' } })
  expect([inBrowser.statusCode, inBrowser.headers.location]).toEqual([302, '/login?e=Authentication%20failed&why=often&b=acme'])
})

test('[AUTH-09] a successful sign-on is not counted: an office may share an address', async () => {
  await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], { email: 'office@orbit.example' })
  provider.person = { sub: 'office', email: 'office@orbit.example', email_verified: true }
  for (let person = 1; person <= 15; person += 1) {
    const { status, location, cookie } = await startSignOn(app, { b: 'orbit' }, {}, '192.0.2.77')
    expect(status).toBe(302)
    const back = await app.inject({
      url: provider.signInAt(location),
      headers: { host: 'localhost:3000', cookie },
      remoteAddress: '192.0.2.77',
    })
    expect(back.headers.location).toMatch(/^\/login\?code=/)
  }
})

test('[SSO-02] a refused password sign-in names the organization whose domain was typed, whether or not there is such a user', async () => {
  const real = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], { username: 'anna@orbit.example' })
  const organization = async (username: string, password: string, headers = {}) => {
    const answer = await trySignIn(app, { username, password }, headers)
    return [answer.statusCode, answer.headers['x-brand-name'] ?? null, answer.json()]
  }
  const wrong = { error: 'invalid_grant', error_description: 'Invalid username or password' }
  expect(await organization(real.username, 'wrong')).toEqual([400, 'orbit', wrong])
  expect(await organization('nobody@orbit.example', 'wrong')).toEqual([400, 'orbit', wrong])
  expect(await organization('NOBODY@Orbit.Example', 'wrong')).toEqual([400, 'orbit', wrong])
  expect(await organization('somebody@elsewhere.example', 'wrong')).toEqual([400, null, wrong])
  expect(await organization('orbit.example', 'wrong')).toEqual([400, null, wrong])
  expect(await organization('a@not-orbit.example', 'wrong')).toEqual([400, null, wrong])
  expect(await organization('a@blocked.example', 'wrong')).toEqual([400, null, wrong])
  expect(await organization('a@orbit.example', 'wrong', { host: 'other.example' })).toEqual([400, null, wrong])
  expect(await organization('a@orbit.example', 'wrong', { host: 'nine.example' })).toEqual([400, 'orbit', wrong])
})

test('[SSO-02] a password that is right signs in, and a success names no organization', async () => {
  const person = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], { username: 'ben@orbit.example' })
  const answer = await trySignIn(app, { username: person.username })
  expect([answer.statusCode, answer.headers['x-brand-name']]).toEqual([200, undefined])
})

test('[SSO-02] a domain that organizations of two brands list names one of them on its own host, and none elsewhere', async () => {
  const rivals = await addTenant(context, { brand: { domain: 'rival.example' } })
  await addOrganization(context, tenant, { name: 'shared-a', domains: ['shared.example'] })
  await addOrganization(context, rivals, { name: 'shared-b', domains: ['shared.example'] })
  const organization = async (host: string) => (await trySignIn(app, { username: 'x@shared.example' }, { host })).headers['x-brand-name']
  expect([await organization('localhost'), await organization('nine.example'), await organization('rival.example')]).toEqual([
    undefined,
    'shared-a',
    'shared-b',
  ])
})

test('[SSO-01] a host that only a proxy’s header names is not used for redirects', async () => {
  const proxied = await testContext({ TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'https://billing.example.com' })
  const at = await proxied.app()
  const served = await addTenant(proxied, { brand: { domain: 'nine.example' } })
  await addOrganization(proxied, served, { issuer: provider.issuer, secret: provider.client.secret })
  for (const host of ['nine.example', 'billing.example.com', 'attacker.net']) {
    const { location } = await startSignOn(at, { b: 'orbit' }, { host, 'x-forwarded-host': 'attacker.net', 'x-forwarded-proto': 'http' })
    const back = new URL(location).searchParams.get('redirect_uri')
    expect(back).toBe(`https://${host === 'nine.example' ? host : 'billing.example.com'}/sso/callback`)
  }
  await proxied.close()
})

test.each([
  ['https://billing.example.com', 'http', 'billing.example.com', false, 'https://billing.example.com'],
  ['https://billing.example.com', 'http', '10.0.0.7:3000', false, 'https://billing.example.com'],
  ['https://billing.example.com', 'http', 'attacker.net', false, 'https://billing.example.com'],
  ['https://billing.example.com', 'http', 'attacker.net/x?', false, 'https://billing.example.com'],
  ['https://billing.example.com', 'http', 'brand.example', true, 'https://brand.example'],
  ['http://localhost:3000', 'http', 'brand.example:3000', true, 'http://brand.example:3000'],
  ['http://localhost:3000', 'http', '127.0.0.1:3000', false, 'http://127.0.0.1:3000'],
])('[SSO-01] of %s, a request by %s to %s (a brand’s: %s) comes back to %s', (publicUrl, protocol, host, isBrandHost, origin) => {
  expect(portalOriginOf(publicUrl, { protocol, host }, isBrandHost)).toBe(origin)
})
