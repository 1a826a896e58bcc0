import type { Key } from './usage-rows.queries.ts'

/** Caches sorted keys for about a minute, so that deep pages need no further sort. */
export interface SortedKeysCache {
  /** The keys of one page; loads all keys when they are not cached. At most two lists are loaded at once. */
  readPage(key: string, load: () => Promise<Buffer>, slice: { offset: number; limit: number }, now: Date): Promise<Key[]>
}

const KEY_BYTES = 16
const CACHE_TTL_MS = 60_000
/** Four million keys in total. */
const MAX_CACHE_BYTES = 64_000_000
const MAX_CONCURRENT = 2

interface CachedKeys {
  readonly bytes: Promise<Buffer>
  readonly loadedAt: number
  size: number
}

export const sortedKeysCache = (): SortedKeysCache => {
  const entries = new Map<string, CachedKeys>()
  const waiting: (() => void)[] = []
  let running = 0

  const withConcurrencyLimit = async (load: () => Promise<Buffer>): Promise<Buffer> => {
    if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await load()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  const evictOld = (now: number): void => {
    let totalBytes = 0
    for (const [key, entry] of [...entries].toReversed()) {
      totalBytes += entry.size
      if (now - entry.loadedAt > CACHE_TTL_MS || totalBytes > MAX_CACHE_BYTES) entries.delete(key)
    }
  }

  return {
    readPage: async (key, load, { offset, limit }, now) => {
      evictOld(now.getTime())
      const cached = entries.get(key)
      const entry: CachedKeys = cached ?? { bytes: withConcurrencyLimit(load), loadedAt: now.getTime(), size: 0 }
      if (cached === undefined) entries.set(key, entry)
      try {
        const bytes = await entry.bytes
        entry.size = bytes.length
        return decodeKeys(bytes.subarray(offset * KEY_BYTES, (offset + limit) * KEY_BYTES))
      } catch (error) {
        entries.delete(key)
        throw error
      }
    },
  }
}

const decodeKeys = (bytes: Buffer): Key[] => {
  const keys: Key[] = []
  for (let at = 0; at + KEY_BYTES <= bytes.length; at += KEY_BYTES)
    keys.push({ id: Number(bytes.readBigInt64BE(at)), atMicros: Number(bytes.readBigInt64BE(at + 8)) })
  return keys
}
