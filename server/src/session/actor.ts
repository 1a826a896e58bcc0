import type { SectionFlags } from '@counterfoil/contract/kit/sections'
import { LRUCache } from 'lru-cache'
import { cacheTtl } from '../kit/cache-ttl.ts'
import type { Clock } from '../kit/clock.ts'
import type { Store } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import { ApiError, signInRequired } from '../kit/api-error.ts'
import { type ActorRow, findActorRow, brandIdOfHost } from './actor.queries.ts'
import { mintScope, type PortalScope, type ScopeOptions } from './scope.ts'
import { accessTokenVerifier, type TokenOwner } from './tokens.ts'

/** The signed-in user of a request. */
export interface Actor {
  readonly sessionId: string
  readonly userId: string
  readonly displayName: string
  readonly brandId: number
  readonly resellerId: number
  /** The name of the support employee who uses the session; null in a session of the user's own. */
  readonly supporter: string | null
  /** The only customer that the session may act for; null without such a limit. */
  readonly onlyCustomerId: number | null
  readonly flags: SectionFlags
}

export interface AccessCheck {
  /** The user that the token names, without asking the database whether its session is still open. @throws ApiError 401 without a token */
  userOfToken(credentials: Pick<RequestCredentials, 'authorization'>): Promise<string>
  /** @throws ApiError 401 when nobody is signed in, or the host belongs to another brand */
  authenticate(credentials: RequestCredentials): Promise<Actor>
  /** @throws ApiError 401; 403 for another user's or a missing customer; 400 when a customer must be chosen */
  authenticateForCustomer(credentials: RequestCredentials): Promise<CustomerAccess>
  /** Lets in the session that a signed state names, for its customer. @throws ApiError 401 when the session has ended; 403 */
  authenticateSession(session: { readonly sessionId: string; readonly customerId: number }): Promise<CustomerAccess>
  /** Removes a session that has ended from this process's cache. */
  forgetSession(sessionId: string): void
}

/** The signed-in user and the customer that the request is about. */
interface CustomerAccess {
  readonly actor: Actor
  readonly scope: PortalScope
}

export interface RequestCredentials {
  readonly authorization: string | undefined
  readonly customerHeader: string | undefined
  readonly host: string
}

/** How long a session's row is cached: a revocation in another process takes effect this much later. */
const SESSION_CACHE_MS = 1_000
const MAX_CACHED_SESSIONS = 20_000
const MAX_CACHED_HOSTS = 1_000
const MAX_UNCLAIMED_HOSTS = 100

/** Checks access tokens against the rows of their sessions, which are cached for SESSION_CACHE_MS, and customers against the user's. */
export const createAccessCheck = (store: Store, keys: Keys, clock: Clock, options: ScopeOptions = { predicate: true }): AccessCheck => {
  const cache = new LRUCache<string, ActorRow>({ max: MAX_CACHED_SESSIONS, ...cacheTtl(clock, SESSION_CACHE_MS) })
  const brandOfHost = brandHostLookup(store, clock)
  const verifyToken = accessTokenVerifier(keys)

  const forgetSession = (sessionId: string): void => {
    for (const key of [...cache.keys()].filter((one) => one.startsWith(`${sessionId} `))) cache.delete(key)
  }

  const readSession = async (sessionId: string, requestedCustomer: number | null): Promise<ActorRow> => {
    const now = clock()
    const key = `${sessionId} ${requestedCustomer}`
    const cached = cache.get(key)
    if (cached !== undefined && cached.idleUntil > now) return cached
    const row = await store.transact({ role: 'counterfoil_system' }, (db) => findActorRow(db, sessionId, requestedCustomer, now), {
      pipelined: true,
    })
    if (row === undefined || !row.isAlive) {
      forgetSession(sessionId)
      throw signInRequired()
    }
    cache.set(key, row)
    return row
  }

  const verify = async ({ authorization }: Pick<RequestCredentials, 'authorization'>): Promise<TokenOwner> => {
    const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1]
    if (token === undefined) throw signInRequired()
    return verifyToken(token, clock())
  }

  const identify = async (credentials: RequestCredentials, requestedCustomer: number | null): Promise<ActorRow> => {
    const { host } = credentials
    const row = await readSession((await verify(credentials)).sessionId, requestedCustomer)
    const hostBrand = await brandOfHost(host)
    if (hostBrand !== undefined && hostBrand !== row.brandId) throw signInRequired()
    return row
  }

  const grantAccess = (row: ActorRow): CustomerAccess => {
    if (row.customers === 0) throw customerForbidden()
    if (row.customers > 1 || row.customerId === null)
      throw new ApiError('customer_required', 'Choose a customer: send its id in the header X-Customer-Id.')
    const { customerId, resellerId, brandId } = row
    return { actor: actorOf(row), scope: mintScope({ customerId, resellerId, brandId }, options) }
  }

  return {
    userOfToken: async (credentials) => (await verify(credentials)).userId,
    authenticate: async (credentials) => actorOf(await identify(credentials, null)),
    authenticateForCustomer: async (credentials) => {
      const requestedCustomer = parseCustomerHeader(credentials.customerHeader)
      const row = await identify(credentials, requestedCustomer === 'garbage' ? null : requestedCustomer)
      if (requestedCustomer === 'garbage') throw customerForbidden()
      return grantAccess(row)
    },
    authenticateSession: async ({ sessionId, customerId }) => grantAccess(await readSession(sessionId, customerId)),
    forgetSession,
  }
}

/** Makes the error of status 403 for a customer that the user may not act for. Throws nothing. */
const customerForbidden = (): ApiError => new ApiError('customer_forbidden', 'You cannot act for this customer.')

/** The customer's id in the header X-Customer-Id; null without the header; `garbage` for anything but a positive whole number. */
const parseCustomerHeader = (header: string | undefined): number | null | 'garbage' => {
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

/** Makes the function that finds the id of the brand whose domain is a host; undefined without one. Cached for `cacheMs`. */
export const brandHostLookup = (store: Store, clock: Clock, cacheMs = 5_000): ((host: string) => Promise<number | undefined>) => {
  const brands = new LRUCache<string, number>({ max: MAX_CACHED_HOSTS, ...cacheTtl(clock, cacheMs) })
  // Anybody can make up hosts that no brand claims; they push out none of a brand.
  const unclaimed = new LRUCache<string, true>({ max: MAX_UNCLAIMED_HOSTS, ...cacheTtl(clock, cacheMs) })
  return async (host) => {
    const cached = brands.get(host)
    if (cached !== undefined || unclaimed.has(host)) return cached
    const brandId = await store.transact({ role: 'counterfoil_system' }, (db) => brandIdOfHost(db, host), { pipelined: true })
    if (brandId === undefined) unclaimed.set(host, true)
    else brands.set(host, brandId)
    return brandId
  }
}
