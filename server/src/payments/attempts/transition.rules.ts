import { addMs } from '../../kit/clock.ts'
import { type AttemptStatus, hasPaid, isLive, canTransition } from './attempt.ts'
import type { ChargeResult } from '../providers/charge-result.ts'
import { isRejectedRequest } from '../providers/decline.ts'

/** The part of an attempt that its next status depends on. */
export interface AttemptState {
  readonly status: AttemptStatus
  readonly amountMinor: number
  readonly currency: string
  readonly isDebit: boolean
  readonly providerRef: string | null
  /** Whether it was ever recorded as paid. */
  readonly isBooked: boolean
  readonly refundedMinor: number
  readonly reversedMinor: number
  readonly checks: number
  readonly notStartedChecks: number
  readonly nextCheckAt: Date | null
}

/** What is written after a result. */
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
/** When an unknown outcome is looked up again; after the last time a person decides. */
const LOOK_UP_DELAYS_MS: readonly number[] = [1, 2, 5, 15, 60, 180, 720]
  .map((minutes) => minutes * MINUTE_MS)
  .concat([DAY_MS, DAY_MS, DAY_MS, DAY_MS, DAY_MS])
/** A debit takes days, and its webhook may be lost. */
const DEBIT_LOOK_UP_DELAYS_MS: readonly number[] = [HOUR_MS, 3 * HOUR_MS, 12 * HOUR_MS, ...Array.from({ length: 40 }, () => DAY_MS)]

/** When a submitted attempt is first looked up without any result: longer than an answer may take. */
export const FIRST_CHECK_MS = 2 * MINUTE_MS
/**
 * How long a claimed attempt may be sent: clocks of servers differ by seconds, and nobody may look it up before the last moment to send it.
 */
export const SENDABLE_MS = FIRST_CHECK_MS - 5_000

/**
 * The results to apply one after the other. Money that arrived and went back in part before it was known is recorded as paid first, then as
 * returned. Of a booked payment, a void and the decline of a bank debit say that all of it has gone back.
 */
export const toSteps = (attempt: AttemptState, result: ChargeResult): ChargeResult[] => {
  if (attempt.isBooked) return [toWholeReturn(attempt, result)]
  const isReturnedInPart =
    result.state === 'succeeded' && keptMinor(attempt, result) > 0n && keptMinor(attempt, result) < result.amount.minor
  return isReturnedInPart ? [{ ...result, refunded: 0n, reversed: 0n }, result] : [result]
}

/**
 * Of a booked payment, a void as a refund of all that is left, and the decline of a bank debit as a reversal of that; any other result as
 * it is.
 */
const toWholeReturn = (attempt: AttemptState, result: ChargeResult): ChargeResult => {
  const isDeclinedDebit = result.state === 'declined' && attempt.isDebit
  if ((result.state !== 'voided' && !isDeclinedDebit) || attempt.providerRef === null) return result
  const amount = { minor: BigInt(attempt.amountMinor), currency: attempt.currency }
  const returned = isDeclinedDebit
    ? { refunded: null, reversed: amount.minor - BigInt(attempt.refundedMinor) }
    : { refunded: amount.minor - BigInt(attempt.reversedMinor), reversed: null }
  return { state: 'succeeded', providerRef: attempt.providerRef, amount, ...returned }
}

/** The totals that went back of a payment, in minor units. */
type ReturnedTotals = Pick<AttemptState, 'refundedMinor' | 'reversedMinor'>

/**
 * What went back of a payment: what the provider tells, and what is recorded where it does not. A bank takes back no more than the refunds
 * have left, although a dispute names the whole amount: when it is won, no more than that comes again.
 */
export const toReturnedTotals = (
  recorded: ReturnedTotals & Pick<AttemptState, 'amountMinor'>,
  result: { readonly refunded: bigint | null; readonly reversed: bigint | null } | null,
): ReturnedTotals => {
  const refundedMinor = Number(result?.refunded ?? recorded.refundedMinor)
  const reversedMinor = Number(result?.reversed ?? recorded.reversedMinor)
  return { refundedMinor, reversedMinor: Math.min(reversedMinor, Math.max(0, recorded.amountMinor - refundedMinor)) }
}

/**
 * What the provider keeps of a payment after everything that went back, in minor units. What the result does not tell is taken from the
 * record.
 */
const keptMinor = (attempt: ReturnedTotals, { amount, refunded, reversed }: Extract<ChargeResult, { state: 'succeeded' }>): bigint =>
  amount.minor - (refunded ?? BigInt(attempt.refundedMinor)) - (reversed ?? BigInt(attempt.reversedMinor))

/**
 * The transition that a result causes. Only an explicit yes over the exact amount is `succeeded`; a transition that is not allowed leaves
 * the status as it is.
 * @param isScheduled false for look-ups in between, which do not use up the schedule
 */
export const transitionFor = (attempt: AttemptState, result: ChargeResult, now: Date, isScheduled = true): Transition => {
  const { status, detail } = toStatus(attempt, result)
  const isAllowed = status === attempt.status || canTransition(attempt.status, status)
  const hasMoved = isAllowed && status !== attempt.status
  const checks = hasMoved ? 0 : attempt.checks + (isScheduled ? 1 : 0)
  const nextStatus = isAllowed ? status : attempt.status
  const nextCheckAt = hasMoved || isScheduled ? nextCheckAfter(nextStatus, checks, now) : attempt.nextCheckAt
  const isExhausted = nextCheckAt === null && isLive(nextStatus) && nextStatus !== 'manual'
  const returned = isAllowed && result.state === 'succeeded' && hasPaid(nextStatus) ? result : null
  return {
    status: isExhausted ? 'manual' : nextStatus,
    ...toReturnedTotals(attempt, returned),
    checks,
    notStartedChecks: result.state === 'not_started' ? attempt.notStartedChecks + 1 : 0,
    nextCheckAt: isExhausted ? null : nextCheckAt,
    note: isExhausted
      ? 'the outcome could not be found out; an operator must decide'
      : isAllowed
        ? detail
        : `${detail ?? result.state}, which changes nothing`,
  }
}

/** The status that a result calls for, before it is asked whether the transition is allowed, and the note for the history. */
const toStatus = (attempt: AttemptState, result: ChargeResult): { status: AttemptStatus; detail: string | null } => {
  switch (result.state) {
    case 'succeeded':
      return toSucceededStatus(attempt, result)
    case 'processing':
    case 'requires_action':
      return { status: result.state, detail: null }
    case 'declined':
      return {
        // What was on its way already has failed at the bank, whatever the reason.
        status: isRejectedRequest(result.reason) && canTransition(attempt.status, 'not_sent') ? 'not_sent' : 'declined',
        detail: `${result.reason} (${result.providerCode})`,
      }
    case 'not_sent':
    case 'absent':
      return { status: 'not_sent', detail: result.detail }
    case 'canceled':
    case 'voided':
      return { status: 'expired', detail: result.detail }
    default: // unknown and not_started keep an unknown outcome unknown
      return { status: attempt.status === 'submitting' ? 'unknown' : attempt.status, detail: result.detail }
  }
}

const GONE_BEFORE_KNOWN = 'all of it had gone back before it was known here: nothing was recorded as paid'

/**
 * The status that a success calls for: over another amount unknown or for an operator, and `refunded` or `reversed` where money went back.
 */
const toSucceededStatus = (
  attempt: AttemptState,
  result: Extract<ChargeResult, { state: 'succeeded' }>,
): { status: AttemptStatus; detail: string | null } => {
  const { amount, refunded, reversed } = result
  if (amount.minor !== BigInt(attempt.amountMinor) || amount.currency !== attempt.currency) {
    const detail = `the provider charged ${amount.minor} ${amount.currency} for ${attempt.amountMinor} ${attempt.currency}`
    return { status: attempt.status === 'submitting' ? 'unknown' : isLive(attempt.status) ? 'manual' : attempt.status, detail }
  }
  if (!attempt.isBooked && keptMinor(attempt, result) <= 0n) return { status: 'reversed', detail: GONE_BEFORE_KNOWN }
  if ((reversed ?? BigInt(attempt.reversedMinor)) > 0n) return { status: 'reversed', detail: null }
  return { status: (refunded ?? BigInt(attempt.refundedMinor)) >= amount.minor ? 'refunded' : 'succeeded', detail: null }
}

/**
 * When an attempt is looked up again after so many scheduled look-ups without a result; null after the last one, and where nothing is open.
 */
export const nextCheckAfter = (status: AttemptStatus, checks: number, now: Date): Date | null => {
  if (!isLive(status) || status === 'manual') return null
  const delayMs = (status === 'processing' ? DEBIT_LOOK_UP_DELAYS_MS : LOOK_UP_DELAYS_MS)[checks]
  return delayMs === undefined ? null : addMs(now, delayMs)
}
