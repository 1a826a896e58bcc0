import { randomUUID } from 'node:crypto'
import { isLostConnection } from '../../db/lost-connection.ts'
import type { Transact } from '../../db/transact.ts'
import { type RateLimitUse, rateLimitUse, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import { addressUses } from '../../rate-limits/client-address.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { countRateLimitUses, rateLimitWaitMs } from '../../rate-limits/rate-limits.queries.ts'
import type { Keys } from '../../kit/keys.ts'
import type { Attempt } from '../attempts/attempt.queries.ts'

interface LimitDeps {
  readonly keys: Keys
  readonly limits: Limits
}

interface LimitContext {
  readonly transactAsSystem: Transact
  readonly now: Date
}

/** The counters of a signed-in user's declined payments and cards. Counts nothing. */
export const userDeclineUses = ({ keys, limits }: LimitDeps, userId: string): RateLimitUse[] => [
  rateLimitUse(keys, limits, 'payment', userId),
]

/**
 * The counters of declined payments through a payment link: of the payer's address at this one reseller, and of the link. Counts nothing.
 */
export const linkDeclineUses = (
  { keys, limits }: LimitDeps,
  { address, resellerId, payToken }: { readonly address: string; readonly resellerId: number; readonly payToken: string },
): RateLimitUse[] => [
  ...addressUses(keys, limits, 'linkPayerAddress', address, `reseller ${resellerId}`),
  rateLimitUse(keys, limits, 'linkDeclines', payToken),
]

/**
 * Does `work` and counts a declined outcome, against card testing. A try under way takes nothing, so that nobody is refused for repeating
 * one submit at once; what is declined beyond the limit has to be waited for all the same.
 * @throws ApiError 429 before any work, after too many declines
 */
export const limitDeclines = async <T>(
  { transactAsSystem, now }: LimitContext,
  uses: readonly RateLimitUse[],
  { work, isDeclined }: { readonly work: () => Promise<T>; readonly isDeclined: (outcome: T) => boolean },
): Promise<T> => {
  const waitMs = await transactAsSystem((db) => rateLimitWaitMs(db, uses, now), { pipelined: true })
  if (waitMs > 0) throw tooManyRequests(waitMs)
  // How many tries can be under way together is bounded elsewhere: the claim lets one at a time pay an invoice, and the gate two of one user or
  // address.
  const outcome = await work()
  if (isDeclined(outcome))
    // Where the database is lost by then, the outcome is still the answer.
    await transactAsSystem((db) => countRateLimitUses(db, uses, now)).catch((error: unknown) => {
      if (!isLostConnection(error)) throw error
    })
  return outcome
}

/**
 * Charges, and counts a declined payment that this request has made itself: one that it repeats was counted before.
 * @param charge charges under the id that it gets
 * @throws ApiError 429 before any charge, after too many declines
 */
export const limitDeclinedPayments = (
  context: LimitContext,
  uses: readonly RateLimitUse[],
  charge: (attemptId: string) => Promise<Attempt>,
): Promise<Attempt> => {
  const attemptId = randomUUID()
  return limitDeclines(context, uses, {
    work: () => charge(attemptId),
    isDeclined: ({ id, status }) => id === attemptId && status === 'declined',
  })
}
