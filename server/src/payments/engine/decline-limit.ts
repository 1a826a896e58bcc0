import type { Transact } from '../../http/request-context.ts'
import { rateLimitHit, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { refundRateLimits, consumeRateLimits } from '../../rate-limits/rate-limits.queries.ts'
import type { Keys } from '../../kit/keys.ts'
import { ApiError } from '../../kit/api-error.ts'

/**
 * Limits declined payments, against card testing; every other outcome gives the hit back.
 * @param subject a user id, or the address of somebody who is not signed in
 * @throws ApiError 429 after too many declines
 */
export const limitDeclines = async <T>(
  { keys, limits }: { readonly keys: Keys; readonly limits: Limits },
  { transactAsSystem, now }: { readonly transactAsSystem: Transact; readonly now: Date },
  subject: string,
  work: () => Promise<T>,
): Promise<T> => {
  const hits = [rateLimitHit(keys, limits, 'payment', subject)]
  const waitMs = await transactAsSystem((db) => consumeRateLimits(db, hits, now))
  if (waitMs > 0) throw tooManyRequests(waitMs)
  const giveBackHits = (): Promise<void> => transactAsSystem((db) => refundRateLimits(db, hits), { durable: false, pipelined: true })
  try {
    const result = await work()
    await giveBackHits()
    return result
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 'payment_declined' || error.code === 'method_declined'))) await giveBackHits()
    throw error
  }
}
