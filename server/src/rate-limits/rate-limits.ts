import { LRUCache } from 'lru-cache'
import type { Keys } from '../kit/keys.ts'
import { ApiError } from '../kit/api-error.ts'
import { type AddressLimitName, type Limit, type Limits, settingNameOf, type SubjectLimitName } from './limits.ts'
import { scaledLimit, addressNetworks } from './client-address.ts'

/** Rate limits counted in this process only, which they protect. */
export interface LocalRateLimiter {
  /** @throws ApiError 429 when the subject has used up its limit */
  consume(name: SubjectLimitName, subject: string, now: Date): void
  /** @throws ApiError 429 when the address, or a network of it, has used up its limit */
  consumeAddress(name: AddressLimitName, address: string, now: Date): void
}

const MAX_SUBJECTS = 50_000

/** Counts in this process's memory alone, without the database. At most MAX_SUBJECTS subjects are remembered. */
export const localRateLimiter = (limits: Limits): LocalRateLimiter => {
  const fullAt = new LRUCache<string, number>({ max: MAX_SUBJECTS })
  /** Consumes one token of each bucket, or none when one of them is empty. */
  const consumeAll = (buckets: readonly { readonly key: string; readonly limit: Limit }[], now: Date): void => {
    const at = now.getTime()
    const nexts = buckets.map(({ key, limit: { burst, refillMs } }) => {
      // No bucket is emptier than empty, though one that was filled before the clock stepped back seems so.
      if ((fullAt.get(key) ?? 0) > at + burst * refillMs) fullAt.set(key, at + burst * refillMs)
      const next = Math.max(fullAt.get(key) ?? 0, at) + refillMs
      if (next > at + burst * refillMs) throw tooManyRequests(next - at - burst * refillMs)
      return { key, next }
    })
    for (const { key, next } of nexts) fullAt.set(key, next)
  }
  return {
    consume: (name, subject, now) => consumeAll([{ key: `${name} ${subject}`, limit: limits[name] }], now),
    consumeAddress: (name, address, now) =>
      consumeAll(
        addressNetworks(address).map(({ key, multiplier }) => ({ key: `${name} ${key}`, limit: scaledLimit(limits[name], multiplier) })),
        now,
      ),
  }
}

/** One attempt of a rate-limited subject. The database stores only the subject's keyed hash, no username or address. */
export interface RateLimitUse {
  readonly subject: Buffer
  readonly limit: Limit
}

/** What consumeRateLimits needs of one attempt: the subject's keyed hash and its limit. Consumes nothing. */
export const rateLimitUse = (keys: Keys, limits: Limits, name: SubjectLimitName, subject: string): RateLimitUse => ({
  subject: keys.mac('limit', settingNameOf(name), subject),
  limit: limits[name],
})

/** Makes the error for too many attempts, with the time to wait, and with what else may help. Throws nothing. */
export const tooManyRequests = (waitMs: number, advice = ''): ApiError => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const wait =
    seconds < 60
      ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
      : `${Math.ceil(seconds / 60)} ${seconds <= 60 ? 'minute' : 'minutes'}`
  return new ApiError('rate_limited', `Too many attempts. Please try again in ${wait}.${advice === '' ? '' : ` ${advice}`}`, {
    retryAfter: seconds,
  })
}
