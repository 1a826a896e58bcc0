import { type AttemptStatus, hasPaid } from '../attempts/attempt.ts'
import { toReturnedTotals } from '../attempts/transition.rules.ts'
import type { ProviderPayment } from '../providers/charge-result.ts'

/** How our ledger and the provider's list can disagree. */
export type DiscrepancyKind =
  /** The provider has a payment under a reference of ours that we do not know. */
  | 'missing-here'
  /** The provider has a payment under a reference of another reseller's payment: two resellers share one account. */
  | 'other-reseller'
  /** The provider does not list a payment that we have. */
  | 'missing-there'
  /** The provider charged twice for one attempt. */
  | 'duplicate'
  | 'currency'
  | 'amount'
  /** The provider has another reference than the one that was saved. */
  | 'reference'
  /** Succeeded at the provider only. */
  | 'paid-there'
  /** Succeeded here only. */
  | 'paid-here'
  /** The refunded amounts differ. */
  | 'refund'
  /** The reversed amounts (a returned debit, a lost dispute) differ. */
  | 'reversal'

/** A payment in our ledger. */
export interface OurPayment {
  readonly attemptId: string
  readonly merchantReference: string
  readonly customerId: number
  readonly providerRef: string | null
  readonly status: AttemptStatus
  readonly currency: string
  readonly amountMinor: number
  readonly refundedMinor: number
  readonly reversedMinor: number
}

export interface Discrepancy {
  readonly kind: DiscrepancyKind
  readonly providerRef: string
  /** Null for a payment that is unknown here. */
  readonly attemptId: string | null
  readonly merchantReference: string
  readonly customerId: number | null
  readonly currency: string
  /** Minor units; null for nothing. */
  readonly oursMinor: number | null
  readonly theirsMinor: number | null
}

type AttributedPayment = Omit<ProviderPayment, 'merchantReference'> & { readonly merchantReference: string }

/**
 * Compares our payments with the provider's list of the same span of time. Listed payments without our reference are the reseller's own
 * and are ignored.
 */
export const findDiscrepancies = (ours: readonly OurPayment[], theirs: readonly ProviderPayment[]): Discrepancy[] => {
  const merchantReferences = new Set(ours.map(({ merchantReference }) => merchantReference))
  const listed = new Map<string, AttributedPayment[]>()
  for (const payment of theirs)
    if (payment.merchantReference !== null)
      listed.set(payment.merchantReference, [
        ...(listed.get(payment.merchantReference) ?? []),
        { ...payment, merchantReference: payment.merchantReference },
      ])
  const unknownHere = [...listed.entries()].flatMap(([ref, found]) =>
    merchantReferences.has(ref) ? [] : found.filter(holdsMoney).map(toMissingHere),
  )
  return [...unknownHere, ...ours.flatMap((payment) => comparePayment(payment, listed.get(payment.merchantReference) ?? []))]
}

const isSucceeded = ({ result }: AttributedPayment): boolean => result.state === 'succeeded'

/** Whether the provider still holds any of the money. */
const holdsMoney = ({ result }: AttributedPayment): boolean =>
  result.state === 'succeeded' && result.amount.minor > (result.refunded ?? 0n) + (result.reversed ?? 0n)

/** What a listed payment charged, in minor units, also where it went back since; null unless it succeeded. */
const succeededMinor = ({ result }: ProviderPayment): number | null => (result.state === 'succeeded' ? Number(result.amount.minor) : null)

/** The discrepancy of a listed payment with a reference of ours that is not known here. */
const toMissingHere = (theirs: AttributedPayment): Discrepancy => ({
  kind: 'missing-here',
  providerRef: theirs.providerRef,
  attemptId: null,
  merchantReference: theirs.merchantReference,
  customerId: null,
  currency: theirs.result.state === 'succeeded' ? theirs.result.amount.currency : '',
  oursMinor: null,
  theirsMinor: succeededMinor(theirs),
})

/** A payment that the provider lists as voided, as paid and refunded in whole where we have recorded it as paid; any other as listed. */
const voidedToRefunded = (ours: OurPayment, listed: AttributedPayment): AttributedPayment => {
  if (listed.result.state !== 'voided' || !hasPaid(ours.status)) return listed
  const amount = { minor: BigInt(ours.amountMinor), currency: ours.currency }
  const refunded = amount.minor - BigInt(ours.reversedMinor)
  return { ...listed, result: { state: 'succeeded', providerRef: listed.providerRef, amount, refunded, reversed: null } }
}

/** How one of our payments differs from what the provider lists under its reference; empty where they agree. */
const comparePayment = (ours: OurPayment, theirs: readonly AttributedPayment[]): Discrepancy[] => {
  const listed = theirs.map((one) => voidedToRefunded(ours, one))
  const paid = listed.filter(isSucceeded)
  const primary = paid.find(({ providerRef }) => providerRef === ours.providerRef) ?? paid[0]
  const sameReference = listed.find(({ providerRef }) => providerRef === ours.providerRef)
  const toDiscrepancy = (
    kind: DiscrepancyKind,
    oursMinor: number | null,
    theirsMinor: number | null,
    providerRef = ours.providerRef,
  ): Discrepancy => ({
    kind,
    providerRef: providerRef ?? ours.attemptId,
    attemptId: ours.attemptId,
    merchantReference: ours.merchantReference,
    customerId: ours.customerId,
    currency: ours.currency,
    oursMinor,
    theirsMinor,
  })
  if (primary === undefined || primary.result.state !== 'succeeded') {
    // A debit that was declined after it was paid is listed as such, and nothing of it is kept here either.
    const isGoneHere = ours.refundedMinor + ours.reversedMinor >= ours.amountMinor
    if (!hasPaid(ours.status) || (sameReference !== undefined && isGoneHere)) return []
    return [toDiscrepancy(sameReference === undefined ? 'missing-there' : 'paid-here', ours.amountMinor, null)]
  }
  const duplicates = paid
    .filter((payment) => payment !== primary && holdsMoney(payment))
    .map((payment) => toDiscrepancy('duplicate', null, succeededMinor(payment), payment.providerRef))
  const { amount } = primary.result
  const theirMinor = Number(amount.minor)
  if (amount.currency !== ours.currency)
    return [...duplicates, toDiscrepancy('currency', ours.amountMinor, theirMinor, primary.providerRef)]
  if (theirMinor !== ours.amountMinor) return [...duplicates, toDiscrepancy('amount', ours.amountMinor, theirMinor, primary.providerRef)]
  // Money that came and went before it was known paid nothing.
  if (!hasPaid(ours.status) && !holdsMoney(primary)) return duplicates
  if (!hasPaid(ours.status)) return [...duplicates, toDiscrepancy('paid-there', null, theirMinor, primary.providerRef)]
  const others: Discrepancy[] = []
  if (primary.providerRef !== ours.providerRef) others.push(toDiscrepancy('reference', ours.amountMinor, theirMinor, primary.providerRef))
  const { refundedMinor, reversedMinor } = toReturnedTotals(ours, primary.result)
  if (refundedMinor !== ours.refundedMinor) others.push(toDiscrepancy('refund', ours.refundedMinor, refundedMinor))
  if (reversedMinor !== ours.reversedMinor) others.push(toDiscrepancy('reversal', ours.reversedMinor, reversedMinor))
  return [...duplicates, ...others]
}
