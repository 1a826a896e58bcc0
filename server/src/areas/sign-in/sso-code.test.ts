import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, MACHINE, PORTAL, refresh, postForm, sessionOf } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addTenant, changePerson } from '../../../test/support/people.ts'
import { redeemCode as redeem } from '../../../test/support/single-sign-on.ts'
import { insertCode } from '../../sso/attempts.queries.ts'
import { newSecret, secretHash } from '../../session/tokens.ts'
import { addMs } from '../../kit/clock.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>

beforeAll(async () => {
  context = await testContext({ LIMITS: 'link=100000/1s anonymous=100000/1s' })
  app = await context.app()
  tenant = await addTenant(context, { brand: { domain: 'nine.example' } })
  await addTenant(context, { brand: { domain: 'rival.example' } })
})
beforeEach(() => context.advance(3_600_000))
afterAll(() => context.close())

/** A code as single sign-on issues it. */
const newCode = async (userId = tenant.person.id, redirectUri = 'http://localhost:3000/login'): Promise<string> => {
  const code = newSecret()
  const expiresAt = addMs(context.clock(), 60_000)
  await context.store.transact({ role: 'counterfoil_system' }, (db) =>
    insertCode(db, { codeHash: secretHash(code), browserHash: secretHash(BROWSER), userId, redirectUri, expiresAt }),
  )
  return code
}

const BROWSER = 'the browser that began'
const COOKIE = { cookie: `counterfoil-sso=${encodeURIComponent(BROWSER)}` }
const redeemCode = (app: FastifyInstance, code: string, redirectUri?: string, headers: Record<string, string> = {}) =>
  redeem(app, code, redirectUri, { ...COOKIE, ...headers })

const WRONG = { error: 'invalid_grant', error_description: 'This code is not valid, or it was used before.' }

test('[SSO-01] of sixty concurrent exchanges of one code one succeeds', async () => {
  for (let round = 0; round < 3; round += 1) {
    const code = await newCode()
    const answers = await Promise.all(Array.from({ length: 60 }, () => redeemCode(app, code)))
    const signedIn = answers.filter(({ statusCode }) => statusCode === 200)
    expect(signedIn).toHaveLength(1)
    for (const answer of answers.filter((one) => !signedIn.includes(one))) expect([answer.statusCode, answer.json()]).toEqual([400, WRONG])
  }
})

test('[SSO-01] a code opens a session like any other: calls, refresh with the cookie', async () => {
  const session = sessionOf(await redeemCode(app, await newCode()))
  expect((await clientFor(app, session).get('/v1/ec/me')).statusCode).toBe(200)
  expect((await refresh(app, session.refreshToken, session.cookie)).statusCode).toBe(200)
  expect((await refresh(app, session.refreshToken, null)).statusCode).toBe(400)
})

test('[SSO-01] a code that another browser shows is refused, and used up: nobody is signed in as somebody else by a link', async () => {
  for (const cookie of ['', 'counterfoil-sso=another', `__Host-${COOKIE.cookie}`]) {
    const code = await newCode()
    expect((await redeem(app, code, undefined, { cookie })).json()).toEqual(WRONG)
    expect((await redeemCode(app, code)).json()).toEqual(WRONG)
  }
})

test('[SSO-01] a code is valid for a minute', async () => {
  const [inTime, late] = [await newCode(), await newCode()]
  context.advance(59_000)
  expect((await redeemCode(app, inTime)).statusCode).toBe(200)
  context.advance(2_000)
  expect((await redeemCode(app, late)).json()).toEqual(WRONG)
})

test.each([
  ['another page', { redirect_uri: 'http://localhost:3000/other' }],
  ['another origin', { redirect_uri: 'https://attacker.net/login' }],
  ['the page with a slash more', { redirect_uri: 'http://localhost:3000/login/' }],
  ['no page', {}],
])('[SSO-01] a code that is shown with %s is refused, and used up', async (_, fields) => {
  const code = await newCode()
  const wrong = await postForm(app, '/token', { grant_type: 'authorization_code', code, ...PORTAL, ...fields })
  expect([wrong.statusCode, wrong.json()]).toEqual([400, WRONG])
  expect((await redeemCode(app, code)).json()).toEqual(WRONG)
})

test("[SSO-01] a code of one brand's user opens nothing on another brand's host, and one of a disabled user nothing anywhere", async () => {
  const elsewhere = await newCode()
  expect((await redeemCode(app, elsewhere, 'http://localhost:3000/login', { host: 'rival.example' })).json()).toEqual(WRONG)
  const code = await newCode()
  await changePerson(context, tenant.resellerId, tenant.person.id, { disabled_at: context.clock() })
  expect((await redeemCode(app, code)).json()).toEqual(WRONG)
  await changePerson(context, tenant.resellerId, tenant.person.id, { disabled_at: null })
})

test('[SSO-01] unknown codes, and tokens in place of a code, are refused', async () => {
  const session = sessionOf(await redeemCode(app, await newCode()))
  for (const code of ['x', newSecret(), session.refreshToken, session.accessToken.slice(0, 512), `${newSecret()}'; drop table session; --`])
    expect((await redeemCode(app, code)).statusCode).toBe(400)
})

test('[SSO-01] the portal’s own client must show its own secret; a wrong secret does not use the code up', async () => {
  const code = await newCode()
  const wrong = await postForm(app, '/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'http://localhost:3000/login',
    client_id: PORTAL.client_id,
    client_secret: 'something else',
  })
  expect([wrong.statusCode, wrong.json()]).toMatchObject([401, { error: 'invalid_client' }])
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'http://localhost:3000/login',
    ...MACHINE,
  }
  const machine = await postForm(app, '/token', fields, COOKIE)
  expect(sessionOf(machine).cookie).toBeNull()
})

test('[SSO-01] one address tries twenty codes a minute and no more; those that were right are not counted', async () => {
  const strict = await testContext({ LIMITS: 'anonymous=100000/1s' })
  const at = await strict.app()
  const wrong: number[] = []
  for (let tries = 0; tries < 22; tries += 1) wrong.push((await redeemCode(at, newSecret())).statusCode)
  expect(wrong).toEqual([...Array<number>(20).fill(400), 429, 429])
  await strict.close()
})
