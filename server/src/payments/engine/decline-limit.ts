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

/** What a signed-in user's declined payments and cards count against. */
export const userDeclineUses = ({ keys, limits }: LimitDeps, userId: string): RateLimitUse[] => [
  rateLimitUse(keys, limits, 'payment', userId),
]

/** What declined payments through a payment link count against: the payer's address at this one reseller, and the link. */
export const linkDeclineUses = (
  { keys, limits }: LimitDeps,
  { address, resellerId, payToken }: { readonly address: string; readonly resellerId: number; readonly payToken: string },
): RateLimitUse[] => [
  ...addressUses(keys, limits, 'linkPayerAddress', address, `reseller ${resellerId}`),
  rateLimitUse(keys, limits, 'linkDeclines', payToken),
]

/**
 * Limits declines, against card testing. A try under way takes nothing: a decline is counted when it is known, so that however often one
 * submit is repeated at once, nobody is refused for it. How many tries can be under way together is bounded elsewhere: the claim lets one at
 * a time pay an invoice, and the gate two of one user or address. What they use up beyond the limit has to be waited for all the same.
 * @throws ApiError 429 after too many declines
 */
export const limitDeclines = async <T>(
  { transactAsSystem, now }: LimitContext,
  uses: readonly RateLimitUse[],
  { work, isDeclined }: { readonly work: () => Promise<T>; readonly isDeclined: (outcome: T) => boolean },
): Promise<T> => {
  const waitMs = await transactAsSystem((db) => rateLimitWaitMs(db, uses, now), { pipelined: true })
  if (waitMs > 0) throw tooManyRequests(waitMs)
  const outcome = await work()
  if (isDeclined(outcome))
    // Where the database is lost by then, the outcome is still the answer.
    await transactAsSystem((db) => countRateLimitUses(db, uses, now)).catch((error: unknown) => {
      if (!isLostConnection(error)) throw error
    })
  return outcome
}

/**
 * Limits declined payments. Only a payment that the request has made itself counts: one that it repeats was counted before.
 * @param charge charges under the id that it gets
 * @throws ApiError 429 after too many declines
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
