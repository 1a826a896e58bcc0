import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs } from '../../../src/kit/clock.ts'
import type { AttemptStatus } from '../../../src/payments/engine/attempt.ts'
import { listOpenDiscrepancies } from '../../../src/payments/reconciliation/discrepancies.queries.ts'
import type { DiscrepancyKind } from '../../../src/payments/reconciliation/discrepancies.rules.ts'
import { transactAsReseller, type PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import type { AnyProvider, ProviderPayment, ChargeResult, PaymentProvider } from '../../../src/payments/providers/provider.ts'
import { reconcile } from '../../../src/payments/reconciliation/reconcile.ts'
import { type FaultContext, faultContext, runsOf } from './fault-context.ts'
import { addBooked, type BookedAttempt } from './model-world.queries.ts'

/** So many payments; each fiftieth has drifted, and each fiftieth differs in a way that is none. */
const ROWS = runsOf(600)
const DAY = 86_400_000

let bench: FaultContext

beforeAll(async () => {
  bench = await faultContext()
})
afterAll(() => bench.context.close())

type Paid = Extract<ChargeResult, { state: 'paid' }>

/** One payment as both sides have it, before anything went wrong. */
interface Pair {
  ours: BookedAttempt | null
  theirs: ProviderPayment[]
}

const pair = (at: number): { ours: BookedAttempt; theirs: ProviderPayment } => {
  const [id, providerRef, amountMinor] = [randomUUID(), `many ${at}`, 1_000 + (at % 977)]
  const result: Paid = { state: 'paid', providerRef, amount: { minor: BigInt(amountMinor), currency: 'AUD' }, refunded: 0n, reversed: 0n }
  return { ours: { id, providerRef, amountMinor, status: 'succeeded' }, theirs: { attemptId: id, providerRef, result } }
}

const but = (theirs: ProviderPayment, change: Partial<Paid>): ProviderPayment => ({
  ...theirs,
  result: { ...theirs.result, ...change } as Paid,
})
const ourStatus = (ours: BookedAttempt, status: AttemptStatus): BookedAttempt => ({ ...ours, status })

interface DriftOf {
  readonly kind: DiscrepancyKind
  /** Does asking the company put it right? */
  readonly isMended: boolean
  readonly make: (given: ReturnType<typeof pair>) => Pair
}

const DRIFTS: Readonly<Record<string, DriftOf>> = {
  'missing here': { kind: 'missing-here', isMended: false, make: ({ theirs }) => ({ ours: null, theirs: [theirs] }) },
  'missing there': { kind: 'paid-here', isMended: false, make: ({ ours }) => ({ ours, theirs: [] }) },
  amount: {
    kind: 'amount',
    isMended: false,
    make: ({ ours, theirs }) => ({ ours, theirs: [but(theirs, { amount: { minor: 7n, currency: 'AUD' } })] }),
  },
  currency: {
    kind: 'currency',
    isMended: false,
    make: ({ ours, theirs }) => ({ ours, theirs: [but(theirs, { amount: { minor: BigInt(ours.amountMinor), currency: 'NZD' } })] }),
  },
  'taken twice': {
    kind: 'duplicate',
    isMended: false,
    make: ({ ours, theirs }) => ({ ours, theirs: [theirs, { ...theirs, providerRef: `${theirs.providerRef} again` }] }),
  },
  'refunded in part there': {
    kind: 'refund',
    isMended: true,
    make: ({ ours, theirs }) => ({ ours, theirs: [but(theirs, { refunded: 5n })] }),
  },
  'refunded there': {
    kind: 'refund',
    isMended: true,
    make: ({ ours, theirs }) => ({ ours, theirs: [but(theirs, { refunded: BigInt(ours.amountMinor) })] }),
  },
  'taken back late': {
    kind: 'reversal',
    isMended: true,
    make: ({ ours, theirs }) => ({ ours, theirs: [but(theirs, { reversed: BigInt(ours.amountMinor) })] }),
  },
  'declined here, paid there': {
    kind: 'paid-there',
    isMended: true,
    make: ({ ours, theirs }) => ({ ours: ourStatus(ours, 'declined'), theirs: [theirs] }),
  },
  'given up here, paid there': {
    kind: 'paid-there',
    isMended: true,
    make: ({ ours, theirs }) => ({ ours: ourStatus(ours, 'expired'), theirs: [theirs] }),
  },
  'not known here, paid there': {
    kind: 'paid-there',
    isMended: true,
    make: ({ ours, theirs }) => ({ ours: ourStatus(ours, 'manual'), theirs: [theirs] }),
  },
  'paid here, cancelled there': {
    kind: 'paid-here',
    isMended: false,
    make: ({ ours, theirs }) => ({ ours, theirs: [{ ...theirs, result: { state: 'cancelled', detail: 'given up' } }] }),
  },
}

const HARMLESS: readonly ((given: ReturnType<typeof pair>) => Pair)[] = [
  ({ ours }) => ({ ours: ourStatus(ours, 'declined'), theirs: [] }),
  ({ theirs }) => ({ ours: null, theirs: [{ ...theirs, attemptId: null }] }), // the reseller's own business
  ({ theirs }) => ({ ours: null, theirs: [but(theirs, { refunded: theirs.result.state === 'paid' ? theirs.result.amount.minor : 0n })] }),
  ({ ours, theirs }) => ({ ours: ourStatus(ours, 'expired'), theirs: [{ ...theirs, result: { state: 'cancelled', detail: 'given up' } }] }),
]

/** A company that has this list, and answers look-ups from it. */
const companyWith = (list: readonly ProviderPayment[]): AnyProvider => {
  const known = new Map<string, ProviderPayment>()
  for (const one of list) if (one.attemptId !== null && !known.has(one.attemptId)) known.set(one.attemptId, one)
  const provider: PaymentProvider<{ secret: string }> = {
    name: 'bpoint',
    settings: Type.Object({ secret: Type.String() }),
    liveHosts: /^company\.example$/,
    idempotency: 'never',
    storeMethod: async () => ({ state: 'unknown', detail: 'it stores nothing' }),
    removeMethod: async () => undefined,
    chargeStoredMethod: async () => ({ state: 'unknown', detail: 'it charges nothing' }),
    lookUp: async (_, { attemptId }) => known.get(attemptId)?.result ?? { state: 'not-sent', detail: 'nobody knows it' },
    listPayments: async function* () {
      yield* list
    },
    redact: () => '',
  }
  return provider as AnyProvider
}

test(`[PAY-01] twelve kinds of drift among ${ROWS} payments: all are found, none is made up, and what a look-up can mend is mended`, async () => {
  const { context, payer } = bench
  const drifts = Object.values(DRIFTS)
  expect(drifts).toHaveLength(12)
  const [ours, theirs]: [BookedAttempt[], ProviderPayment[]] = [[], []]
  const expected: string[] = []
  for (let at = 0; at < ROWS; at += 1) {
    const given = pair(at)
    const drift = at % 50 === 0 ? drifts[(at / 50) % drifts.length] : undefined
    const made = drift?.make(given) ?? (at % 50 === 25 ? HARMLESS[((at - 25) / 50) % HARMLESS.length]?.(given) : undefined)
    const { ours: one, theirs: listed } = made ?? { ours: given.ours, theirs: [given.theirs] }
    if (one !== null) ours.push(one)
    theirs.push(...listed)
    if (drift !== undefined) expected.push(`${drift.kind} ${given.ours.id} ${drift.isMended}`)
  }
  const provider = companyWith(theirs.toReversed())
  const payments: PaymentsDeps = { ...context, providers: () => provider, onMailQueued: () => undefined }
  const as = <T>(work: Parameters<typeof transactAsReseller<T>>[2]): Promise<T> =>
    transactAsReseller(payments, payer.resellerId, work, 'background')
  await as((db) => addBooked(db, payer, ours, addMs(context.clock(), -2 * DAY)))

  const begun = performance.now()
  const [found] = await reconcile(payments, payer.resellerId, 35)
  console.log(`${ROWS} payments were compared in ${((performance.now() - begun) / 1_000).toFixed(1)} s`)
  expect(found?.theirs).toBe(theirs.length)
  expect(found?.discrepancies.map(({ kind, attemptId, isResolved: isMended }) => `${kind} ${attemptId} ${isMended}`).toSorted()).toEqual(
    expected.toSorted(),
  )

  const left = expected.filter((one) => one.endsWith(' false'))
  const queue = async (): Promise<string[]> =>
    (await as((db) => listOpenDiscrepancies(db, payer.resellerId))).map(({ kind, attemptId }) => `${kind} ${attemptId} false`)
  expect((await queue()).toSorted()).toEqual(left.toSorted())
  const [again] = await reconcile(payments, payer.resellerId, 35)
  expect(again?.discrepancies.map(({ kind, attemptId, isResolved: isMended }) => `${kind} ${attemptId} ${isMended}`).toSorted()).toEqual(
    left.toSorted(),
  )
}, 600_000)
