import { later } from '../../kit/clock.ts'
import { type AttemptStatus, hasPaid, isLive, mayStep } from './attempt.ts'
import type { ChargeResult } from '../providers/provider.ts'

/** An attempt as far as its next state depends on it. */
export interface AttemptState {
  readonly status: AttemptStatus
  readonly amountMinor: number
  readonly currency: string
  readonly refundedMinor: number
  readonly reversedMinor: number
  readonly checks: number
  readonly idleChecks: number
  readonly nextCheckAt: Date | null
}

/** What is written when something was heard of an attempt. */
export interface Transition {
  readonly status: AttemptStatus
  readonly refundedMinor: number
  readonly reversedMinor: number
  readonly checks: number
  readonly idleChecks: number
  readonly nextCheckAt: Date | null
  readonly note: string | null
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** When an outcome that is not known is looked up, again and again; after the last time a person decides (reliability.md §4.1). */
const PAUSES: readonly number[] = [1, 2, 5, 15, 60, 180, 720].map((minutes) => minutes * MINUTE).concat([DAY, DAY, DAY, DAY, DAY])
/** A debit takes days by its nature; its notice may get lost. */
const DEBIT_PAUSES: readonly number[] = [HOUR, 3 * HOUR, 12 * HOUR, ...Array.from({ length: 40 }, () => DAY)]

/** When an attempt that was just sent is looked at, should nobody hear of it: longer than any answer may take. */
export const FIRST_CHECK_MS = 2 * MINUTE

/**
 * What becomes of an attempt by what its company said. Only an explicit yes over the very amount is `succeeded`; a step that the table
 * of states does not have leaves the state as it is.
 * @param isScheduled asked as planned; what is asked in between does not use up the plan
 */
export const transitionFor = (attempt: AttemptState, result: ChargeResult, now: Date, isScheduled = true): Transition => {
  const { status, detail } = meaning(attempt, result)
  const allowed = status === attempt.status || mayStep(attempt.status, status)
  const moved = allowed && status !== attempt.status
  const checks = moved ? 0 : attempt.checks + (isScheduled ? 1 : 0)
  const next = allowed ? status : attempt.status
  const nextCheckAt = moved || isScheduled ? nextCheck(next, checks, now) : attempt.nextCheckAt
  const stuck = nextCheckAt === null && isLive(next) && next !== 'manual'
  const back = allowed && result.state === 'paid' && hasPaid(next) ? result : null
  return {
    status: stuck ? 'manual' : next,
    refundedMinor: back === null ? attempt.refundedMinor : Number(back.refunded),
    reversedMinor: back === null ? attempt.reversedMinor : Number(back.reversed),
    checks,
    idleChecks: result.state === 'idle' ? attempt.idleChecks + 1 : 0,
    nextCheckAt: stuck ? null : nextCheckAt,
    note: stuck ? 'nothing could be learned; somebody must look' : allowed ? detail : `${detail ?? result.state}, which changes nothing`,
  }
}

const meaning = (attempt: AttemptState, result: ChargeResult): { status: AttemptStatus; detail: string | null } => {
  switch (result.state) {
    case 'paid':
      return paidMeaning(attempt, result)
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

const paidMeaning = (
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

const nextCheck = (status: AttemptStatus, checks: number, now: Date): Date | null => {
  if (!isLive(status) || status === 'manual') return null
  const pause = (status === 'processing' ? DEBIT_PAUSES : PAUSES)[checks]
  return pause === undefined ? null : later(now, pause)
}
