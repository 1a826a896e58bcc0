import { isLostConnection } from '../../db/lost-connection.ts'
import type { Transact } from '../../http/request-context.ts'
import { type RateLimitHit, rateLimitHit, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import { addressHits } from '../../rate-limits/client-address.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { refundRateLimits, consumeRateLimits } from '../../rate-limits/rate-limits.queries.ts'
import type { Keys } from '../../kit/keys.ts'
import { ApiError } from '../../kit/api-error.ts'

interface LimitDeps {
  readonly keys: Keys
  readonly limits: Limits
}

/** What a signed-in user's declined payments and cards count against. */
export const userDeclineHits = ({ keys, limits }: LimitDeps, userId: string): RateLimitHit[] => [
  rateLimitHit(keys, limits, 'payment', userId),
]

/** What declined payments through a payment link count against: the payer's address, and the link. */
export const linkDeclineHits = ({ keys, limits }: LimitDeps, address: string, payToken: string): RateLimitHit[] => [
  ...addressHits(keys, limits, 'payer', address),
  rateLimitHit(keys, limits, 'paylink', payToken),
]

/**
 * Limits declined payments, against card testing; every other outcome gives the hits back.
 * @throws ApiError 429 after too many declines
 */
export const limitDeclines = async <T>(
  { transactAsSystem, now }: { readonly transactAsSystem: Transact; readonly now: Date },
  hits: readonly RateLimitHit[],
  work: () => Promise<T>,
): Promise<T> => {
  const waitMs = await transactAsSystem((db) => consumeRateLimits(db, hits, now))
  if (waitMs > 0) throw tooManyRequests(waitMs)
  // Where the database is lost by then, the hits stay, and the payment's outcome is still the answer.
  const giveBackHits = (): Promise<void> =>
    transactAsSystem((db) => refundRateLimits(db, hits), { durable: false, pipelined: true }).catch((error: unknown) => {
      if (!isLostConnection(error)) throw error
    })
  try {
    const result = await work()
    await giveBackHits()
    return result
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 'payment_declined' || error.code === 'method_declined'))) await giveBackHits()
    throw error
  }
}
