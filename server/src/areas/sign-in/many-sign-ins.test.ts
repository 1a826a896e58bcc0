import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, sessionOf, trySignIn } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addTenant, addPerson, queryAsAdministrator, type TestPerson } from '../../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let people: TestPerson[]

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  const tenant = await addTenant(context)
  people = await Promise.all(Array.from({ length: 8 }, () => addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])))
})
afterAll(() => context.close())

interface SignInResult {
  readonly username: string
  readonly isRight: boolean
  readonly status: number
  /** What a call with the new session was answered. */
  readonly next: number | null
  readonly userId: string | null
}

/** Forty at once, from eight people; every fifth mistypes. */
const signInAtOnce = async (): Promise<SignInResult[]> =>
  Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      const username = people[at % people.length]?.username ?? ''
      const isRight = at % 5 !== 4
      const answer = await trySignIn(app, { username, ...(isRight ? {} : { password: 'mistyped' }) })
      if (answer.statusCode !== 200) return { username, isRight, status: answer.statusCode, next: null, userId: null }
      const session = sessionOf(answer)
      const [, claims = ''] = session.accessToken.split('.')
      const { statusCode: next } = await clientFor(app, session).get('/v1/ec/me')
      const { sub: userId } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }
      return { username, isRight, status: 200, next, userId }
    }),
  )

test('[SESS-01] forty sign-ins at once: each gets a session of its own user or its own refusal, and only failures are counted', async () => {
  const before = context.clock()
  const answers = await signInAtOnce()
  for (const { isRight, status, next } of answers) expect([status, next]).toEqual(isRight ? [200, 200] : [400, null])
  const ids = await queryAsAdministrator<{ id: string; username: string }>(context, 'select id, username from app_user')
  for (const { username, userId } of answers.filter(({ isRight }) => isRight))
    expect(userId).toBe(ids.find((one) => one.username === username)?.id)
  const sessions = await queryAsAdministrator<{ count: number }>(
    context,
    'select count(*)::int as count from session where created_at >= $1',
    [before],
  )
  expect(sessions).toEqual([{ count: 32 }])
  // Eight failed, each person's fifth try; had the others not been given back, nobody could sign in any more.
  const counted = await queryAsAdministrator<{ tries: number }>(
    context,
    `select round(extract(epoch from max(full_at) - $1) / 60)::int as tries from rate_limit`,
    [before],
  )
  expect(counted).toEqual([{ tries: 1 }])
})

test.runIf(inject('testDatabase').kind === 'postgres')(
  '[SESS-01] the database ends all connections in the middle of a rush: whoever is refused signs in afterwards',
  async () => {
    const under = signInAtOnce()
    await queryAsAdministrator(
      context,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'counterfoil%'`,
    )
    for (const { status } of await under) expect([200, 400, 500, 503]).toContain(status)
    for (const { isRight, status, next } of await signInAtOnce()) expect([status, next]).toEqual(isRight ? [200, 200] : [400, null])
  },
)
