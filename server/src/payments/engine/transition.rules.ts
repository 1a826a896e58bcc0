import { addMs } from '../../kit/clock.ts'
import { type AttemptStatus, hasPaid, isLive, canTransition } from './attempt.ts'
import type { ChargeResult } from '../providers/provider.ts'

/** An attempt as far as its next state depends on it. */
export interface AttemptState {
  readonly status: AttemptStatus
  readonly amountMinor: number
  readonly currency: string
  readonly refundedMinor: number
  readonly reversedMinor: number
  readonly checks: number
  readonly notStartedChecks: number
  readonly nextCheckAt: Date | null
}

/** What is written when something was heard of an attempt. */
export interface Transition {
  readonly status: AttemptStatus
  readonly refundedMinor: number
  readonly reversedMinor: number
  readonly checks: number
  readonly notStartedChecks: number
  readonly nextCheckAt: Date | null
  readonly note: string | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** When an outcome that is not known is looked up, again and again; after the last time a person decides (reliability.md §4.1). */
const LOOK_UP_DELAYS_MS: readonly number[] = [1, 2, 5, 15, 60, 180, 720]
  .map((minutes) => minutes * MINUTE_MS)
  .concat([DAY_MS, DAY_MS, DAY_MS, DAY_MS, DAY_MS])
/** A debit takes days by its nature; its notice may get lost. */
const DEBIT_LOOK_UP_DELAYS_MS: readonly number[] = [HOUR_MS, 3 * HOUR_MS, 12 * HOUR_MS, ...Array.from({ length: 40 }, () => DAY_MS)]

/** When an attempt that was just sent is looked at, should nobody hear of it: longer than any answer may take. */
export const FIRST_CHECK_MS = 2 * MINUTE_MS

/**
 * What becomes of an attempt by what its company said. Only an explicit yes over the very amount is `succeeded`; a step that the table
 * of states does not have leaves the state as it is.
 * @param isScheduled asked as planned; what is asked in between does not use up the plan
 */
export const transitionFor = (attempt: AttemptState, result: ChargeResult, now: Date, isScheduled = true): Transition => {
  const { status, detail } = toStatus(attempt, result)
  const isAllowed = status === attempt.status || canTransition(attempt.status, status)
  const hasMoved = isAllowed && status !== attempt.status
  const checks = hasMoved ? 0 : attempt.checks + (isScheduled ? 1 : 0)
  const nextStatus = isAllowed ? status : attempt.status
  const nextCheckAt = hasMoved || isScheduled ? nextCheckAfter(nextStatus, checks, now) : attempt.nextCheckAt
  const isExhausted = nextCheckAt === null && isLive(nextStatus) && nextStatus !== 'manual'
  const returned = isAllowed && result.state === 'paid' && hasPaid(nextStatus) ? result : null
  return {
    status: isExhausted ? 'manual' : nextStatus,
    refundedMinor: returned === null ? attempt.refundedMinor : Number(returned.refunded),
    reversedMinor: returned === null ? attempt.reversedMinor : Number(returned.reversed),
    checks,
    notStartedChecks: result.state === 'idle' ? attempt.notStartedChecks + 1 : 0,
    nextCheckAt: isExhausted ? null : nextCheckAt,
    note: isExhausted
      ? 'nothing could be learned; somebody must look'
      : isAllowed
        ? detail
        : `${detail ?? result.state}, which changes nothing`,
  }
}

const toStatus = (attempt: AttemptState, result: ChargeResult): { status: AttemptStatus; detail: string | null } => {
  switch (result.state) {
    case 'paid':
      return toSucceededStatus(attempt, result)
    case 'pending':
      return { status: 'processing', detail: null }
    case 'action':
      return { status: 'action', detail: null }
    case 'declined':
      return { status: 'declined', detail: `${result.reason} (${result.providerCode})` }
    case 'not-sent':
      return { status: 'not-sent', detail: result.detail }
    case 'cancelled':
      return { status: 'expired', detail: result.detail }
    default: // unknown and idle: what was not known stays so
      return { status: attempt.status === 'submitting' ? 'unknown' : attempt.status, detail: result.detail }
  }
}

const toSucceededStatus = (
  attempt: AttemptState,
  result: Extract<ChargeResult, { state: 'paid' }>,
): { status: AttemptStatus; detail: string | null } => {
  const { amount, refunded, reversed } = result
  if (amount.minor !== BigInt(attempt.amountMinor) || amount.currency !== attempt.currency) {
    const detail = `the company booked ${amount.minor} ${amount.currency} for ${attempt.amountMinor} ${attempt.currency}`
    return { status: attempt.status === 'submitting' ? 'unknown' : isLive(attempt.status) ? 'manual' : attempt.status, detail }
  }
  if (reversed > 0n) return { status: 'reversed', detail: null }
  return { status: refunded >= amount.minor ? 'refunded' : 'succeeded', detail: null }
}

const nextCheckAfter = (status: AttemptStatus, checks: number, now: Date): Date | null => {
  if (!isLive(status) || status === 'manual') return null
  const delayMs = (status === 'processing' ? DEBIT_LOOK_UP_DELAYS_MS : LOOK_UP_DELAYS_MS)[checks]
  return delayMs === undefined ? null : addMs(now, delayMs)
}
