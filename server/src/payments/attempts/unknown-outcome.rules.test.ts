import { expect, test } from 'vitest'
import { findProvider } from '../providers/registry.ts'
import { transitionFor } from './transition.rules.ts'
import { latestEndOfUnknown } from './unknown-outcome.rules.ts'

const SENT_AT = new Date('2026-11-26T10:00:00Z')
const minutes = (count: number): Date => new Date(SENT_AT.getTime() + count * 60_000)
/** As an attempt stands after an answer that nobody understands. */
const FRESH = { sentAt: SENT_AT, nextCheckAt: minutes(1), checks: 0 }

test.each([
  ['stripe', 3],
  ['pinch', 23],
  ['authorize', 23],
  ['nexio', 83],
  ['ippay', 983 + 24 * 60],
  ['bpoint', 983 + 24 * 60],
  ['moneris', null],
])('[PAY-01] %s: an unknown payment that charged nothing ends by itself after %s minutes at the latest', (name, after) => {
  const provider = findProvider(name)
  if (provider === undefined) throw new Error(`there is no ${name}`)
  expect(latestEndOfUnknown(FRESH, provider)).toEqual(after === null ? null : minutes(after))
})

test('[PAY-01] the end is that of the look-ups as they come, whichever of them is next', () => {
  const provider = { notFoundMeansUnpaidAfterMs: 75 * 60_000 }
  let attempt = FRESH
  const promised = latestEndOfUnknown(attempt, provider)
  while (attempt.nextCheckAt < minutes(75)) {
    expect(latestEndOfUnknown(attempt, provider)).toEqual(promised)
    const now = attempt.nextCheckAt
    const state = { ...attempt, status: 'unknown', isBooked: false, notStartedChecks: 0, refundedMinor: 0, reversedMinor: 0 } as never
    const { checks, nextCheckAt } = transitionFor(state, { state: 'unknown', detail: 'no answer' }, now)
    attempt = { ...attempt, checks, nextCheckAt: nextCheckAt ?? minutes(Infinity) }
  }
  expect(attempt.nextCheckAt).toEqual(promised)
})

test('[PAY-01] where the look-ups are used up before, or nothing was sent, no end is promised', () => {
  expect(latestEndOfUnknown(FRESH, { notFoundMeansUnpaidAfterMs: 10 * 86_400_000 })).toBeNull()
  expect(latestEndOfUnknown({ ...FRESH, sentAt: null }, { notFoundMeansUnpaidAfterMs: 0 })).toBeNull()
  expect(latestEndOfUnknown({ ...FRESH, nextCheckAt: null }, { notFoundMeansUnpaidAfterMs: 0 })).toBeNull()
})
