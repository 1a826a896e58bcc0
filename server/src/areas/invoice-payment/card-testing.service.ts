import { addMs } from '../../kit/clock.ts'
import type { Transact } from '../../http/request-context.ts'
import { queryAsReseller, type PaymentsDeps } from '../../payments/payments-deps.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { rateLimitHit, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import { consumeRateLimits } from '../../rate-limits/rate-limits.queries.ts'
import { countLinkOutcomes } from './invoice-payment.queries.ts'

const WINDOW_MS = 3_600_000
const MIN_PAYMENTS = 20
const MAX_PAYMENTS = 50

/**
 * Slows payments through links down while most of a reseller's last ones were declined: somebody with many addresses may be testing stolen
 * cards. Customers who sign in pay as before.
 * @throws ApiError 429 when the few payments that slow mode allows are used up
 */
export const limitCardTesting = async (
  { payments, limits }: { readonly payments: PaymentsDeps; readonly limits: Limits },
  { now, transactAsSystem }: { readonly now: Date; readonly transactAsSystem: Transact },
  subject: { readonly resellerId: number; readonly provider: string },
): Promise<void> => {
  const { resellerId } = subject
  const recent = { since: addMs(now, -WINDOW_MS), max: MAX_PAYMENTS }
  const { sent, declined } = await queryAsReseller(payments, resellerId, (db) => countLinkOutcomes(db, subject, recent))
  if (sent < MIN_PAYMENTS || declined * 2 <= sent) return
  const hits = [rateLimitHit(payments.keys, limits, 'slowmode', String(resellerId))]
  const waitMs = await transactAsSystem((db) => consumeRateLimits(db, hits, now))
  if (waitMs > 0) throw tooManyRequests(waitMs)
  payments.log.error({ resellerId, sent, declined }, 'most payments through links are declined: somebody may be testing cards')
}
