import { LRUCache } from 'lru-cache'
import type { Clock } from '../../kit/clock.ts'
import { cacheClock, cacheTtl } from '../../kit/cache-ttl.ts'
import type { ProviderCache } from '../providers/account.ts'

const MAX_ACCOUNTS = 1_000
const MAX_ENTRIES = 100

/**
 * An empty memory in this process for calls of one account. Those that ask for the same at the same moment wait for one answer; a failure
 * is not remembered.
 */
export const createProviderCache = (clock: Clock): ProviderCache => {
  const entries = new LRUCache<string, Promise<string>>({ max: MAX_ENTRIES, ...cacheClock(clock) })
  return {
    remember: (key, ttlMs, load) => {
      const known = entries.get(key)
      if (known !== undefined) return known
      const value = load()
      entries.set(key, value, cacheTtl(clock, ttlMs))
      value.catch(() => {
        if (entries.peek(key) === value) entries.delete(key)
      })
      return value
    },
    forget: (key) => void entries.delete(key),
  }
}

const caches = new LRUCache<string, ProviderCache>({ max: MAX_ACCOUNTS })

/** The memory of an account in this process. Changed settings are sealed anew, so that they begin with an empty one. */
export const cacheOfAccount = (accountId: number, sealed: Buffer, clock: Clock): ProviderCache => {
  const key = `${accountId} ${sealed.toString('base64')}`
  const known = caches.get(key)
  if (known !== undefined) return known
  const cache = createProviderCache(clock)
  caches.set(key, cache)
  return cache
}
