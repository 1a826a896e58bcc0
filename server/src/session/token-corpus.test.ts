import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { comparableResponse, MACHINE, PORTAL, refresh, postForm, signInAs, type TestSession } from '../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addBrand, addTenant, addPerson } from '../../test/support/people.ts'
import { linkToken } from './one-time-links.ts'
import { issueAccessToken } from './tokens.ts'

let context: TestContext
let app: FastifyInstance
let session: TestSession
let foreignSession: TestSession
let claims: Record<string, unknown>

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  const tenant = await addTenant(context, { brand: { domain: 'ours.test' } })
  const rival = await addBrand(context, tenant.resellerId, { domain: 'theirs.test' })
  session = await signInAs(app, tenant.person)
  foreignSession = await signInAs(app, await addPerson(context, tenant.resellerId, rival, [tenant.customerId]))
  claims = JSON.parse(Buffer.from(session.accessToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
})
afterAll(() => context.close())

const encodeJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const sendWithAuthorization = (authorization: string, headers: Record<string, string> = {}) =>
  app.inject({ url: '/v1/ec/me', headers: { authorization, ...headers } })

const HEADER = { alg: 'EdDSA', typ: 'at+jwt' }
const parts = (): [string, string, string] => session.accessToken.split('.') as [string, string, string]

/** A token of ours but for what is changed in it, signed with our own key. */
const signToken = (more: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> => {
  const payload = Object.fromEntries(Object.entries({ ...claims, ...more }).filter(([, value]) => value !== undefined))
  return new SignJWT(payload).setProtectedHeader({ ...HEADER, ...header } as never).sign(context.keys.tokenPrivate)
}

const hmac = (alg: string, secret: Buffer | string): string => {
  const text = `${encodeJson({ ...HEADER, alg })}.${parts()[1]}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const signWithForeignKey = (header: Record<string, unknown> = {}): Promise<string> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const jwk = publicKey.export({ format: 'jwk' })
  const given = Object.fromEntries(Object.entries(header).map(([name, value]) => [name, value === 'JWK' ? jwk : value]))
  return new SignJWT(claims).setProtectedHeader({ ...HEADER, ...given } as never).sign(privateKey)
}

const flipCharacter = (text: string, at: number): string => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)

/** Access tokens that must open nothing, each with what is wrong with it. */
const CORPUS: Readonly<Record<string, () => string | Promise<string>>> = {
  'nothing at all': () => '',
  words: () => 'let me in',
  'two parts': () => parts().slice(0, 2).join('.'),
  'four parts': () => `${session.accessToken}.${parts()[2]}`,
  'no signature': () => `${parts()[0]}.${parts()[1]}.`,
  'a cut signature': () => session.accessToken.slice(0, -4),
  'a changed signature': () => `${parts()[0]}.${parts()[1]}.${flipCharacter(parts()[2], 10)}`,
  'a signature of zeros': () => `${parts()[0]}.${parts()[1]}.${Buffer.alloc(64).toString('base64url')}`,
  'a changed user': () => `${parts()[0]}.${encodeJson({ ...claims, sub: randomUUID() })}.${parts()[2]}`,
  'a changed session': () => `${parts()[0]}.${encodeJson({ ...claims, sid: randomUUID() })}.${parts()[2]}`,
  'support added': () => `${parts()[0]}.${encodeJson({ ...claims, su: true })}.${parts()[2]}`,
  'a longer life': () => `${parts()[0]}.${encodeJson({ ...claims, exp: 9_999_999_999 })}.${parts()[2]}`,
  'a changed header': () => `${encodeJson({ ...HEADER, kid: 'x' })}.${parts()[1]}.${parts()[2]}`,
  'alg none': () => `${encodeJson({ ...HEADER, alg: 'none' })}.${parts()[1]}.`,
  'alg None, with a signature': () => `${encodeJson({ ...HEADER, alg: 'None' })}.${parts()[1]}.${parts()[2]}`,
  'alg NONE and no type': () => `${encodeJson({ alg: 'NONE' })}.${parts()[1]}.`,
  'no alg': () => `${encodeJson({ typ: 'at+jwt' })}.${parts()[1]}.${parts()[2]}`,
  'HS256 under our public key in PEM': () => hmac('HS256', context.keys.tokenPublic.export({ type: 'spki', format: 'pem' })),
  'HS256 under our public key in DER': () => hmac('HS256', context.keys.tokenPublic.export({ type: 'spki', format: 'der' })),
  'HS256 under our public key as JWK': () =>
    hmac('HS256', Buffer.from(String(context.keys.tokenPublic.export({ format: 'jwk' }).x), 'base64url')),
  'HS256 under nothing': () => hmac('HS256', ''),
  'EdDSA under another key': () => signWithForeignKey(),
  'another key that the token brings along': () => signWithForeignKey({ jwk: 'JWK' }),
  'another key at an address': () => signWithForeignKey({ jku: 'https://evil.example/keys.json', kid: '1' }),
  'a key id that climbs out of its folder': () => signWithForeignKey({ kid: '../../../../dev/null' }),
  'a key id with SQL in it': () => signWithForeignKey({ kid: "x' union select 'secret" }),
  'a certificate that the token brings along': () => signWithForeignKey({ x5u: 'https://evil.example/cert.pem' }),
  ES256: () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return new SignJWT(claims).setProtectedHeader({ ...HEADER, alg: 'ES256' }).sign(privateKey)
  },
  RS256: () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    return new SignJWT(claims).setProtectedHeader({ ...HEADER, alg: 'RS256' }).sign(privateKey)
  },
  'the type of other tokens': () => signToken({}, { typ: 'JWT' }),
  'no type': () => signToken({}, { typ: undefined }),
  'the type of a logout token': () => signToken({}, { typ: 'logout+jwt' }),
  'an expired one': () => signToken({ exp: Math.floor(context.clock().getTime() / 1_000) - 1 }),
  'one that ends just now': () => signToken({ exp: Math.floor(context.clock().getTime() / 1_000) }),
  'one that never ends': () => signToken({ exp: undefined }),
  'one whose end is a word': () => signToken({ exp: 'tomorrow' }),
  'one that is not good yet': () => signToken({ nbf: Math.floor(context.clock().getTime() / 1_000) + 60 }),
  'no time of issue': () => signToken({ iat: undefined }),
  'another issuer': () => signToken({ iss: 'https://evil.example' }),
  'no issuer': () => signToken({ iss: undefined }),
  'another audience': () => signToken({ aud: 'another-service' }),
  'no audience': () => signToken({ aud: undefined }),
  'no session': () => signToken({ sid: undefined }),
  'a session that is no text': () => signToken({ sid: 1 }),
  'a session in a list': () => signToken({ sid: [claims['sid']] }),
  'a session that never was': () => signToken({ sid: randomUUID() }),
  'no user': () => signToken({ sub: undefined }),
  'another installation’s token': async () => {
    const other = await testContext()
    const token = await issueAccessToken(other.keys, claims as never, context.clock())
    await other.close()
    return token
  },
  'a refresh token': () => session.refreshToken,
  'a mailed link’s token': () => linkToken(context.keys, randomUUID()),
  'its standard base64': () => Buffer.from(session.accessToken).toString('base64'),
  'itself with a line break': () => `${session.accessToken}\u0020`.replace('.', '.\t'),
  'itself twice': () => `${session.accessToken} ${session.accessToken}`,
}

test.each(Object.keys(CORPUS))('[SESS-01] an access token is refused like every other bad one: %s', async (name) => {
  const answer = await sendWithAuthorization(`Bearer ${await CORPUS[name]?.()}`)
  expect(answer.statusCode, answer.body).toBe(401)
  expect(comparableResponse(answer)).toEqual(comparableResponse(await sendWithAuthorization('Bearer nothing')))
})

test.each(['Basic', 'Token', 'Bearer:', 'DPoP', ''])('[SESS-01] the right token under the scheme %j opens nothing', async (scheme) => {
  expect((await sendWithAuthorization(`${scheme} ${session.accessToken}`)).statusCode).toBe(401)
})

test('[SESS-01] the token is good where it belongs, on a host of no brand too, and nowhere on another brand’s', async () => {
  const whole = `Bearer ${session.accessToken}`
  for (const host of ['ours.test', 'ours.test:8080', 'localhost'])
    expect((await sendWithAuthorization(whole, { host })).statusCode).toBe(200)
  const foreign = await sendWithAuthorization(whole, { host: 'theirs.test' })
  expect(comparableResponse(foreign)).toEqual(comparableResponse(await sendWithAuthorization('Bearer nothing', { host: 'theirs.test' })))
  expect((await sendWithAuthorization(`Bearer ${foreignSession.accessToken}`, { host: 'ours.test' })).statusCode).toBe(401)
})

test.each([
  ['an access token', () => session.accessToken],
  ['a mailed link’s token', () => linkToken(context.keys, randomUUID())],
  ['a changed one', () => flipCharacter(session.refreshToken, 5)],
  ['one with more behind it', () => `${session.refreshToken}A`],
  ['one made up', () => 'A'.repeat(43)],
  ['a session’s id', () => String(claims['sid'])],
] as [string, () => string][])('[SESS-06] a refresh token is refused like every other bad one: %s', async (_, token) => {
  const answer = await refresh(app, token(), session.cookie)
  expect(comparableResponse(answer)).toEqual(comparableResponse(await refresh(app, 'nothing', session.cookie)))
  expect(answer.statusCode).toBe(400)
})

test('[SESS-06] a refresh token serves neither another client nor the cookie of another person, nor as a code', async () => {
  expect((await refresh(app, session.refreshToken, session.cookie, MACHINE)).statusCode).toBe(400)
  expect((await refresh(app, session.refreshToken, foreignSession.cookie)).statusCode).toBe(400)
  for (const code of [session.refreshToken, session.accessToken.slice(0, 512)]) {
    const answer = await postForm(app, '/token', { grant_type: 'authorization_code', code, ...PORTAL })
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_grant'])
  }
  expect((await refresh(app, session.refreshToken, session.cookie)).statusCode).toBe(200)
})
