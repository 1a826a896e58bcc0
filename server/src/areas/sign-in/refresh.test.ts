import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, MACHINE, refresh, sessionOf, signInAs, problemBody } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addTenant, queryAsAdministrator, openSession } from '../../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let first: { id: string; refreshToken: string }

beforeAll(async () => {
  context = await testContext({ LIMITS: 'refresh=100000/1s anonymous=100000/1s' })
  app = await context.app()
  tenant = await addTenant(context)
})
beforeEach(async () => {
  first = await openSession(context, tenant.person, MACHINE.client_id)
})
afterAll(() => context.close())

const exchange = (token: string) => refresh(app, token, null, MACHINE)
const successor = async (token: string) => sessionOf(await exchange(token))
const HOUR = 3_600_000

const endReasonOf = async (id: string) =>
  (await queryAsAdministrator<{ by: string | null }>(context, 'select ended_by as by from session where id = $1', [id]))[0]?.by

test('[SESS-06] an old token gives the same successor until that is first used, however late', async () => {
  const second = await successor(first.refreshToken)
  context.advance(HOUR)
  expect((await successor(first.refreshToken)).refreshToken).toBe(second.refreshToken)
  const third = await successor(second.refreshToken)
  expect(new Set([first.refreshToken, second.refreshToken, third.refreshToken]).size).toBe(3)
})

test('[SESS-06] for 30 seconds after its successor was used an old token still gives that successor', async () => {
  const second = await successor(first.refreshToken)
  await successor(second.refreshToken)
  context.advance(30_000)
  expect((await successor(first.refreshToken)).refreshToken).toBe(second.refreshToken)
})

test('[SESS-06] later it ends the whole session: every refresh token and the access token', async () => {
  const second = await successor(first.refreshToken)
  const third = await successor(second.refreshToken)
  context.advance(30_001)
  expect((await clientFor(app, third).get('/v1/ec/me')).statusCode).toBe(200)
  const reused = await exchange(first.refreshToken)
  expect([reused.statusCode, reused.json()]).toEqual([
    400,
    { error: 'invalid_grant', error_description: 'Your session has ended. Please sign in again.' },
  ])
  expect((await clientFor(app, third).get('/v1/ec/me')).statusCode).toBe(401)
  for (const token of [first, second, third]) expect((await exchange(token.refreshToken)).statusCode).toBe(400)
  expect(await endReasonOf(first.id)).toBe('reuse')
})

test('[SESS-06] the end of one session leaves the other sessions of the same user', async () => {
  const other = await openSession(context, tenant.person, MACHINE.client_id)
  const second = await successor(first.refreshToken)
  await successor(second.refreshToken)
  context.advance(31_000)
  expect((await exchange(first.refreshToken)).statusCode).toBe(400)
  await successor(other.refreshToken)
})

test('[SESS-06] a session that is not used for 12 hours ends; one that is used continues', async () => {
  context.advance(12 * HOUR - 1)
  const second = await successor(first.refreshToken)
  context.advance(12 * HOUR)
  expect((await exchange(second.refreshToken)).statusCode).toBe(400)
})

test('[SESS-06] no session is older than 30 days, however much it is used', async () => {
  let token = first.refreshToken
  for (let hours = 0; hours + 11 < 720; hours += 11) {
    context.advance(11 * HOUR)
    token = (await successor(token)).refreshToken
  }
  context.advance(5 * HOUR - 1)
  const { accessToken } = await successor(token)
  expect((await clientFor(app, { accessToken }).get('/v1/ec/me')).statusCode).toBe(200)
  context.advance(1)
  expect((await exchange(token)).statusCode).toBe(400)
  context.advance(1_000)
  expect((await clientFor(app, { accessToken }).get('/v1/ec/me')).statusCode).toBe(401)
})

test('[SESS-01] an access token is good for five minutes and not a second longer', async () => {
  const session = await signInAs(app, tenant.person)
  context.advance(299_000)
  expect((await clientFor(app, session).get('/v1/ec/me')).statusCode).toBe(200)
  context.advance(1_000)
  const late = await clientFor(app, session).get('/v1/ec/me')
  expect([late.statusCode, late.headers['www-authenticate'], late.json()]).toEqual([
    401,
    'Bearer',
    problemBody('unauthenticated', 'Please sign in.'),
  ])
})

test('[SESS-06] a refresh token is no access token, and no text that looks like one is a refresh token', async () => {
  expect((await clientFor(app, { accessToken: first.refreshToken }).get('/v1/ec/me')).statusCode).toBe(401)
  const { accessToken } = await successor(first.refreshToken)
  for (const token of [accessToken, `${first.refreshToken}=`, first.refreshToken.toLowerCase(), 'A'.repeat(43)])
    expect((await exchange(token)).statusCode, token).toBe(400)
})

test('[SESS-06] two processes on one database agree on the successor', async () => {
  const otherProcess = await context.app()
  const [here, there] = await Promise.all([exchange(first.refreshToken), refresh(otherProcess, first.refreshToken, null, MACHINE)])
  expect(sessionOf(here).refreshToken).toBe(sessionOf(there).refreshToken)
})
