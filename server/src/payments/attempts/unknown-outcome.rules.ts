import { nextCheckAfter } from './transition.rules.ts'
import type { PaymentProvider } from '../providers/provider.ts'

const MINUTE_MS = 60_000
/** How long a charge may still be in transit to a provider that says it has not started it. */
const MAX_TRANSIT_MS = 2 * MINUTE_MS
const MAX_UNCANCELABLE_TRANSIT_MS = 10 * MINUTE_MS
/** How often in a row the provider must say so. */
export const MIN_NOT_STARTED_CHECKS = 2

/** How old a charge is when it can no longer be in transit, in milliseconds. */
export const transitMs = (canBeCanceled: boolean): number => (canBeCanceled ? MAX_TRANSIT_MS : MAX_UNCANCELABLE_TRANSIT_MS)

interface UnknownAttempt {
  readonly sentAt: Date | null
  readonly nextCheckAt: Date | null
  readonly checks: number
}

/**
 * The instant of the last scheduled look-up that an unknown attempt can need when nothing was charged: that look-up ends it as unpaid if
 * the provider answers. Null when finding nothing proves nothing at this provider, or when the look-ups are used up before.
 */
export const latestEndOfUnknown = (
  { sentAt, nextCheckAt, checks }: UnknownAttempt,
  { notFoundMeansUnpaidAfterMs, cancel }: Pick<PaymentProvider, 'notFoundMeansUnpaidAfterMs' | 'cancel'>,
): Date | null => {
  if (notFoundMeansUnpaidAfterMs === null || sentAt === null || nextCheckAt === null) return null
  const isFinalAt = sentAt.getTime() + Math.max(notFoundMeansUnpaidAfterMs, transitMs(cancel !== undefined))
  const lookUps = [nextCheckAt]
  for (;;) {
    const last = lookUps.at(-1) ?? nextCheckAt
    if (last.getTime() >= isFinalAt && checks + lookUps.length >= MIN_NOT_STARTED_CHECKS) return last
    const next = nextCheckAfter('unknown', checks + lookUps.length, last)
    if (next === null) return null
    lookUps.push(next)
  }
}
