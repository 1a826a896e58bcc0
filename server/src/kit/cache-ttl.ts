import type { Clock } from './clock.ts'

/** The options of an `LRUCache` whose entries end by this clock, each when it is older than `ttlMs`. */
export const cacheTtl = (clock: Clock, ttlMs: number) => ({ ttl: ttlMs, ttlResolution: 0, perf: { now: () => clock().getTime() } })
