import type { Clock } from './clock.ts'

/** The options of an `LRUCache` whose entries end by this clock. */
export const cacheClock = (clock: Clock) => ({ ttlResolution: 0, perf: { now: () => clock().getTime() } })

/**
 * The options of an `LRUCache` whose entries end by this clock at the age of `ttlMs`.
 * `LRUCache` itself keeps them for that millisecond too.
 */
export const cacheTtl = (clock: Clock, ttlMs: number) => ({ ...cacheClock(clock), ttl: ttlMs - 1 })
