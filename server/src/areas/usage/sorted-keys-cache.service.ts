import type { Key } from './usage-rows.queries.ts'

/** Lists of keys in the order of a sort, kept for about a minute, so that the pages behind the first ones cost no further sort. */
export interface SortedKeysCache {
  /** The keys of one page; makes the whole list when it is not there. At most two lists are made at once. */
  readPage(key: string, load: () => Promise<Buffer>, slice: { offset: number; limit: number }, now: Date): Promise<Key[]>
}

const KEY_BYTES = 16
const CACHE_TTL_MS = 60_000
/** All lists together: four million keys. */
const MAX_CACHE_BYTES = 64_000_000
const MAX_CONCURRENT = 2

interface CachedKeys {
  readonly bytes: Promise<Buffer>
  readonly madeAt: number
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
    let kept = 0
    for (const [key, entry] of [...entries].toReversed()) {
      kept += entry.size
      if (now - entry.madeAt > CACHE_TTL_MS || kept > MAX_CACHE_BYTES) entries.delete(key)
    }
  }

  return {
    readPage: async (key, load, { offset, limit }, now) => {
      evictOld(now.getTime())
      const cached = entries.get(key)
      const entry: CachedKeys = cached ?? { bytes: withConcurrencyLimit(load), madeAt: now.getTime(), size: 0 }
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
