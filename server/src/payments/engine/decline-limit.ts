import type { Transact } from '../../http/request-context.ts'
import { rateLimitHit, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { refundRateLimits, consumeRateLimits } from '../../session/session.queries.ts'
import type { Keys } from '../../kit/keys.ts'
import { ApiError } from '../../kit/api-error.ts'

/**
 * Counts what a payment company declines, so that nobody tries out stolen cards here; everything else is given back.
 * @param subject a user, or the address of somebody who is not signed in
 * @throws Refusal 429 after too many failures
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
  const giveBackHits = (): Promise<void> => transactAsSystem((db) => refundRateLimits(db, hits), 'fleeting', 'one statement')
  try {
    const result = await work()
    await giveBackHits()
    return result
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 'payment_declined' || error.code === 'method_declined'))) await giveBackHits()
    throw error
  }
}
