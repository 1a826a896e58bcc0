import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, MACHINE, refresh, sessionOf, signInAs, type TestSession } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addTenant, queryAsAdministrator, openSession } from '../../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>

beforeAll(async () => {
  context = await testContext({ LIMITS: 'anonymous=100000/1s user=100000/1s' }) // the limit of refreshes stays as it is
  app = await context.app()
  tenant = await addTenant(context)
})
afterAll(() => context.close())

/** The same numbers from 0 to 1 in every run (a 32-bit linear congruential generator). */
const seededRandom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const TABS = 20
const EXPIRIES = 50

test('[SESS-06] twenty tabs that refresh at once, fifty times, with one answer in five lost, are never signed out', async () => {
  const random = seededRandom(2_026)
  const first = await signInAs(app, tenant.person)
  let stored: TestSession = first // what the tabs share, as localStorage is shared
  let lost = 0
  let sent = 0

  /** One tab that needs to read something and finds its access token too old. */
  const tab = async (): Promise<void> => {
    const seen = stored.accessToken
    for (let hops = Math.floor(random() * 6); hops > 0; hops -= 1) await setImmediate()
    while (stored.accessToken === seen) {
      const carried = stored.refreshToken
      const isLost = random() < 0.2
      const isSentTwice = random() < 0.2
      sent += 1
      const tries = [refresh(app, carried, first.cookie), ...(isSentTwice ? [refresh(app, carried, first.cookie)] : [])]
      const [answer] = await Promise.all(tries)
      if (answer === undefined || isLost) {
        lost += 1
        continue
      }
      stored = { ...sessionOf(answer), cookie: first.cookie }
    }
  }

  for (let expiry = 0; expiry < EXPIRIES; expiry += 1) {
    context.advance(300_000)
    await Promise.all(Array.from({ length: TABS }, tab))
    expect((await clientFor(app, stored).get('/v1/ec/me')).statusCode).toBe(200)
  }

  expect(sent).toBeGreaterThan(EXPIRIES)
  expect(lost).toBeGreaterThan(0)
  const leaves = await queryAsAdministrator<{ alive: boolean; leaves: number; tokens: number }>(
    context,
    `select s.ended_at is null as alive, count(*) filter (where t.used_at is null)::int as leaves, count(*)::int as tokens
     from session s join refresh_token t on t.session_id = s.id group by s.id`,
  )
  expect(leaves).toEqual([{ alive: true, leaves: 1, tokens: EXPIRIES + 1 }])
}, 60_000)

const CASES = 200
const exchange = (token: string) => refresh(app, token, null, MACHINE)

test('[SESS-06] of 200 reuses of a token every one after the 30 seconds ends the session, and none before forks it', async () => {
  const random = seededRandom(7)
  const thefts = await Promise.all(
    Array.from({ length: CASES }, async () => {
      const { id, refreshToken } = await openSession(context, tenant.person, MACHINE.client_id)
      return { id, stolen: refreshToken, gapMs: Math.floor(random() * 120_001), isThiefFirst: random() < 0.5 }
    }),
  )
  const begin = async (theft: (typeof thefts)[number]) => {
    const second = sessionOf(await exchange(theft.stolen)).refreshToken
    return { ...theft, second, third: sessionOf(await exchange(second)) }
  }
  const began: Awaited<ReturnType<typeof begin>>[] = []
  // As many at once as one address may have waiting.
  for (let at = 0; at < thefts.length; at += 50) began.push(...(await Promise.all(thefts.slice(at, at + 50).map(begin))))
  let waited = 0
  const outcomes = { dead: 0, alive: 0 }
  for (const { id, stolen, gapMs, second, third, isThiefFirst } of began.toSorted((a, b) => a.gapMs - b.gapMs)) {
    context.advance(gapMs - waited)
    waited = gapMs
    const again = await exchange(stolen)
    const holders = isThiefFirst ? [second, third.refreshToken] : [third.refreshToken, second]
    if (gapMs <= 30_000) {
      expect(sessionOf(again).refreshToken, `${gapMs} ms`).toBe(second) // nobody got a token that the other does not have
      outcomes.alive += 1
      continue
    }
    expect(again.statusCode, `${gapMs} ms`).toBe(400)
    for (const token of holders) expect((await exchange(token)).statusCode).toBe(400)
    expect((await clientFor(app, third).get('/v1/ec/me')).statusCode).toBe(401)
    expect(await queryAsAdministrator(context, 'select ended_by from session where id = $1', [id])).toEqual([{ ended_by: 'reuse' }])
    outcomes.dead += 1
  }
  expect(outcomes.dead + outcomes.alive).toBe(CASES)
  expect(outcomes.dead).toBeGreaterThan(CASES / 2)
  expect(outcomes.alive).toBeGreaterThan(CASES / 10)
}, 60_000)
