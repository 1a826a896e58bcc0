import { LRUCache } from 'lru-cache'
import type { Keys } from '../kit/keys.ts'
import { ApiError } from '../kit/api-error.ts'
import type { Limit, LimitName, Limits } from './limits.ts'

/** Rate limits counted in this process only, which they protect. */
export interface LocalRateLimiter {
  /** @throws ApiError 429 when the subject has used up its limit */
  consume(name: LimitName, subject: string, now: Date): void
}

const MAX_SUBJECTS = 50_000

export const localRateLimiter = (limits: Limits): LocalRateLimiter => {
  const fullAt = new LRUCache<string, number>({ max: MAX_SUBJECTS })
  return {
    consume: (name, subject, now) => {
      const { burst, refillMs } = limits[name]
      const key = `${name} ${subject}`
      const at = now.getTime()
      const next = Math.max(fullAt.get(key) ?? 0, at) + refillMs
      if (next > at + burst * refillMs) throw tooManyRequests(next - at - burst * refillMs)
      fullAt.set(key, next)
    },
  }
}

/** One attempt of a rate-limited subject. The database stores only the subject's keyed hash, no username or address. */
export interface RateLimitHit {
  readonly subject: Buffer
  readonly limit: Limit
}

export const rateLimitHit = (keys: Keys, limits: Limits, name: LimitName, subject: string): RateLimitHit => ({
  subject: keys.mac('limit', name, subject),
  limit: limits[name],
})

/** The error for too many attempts: with the time to wait, and with what else may help. */
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

/** The network of an address: /24 of IPv4, /48 of IPv6. */
export const networkOf = (address: string): string => addressPrefix(address, { ipv4Groups: 3, ipv6Groups: 3 })

/** One machine or home: an IPv4 address, or a /64 of IPv6, within which a machine changes its address. */
export const addressGroupOf = (address: string): string => addressPrefix(address, { ipv4Groups: 4, ipv6Groups: 4 })

/** The first groups of an address. */
const addressPrefix = (address: string, { ipv4Groups, ipv6Groups }: { ipv4Groups: number; ipv6Groups: number }): string => {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  if (!plain.includes(':')) return plain.split('.').slice(0, ipv4Groups).join('.')
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = plain.includes('::') ? Array<string>(8 - Math.min(8, head.length + tail.length)).fill('0') : []
  return [...head, ...zeros, ...tail].slice(0, ipv6Groups).join(':')
}
