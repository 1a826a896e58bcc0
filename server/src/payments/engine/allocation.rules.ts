import type { LedgerEntry } from './settle.queries.ts'

/** A line of the book: an invoice, an adjustment, or, with neither, the fee. */
export type Allocation = Omit<LedgerEntry, 'kind'>

/** What an amount that came back takes of each line, from the last (the fee) upwards, and never more than is booked there. */
export const allocateRefund = (allocations: readonly Allocation[], amountMinor: number, kind: 'refund' | 'reversal'): LedgerEntry[] => {
  let leftMinor = amountMinor
  return allocations.toReversed().flatMap((allocation) => {
    const takenMinor = Math.min(leftMinor, allocation.amountMinor)
    leftMinor -= takenMinor
    return takenMinor > 0 ? [{ ...allocation, kind, amountMinor: -takenMinor }] : []
  })
}

/** What an amount that came after all (a won dispute) gives to each line, from the first, and never more than was asked for it. */
export const reinstate = (requested: readonly Allocation[], allocations: readonly Allocation[], amountMinor: number): LedgerEntry[] => {
  let leftMinor = amountMinor
  return requested.flatMap((allocation) => {
    const keptMinor =
      allocations.find((other) => other.invoiceId === allocation.invoiceId && other.adjustmentId === allocation.adjustmentId)
        ?.amountMinor ?? 0
    const takenMinor = Math.min(leftMinor, allocation.amountMinor - keptMinor)
    leftMinor -= takenMinor
    return takenMinor > 0 ? [{ ...allocation, kind: 'pay' as const, amountMinor: takenMinor }] : []
  })
}
