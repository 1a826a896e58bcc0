import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs } from '../../../src/kit/clock.ts'
import type { AttemptStatus } from '../../../src/payments/attempts/attempt.ts'
import { listOpenDiscrepancies } from '../../../src/payments/reconciliation/discrepancies.queries.ts'
import type { DiscrepancyKind } from '../../../src/payments/reconciliation/discrepancies.rules.ts'
import { transactAsReseller, type PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import type { ChargeResult, ProviderPayment } from '../../../src/payments/providers/charge-result.ts'
import type { PaymentProvider, ProviderOf } from '../../../src/payments/providers/provider.ts'
import { reconcile } from '../../../src/payments/reconciliation/reconcile.ts'
import { type FaultContext, openFaultContext, runCount } from './fault-context.ts'
import { insertSettledAttempts, type SettledAttempt } from './payment-model.queries.ts'

/** The number of payments; one in fifty has a discrepancy, and one in fifty a harmless difference. */
const ROWS = runCount(600)
const DAY = 86_400_000

let fixture: FaultContext

beforeAll(async () => {
  fixture = await openFaultContext()
})
afterAll(() => fixture.context.close())

type Paid = Extract<ChargeResult, { state: 'succeeded' }>

/** One payment on both sides, before anything went wrong. */
interface Pair {
  ours: SettledAttempt | null
  theirs: ProviderPayment[]
}

const newPair = (at: number): { ours: SettledAttempt; theirs: ProviderPayment } => {
  const [id, providerRef, amountMinor] = [randomUUID(), `many ${at}`, 1_000 + (at % 977)]
  const result: Paid = {
    state: 'succeeded',
    providerRef,
    amount: { minor: BigInt(amountMinor), currency: 'AUD' },
    refunded: 0n,
    reversed: 0n,
  }
  return { ours: { id, providerRef, amountMinor, status: 'succeeded' }, theirs: { merchantReference: id, providerRef, result } }
}

const withResult = (theirs: ProviderPayment, change: Partial<Paid>): ProviderPayment => ({
  ...theirs,
  result: { ...theirs.result, ...change } as Paid,
})
const withStatus = (ours: SettledAttempt, status: AttemptStatus): SettledAttempt => ({ ...ours, status })

interface DiscrepancyCase {
  readonly kind: DiscrepancyKind
  /** Whether a look-up resolves it. */
  readonly isMended: boolean
  readonly make: (given: ReturnType<typeof newPair>) => Pair
}

const DISCREPANCIES: Readonly<Record<string, DiscrepancyCase>> = {
  'missing here': { kind: 'missing-here', isMended: false, make: ({ theirs }) => ({ ours: null, theirs: [theirs] }) },
  'missing there': { kind: 'paid-here', isMended: false, make: ({ ours }) => ({ ours, theirs: [] }) },
  amount: {
    kind: 'amount',
    isMended: false,
    make: ({ ours, theirs }) => ({ ours, theirs: [withResult(theirs, { amount: { minor: 7n, currency: 'AUD' } })] }),
  },
  currency: {
    kind: 'currency',
    isMended: false,
    make: ({ ours, theirs }) => ({ ours, theirs: [withResult(theirs, { amount: { minor: BigInt(ours.amountMinor), currency: 'NZD' } })] }),
  },
  'taken twice': {
    kind: 'duplicate',
    isMended: false,
    make: ({ ours, theirs }) => ({ ours, theirs: [theirs, { ...theirs, providerRef: `${theirs.providerRef} again` }] }),
  },
  'refunded in part there': {
    kind: 'refund',
    isMended: true,
    make: ({ ours, theirs }) => ({ ours, theirs: [withResult(theirs, { refunded: 5n })] }),
  },
  'refunded there': {
    kind: 'refund',
    isMended: true,
    make: ({ ours, theirs }) => ({ ours, theirs: [withResult(theirs, { refunded: BigInt(ours.amountMinor) })] }),
  },
  'taken back late': {
    kind: 'reversal',
    isMended: true,
    make: ({ ours, theirs }) => ({ ours, theirs: [withResult(theirs, { reversed: BigInt(ours.amountMinor) })] }),
  },
  'declined here, paid there': {
    kind: 'paid-there',
    isMended: true,
    make: ({ ours, theirs }) => ({ ours: withStatus(ours, 'declined'), theirs: [theirs] }),
  },
  'given up here, paid there': {
    kind: 'paid-there',
    isMended: true,
    make: ({ ours, theirs }) => ({ ours: withStatus(ours, 'expired'), theirs: [theirs] }),
  },
  'not known here, paid there': {
    kind: 'paid-there',
    isMended: true,
    make: ({ ours, theirs }) => ({ ours: withStatus(ours, 'manual'), theirs: [theirs] }),
  },
  'paid here, cancelled there': {
    kind: 'paid-here',
    isMended: false,
    make: ({ ours, theirs }) => ({ ours, theirs: [{ ...theirs, result: { state: 'canceled', detail: 'given up' } }] }),
  },
}

const HARMLESS: readonly ((given: ReturnType<typeof newPair>) => Pair)[] = [
  ({ ours }) => ({ ours: withStatus(ours, 'declined'), theirs: [] }),
  ({ theirs }) => ({ ours: null, theirs: [{ ...theirs, merchantReference: null }] }), // the reseller's own business
  ({ theirs }) => ({
    ours: null,
    theirs: [withResult(theirs, { refunded: theirs.result.state === 'succeeded' ? theirs.result.amount.minor : 0n })],
  }),
  ({ ours, theirs }) => ({
    ours: withStatus(ours, 'expired'),
    theirs: [{ ...theirs, result: { state: 'canceled', detail: 'given up' } }],
  }),
]

/** A provider with this list, which also answers look-ups. */
const providerListing = (list: readonly ProviderPayment[]): PaymentProvider => {
  const known = new Map<string, ProviderPayment>()
  for (const one of list) if (one.merchantReference !== null && !known.has(one.merchantReference)) known.set(one.merchantReference, one)
  const provider: ProviderOf<{ secret: string }> = {
    name: 'bpoint',
    reviewText: 'At its desk.',
    account: { settings: Type.Object({ secret: Type.String() }), identifyingSettings: ['secret'], liveHosts: /^provider\.example$/ },
    idempotency: 'never',
    entry: { accepts: ['token'] },
    notFoundMeansUnpaidAfterMs: 0,
    storing: {
      pathFamily: 'payments',
      store: async () => ({ state: 'unknown', detail: 'it stores nothing' }),
      remove: async () => undefined,
    },
    prepareStoredMethodCharge: async () => ({ state: 'not_sent', detail: 'it charges nothing' }),
    lookUp: async (_, { merchantReference }) => known.get(merchantReference)?.result ?? { state: 'absent', detail: 'nobody knows it' },
    listPayments: async function* () {
      yield* list
    },
    redact: () => '',
  }
  return provider as PaymentProvider
}

test(`[PAY-01] twelve kinds of discrepancy among ${ROWS} payments: all are found, none is false, and what a look-up can resolve is resolved`, async () => {
  const { context, payer } = fixture
  const cases = Object.values(DISCREPANCIES)
  expect(cases).toHaveLength(12)
  const [ours, theirs]: [SettledAttempt[], ProviderPayment[]] = [[], []]
  const expected: string[] = []
  for (let at = 0; at < ROWS; at += 1) {
    const given = newPair(at)
    const discrepancy = at % 50 === 0 ? cases[(at / 50) % cases.length] : undefined
    const pair = discrepancy?.make(given) ?? (at % 50 === 25 ? HARMLESS[((at - 25) / 50) % HARMLESS.length]?.(given) : undefined)
    const { ours: one, theirs: listed } = pair ?? { ours: given.ours, theirs: [given.theirs] }
    if (one !== null) ours.push(one)
    theirs.push(...listed)
    if (discrepancy !== undefined) expected.push(`${discrepancy.kind} ${given.ours.id} ${discrepancy.isMended}`)
  }
  const provider = providerListing(theirs.toReversed())
  const payments: PaymentsDeps = { ...context, providers: () => provider, onMailQueued: () => undefined }
  const transact = <T>(work: Parameters<typeof transactAsReseller<T>>[2]): Promise<T> =>
    transactAsReseller(payments, payer.resellerId, work, { pool: 'background' })
  await transact((db) => insertSettledAttempts(db, payer, ours, addMs(context.clock(), -2 * DAY)))

  const begun = performance.now()
  const compare = async () => (await reconcile(payments, payer.resellerId, 35)).reconciled[0]
  const found = await compare()
  console.log(`${ROWS} payments were compared in ${((performance.now() - begun) / 1_000).toFixed(1)} s`)
  expect(found?.theirs).toBe(theirs.length)
  expect(
    found?.discrepancies.map(({ kind, merchantReference, isResolved: isMended }) => `${kind} ${merchantReference} ${isMended}`).toSorted(),
  ).toEqual(expected.toSorted())

  const left = expected.filter((one) => one.endsWith(' false'))
  const queue = async (): Promise<string[]> =>
    (await transact((db) => listOpenDiscrepancies(db, payer.resellerId))).map(
      ({ kind, merchantReference }) => `${kind} ${merchantReference} false`,
    )
  expect((await queue()).toSorted()).toEqual(left.toSorted())
  const again = await compare()
  expect(
    again?.discrepancies.map(({ kind, merchantReference, isResolved: isMended }) => `${kind} ${merchantReference} ${isMended}`).toSorted(),
  ).toEqual(left.toSorted())
}, 600_000)
