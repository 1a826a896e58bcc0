import { addMs } from '../../kit/clock.ts'
import type { Account } from '../accounts/accounts.ts'
import { findReturnsReadAt, setReturnsReadAt } from '../accounts/accounts.queries.ts'
import { hasPaid, isLive } from '../attempts/attempt.ts'
import { lookUpAttempt } from '../engine/look-up.ts'
import { findAttempt } from '../attempts/attempt.queries.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import { findAttemptOfEvent } from '../webhooks/webhook-events.queries.ts'

/** A provider may list a return some days after the day that it names. */
export const LATE_LISTING_MS = 4 * 86_400_000
/** How far back returns are read where none were read yet. */
const FIRST_READ_MS = 35 * 86_400_000

/**
 * Looks up every payment whose return a provider without webhooks for it lists, which settles the return: since they were read last, or
 * since `from` where that is earlier.
 * @returns how many were looked up
 */
export const lookUpReturned = async (
  deps: PaymentsDeps,
  { id: accountId, resellerId, provider, context }: Account,
  from: Date,
): Promise<number> => {
  if (provider.refunds?.listReturned === undefined) return 0
  const now = deps.clock()
  const readAt = await transactAsReseller(deps, resellerId, (db) => findReturnsReadAt(db, accountId))
  const unread = readAt === null ? addMs(now, -FIRST_READ_MS) : addMs(readAt, -LATE_LISTING_MS)
  let count = 0
  for await (const { merchantReference, providerRef } of provider.refunds.listReturned(context, unread < from ? unread : from, now)) {
    const subject = { providerRef, ...(merchantReference === null ? {} : { merchantReference }) }
    const attempt = await transactAsReseller(deps, resellerId, async (db) => {
      const key = await findAttemptOfEvent(db, { accountIds: [accountId], subject })
      return key && findAttempt(db, key)
    })
    // Nothing comes back of what was never paid, such as a card that was declined.
    if (attempt === undefined || !(isLive(attempt.status) || hasPaid(attempt.status))) continue
    await lookUpAttempt(deps, attempt, 'sweep')
    count += 1
  }
  await transactAsReseller(deps, resellerId, (db) => setReturnsReadAt(db, accountId, now))
  return count
}
