import type { SectionFlags } from '@counterfoil/contract/kit/sections'
import type { Clock } from '../kit/clock.ts'
import type { Store } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import { ApiError, unauthorized } from '../kit/api-error.ts'
import { type ActorRow, actorRow, brandOfHost } from './actor.queries.ts'
import { type CustomerScope, mintScope, type ScopeOptions } from './scope.ts'
import { tokenReader } from './tokens.ts'

/** The signed-in person behind a request. */
export interface Actor {
  readonly sessionId: string
  readonly userId: string
  readonly displayName: string
  readonly brandId: number
  readonly resellerId: number
  /** Somebody of support who works in this user's name; null in a session of the user's own. */
  readonly supporter: string | null
  /** The only customer that the session may act for, where it was opened for one. */
  readonly onlyCustomerId: number | null
  readonly flags: SectionFlags
}

export interface SessionGate {
  /** @throws Refusal 401 when nobody is signed in, or the brand of this host is another */
  actor(request: Credentials): Promise<Actor>
  /** @throws Refusal 401; 403, the same for a foreign and for a missing customer; 400 when one must be chosen */
  scope(request: Credentials): Promise<{ actor: Actor; scope: CustomerScope }>
  /** Makes this process look the session up again: it has just ended here. */
  forget(sessionId: string): void
}

interface Credentials {
  readonly authorization: string | undefined
  readonly customerHeader: string | undefined
  readonly host: string
}

/** How long a session's row may be taken for true without asking again: the most that a revocation elsewhere is late. */
const FRESH_MS = 1_000
const MOST_ENTRIES = 20_000

interface Entry {
  readonly row: ActorRow
  readonly readAt: number
}

export const sessionGate = (store: Store, keys: Keys, clock: Clock, options: ScopeOptions = { predicate: true }): SessionGate => {
  const fresh = new Map<string, Map<number | null, Entry>>()
  const hosts = brandHosts(store, clock)
  const sessionOfToken = tokenReader(keys)

  const read = async (sessionId: string, asked: number | null): Promise<ActorRow> => {
    const now = clock()
    const known = fresh.get(sessionId)?.get(asked)
    if (known !== undefined && now.getTime() - known.readAt < FRESH_MS && known.row.idleUntil > now) return known.row
    const row = await store.transact(
      { role: 'counterfoil_system' },
      (db) => actorRow(db, sessionId, asked, now),
      'interactive',
      'one statement',
    )
    if (row === undefined || !row.isAlive) {
      fresh.delete(sessionId)
      throw unauthorized()
    }
    if (fresh.size > MOST_ENTRIES) fresh.clear()
    const ofSession = fresh.get(sessionId) ?? new Map<number | null, Entry>()
    if (ofSession.size > 100) ofSession.clear()
    fresh.set(sessionId, ofSession.set(asked, { row, readAt: now.getTime() }))
    return row
  }

  const identified = async ({ authorization, host }: Credentials, asked: number | null): Promise<ActorRow> => {
    const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1]
    if (token === undefined) throw unauthorized()
    const row = await read(await sessionOfToken(token, clock()), asked)
    const hostBrand = await hosts(host)
    if (hostBrand !== undefined && hostBrand !== row.brandId) throw unauthorized()
    return row
  }

  return {
    actor: async (request) => actorOf(await identified(request, null)),
    scope: async (request) => {
      const asked = customerAsked(request.customerHeader)
      const row = await identified(request, asked === 'garbage' ? null : asked)
      if (asked === 'garbage' || row.customers === 0) throw new ApiError(403, 'You cannot act for this customer.')
      if (row.customers > 1 || row.customerId === null)
        throw new ApiError(400, 'Choose a customer: send its id in the header X-Customer-Id.')
      const { customerId, resellerId, brandId } = row
      return { actor: actorOf(row), scope: mintScope({ customerId, resellerId, brandId }, options) }
    },
    forget: (sessionId) => void fresh.delete(sessionId),
  }
}

const customerAsked = (header: string | undefined): number | null | 'garbage' => {
  if (header === undefined) return null
  const id = /^[1-9]\d{0,15}$/.test(header) ? Number(header) : Number.NaN
  return Number.isSafeInteger(id) ? id : 'garbage'
}

const actorOf = (row: ActorRow): Actor => ({
  sessionId: row.sessionId,
  userId: row.userId,
  displayName: row.displayName,
  brandId: row.brandId,
  resellerId: row.resellerId,
  supporter: row.supporter,
  onlyCustomerId: row.onlyCustomerId,
  flags: row,
})

/** Which brand claims a host: asked of the database, remembered for a few seconds. */
export const brandHosts = (store: Store, clock: Clock, rememberMs = 5_000): ((host: string) => Promise<number | undefined>) => {
  const known = new Map<string, { brandId: number | undefined; readAt: number }>()
  return async (host) => {
    const now = clock().getTime()
    const entry = known.get(host)
    if (entry !== undefined && now - entry.readAt < rememberMs) return entry.brandId
    const brandId = await store.transact({ role: 'counterfoil_system' }, (db) => brandOfHost(db, host), 'interactive', 'one statement')
    if (known.size > 1_000) known.clear()
    known.set(host, { brandId, readAt: now })
    return brandId
  }
}
