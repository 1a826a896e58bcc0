import type { Db } from '../../db/database.ts'
import type { Attempt, AttemptItem } from '../attempts/attempt.queries.ts'
import {
  type Allocation,
  allocateReturn,
  applyFailedRefund,
  applyPayment,
  applyRefund,
  applyReversal,
  type InvoiceBalance,
  type InvoiceChange,
  reinstate,
} from './allocation.rules.ts'
import {
  closeOverpayments,
  type HeldAllocation,
  insertLedgerEntries,
  type LedgerEntry,
  lockInvoices,
  reportOverpayment,
  setAdjustmentSettledAt,
  sumLedgerEntries,
  updateAmountDue,
} from './ledger.queries.ts'

/** How an allocation changes an invoice. */
type ApplyToInvoice = (invoice: InvoiceBalance, amountMinor: number) => InvoiceChange

/**
 * Records the whole payment in the ledger and lowers what is due: to each item goes what was requested for it, the rest is the fee. What
 * was not due any more is overpaid.
 */
export const recordPayment = async (db: Db, attempt: Attempt, items: readonly AttemptItem[], now: Date): Promise<void> => {
  const invoices = await lockInvoices(db, attempt, items)
  const allocations = withFee(attempt, items)
  await recordAllocations(db, attempt, { kind: 'pay', allocations, now }, invoices, applyPayment)
  await settleAdjustments(db, attempt, allocations, now)
}

/**
 * Records a return; a negative return (a won dispute, a failed refund) is recorded as paid again. What was overpaid is returned first,
 * then the fee and the items from the last on. A reversal reopens the invoices; a refund leaves them paid (docs/decisions/0047).
 */
export const recordReturn = async (
  db: Db,
  attempt: Attempt,
  items: readonly AttemptItem[],
  { kind, amountMinor, now }: { kind: 'refund' | 'reversal'; amountMinor: number; now: Date },
): Promise<void> => {
  if (amountMinor === 0) return
  const invoices = await lockInvoices(db, attempt, items)
  const held = await sumLedgerEntries(db, attempt)
  if (amountMinor > 0) {
    const overpaidMinor = (invoiceId: number): number => invoices.get(invoiceId)?.overpaidMinor ?? 0
    const allocations = allocateReturn(held, amountMinor, overpaidMinor)
    await recordAllocations(db, attempt, { kind, allocations, now }, invoices, kind === 'refund' ? applyRefund : applyReversal)
    if (kind === 'reversal') await settleAdjustments(db, attempt, allocations, null)
    return
  }
  const allocations = reinstate(withFee(attempt, items), held, -amountMinor)
  const apply: ApplyToInvoice =
    kind === 'refund' ? (invoice, minor) => applyFailedRefund(invoice, minor, allocationOrNone(held, invoice.id)) : applyPayment
  await recordAllocations(db, attempt, { kind: 'pay', allocations, now }, invoices, apply)
  if (kind === 'reversal') await settleAdjustments(db, attempt, allocations, now)
}

/** What an attempt was requested to pay: its items, and the fee as one without an invoice or adjustment. */
const withFee = ({ feeMinor }: Attempt, items: readonly AttemptItem[]): Allocation[] =>
  feeMinor > 0 ? [...items, { invoiceId: null, adjustmentId: null, amountMinor: feeMinor }] : [...items]

/** What an attempt's payment keeps for an invoice, in minor units; 0 for an invoice that it did not pay. */
const allocationOrNone = (held: readonly HeldAllocation[], id: number): Pick<HeldAllocation, 'keptMinor' | 'keptAtFirstMinor'> =>
  held.find(({ invoiceId }) => invoiceId === id) ?? { keptMinor: 0, keptAtFirstMinor: 0 }

/**
 * Writes allocations to the ledger and to what is due of their invoices, which a refund leaves as it is, and opens or closes overpayments
 * in the review queue.
 */
const recordAllocations = async (
  db: Db,
  attempt: Attempt,
  { kind, allocations, now }: { kind: LedgerEntry['kind']; allocations: readonly Allocation[]; now: Date },
  invoices: ReadonlyMap<number, InvoiceBalance>,
  apply: ApplyToInvoice,
): Promise<void> => {
  const sign = kind === 'pay' ? 1 : -1
  const changed: number[] = []
  let overpaidMinor = 0
  const entries: LedgerEntry[] = []
  for (const allocation of allocations) {
    const invoice = allocation.invoiceId === null ? undefined : invoices.get(allocation.invoiceId)
    const change = invoice === undefined ? null : apply(invoice, allocation.amountMinor)
    entries.push({ ...allocation, kind, amountMinor: sign * allocation.amountMinor, overpaidMinor: change?.overpaidChangeMinor ?? 0 })
    if (invoice === undefined || change === null) continue
    if (kind !== 'refund') await updateAmountDue(db, attempt, invoice.id, change)
    if (change.overpaidChangeMinor !== 0) changed.push(invoice.id)
    overpaidMinor += change.overpaidChangeMinor
  }
  await insertLedgerEntries(db, attempt, entries, now)
  if (overpaidMinor > 0) await reportOverpayment(db, attempt, overpaidMinor, now)
  else if (changed.length > 0) await closeOverpayments(db, attempt, changed, now)
}

/** Marks the adjustments among these allocations as settled; null opens them again. */
const settleAdjustments = async (db: Db, attempt: Attempt, allocations: readonly Allocation[], settledAt: Date | null): Promise<void> => {
  for (const { adjustmentId } of allocations) if (adjustmentId !== null) await setAdjustmentSettledAt(db, attempt, adjustmentId, settledAt)
}
