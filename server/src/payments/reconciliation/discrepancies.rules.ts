import { type AttemptStatus, hasPaid } from '../engine/attempt.ts'
import type { BookedPayment } from '../providers/provider.ts'

/** How our book and the company's list can disagree. */
export type DiscrepancyKind =
  /** The company has a payment under an id of ours that we do not know. */
  | 'missing-here'
  /** The same, and the id is of another reseller's payment: two resellers, one account. */
  | 'other-reseller'
  /** We have booked a payment that the company does not list. */
  | 'missing-there'
  /** The company has taken money for one id twice. */
  | 'duplicate'
  | 'currency'
  | 'amount'
  /** The company names it otherwise than it did. */
  | 'reference'
  /** Paid there, and here not. */
  | 'paid-there'
  /** Paid here, and there not. */
  | 'paid-here'
  /** Another sum was given back there than is booked here. */
  | 'refund'
  /** Another sum was taken back there (a returned debit, a lost dispute) than is booked here. */
  | 'reversal'

/** A payment as our book has it. */
export interface OurPayment {
  readonly attemptId: string
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
  readonly attemptId: string | null
  readonly customerId: number | null
  readonly currency: string
  /** null: nothing. */
  readonly oursMinor: number | null
  readonly theirsMinor: number | null
}

type Theirs = Omit<BookedPayment, 'attemptId'> & { readonly attemptId: string }

/**
 * Compares our payments with the company's list, each looked at in the same span of time. Payments that carry no id of ours are the
 * reseller's own business.
 */
export const findDiscrepancies = (ours: readonly OurPayment[], theirs: readonly BookedPayment[]): Discrepancy[] => {
  const known = new Map(ours.map((one) => [one.attemptId, one]))
  const listed = new Map<string, Theirs[]>()
  for (const one of theirs)
    if (one.attemptId !== null) listed.set(one.attemptId, [...(listed.get(one.attemptId) ?? []), { ...one, attemptId: one.attemptId }])
  const missingHere = [...listed.entries()].flatMap(([id, found]) => (known.has(id) ? [] : found.filter(isHeld).map(strange)))
  return [...missingHere, ...ours.flatMap((one) => driftsOfOne(one, listed.get(one.attemptId) ?? []))]
}

const isPaid = ({ result }: Theirs): boolean => result.state === 'paid'

/** Does the company still hold anything of it? */
const isHeld = ({ result }: Theirs): boolean => result.state === 'paid' && result.amount.minor > result.refunded + result.reversed

const bookedMinor = ({ result }: BookedPayment): number | null => (result.state === 'paid' ? Number(result.amount.minor) : null)

const strange = (theirs: Theirs): Discrepancy => ({
  kind: 'missing-here',
  providerRef: theirs.providerRef,
  attemptId: theirs.attemptId,
  customerId: null,
  currency: theirs.result.state === 'paid' ? theirs.result.amount.currency : '',
  oursMinor: null,
  theirsMinor: bookedMinor(theirs),
})

const driftsOfOne = (ours: OurPayment, listed: readonly Theirs[]): Discrepancy[] => {
  const paid = listed.filter(isPaid)
  const main = paid.find(({ providerRef }) => providerRef === ours.providerRef) ?? paid[0]
  const named = listed.find(({ providerRef }) => providerRef === ours.providerRef)
  const drift = (
    kind: DiscrepancyKind,
    oursMinor: number | null,
    theirsMinor: number | null,
    providerRef = ours.providerRef,
  ): Discrepancy => ({
    kind,
    providerRef: providerRef ?? ours.attemptId,
    attemptId: ours.attemptId,
    customerId: ours.customerId,
    currency: ours.currency,
    oursMinor,
    theirsMinor,
  })
  if (main === undefined || main.result.state !== 'paid') {
    if (!hasPaid(ours.status)) return []
    return [drift(named === undefined ? 'missing-there' : 'paid-here', ours.amountMinor, null)]
  }
  const doubled = paid
    .filter((one) => one !== main && isHeld(one))
    .map((one) => drift('duplicate', null, bookedMinor(one), one.providerRef))
  const { amount, refunded, reversed } = main.result
  const there = Number(amount.minor)
  if (amount.currency !== ours.currency) return [...doubled, drift('currency', ours.amountMinor, there, main.providerRef)]
  if (there !== ours.amountMinor) return [...doubled, drift('amount', ours.amountMinor, there, main.providerRef)]
  if (!hasPaid(ours.status)) return [...doubled, drift('paid-there', null, there, main.providerRef)]
  const rest: Discrepancy[] = []
  if (main.providerRef !== ours.providerRef) rest.push(drift('reference', ours.amountMinor, there, main.providerRef))
  if (Number(refunded) !== ours.refundedMinor) rest.push(drift('refund', ours.refundedMinor, Number(refunded)))
  if (Number(reversed) !== ours.reversedMinor) rest.push(drift('reversal', ours.reversedMinor, Number(reversed)))
  return [...doubled, ...rest]
}
