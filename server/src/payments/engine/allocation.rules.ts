import type { LedgerEntry } from './settle.queries.ts'

/** An amount allocated to an invoice, an adjustment or, with neither, the fee. */
export type Allocation = Omit<LedgerEntry, 'kind'>

/** Ledger entries for a refund or reversal: taken from the last allocation (the fee) upwards, never more than is allocated there. */
export const allocateRefund = (allocations: readonly Allocation[], amountMinor: number, kind: 'refund' | 'reversal'): LedgerEntry[] => {
  let leftMinor = amountMinor
  return allocations.toReversed().flatMap((allocation) => {
    const takenMinor = Math.min(leftMinor, allocation.amountMinor)
    leftMinor -= takenMinor
    return takenMinor > 0 ? [{ ...allocation, kind, amountMinor: -takenMinor }] : []
  })
}

/** Ledger entries for an amount that returned after all (a won dispute): from the first request on, never more than was requested. */
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
