import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type DiscrepancyKind, findDiscrepancies, type OurPayment } from './discrepancies.rules.ts'
import type { ProviderPayment } from '../providers/charge-result.ts'

type Pair = { ours: OurPayment | null; theirs: ProviderPayment[] }

let last = 0
const newPair = (): { ours: OurPayment; theirs: ProviderPayment } => {
  last += 1
  const [attemptId, providerRef, amountMinor] = [randomUUID(), `pi_${last}`, 1_000 + (last % 977)]
  const back = { refundedMinor: last % 11 === 0 ? 100 : 0, reversedMinor: 0 }
  const ours: OurPayment = {
    attemptId,
    merchantReference: attemptId,
    customerId: 1,
    providerRef,
    status: 'succeeded',
    currency: 'AUD',
    amountMinor,
    ...back,
  }
  const amount = { minor: BigInt(amountMinor), currency: 'AUD' }
  return {
    ours,
    theirs: {
      merchantReference: attemptId,
      providerRef,
      result: { state: 'succeeded', providerRef, amount, refunded: BigInt(back.refundedMinor), reversed: 0n },
    },
  }
}

const withResult = (theirs: ProviderPayment, change: object): ProviderPayment => ({
  ...theirs,
  result: { ...theirs.result, ...change } as ProviderPayment['result'],
})

const DISCREPANCY_CASES: Readonly<Record<string, { kind: DiscrepancyKind; make: () => Pair }>> = {
  'a payment of ours that we do not know': { kind: 'missing-here', make: () => ({ ours: null, theirs: [newPair().theirs] }) },
  'one that the provider does not list': { kind: 'missing-there', make: () => ({ ours: newPair().ours, theirs: [] }) },
  'another amount': {
    kind: 'amount',
    make: () => {
      const { ours, theirs } = newPair()
      return { ours, theirs: [withResult(theirs, { amount: { minor: BigInt(ours.amountMinor + 1), currency: 'AUD' } })] }
    },
  },
  'another currency': {
    kind: 'currency',
    make: () => {
      const { ours, theirs } = newPair()
      return { ours, theirs: [withResult(theirs, { amount: { minor: BigInt(ours.amountMinor), currency: 'NZD' } })] }
    },
  },
  'taken twice': {
    kind: 'duplicate',
    make: () => {
      const { ours, theirs } = newPair()
      return { ours, theirs: [{ ...theirs, providerRef: `${theirs.providerRef}b` }, theirs] }
    },
  },
  'refunded there': {
    kind: 'refund',
    make: () => {
      const { ours, theirs } = newPair()
      return { ours, theirs: [withResult(theirs, { refunded: BigInt(ours.refundedMinor + 5) })] }
    },
  },
  'refunded here alone': {
    kind: 'refund',
    make: () => {
      const { ours, theirs } = newPair()
      return { ours: { ...ours, refundedMinor: ours.refundedMinor + 7 }, theirs: [theirs] }
    },
  },
  'taken back late': {
    kind: 'reversal',
    make: () => {
      const { ours, theirs } = newPair()
      return { ours, theirs: [withResult(theirs, { reversed: BigInt(ours.amountMinor) })] }
    },
  },
  'paid there, declined here': {
    kind: 'paid-there',
    make: () => {
      const { ours, theirs } = newPair()
      return { ours: { ...ours, status: 'declined' }, theirs: [theirs] }
    },
  },
  'paid there, not known here': {
    kind: 'paid-there',
    make: () => {
      const { ours, theirs } = newPair()
      return { ours: { ...ours, status: 'unknown' }, theirs: [theirs] }
    },
  },
  'paid here, cancelled there': {
    kind: 'paid-here',
    make: () => {
      const { ours, theirs } = newPair()
      return { ours, theirs: [{ ...theirs, result: { state: 'canceled', detail: '' } }] }
    },
  },
  'named otherwise there': {
    kind: 'reference',
    make: () => {
      const { ours, theirs } = newPair()
      return { ours: { ...ours, providerRef: `${ours.providerRef}x` }, theirs: [theirs] }
    },
  },
}

const HARMLESS: readonly (() => Pair)[] = [
  () => ({ ours: { ...newPair().ours, status: 'declined' }, theirs: [] }),
  () => ({ ours: { ...newPair().ours, status: 'not_sent', providerRef: null }, theirs: [] }),
  () => ({ ours: null, theirs: [{ ...newPair().theirs, merchantReference: null }] }), // the reseller's own business
  () => {
    const { ours, theirs } = newPair()
    const back = withResult({ ...theirs, providerRef: `${theirs.providerRef}b` }, { refunded: BigInt(ours.amountMinor) })
    return { ours, theirs: [theirs, back] } // charged twice, and refunded
  },
  () => {
    const { ours, theirs } = newPair()
    const reversed: OurPayment = { ...ours, status: 'reversed', refundedMinor: 400, reversedMinor: ours.amountMinor - 400 }
    return { ours: reversed, theirs: [withResult(theirs, { refunded: 400n, reversed: BigInt(ours.amountMinor) })] } // disputed whole
  },
  () => {
    const { ours, theirs } = newPair()
    return {
      ours: { ...ours, status: 'processing' },
      theirs: [{ ...theirs, result: { state: 'processing', providerRef: theirs.providerRef } }],
    }
  },
]

test('[PAY-01] among 10,000 payments every discrepancy of twelve kinds is found, and nothing else', () => {
  const [ours, theirs, expected]: [OurPayment[], ProviderPayment[], string[]] = [[], [], []]
  const put = (one: Pair): void => {
    if (one.ours !== null) ours.push(one.ours)
    theirs.push(...one.theirs)
  }
  const kinds = Object.values(DISCREPANCY_CASES)
  expect(kinds).toHaveLength(12)
  for (let at = 0; at < 10_000; at += 1) {
    const one = newPair()
    if (at % 50 === 0) {
      const { kind, make } = kinds[(at / 50) % kinds.length] ?? kinds[0]!
      const different = make()
      put(different)
      expected.push(`${kind} ${different.ours?.merchantReference ?? different.theirs[0]?.merchantReference}`)
    } else if (at % 50 === 25) put(HARMLESS[((at - 25) / 50) % HARMLESS.length]?.() ?? { ours: null, theirs: [] })
    else put({ ours: one.ours, theirs: [one.theirs] })
  }
  const found = findDiscrepancies(ours, theirs.toReversed()).map(({ kind, merchantReference }) => `${kind} ${merchantReference}`)
  expect(found.toSorted()).toEqual(expected.toSorted())
})

test.each(Object.entries(DISCREPANCY_CASES))('[PAY-01] %s', (_, { kind, make }) => {
  const { ours, theirs } = make()
  expect(findDiscrepancies(ours === null ? [] : [ours], theirs).map((discrepancy) => discrepancy.kind)).toEqual([kind])
})
