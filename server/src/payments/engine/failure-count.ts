import type { Transact } from '../../http/request-context.ts'
import { charge, tooMany } from '../../rate-limits/rate-limits.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { giveBack, takeFromBuckets } from '../../session/session.queries.ts'
import type { Keys } from '../../kit/keys.ts'
import { ApiError } from '../../kit/api-error.ts'

/**
 * Counts what a payment company declines, so that nobody tries out stolen cards here; everything else is given back.
 * @param subject a user, or the address of somebody who is not signed in
 * @throws Refusal 429 after too many failures
 */
export const countedFailures = async <T>(
  { keys, limits }: { readonly keys: Keys; readonly limits: Limits },
  { transactAsSystem, now }: { readonly transactAsSystem: Transact; readonly now: Date },
  subject: string,
  work: () => Promise<T>,
): Promise<T> => {
  const taken = [charge(keys, limits, 'payment', subject)]
  const waitMs = await transactAsSystem((db) => takeFromBuckets(db, taken, now))
  if (waitMs > 0) throw tooMany(waitMs)
  const returned = (): Promise<void> => transactAsSystem((db) => giveBack(db, taken), 'fleeting', 'one statement')
  try {
    const result = await work()
    await returned()
    return result
  } catch (error) {
    if (!(error instanceof ApiError && error.parts.userMessage !== undefined && error.status === 400)) await returned()
    throw error
  }
}
