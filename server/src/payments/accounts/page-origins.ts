import { LRUCache } from 'lru-cache'
import type { PageOrigins } from '../../http/security-headers.ts'
import { cacheTtl } from '../../kit/cache-ttl.ts'
import { findProviderFor, type PaymentsDeps } from '../payments-deps.ts'
import type { PaymentProvider } from '../providers/provider.ts'
import { listProviderAddresses } from './page-origins.queries.ts'

/** Short enough that a new account is soon allowed. */
const CACHE_MS = 30_000
const MAX_BRANDS = 1_000

const NONE: PageOrigins = { script: [], frame: [], connect: [] }

/**
 * The origins that a page may load for one provider: its production hosts, or the stand-in at `baseUrl`.
 * @param baseUrl the address of the provider's API, from the reseller's account
 */
export const providerOrigins = (
  { account: { liveHosts }, entry: { page }, frames }: Pick<PaymentProvider, 'account' | 'entry' | 'frames'>,
  baseUrl: string,
): PageOrigins => {
  if (page === undefined) return NONE
  // The provider's page in a frame leads to our return page, which is sandboxed.
  const returnPage = frames === undefined ? [] : ["'self'"]
  const { host, origin } = new URL(baseUrl)
  if (liveHosts.test(host)) return { ...page.liveOrigins, frame: [...page.liveOrigins.frame, ...returnPage] }
  // A stand-in serves frames from another origin than its script, as the provider does: this machine's other loopback name.
  return { script: [origin], frame: [origin, ...loopbackAliases(origin), ...returnPage], connect: [origin] }
}

/** The origin by this machine's other loopback name; none for an origin of another host. */
const loopbackAliases = (origin: string): readonly string[] => {
  const { protocol, hostname, port } = new URL(origin)
  if (hostname !== 'localhost' && hostname !== '127.0.0.1') return []
  return [`${protocol}//${hostname === 'localhost' ? '127.0.0.1' : 'localhost'}${port === '' ? '' : `:${port}`}`]
}

/** All these origins, each once. */
const mergeOrigins = (all: readonly PageOrigins[]): PageOrigins => ({
  script: [...new Set(all.flatMap(({ script }) => script))],
  frame: [...new Set(all.flatMap(({ frame }) => frame))],
  connect: [...new Set(all.flatMap(({ connect }) => connect))],
})

/**
 * A function that tells the origins which the payment pages of a host may load: those of its brand's provider, or of every reseller's where
 * no brand claims the host. Cached by brand for `CACHE_MS`.
 */
export const pageOrigins = (
  deps: Pick<PaymentsDeps, 'store' | 'clock' | 'providers'>,
  brandOfHost: (host: string) => Promise<number | undefined>,
): ((host: string) => Promise<PageOrigins>) => {
  const { store, clock } = deps
  const cache = new LRUCache<number | 'no brand', Promise<PageOrigins>>({ max: MAX_BRANDS, ...cacheTtl(clock, CACHE_MS) })

  const read = async (brandId: number | undefined): Promise<PageOrigins> => {
    const rows = await store.transact({ role: 'counterfoil_system' }, (db) => listProviderAddresses(db, brandId), { pipelined: true })
    return mergeOrigins(
      rows.flatMap(({ provider, baseUrl }) => {
        const known = findProviderFor(deps, provider)
        return known === undefined ? [] : [providerOrigins(known, baseUrl)]
      }),
    )
  }

  return async (host) => {
    const brandId = await brandOfHost(host)
    const key = brandId ?? 'no brand'
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const origins = read(brandId)
    cache.set(key, origins)
    // Failures are not cached.
    origins.catch(() => cache.delete(key))
    return origins
  }
}
