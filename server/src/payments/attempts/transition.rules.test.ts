import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AttemptStatus, hasPaid, isLive, canTransition } from './attempt.ts'
import { toSteps, transitionFor, type AttemptState, type Transition } from './transition.rules.ts'
import type { ChargeResult } from '../providers/charge-result.ts'

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
  isDebit: false,
  providerRef: 'pi_1',
  isBooked: hasPaid(status),
  refundedMinor: 0,
  reversedMinor: 0,
  checks: 0,
  notStartedChecks: 0,
  nextCheckAt: now,
  ...more,
})

const yes = (more: { refunded?: bigint | null; reversed?: bigint | null } = {}): ChargeResult => ({
  state: 'succeeded',
  providerRef: 'pi_1',
  amount,
  refunded: 0n,
  reversed: 0n,
  ...more,
})

const result: fc.Arbitrary<ChargeResult> = fc.oneof(
  fc.record({
    state: fc.constant('succeeded' as const),
    providerRef: fc.constant('pi_1'),
    amount: fc.record({ minor: fc.constantFrom(11_000n, 1n, 110_000n), currency: fc.constantFrom('AUD', 'USD') }),
    refunded: fc.constantFrom(null, 0n, 5_000n, 11_000n),
    reversed: fc.constantFrom(null, 0n, 5_000n, 11_000n),
  }),
  fc.constant({ state: 'voided' as const, providerRef: 'pi_1', detail: 'voided' }),
  fc.constant({ state: 'processing' as const, providerRef: 'pi_1' }),
  fc.constant({ state: 'requires_action' as const, providerRef: 'pi_1', redirectUrl: 'https://hooks.stripe.com/x' }),
  fc
    .constantFrom('card_declined' as const, 'amount_too_small' as const, 'not_configured' as const, 'try_again' as const)
    .map((reason) => ({ state: 'declined' as const, reason, userMessage: 'No.', providerCode: 'x' })),
  fc
    .constantFrom('unknown' as const, 'not_sent' as const, 'absent' as const, 'not_started' as const, 'canceled' as const)
    .map((state) => ({ state, detail: '' })),
)

/** An attempt after a result, as it is settled: what is booked is booked for good. */
const settle = (at: AttemptState, one: ChargeResult): { at: AttemptState; changes: Transition[] } => {
  const changes: Transition[] = []
  for (const step of toSteps(at, one)) {
    const change = transitionFor(at, step, now)
    changes.push(change)
    at = { ...at, ...change, isBooked: at.isBooked || change.status === 'succeeded' }
  }
  return { at, changes }
}

const state: fc.Arbitrary<AttemptState> = fc
  .record({ status: fc.constantFrom(...STATUSES), isDebit: fc.boolean(), isBooked: fc.boolean() })
  // Only what was reversed may never have been booked, although its money had arrived.
  .map(({ status, isDebit, isBooked }) => attemptState(status, { isDebit, isBooked: status === 'reversed' ? isBooked : hasPaid(status) }))

const keptBy = (one: ChargeResult): bigint =>
  one.state === 'succeeded' ? one.amount.minor - (one.refunded ?? 0n) - (one.reversed ?? 0n) : 0n

test('[PAY-01] whatever results arrive, in whatever order, an attempt makes only allowed transitions', () => {
  fc.assert(
    fc.property(state, fc.array(result, { maxLength: 30 }), (start, results) => {
      let at = start
      for (const said of results) {
        // Nobody is asked about an attempt that was never sent: it is absent.
        const one: ChargeResult = at.status === 'created' ? { state: 'absent', detail: '' } : said
        const settled = settle(at, one)
        let from = at.status
        for (const { status, nextCheckAt } of settled.changes) {
          expect(status === from || canTransition(from, status), `${from} → ${status}`).toBe(true)
          if (isLive(status) && status !== 'manual') expect(nextCheckAt).not.toBeNull()
          from = status
        }
        at = settled.at
      }
    }),
    { numRuns: 2_000 },
  )
})

test('[PAY-01] only an explicit yes over the very amount, of which something is kept, is paid', () => {
  fc.assert(
    fc.property(state, result, (start, one) => {
      const { at } = settle(start, one)
      if (start.isBooked || !at.isBooked) return
      expect(one).toMatchObject({ state: 'succeeded', amount })
      expect(keptBy(one)).toBeGreaterThan(0n)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['submitting', 'card_declined', 'declined'],
  ['submitting', 'amount_too_small', 'not_sent'],
  ['submitting', 'not_configured', 'not_sent'],
  ['unknown', 'try_again', 'not_sent'],
  ['manual', 'method_gone', 'not_sent'],
  // The bank had it already.
  ['requires_action', 'try_again', 'declined'],
  ['processing', 'try_again', 'declined'],
] as const)('[PAY-01] what is %s and is refused as %s is %s', (status, reason, next) => {
  const refused: ChargeResult = { state: 'declined', reason, userMessage: 'No.', providerCode: 'x' }
  expect(transitionFor(attemptState(status), refused, now)).toMatchObject({ status: next })
})

test('[PAY-01] only a return of the money changes a payment that arrived', () => {
  fc.assert(
    fc.property(result, fc.boolean(), (one, isDebit) => {
      const { at } = settle(attemptState('succeeded', { isDebit }), one)
      const isReturn = one.state === 'succeeded' || one.state === 'voided' || (one.state === 'declined' && isDebit)
      if (at.status !== 'succeeded') expect(isReturn, one.state).toBe(true)
      expect(hasPaid(at.status)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

const LIVE = STATUSES.filter((status) => isLive(status) && status !== 'created')

test.each(LIVE)('[PAY-01] what had gone back before it was known never paid, what is kept in part did: %s', (status) => {
  const end = (one: ChargeResult) => settle(attemptState(status), one)
  expect(end({ state: 'voided', providerRef: 'pi_1', detail: '' }).at).toMatchObject({ status: 'expired', isBooked: false })
  expect(end(yes({ refunded: 11_000n })).at).toMatchObject({ status: 'reversed', isBooked: false, refundedMinor: 11_000 })
  expect(end(yes({ reversed: 11_000n })).at).toMatchObject({ status: 'reversed', isBooked: false, reversedMinor: 11_000 })
  expect(end(yes({ refunded: 4_000n, reversed: 7_000n })).at).toMatchObject({ status: 'reversed', isBooked: false })
  const part = end(yes({ refunded: 4_000n }))
  expect(part.changes.map((change) => [change.status, change.refundedMinor])).toEqual([
    ['succeeded', 0],
    ['succeeded', 4_000],
  ])
  const charged = end(yes({ reversed: 4_000n }))
  expect(charged.changes.map((change) => [change.status, change.reversedMinor])).toEqual([
    ['succeeded', 0],
    ['reversed', 4_000],
  ])
})

test.each(['declined', 'not_sent', 'expired'] as const)(
  '[PAY-01] what is given back of an attempt that has ended changes nothing: %s',
  (status) => {
    expect(settle(attemptState(status), yes({ refunded: 11_000n })).at).toMatchObject({ status, isBooked: false })
  },
)

test('[PAY-01] money that is back after all is paid, although it had gone before it was known', () => {
  const gone = settle(attemptState('unknown'), yes({ refunded: 4_000n, reversed: 7_000n })).at
  const won = settle(gone, yes({ refunded: 4_000n, reversed: 0n }))
  expect(won.changes.map(({ status, refundedMinor }) => [status, refundedMinor])).toEqual([
    ['succeeded', 0],
    ['succeeded', 4_000],
  ])
  expect(settle(gone, yes({ refunded: null, reversed: null })).at).toMatchObject({ status: 'reversed', isBooked: false })
})

test.each([
  ['a void', { state: 'voided', providerRef: 'pi_1', detail: '' }, false, 'refunded', 11_000, 0],
  [
    'the decline of a debit',
    { state: 'declined', reason: 'card_declined', userMessage: '', providerCode: '' },
    true,
    'reversed',
    0,
    11_000,
  ],
  ['the decline of a card', { state: 'declined', reason: 'card_declined', userMessage: '', providerCode: '' }, false, 'succeeded', 0, 0],
] as const)('[PAY-01] what it says of a payment that was recorded as paid: %s', (_, one, isDebit, status, refundedMinor, reversedMinor) => {
  const { at } = settle(attemptState('succeeded', { isDebit }), one)
  expect(at).toMatchObject({ status, refundedMinor, reversedMinor })
  expect(settle(at, one).at).toMatchObject({ status, refundedMinor, reversedMinor })
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
  ['a part refunded, the whole disputed', yes({ refunded: 4_000n, reversed: 11_000n }), 'reversed', 4_000, 7_000],
  ['a part refunded, another disputed', yes({ refunded: 4_000n, reversed: 5_000n }), 'reversed', 4_000, 5_000],
  ['all refunded and disputed', yes({ refunded: 11_000n, reversed: 11_000n }), 'reversed', 11_000, 0],
])('[PAY-01] what went back of a payment that succeeded: %s', (_, said, status, refundedMinor, reversedMinor) => {
  expect(transitionFor(attemptState('succeeded'), said, now)).toMatchObject({ status, refundedMinor, reversedMinor })
})

test('[PAY-01] a dispute of the whole takes what the refunds have left, also where its answer tells nothing of them', () => {
  const disputed = settle(attemptState('succeeded', { refundedMinor: 4_000 }), yes({ refunded: null, reversed: 11_000n })).at
  expect(disputed).toMatchObject({ status: 'reversed', refundedMinor: 4_000, reversedMinor: 7_000 })
  expect(settle(disputed, yes({ refunded: null })).at).toMatchObject({ status: 'succeeded', refundedMinor: 4_000, reversedMinor: 0 })
})

test.each([
  ['succeeded', 4_000],
  ['refunded', 11_000],
] as const)('[PAY-01] a yes that tells nothing of refunds leaves what is recorded: %s', (status, refundedMinor) => {
  expect(transitionFor(attemptState(status, { refundedMinor }), yes({ refunded: null }), now)).toMatchObject({ status, refundedMinor })
})
