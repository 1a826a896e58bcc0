import { type Static, Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kit/clock.ts'
import type { Keys } from '../../kit/keys.ts'
import type { Within } from '../../kit/serve.ts'
import { charge, tooMany } from '../../session/limit-counters.ts'
import type { Limits } from '../../session/limits.ts'
import { takeFromBuckets } from '../../session/session.queries.ts'
import { redirectPath } from './redirect-path.rules.ts'

interface SsoHouse {
  readonly keys: Keys
  readonly limits: Limits
  readonly clock: Clock
  readonly asSystem: Within
}

/** b: the company's name; ct: always 2; r: where to go after sign-in (portal.md §4, Single sign-on). */
const Start = Type.Object({
  b: Type.String({ default: '', maxLength: 254 }),
  ct: Type.Optional(Type.String({ maxLength: 16 })),
  r: Type.String({ default: '', maxLength: 2_048 }),
})

/** What stands for an unknown or blocked company; the portal has its own words for it (portal.md §8). */
const UNKNOWN_COMPANY = 'Unexpected redirect error'

/**
 * `GET /sso/login`: where the browser goes to sign in through a company. Companies come with a table of their own; until then
 * every company is unknown, and the browser is sent back to the sign-in page with that message. At most 10 tries a minute from one address.
 */
export const ssoRoutes = (app: FastifyInstance, { keys, limits, clock, asSystem }: SsoHouse): void => {
  app.get<{ Querystring: Static<typeof Start> }>('/sso/login', { schema: { querystring: Start } }, async (request, reply) => {
    const waitMs = await asSystem((db) => takeFromBuckets(db, [charge(keys, limits, 'company', request.ip)], clock()))
    if (waitMs > 0) throw tooMany(waitMs)
    const target = redirectPath(request.query.r)
    const back = target === undefined ? '' : `&r=${encodeURIComponent(target)}`
    return reply.redirect(`/login?e=${encodeURIComponent(UNKNOWN_COMPANY)}${back}`)
  })
}
