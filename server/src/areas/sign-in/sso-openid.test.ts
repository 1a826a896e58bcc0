import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { verifyAudit } from '../../audit/verify-audit.ts'
import { deriveKeys } from '../../kit/keys.ts'
import { openLog } from '../../kit/log.ts'
import { sealClientSecret } from '../../sso/secrets.ts'
import { expectKeptCookies, PUBLIC_URLS, refresh, sessionOf } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { OPENID_SHAPES } from '../../../test/support/openid-shapes.ts'
import { EMAIL } from '../../../test/support/saml-shapes.ts'
import { addBrand, addTenant, addPerson, queryAsAdministrator, changePerson } from '../../../test/support/people.ts'
import { type ProviderOverrides, type TestIdentityProvider, startIdentityProvider } from '../../../test/support/identity-provider.ts'
import { addOrganization, returnFromProvider, errorOf, redeemCode, startSignOn } from '../../../test/support/single-sign-on.ts'

let context: TestContext
let app: FastifyInstance
let provider: TestIdentityProvider
let tenant: Awaited<ReturnType<typeof addTenant>>
let people = 0
const logged: string[] = []

beforeAll(async () => {
  const log = openLog('debug', { write: (line: string) => void logged.push(line) })
  context = await testContext({ LIMITS: 'company=100000/1s link=100000/1s anonymous=100000/1s' }, { log })
  app = await context.app()
  provider = await startIdentityProvider()
  tenant = await addTenant(context, { brand: { domain: 'nine.example' } })
  await addOrganization(context, tenant, { issuer: provider.issuer, secret: provider.client.secret })
})
beforeEach(() => provider.override({}))
afterAll(async () => {
  await provider.close()
  await context.close()
})

/** A user of the brand, and the same person at the provider. */
const newPerson = async (fields: { email?: string; brandId?: number } = {}) => {
  people += 1
  const email = fields.email ?? `person-${people}@orbit.example`
  const user = await addPerson(context, tenant.resellerId, fields.brandId ?? tenant.brandId, [tenant.customerId], { email })
  provider.person = { sub: `subject-${people}`, email, email_verified: true }
  return user
}

/** Runs a browser's whole sign-on: to the provider and back. */
const signOn = async (query: Record<string, string> = {}): Promise<URL> => {
  const { location, cookie } = await startSignOn(app, { b: 'orbit', ...query })
  browserCookie = cookie
  return returnFromProvider(app, provider.signInAt(location), cookie)
}

/** The cookie of the browser that signed on last. */
let browserCookie = ''
const redeem = (back: URL) => redeemCode(app, back.searchParams.get('code') ?? '', undefined, { cookie: browserCookie })

/** The logged failure of the last sign-on. */
const loggedFailures = (): { kind?: string; reason?: string } =>
  logged.map((line) => JSON.parse(line)).findLast(({ msg }) => msg === 'a single sign-on failed') ?? {}

/** Overrides the provider's responses from the next sign-on on; metadata is fetched again after ten minutes. */
const expectFailure = (lies: ProviderOverrides): void => {
  context.advance(600_001)
  provider.override(lies)
}

test('[SSO-01] a person comes back with a one-time code, and the code opens a session of the user who has that email', async () => {
  const user = await newPerson()
  const back = await signOn({ r: '/invoices?page=2' })
  expect([back.pathname, back.searchParams.get('r'), errorOf(back)]).toEqual(['/login', '/invoices?page=2', null])
  const session = sessionOf(await redeem(back))
  expect(decodeJwt(session.accessToken)).toMatchObject({ sub: user.id, BrandId: tenant.brandId })
  expect(session.cookie).toMatch(/^counterfoil=/)
})

test.each(PUBLIC_URLS)('[SSO-01] at %s a browser keeps the cookies of a sign-on, and its session is refreshed', async (publicUrl) => {
  const there = await context.app({ publicUrl })
  const { host, origin } = new URL(publicUrl)
  await newPerson()
  const { location, cookie } = await startSignOn(there, { b: 'orbit' }, { host })
  const back = await returnFromProvider(there, provider.signInAt(location), cookie, host)
  const answer = await redeemCode(there, back.searchParams.get('code') ?? '', `${origin}/login`, { host, cookie })
  const session = sessionOf(answer)
  expectKeptCookies({ headers: { 'set-cookie': `${cookie}${publicUrl.startsWith('https:') ? '; Secure' : ''}` } }, publicUrl)
  expectKeptCookies(answer, publicUrl)
  expect((await refresh(there, session.refreshToken, session.cookie)).statusCode).toBe(200)
})

test('[SSO-01] once linked, issuer and subject decide: another email changes nothing, and the old email of another subject opens nothing', async () => {
  const user = await newPerson()
  const { sub, email } = provider.person
  expect(errorOf(await signOn())).toBeNull()
  provider.person = { sub, email: 'married@orbit.example', email_verified: true }
  const back = await signOn()
  expect(decodeJwt(sessionOf(await redeem(back)).accessToken)).toMatchObject({ sub: user.id })
  provider.person = { sub: 'the next holder of the address', email, email_verified: true }
  expect(errorOf(await signOn())).toBe('Authentication failed')
})

test('[SSO-01] links, and persons who could not be linked, are in the audit log', async () => {
  const user = await newPerson()
  await signOn()
  await signOn() // the second time links nobody
  provider.person = { sub: 'a-stranger', email: 'stranger@orbit.example', email_verified: true }
  await signOn()
  const entries = await queryAsAdministrator(
    context,
    `select action, actor_kind as kind, actor_id as id, subject, detail from audit_entry
     where actor_id = $1 or action = 'sso.link-refused' order by seq desc limit 2`,
    [user.id],
  )
  expect(entries).toEqual([
    { action: 'sso.link-refused', kind: 'system', id: null, subject: 'company orbit', detail: 'no user of the brand has the email' },
    { action: 'sso.linked', kind: 'user', id: user.id, subject: 'company orbit', detail: null },
  ])
  expect((await verifyAudit(context.store, context.keys)).faults).toEqual([])
})

test('[SSO-01] two concurrent first sign-ons link once and both succeed', async () => {
  await newPerson()
  const both = await Promise.all([signOn(), signOn()])
  expect(both.map(errorOf)).toEqual([null, null])
})

test('[SSO-01] the email may be in the ID token or in the user info', async () => {
  await newPerson()
  provider.override({
    claims: { email: provider.person['email'], email_verified: true },
    answer: { '/userinfo': (response) => void response.destroy() },
  })
  expect(errorOf(await signOn())).toBeNull()
})

test.each([
  ['an email that is not verified', { email_verified: false }],
  ['an email of which nothing is said', { email_verified: undefined }],
  ['an email with the word "false"', { email_verified: 'false' }],
  ['an email with the word "yes"', { email_verified: 'yes' }],
  ['no email', { email: undefined }],
  ['an email of another organization', { email: 'person@elsewhere.example' }],
  ['an email under the organization’s domain', { email: 'person@mail.orbit.example' }],
  ['an email that only looks like one of the organization', { email: 'person@elsewhere.example@orbit.example' }],
  ['an email that nobody here has', { email: 'stranger@orbit.example' }],
  ['a list of emails', { email: ['person@orbit.example'] }],
  ['an email in a list that nobody calls verified', { email: undefined, email_verified: undefined, emails: ['person@orbit.example'] }],
  ['an email of a domain that is not verified', { email_verified: undefined, xms_edov: false }],
])('[SSO-01] %s links nobody', async (_, assertion) => {
  await newPerson()
  provider.person = { ...provider.person, ...assertion }
  const back = await signOn({ r: '/usage' })
  expect([errorOf(back), back.searchParams.get('b'), back.searchParams.get('r'), back.searchParams.get('code')]).toEqual([
    'Authentication failed',
    'orbit',
    '/usage',
    null,
  ])
})

test.each(OPENID_SHAPES)('[SSO-01] a person of $provider is linked by their email', async (shape) => {
  const email = `${shape.provider.replaceAll(/\W+/g, '-')}@shapes.example`
  const withEmail = (claims: object) => JSON.parse(JSON.stringify(claims).replaceAll(EMAIL, email))
  await addOrganization(context, tenant, {
    name: 'shapes',
    issuer: provider.issuer,
    secret: provider.client.secret,
    domains: ['shapes.example'],
    trustEmail: shape.trustEmail ?? false,
  })
  await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], { email })
  provider.person = { sub: `shape of ${shape.provider}` }
  provider.override({ claims: withEmail(shape.idToken), userInfo: withEmail(shape.userInfo) })
  expect(errorOf(await signOn({ b: 'shapes' }))).toBeNull()
})

test('[SSO-01] --trust-email accepts an email without "email_verified", but not one with "false"', async () => {
  await addOrganization(context, tenant, {
    name: 'trusted',
    issuer: provider.issuer,
    secret: provider.client.secret,
    domains: ['trusted.example'],
    trustEmail: true,
  })
  await newPerson({ email: 'one@trusted.example' })
  for (const isVerified of [false, 'false']) {
    provider.person = { ...provider.person, email_verified: isVerified }
    expect(errorOf(await signOn({ b: 'trusted' }))).toBe('Authentication failed')
  }
  provider.person = { ...provider.person, email_verified: undefined }
  expect(errorOf(await signOn({ b: 'trusted' }))).toBeNull()
})

test('[SSO-01] users of another brand, of another reseller, disabled ones and two with one email are not linked', async () => {
  const other = await addBrand(context, tenant.resellerId)
  await newPerson({ brandId: other })
  expect(errorOf(await signOn())).toBe('Authentication failed')

  const rivals = await addTenant(context)
  people += 1
  await addPerson(context, rivals.resellerId, rivals.brandId, [rivals.customerId], { email: `rival-${people}@orbit.example` })
  provider.person = { sub: `rival-${people}`, email: `rival-${people}@orbit.example`, email_verified: true }
  expect(errorOf(await signOn())).toBe('Authentication failed')

  await newPerson()
  await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], {
    email: String(provider.person['email']).toUpperCase(),
  })
  expect(errorOf(await signOn())).toBe('Authentication failed')

  const disabled = await newPerson()
  expect(errorOf(await signOn())).toBeNull()
  await changePerson(context, tenant.resellerId, disabled.id, { disabled_at: context.clock() })
  expect(errorOf(await signOn())).toBe('Authentication failed')
})

const privateKeyOf = async () => (await generateKeyPair('RS256')).privateKey
const signTokenWith = async (
  claims: JWTPayload,
  header: { alg: string; kid?: string; [more: string]: unknown },
  key: CryptoKey | Uint8Array,
) => new SignJWT(claims).setProtectedHeader(header).sign(key)

/** ID tokens that an attacker, a confused or a broken provider would send. */
const TOKENS: Record<string, () => ProviderOverrides> = {
  'alg none': () => ({ idToken: (claims) => new UnsecuredJWT(claims).encode() }),
  'alg none in capitals': () => ({
    idToken: (claims) => `${part({ alg: 'NONE' })}.${part(claims)}.`,
  }),
  'HS256 with the public key for a secret': () => ({
    idToken: async (claims) => {
      const body = `${part({ alg: 'HS256', kid: 'first' })}.${part(claims)}`
      const pem = await exportSPKI((await importJWK(provider.keys.publicJwk, 'RS256', { extractable: true })) as CryptoKey)
      return `${body}.${createHmac('sha256', pem).update(body).digest('base64url')}`
    },
  }),
  'HS256 with the client secret': () => ({
    idToken: (claims) => {
      const body = `${part({ alg: 'HS256' })}.${part(claims)}`
      return `${body}.${createHmac('sha256', provider.client.secret).update(body).digest('base64url')}`
    },
  }),
  'another key under the same name': () => ({
    idToken: async (claims) => signTokenWith(claims, { alg: 'RS256', kid: 'first' }, await privateKeyOf()),
  }),
  'another key with a name that leads out of the folder': () => ({
    idToken: async (claims) => signTokenWith(claims, { alg: 'RS256', kid: '../../../../dev/null' }, await privateKeyOf()),
  }),
  'a key that the token brings along': () => ({
    idToken: async (claims) => {
      const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
      return signTokenWith(claims, { alg: 'RS256', jwk: await exportJWK(publicKey) }, privateKey)
    },
  }),
  'keys of an attacker’s choice (jku)': () => ({
    idToken: async (claims) =>
      signTokenWith(claims, { alg: 'RS256', kid: 'first', jku: 'https://attacker.net/jwks' }, await privateKeyOf()),
  }),
  'an algorithm that the provider does not use': () => ({
    idToken: async (claims) => signTokenWith(claims, { alg: 'ES256', kid: 'first' }, (await generateKeyPair('ES256')).privateKey),
  }),
  'a signature cut off': () => ({
    idToken: async (claims) =>
      (await signTokenWith(claims, { alg: 'RS256', kid: 'first' }, provider.keys.privateKey)).replace(/[^.]+$/, ''),
  }),
  'claims changed after signing': () => ({
    idToken: async (claims) => {
      const [header, , signature] = (await signTokenWith(claims, { alg: 'RS256', kid: 'first' }, provider.keys.privateKey)).split('.')
      return `${header}.${part({ ...claims, sub: 'administrator' })}.${signature}`
    },
  }),
  'another issuer': () => ({ claims: { iss: 'https://attacker.net' } }),
  'an issuer with a slash more': () => ({ claims: { iss: `${provider.issuer}/` } }),
  'another audience': () => ({ claims: { aud: 'another portal' } }),
  'several audiences and another authorised party': () => ({ claims: { aud: ['portal', 'another'], azp: 'another' } }),
  'no audience': () => ({ claims: { aud: undefined as unknown as string } }),
  'another nonce': () => ({ claims: { nonce: 'of another attempt' } }),
  'no nonce': () => ({ claims: { nonce: undefined } }),
  'expired an hour ago': () => ({ claims: { exp: Math.floor(Date.now() / 1_000) - 3_600 } }),
  'no end': () => ({ claims: { exp: undefined as unknown as number } }),
  'not before tomorrow': () => ({ claims: { nbf: Math.floor(Date.now() / 1_000) + 86_400 } }),
  'no subject': () => ({ claims: { sub: undefined as unknown as string } }),
  'an empty subject': () => ({ claims: { sub: '' } }),
  'a subject that is a number': () => ({ claims: { sub: 7 as unknown as string } }),
  'a subject with a NUL': () => ({ claims: { sub: 'some\0body' } }),
  'a subject of ten thousand letters': () => ({ claims: { sub: 'x'.repeat(10_000) } }),
  'a user info of somebody else': () => ({ userInfo: { sub: 'administrator' } }),
  'no ID token': () => ({
    answer: { '/token': (response) => void response.writeHead(200, JSON_TYPE).end('{"access_token":"x","token_type":"Bearer"}') },
  }),
  'an access token in place of the ID token': () => ({ idToken: () => 'opaque' }),
}

const JSON_TYPE = { 'content-type': 'application/json' }
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

test.each(Object.entries(TOKENS))('[SSO-01] an ID token with %s is refused', async (_, lies) => {
  await newPerson()
  expectFailure(lies())
  expect(errorOf(await signOn())).toBe('Authentication failed')
  expect(loggedFailures().kind).toBe('unbelievable')
})

/** Responses that arrive through the browser. */
const ANSWERS: Record<string, (back: URL) => void> = {
  'without state': (back) => back.searchParams.delete('state'),
  'with another state': (back) => back.searchParams.set('state', 'A'.repeat(43)),
  'with an empty state': (back) => back.searchParams.set('state', ''),
  'with two states': (back) => back.searchParams.append('state', 'A'.repeat(43)),
  'from another issuer': (back) => back.searchParams.set('iss', 'https://attacker.net'),
  'from no issuer, of a provider that says it names itself': (back) => back.searchParams.delete('iss'),
  'without a code': (back) => back.searchParams.delete('code'),
  'with a code of somebody else': (back) => back.searchParams.set('code', 'somebody-else'),
  'with two codes': (back) => back.searchParams.append('code', 'another'),
  'with an error': (back) => back.searchParams.set('error', 'access_denied'),
}

test.each(Object.entries(ANSWERS))('[SSO-01] an answer %s is refused', async (_, change) => {
  await newPerson()
  const { location, cookie } = await startSignOn(app, { b: 'orbit' })
  expect(errorOf(await returnFromProvider(app, provider.signInAt(location, change), cookie))).toBe('Authentication failed')
  expect(['unbelievable', 'denied', 'stale']).toContain(loggedFailures().kind)
})

test('[SSO-01] a response is accepted once, from the browser that started, in time', async () => {
  await newPerson()
  const { location, cookie } = await startSignOn(app, { b: 'orbit' })
  const other = await startSignOn(app, { b: 'orbit' })
  const back = provider.signInAt(location)
  expect(errorOf(await returnFromProvider(app, back, ''))).toBe('Authentication failed')
  expect(errorOf(await returnFromProvider(app, back, other.cookie))).toBe('Authentication failed')
  expect(errorOf(await returnFromProvider(app, back, cookie))).toBeNull()
  expect(errorOf(await returnFromProvider(app, back, cookie))).toBe('Authentication failed')

  const late = await startSignOn(app, { b: 'orbit' })
  context.advance(600_001)
  expect(errorOf(await returnFromProvider(app, provider.signInAt(late.location), late.cookie))).toBe('Authentication failed')
})

test('[SSO-01] a code of another attempt is refused, because its PKCE verifier differs', async () => {
  await newPerson()
  const mine = await startSignOn(app, { b: 'orbit' })
  const theirs = await startSignOn(app, { b: 'orbit' })
  const stolen = new URL(provider.signInAt(theirs.location), 'http://localhost').searchParams.get('code') ?? ''
  const back = provider.signInAt(mine.location, (address) => address.searchParams.set('code', stolen))
  expect(errorOf(await returnFromProvider(app, back, mine.cookie))).toBe('Authentication failed')
})

test('[SSO-01] two tabs of one browser can sign on at the same time', async () => {
  await newPerson()
  const first = await startSignOn(app, { b: 'orbit' })
  const second = await startSignOn(app, { b: 'orbit' }, { cookie: first.cookie })
  expect(second.cookie).toBe(first.cookie)
  expect(errorOf(await returnFromProvider(app, provider.signInAt(first.location), first.cookie))).toBeNull()
  expect(errorOf(await returnFromProvider(app, provider.signInAt(second.location), first.cookie))).toBeNull()
})

const garbage = (body: string, type = 'text/html') => ({ '/.well-known/openid-configuration': plain(body, type) })
const plain =
  (body: string, type = 'text/html', status = 200) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': type }).end(body)

const TROUBLES: Record<string, ProviderOverrides> = {
  'is cut off': { answer: { '/.well-known/openid-configuration': (response) => void response.destroy() } },
  'answers 503': { answer: { '/.well-known/openid-configuration': plain('busy', 'text/plain', 503) } },
  'answers a page': { answer: garbage('<html>maintenance</html>') },
  'answers JSON that is none': { answer: garbage('{', 'application/json') },
  'sends elsewhere': {
    answer: { '/.well-known/openid-configuration': (response) => void response.writeHead(302, { location: 'https://attacker.net' }).end() },
  },
  'says that it is another': { description: { issuer: 'https://attacker.net' } },
  'sends people to a script': { description: { authorization_endpoint: 'javascript:alert(1)' } },
  'sends people over plain http': { description: { authorization_endpoint: 'http://attacker.net/authorize' } },
  'wants the secret over plain http': { description: { token_endpoint: 'http://attacker.net/token' } },
  'answers without end': { answer: garbage(`{"issuer":"${'x'.repeat(1_000_000)}"}`, 'application/json') },
}

test.each(Object.entries(TROUBLES))('[SSO-04] a provider that %s at the start sends the person back with words', async (_, lies) => {
  expectFailure(lies)
  const { status, location } = await startSignOn(app, { b: 'orbit', r: '/usage' })
  expect([status, location]).toEqual([
    302,
    expect.stringMatching(/^\/login\?e=Authentication%20failed&why=(away|unbelievable)&b=orbit&r=%2Fusage$/),
  ])
})

test.each(['/token', '/jwks', '/userinfo'])(
  '[SSO-04] a provider whose %s fails when the person is back sends them back with words',
  async (path) => {
    for (const kind of [
      plain('oops', 'text/html', 500),
      plain('<html>', 'text/html'),
      (response: ServerResponse) => void response.destroy(),
    ]) {
      await newPerson()
      expectFailure({ answer: { [path]: kind } })
      expect(errorOf(await signOn())).toBe('Authentication failed')
    }
  },
)

test('[SSO-04] an unreachable provider, and one that never answers, fail within seconds and work again afterwards', async () => {
  await newPerson()
  await addOrganization(context, tenant, { name: 'away', issuer: 'http://127.0.0.1:9', domains: ['away.example'] })
  expect((await startSignOn(app, { b: 'away' })).location).toBe('/login?e=Authentication%20failed&why=away&b=away')
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  await addOrganization(context, tenant, { name: 'silent', issuer: `http://127.0.0.1:${port}`, domains: ['silent.example'] })
  expect((await startSignOn(app, { b: 'silent' })).location).toBe('/login?e=Authentication%20failed&why=away&b=silent')
  silent.closeAllConnections()
  silent.close()
  context.advance(600_001)
  expect(errorOf(await signOn())).toBeNull()
})

test('[SSO-04] so many people of an organization wait for its provider as may, and the next one is told at once', async () => {
  const isAsked = Promise.withResolvers<void>()
  const silent = createServer(() => isAsked.resolve())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  await addOrganization(context, tenant, { name: 'hushed', issuer: `http://127.0.0.1:${port}`, domains: ['hushed.example'] })
  const answered: string[] = []
  const begin = async (host: number): Promise<void> => {
    answered.push((await startSignOn(app, { b: 'hushed' }, {}, `203.0.113.${host}`)).location)
  }
  const all = Promise.all(Array.from({ length: 9 }, (_, host) => begin(host)))
  await isAsked.promise
  await vi.waitFor(() => expect(answered).toEqual(['/login?e=Authentication%20failed&why=away&b=hushed']))
  silent.closeAllConnections()
  silent.close()
  await all
})

test('[SSO-01] the provider’s metadata is fetched once for concurrent sign-ons, and again after the organization was changed', async () => {
  await newPerson()
  context.advance(600_001)
  provider.requestedPaths.length = 0
  await Promise.all(Array.from({ length: 10 }, () => startSignOn(app, { b: 'orbit' })))
  expect(provider.requestedPaths).toEqual(['/.well-known/openid-configuration'])
  context.advance(1)
  await addOrganization(context, tenant, { issuer: provider.issuer, secret: provider.client.secret })
  await startSignOn(app, { b: 'orbit' })
  expect(provider.requestedPaths).toHaveLength(2)
})

test('[SSO-01] a secret that was sealed under another master key is reported in the log, and nobody can sign in with it', async () => {
  const sealed = sealClientSecret(deriveKeys(randomBytes(32)), tenant.resellerId, 'secret')
  await addOrganization(context, tenant, { name: 'resealed', issuer: provider.issuer, domains: ['resealed.example'], clientSecret: sealed })
  expect((await startSignOn(app, { b: 'resealed' })).location).toContain('/login?e=Authentication%20failed')
  expect(loggedFailures().reason).toBe('the client secret does not open under this master key')
})

test('[SSO-01] an organization that is blocked during a sign-on refuses it', async () => {
  await newPerson()
  const { location, cookie } = await startSignOn(app, { b: 'orbit' })
  await addOrganization(context, tenant, { issuer: provider.issuer, secret: provider.client.secret, isBlocked: true })
  expect(errorOf(await returnFromProvider(app, provider.signInAt(location), cookie))).toBe('Authentication failed')
  await addOrganization(context, tenant, { issuer: provider.issuer, secret: provider.client.secret })
})

test('[SSO-01] no secret and no email address is in the database or in the log', async () => {
  await newPerson()
  const { location, cookie } = await startSignOn(app, { b: 'orbit' })
  const code = (await returnFromProvider(app, provider.signInAt(location), cookie)).searchParams.get('code') ?? ''
  await startSignOn(app, { b: 'orbit' })
  const rows = await queryAsAdministrator<{ text: string }>(
    context,
    `select coalesce(string_agg(t, ' '), '') as text from (select c::text t from sso_organization c union all select a::text from sso_attempt a union all select s::text from sign_on_code s) x`,
  )
  const kept = `${rows[0]?.text} ${logged.join(' ')}`
  const state = new URL(location).searchParams.get('state') ?? ''
  for (const secret of [provider.client.secret, code, state, cookie.split('=')[1] ?? '', String(provider.person['email'])]) {
    expect(secret).not.toBe('')
    expect(kept).not.toContain(secret)
    expect(kept).not.toContain(Buffer.from(secret).toString('hex'))
  }
})
