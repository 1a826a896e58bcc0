import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import { cacheTtl } from '../../kit/cache-ttl.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Key } from './usage-rows.queries.ts'

/** Caches sorted keys for about a minute, so that deep pages need no further sort. */
export interface SortedKeysCache {
  /** The keys of one page; loads all keys when they are not cached. At most two lists are loaded at once. */
  readPage(key: string, load: () => Promise<Buffer>, slice: { offset: number; limit: number }): Promise<Key[]>
}

const KEY_BYTES = 16
const CACHE_TTL_MS = 60_000
/** Four million keys in total. */
const MAX_CACHE_BYTES = 64_000_000
const MAX_CONCURRENT = 2

/** Makes the cache, in this process's memory; the least recently used lists leave when `MAX_CACHE_BYTES` are full. */
export const sortedKeysCache = (clock: Clock): SortedKeysCache => {
  const queue = new PQueue({ concurrency: MAX_CONCURRENT })
  const cache = new LRUCache<string, Buffer, () => Promise<Buffer>>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
    ...cacheTtl(clock, CACHE_TTL_MS),
    fetchMethod: (_key, _stale, { context: load }) => queue.add(load),
  })
  return {
    readPage: async (key, load, { offset, limit }) => {
      const bytes = await cache.forceFetch(key, { context: load })
      return decodeKeys(bytes.subarray(offset * KEY_BYTES, (offset + limit) * KEY_BYTES))
    },
  }
}

/** The keys in a packed list: id, then microseconds. */
const decodeKeys = (bytes: Buffer): Key[] => {
  const keys: Key[] = []
  for (let at = 0; at + KEY_BYTES <= bytes.length; at += KEY_BYTES)
    keys.push({ id: Number(bytes.readBigInt64BE(at)), atMicros: Number(bytes.readBigInt64BE(at + 8)) })
  return keys
}
