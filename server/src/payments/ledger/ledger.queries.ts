import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { Attempt } from '../attempts/attempt.queries.ts'
import type { Allocation, InvoiceBalance, InvoiceChange } from './allocation.rules.ts'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'

export interface LedgerEntry extends Allocation {
  readonly kind: 'pay' | 'refund' | 'reversal'
  /** The part of the amount beyond what was due of the invoice; negative for returns. */
  readonly overpaidMinor: number
}

/** What an attempt holds for one target: a refund that fails needs what it kept at first. Minor units. */
export interface HeldAllocation extends Allocation {
  /** What is held without what was overpaid, now and after the payment. */
  readonly keptMinor: number
  readonly keptAtFirstMinor: number
}

/** Appends entries to the attempt's ledger. Invoices and adjustments are not touched. */
export const insertLedgerEntries = async (
  db: Db,
  { owns, customerId, id }: Attempt,
  entries: readonly LedgerEntry[],
  now: Date,
): Promise<void> => {
  for (const { kind, invoiceId, adjustmentId, amountMinor, overpaidMinor } of entries) {
    const target = invoiceId === null ? (adjustmentId === null ? 'fee' : 'adjustment') : 'invoice'
    await sql`
      insert into payment_allocation (customer_id, attempt_id, entry_no, kind, target, invoice_id, adjustment_id, amount_minor, overpaid_minor, recorded_at)
      select ${customerId}, ${id}, coalesce(max(entry_no), 0) + 1, ${kind}, ${target}, ${invoiceId}, ${adjustmentId}, ${amountMinor}, ${overpaidMinor}, ${now}
      from payment_allocation where ${owns('payment_allocation')} and attempt_id = ${id}`.execute(db)
  }
}

/** The ledger sum of an attempt for each item it paid, in the order of payment. */
export const sumLedgerEntries = async (db: Db, { owns, id }: Attempt): Promise<HeldAllocation[]> => {
  const { rows } = await sql<HeldAllocation>`
    select invoice_id as "invoiceId", adjustment_id as "adjustmentId", sum(amount_minor)::bigint as "amountMinor",
      sum(amount_minor - overpaid_minor)::bigint as "keptMinor",
      (array_agg(amount_minor - overpaid_minor order by entry_no))[1] as "keptAtFirstMinor"
    from payment_allocation where ${owns('payment_allocation')} and attempt_id = ${id}
    group by invoice_id, adjustment_id order by min(entry_no)`.execute(db)
  return rows
}

/** Locks invoices, in the order of their ids so that two settlements never deadlock, and then reads what is due and held of them. */
export const lockInvoices = async (
  db: Db,
  { owns }: CustomerScope,
  items: readonly Pick<Allocation, 'invoiceId'>[],
): Promise<Map<number, InvoiceBalance>> => {
  const ids = items.flatMap(({ invoiceId }) => (invoiceId === null ? [] : [invoiceId]))
  if (ids.length === 0) return new Map()
  await sql`select from invoice where ${owns('invoice')} and id = any(${ids}::bigint[]) order by id for update`.execute(db)
  const { rows } = await sql<InvoiceBalance>`
    select v.id, v.status, v.amount_minor as "amountMinor", v.amount_due_minor as "dueMinor", held.amount as "heldMinor",
      held.overpaid as "overpaidMinor"
    from invoice v cross join lateral (
      select coalesce(sum(a.amount_minor), 0)::bigint as amount, coalesce(sum(a.overpaid_minor), 0)::bigint as overpaid
      from payment_allocation a where a.customer_id = v.customer_id and a.invoice_id = v.id
    ) held
    where ${owns('v')} and v.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((invoice) => [invoice.id, invoice]))
}

/**
 * Writes the new amount due of an invoice, and its status: paid with nothing due, else open; a credited invoice stays credited. An amount
 * that no such debt can have is cut, whatever stood there before imports were checked for it.
 */
export const updateAmountDue = async (db: Db, { owns }: CustomerScope, invoiceId: number, { dueMinor }: InvoiceChange): Promise<void> => {
  await sql`
    update invoice set
      amount_due_minor = case when status = ${INVOICE_STATUS.credited} then least(greatest(${dueMinor}::bigint, least(amount_minor, 0)), 0)
        else greatest(least(${dueMinor}::bigint, amount_minor), 0) end,
      status = case when status = ${INVOICE_STATUS.credited} and amount_minor <> 0 then status
        when least(${dueMinor}::bigint, amount_minor) <= 0 then ${INVOICE_STATUS.paid} else ${INVOICE_STATUS.open} end
    where ${owns('invoice')} and id = ${invoiceId}`.execute(db)
}

/** Marks an adjustment of the customer as settled at an instant; null opens it again. */
export const setAdjustmentSettledAt = async (
  db: Db,
  { owns }: CustomerScope,
  adjustmentId: number,
  settledAt: Date | null,
): Promise<void> => {
  await db
    .updateTable('payment_adjustment')
    .set({ settled_at: settledAt })
    .where(owns('payment_adjustment'))
    .where('id', '=', adjustmentId)
    .execute()
}

/** Puts a payment of more than was due into the review queue, again where it was closed: what was due beside what was charged. */
export const reportOverpayment = async (db: Db, attempt: Attempt, overpaidMinor: number, now: Date): Promise<void> => {
  const { resellerId, provider, accountId, id, customerId, currency, amountMinor } = attempt
  await sql`
    insert into payment_discrepancy as d (reseller_id, provider, account_id, provider_ref, kind, attempt_id, merchant_reference, about_customer_id, currency, ours_minor,
      theirs_minor, found_at)
    values (${resellerId}, ${provider}, ${accountId}, ${attempt.providerRef ?? id}, 'overpaid', ${id}, ${attempt.merchantReference}, ${customerId}, ${currency}, ${amountMinor - overpaidMinor}, ${amountMinor}, ${now})
    on conflict (reseller_id, account_id, provider_ref, kind) do update set ours_minor = excluded.ours_minor, found_at = excluded.found_at,
      closed_at = null, closed_by = null, reason = null`.execute(db)
}

/** Takes overpayments of these invoices out of the review queue once nothing of them is left. */
export const closeOverpayments = async (
  db: Db,
  { owns, customerId, resellerId }: CustomerScope,
  invoiceIds: readonly number[],
  now: Date,
): Promise<void> => {
  await sql`
    update payment_discrepancy d set closed_at = ${now}, closed_by = 'agreement'
    where d.reseller_id = ${resellerId} and d.about_customer_id = ${customerId} and d.kind = 'overpaid' and d.closed_at is null
      and d.attempt_id in (select a.attempt_id from payment_allocation a where ${owns('a')} and a.invoice_id = any(${invoiceIds}::bigint[]))
      and not exists (
        select from payment_allocation own join payment_allocation a on a.customer_id = own.customer_id and a.invoice_id = own.invoice_id
        where ${owns('own')} and own.attempt_id = d.attempt_id and own.overpaid_minor > 0
        group by a.invoice_id having sum(a.overpaid_minor) > 0)`.execute(db)
}

/** What all payments have overpaid of each of these invoices, where anything is left. Minor units, by invoice. */
export const sumOverpaid = async (db: Db, { owns }: CustomerScope, items: readonly Pick<Allocation, 'invoiceId'>[]) => {
  const ids = items.flatMap(({ invoiceId }) => (invoiceId === null ? [] : [invoiceId]))
  const { rows } = await sql<{ invoiceId: number; minor: number }>`
    select invoice_id as "invoiceId", sum(overpaid_minor)::bigint as minor from payment_allocation
    where ${owns('payment_allocation')} and invoice_id = any(${ids}::bigint[]) group by invoice_id having sum(overpaid_minor) > 0`.execute(
    db,
  )
  return new Map(rows.map(({ invoiceId, minor }) => [invoiceId, minor]))
}
