import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AttemptStatus, hasPaid, isLive, canTransition } from './attempt.ts'
import { transitionFor, type AttemptState } from './transition.rules.ts'
import type { ChargeResult } from '../providers/provider.ts'

const STATUSES = [
  'created',
  'submitting',
  'requires_action',
  'processing',
  'unknown',
  'manual',
  'succeeded',
  'declined',
  'not_sent',
  'expired',
  'refunded',
  'reversed',
] as const satisfies readonly AttemptStatus[]

const now = new Date('2026-11-20T12:00:00Z')
const amount = { minor: 11_000n, currency: 'AUD' }

const attemptState = (status: AttemptStatus, more: Partial<AttemptState> = {}): AttemptState => ({
  status,
  amountMinor: 11_000,
  currency: 'AUD',
  refundedMinor: 0,
  reversedMinor: 0,
  checks: 0,
  notStartedChecks: 0,
  nextCheckAt: now,
  ...more,
})

const result: fc.Arbitrary<ChargeResult> = fc.oneof(
  fc.record({
    state: fc.constant('succeeded' as const),
    providerRef: fc.constant('pi_1'),
    amount: fc.record({ minor: fc.constantFrom(11_000n, 1n, 110_000n), currency: fc.constantFrom('AUD', 'USD') }),
    refunded: fc.constantFrom(0n, 5_000n, 11_000n),
    reversed: fc.constantFrom(0n, 11_000n),
  }),
  fc.constant({ state: 'processing' as const, providerRef: 'pi_1' }),
  fc.constant({ state: 'requires_action' as const, providerRef: 'pi_1', redirectUrl: 'https://hooks.stripe.com/x' }),
  fc.constant({ state: 'declined' as const, reason: 'card_declined' as const, userMessage: 'No.', providerCode: 'x' }),
  fc
    .constantFrom('unknown' as const, 'not_sent' as const, 'absent' as const, 'not_started' as const, 'canceled' as const)
    .map((state) => ({ state, detail: '' })),
)

test('[PAY-01] whatever results arrive, in whatever order, an attempt makes only allowed transitions', () => {
  fc.assert(
    fc.property(fc.constantFrom(...STATUSES), fc.array(result, { maxLength: 30 }), (start, results) => {
      let at = attemptState(start)
      for (const one of results) {
        const change = transitionFor(at, one, now)
        expect(change.status === at.status || canTransition(at.status, change.status), `${at.status} → ${change.status}`).toBe(true)
        if (isLive(change.status) && change.status !== 'manual') expect(change.nextCheckAt).not.toBeNull()
        at = { ...at, ...change }
      }
    }),
    { numRuns: 2_000 },
  )
})

test('[PAY-01] only an explicit yes over the very amount is paid', () => {
  fc.assert(
    fc.property(fc.constantFrom(...STATUSES), result, (status, one) => {
      if (hasPaid(status) || !hasPaid(transitionFor(attemptState(status), one, now).status)) return
      expect(one).toMatchObject({ state: 'succeeded', amount })
    }),
    { numRuns: 2_000 },
  )
})

test('[PAY-01] only a return of the money changes a payment that arrived', () => {
  fc.assert(
    fc.property(result, (one) => {
      const { status } = transitionFor(attemptState('succeeded'), one, now)
      if (status !== 'succeeded') expect(one).toMatchObject({ state: 'succeeded', amount })
      expect(hasPaid(status)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

test('[PAY-01] an attempt without an answer is looked up repeatedly, then left to an operator, and stays live', () => {
  let at = attemptState('submitting')
  const silence: ChargeResult = { state: 'unknown', detail: 'no answer' }
  let checks = 0
  while (at.status !== 'manual') {
    at = { ...at, ...transitionFor(at, silence, now) }
    expect(isLive(at.status)).toBe(true)
    checks += 1
  }
  expect(checks).toBe(13)
  const asked = transitionFor(attemptState('unknown', { checks: 5 }), silence, now, false)
  expect([asked.checks, asked.nextCheckAt]).toEqual([5, now])
})

const yes = (more: { refunded?: bigint | null; reversed?: bigint } = {}): ChargeResult => ({
  state: 'succeeded',
  providerRef: 'pi_1',
  amount,
  refunded: 0n,
  reversed: 0n,
  ...more,
})

test.each(['declined', 'not_sent', 'expired'] as const)(
  '[PAY-01] the provider’s yes is accepted however late it comes: after %s',
  (status) => {
    expect(transitionFor(attemptState(status), yes(), now)).toMatchObject({ status: 'succeeded' })
  },
)

test.each([
  ['a part refunded', yes({ refunded: 10_999n }), 'succeeded', 10_999, 0],
  ['all refunded', yes({ refunded: 11_000n }), 'refunded', 11_000, 0],
  ['reversed', yes({ reversed: 11_000n }), 'reversed', 0, 11_000],
  ['a part refunded, the rest reversed', yes({ refunded: 4_000n, reversed: 7_000n }), 'reversed', 4_000, 7_000],
])('[PAY-01] what went back of a payment that succeeded: %s', (_, said, status, refundedMinor, reversedMinor) => {
  expect(transitionFor(attemptState('succeeded'), said, now)).toMatchObject({ status, refundedMinor, reversedMinor })
})

test.each([
  ['succeeded', 4_000],
  ['refunded', 11_000],
] as const)('[PAY-01] a yes that tells nothing of refunds leaves what is recorded: %s', (status, refundedMinor) => {
  expect(transitionFor(attemptState(status, { refundedMinor }), yes({ refunded: null }), now)).toMatchObject({ status, refundedMinor })
})
