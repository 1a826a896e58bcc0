import { addMs } from '../../kit/clock.ts'
import { isLostConnection } from '../../db/lost-connection.ts'
import type { Transact } from '../../db/transact.ts'
import type { Attempt } from '../../payments/attempts/attempt.queries.ts'
import { queryAsReseller, type PaymentsDeps } from '../../payments/payments-deps.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { rateLimitUse, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import { consumeRateLimits, refundRateLimits } from '../../rate-limits/rate-limits.queries.ts'
import { countLinkOutcomes } from './invoice-payment.queries.ts'

const WINDOW_MS = 3_600_000
const MIN_PAYMENTS = 20
const MAX_PAYMENTS = 50

interface CardTestingDeps {
  readonly payments: PaymentsDeps
  readonly limits: Limits
}

/**
 * Slows payments through links down while most of a reseller's last ones were declined: somebody with many addresses may be testing stolen
 * cards. Customers who sign in pay as before. All the reseller's payers share what slow mode allows, so a request takes of it only when
 * nothing else refuses it, and gives it back unless it has made a payment.
 * @param payment its id, and what makes it
 * @throws ApiError 429 when the few payments that slow mode allows are used up
 */
export const limitCardTesting = async (
  deps: CardTestingDeps,
  { now, transactAsSystem }: { readonly now: Date; readonly transactAsSystem: Transact },
  subject: { readonly resellerId: number; readonly provider: string },
  { attemptId, charge }: { readonly attemptId: string; readonly charge: () => Promise<Attempt> },
): Promise<Attempt> => {
  if (!(await isCardTesting(deps, subject, now))) return charge()
  const uses = [rateLimitUse(deps.payments.keys, deps.limits, 'throttledReseller', String(subject.resellerId))]
  const waitMs = await transactAsSystem((db) => consumeRateLimits(db, uses, now))
  if (waitMs > 0) throw tooManyRequests(waitMs)
  let attempt: Attempt | undefined
  try {
    attempt = await charge()
    return attempt
  } finally {
    if (attempt?.id !== attemptId)
      // Where the database is lost by then, the payment's outcome is still the answer.
      await transactAsSystem((db) => refundRateLimits(db, uses), { durable: false }).catch((error: unknown) => {
        if (!isLostConnection(error)) throw error
      })
  }
}

/**
 * Whether more than half of the reseller's last payments through links were declined, in the window and of at least `MIN_PAYMENTS`. Then
 * logs an error.
 */
const isCardTesting = async (
  { payments }: CardTestingDeps,
  subject: { readonly resellerId: number; readonly provider: string },
  now: Date,
): Promise<boolean> => {
  const { resellerId } = subject
  const recent = { since: addMs(now, -WINDOW_MS), max: MAX_PAYMENTS }
  const { sent, declined } = await queryAsReseller(payments, resellerId, (db) => countLinkOutcomes(db, subject, recent))
  if (sent < MIN_PAYMENTS || declined * 2 <= sent) return false
  payments.log.error({ resellerId, sent, declined }, 'most payments through links are declined: somebody may be testing cards')
  return true
}
