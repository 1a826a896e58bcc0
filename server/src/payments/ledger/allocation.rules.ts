import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'

/** An amount allocated to an invoice, an adjustment or, with neither, the fee. Minor units. */
export interface Allocation {
  readonly invoiceId: number | null
  readonly adjustmentId: number | null
  readonly amountMinor: number
}

/** What is due of an invoice, and what its payments hold. Minor units. */
export interface InvoiceBalance {
  readonly id: number
  readonly status: number
  readonly amountMinor: number
  readonly dueMinor: number
  /** What all payments hold for it after refunds and reversals. */
  readonly heldMinor: number
  /** The part of that beyond what was due: credit of the customer. */
  readonly overpaidMinor: number
}

/** How money changes an invoice: its new amount due, and the change of what is overpaid. Minor units. */
export interface InvoiceChange {
  readonly dueMinor: number
  readonly overpaidChangeMinor: number
}

/** How a payment changes an invoice: it pays what is due, and the rest is added to what is overpaid. */
export const applyPayment = ({ dueMinor }: InvoiceBalance, paidMinor: number): InvoiceChange => {
  const usedMinor = Math.min(paidMinor, Math.max(0, dueMinor))
  return { dueMinor: dueMinor - usedMinor, overpaidChangeMinor: paidMinor - usedMinor }
}

/**
 * How a refund changes an invoice: it takes at most what is overpaid. What is due stays as it is: the invoice remains paid
 * (docs/decisions/0047).
 */
export const applyRefund = ({ dueMinor, overpaidMinor }: InvoiceBalance, refundedMinor: number): InvoiceChange => ({
  dueMinor,
  overpaidChangeMinor: -Math.min(overpaidMinor, refundedMinor),
})

/**
 * How a reversal changes an invoice: it takes what is overpaid first; the rest is due again, but never more than the amount less what other
 * payments hold. Of a credited invoice nothing is due again.
 */
export const applyReversal = (invoice: InvoiceBalance, reversedMinor: number): InvoiceChange => {
  const { dueMinor, amountMinor, heldMinor } = invoice
  const takenMinor = Math.min(invoice.overpaidMinor, reversedMinor)
  const maxDueMinor = invoice.status === INVOICE_STATUS.credited ? 0 : Math.max(0, amountMinor - (heldMinor - reversedMinor))
  const newDueMinor = Math.min(dueMinor + reversedMinor - takenMinor, maxDueMinor)
  return { dueMinor: Math.max(dueMinor, newDueMinor), overpaidChangeMinor: -takenMinor }
}

/**
 * How a refund that failed changes an invoice: first the invoice gets back what it kept at the payment, the rest is overpaid again. What is
 * due stays.
 */
export const applyFailedRefund = (
  { dueMinor }: InvoiceBalance,
  returnedMinor: number,
  { keptAtFirstMinor, keptMinor }: { keptAtFirstMinor: number; keptMinor: number },
): InvoiceChange => ({ dueMinor, overpaidChangeMinor: Math.max(0, returnedMinor - Math.max(0, keptAtFirstMinor - keptMinor)) })

/**
 * Divides a refund or reversal among what an attempt holds: first what is overpaid, then from the last allocation (the fee) upwards, never
 * more than is allocated.
 * @returns positive amounts, the last allocation first
 */
export const allocateReturn = (
  allocations: readonly Allocation[],
  amountMinor: number,
  overpaidMinor: (invoiceId: number) => number,
): Allocation[] => {
  let leftMinor = amountMinor
  const take = (maxMinor: number): number => {
    const takenMinor = Math.max(0, Math.min(leftMinor, maxMinor))
    leftMinor -= takenMinor
    return takenMinor
  }
  const lastFirst = allocations.toReversed()
  const surplus = lastFirst.map(({ invoiceId, amountMinor: heldMinor }) =>
    invoiceId === null ? 0 : take(Math.min(heldMinor, overpaidMinor(invoiceId))),
  )
  return lastFirst.flatMap((allocation, index) => {
    const ofSurplusMinor = surplus[index] ?? 0
    const takenMinor = ofSurplusMinor + take(allocation.amountMinor - ofSurplusMinor)
    return takenMinor > 0 ? [{ ...toTarget(allocation), amountMinor: takenMinor }] : []
  })
}

/**
 * Divides an amount that came again (a won dispute) among what was requested: from the first on, never more than went back of each.
 * @returns positive amounts, in the order of the request
 */
export const reinstate = (requested: readonly Allocation[], allocations: readonly Allocation[], amountMinor: number): Allocation[] => {
  let leftMinor = amountMinor
  return requested.flatMap((allocation) => {
    const keptMinor = allocations.find((other) => isSameTarget(other, allocation))?.amountMinor ?? 0
    const takenMinor = Math.min(leftMinor, allocation.amountMinor - keptMinor)
    leftMinor -= takenMinor
    return takenMinor > 0 ? [{ ...toTarget(allocation), amountMinor: takenMinor }] : []
  })
}

/** An allocation without its amount. */
const toTarget = ({ invoiceId, adjustmentId }: Allocation): Omit<Allocation, 'amountMinor'> => ({ invoiceId, adjustmentId })

/** Whether two allocations are for the same invoice or adjustment, or both for the fee. */
const isSameTarget = (one: Allocation, other: Allocation): boolean =>
  one.invoiceId === other.invoiceId && one.adjustmentId === other.adjustmentId
