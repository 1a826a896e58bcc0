import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { sql } from 'kysely'
import { addMs } from '../../kit/clock.ts'
import type { Db } from '../../db/database.ts'
import { mintScope } from '../../session/scope.ts'
import type { AttemptKey } from '../attempts/attempt.queries.ts'

/** Longer than a look-up may take. */
const LEASE_MS = 120_000

/** Leases the attempt whose look-up is most overdue, of any reseller; undefined when none is due. Runs as counterfoil_system. */
export const leaseDueAttempt = async (db: Db, now: Date): Promise<AttemptKey | undefined> => {
  const { rows } = await sql<Pick<AttemptKey, 'customerId' | 'resellerId' | 'id'>>`
    with due as (select customer_id, id from payment_attempt where next_check_at <= ${now} and (lease_until is null or lease_until <= ${now})
      order by next_check_at limit 1 for update skip locked)
    update payment_attempt a set lease_until = ${addMs(now, LEASE_MS)} from due where a.customer_id = due.customer_id and a.id = due.id
    returning a.customer_id as "customerId", a.reseller_id as "resellerId", a.id`.execute(db)
  return rows[0] === undefined ? undefined : mintScope(rows[0])
}

/** Whether what an item of an attempt pays (`i`) is not due any more as it was claimed. */
const isItemChanged = sql<boolean>`(
  exists (select from invoice v where v.customer_id = i.customer_id and v.id = i.invoice_id
    and (v.amount_due_minor <> i.amount_minor or v.status not in (${INVOICE_STATUS.open}, ${INVOICE_STATUS.inCollection})))
  or exists (select from payment_adjustment d where d.customer_id = i.customer_id and d.id = i.adjustment_id
    and (d.amount_minor <> i.amount_minor or d.settled_at is not null)))`

/** Whether an attempt (`payment_attempt`) pays something that is not due any more as it was claimed. */
export const isAttemptChanged = sql<boolean>`exists (select from payment_attempt_item i
  where i.customer_id = payment_attempt.customer_id and i.attempt_id = payment_attempt.id and ${isItemChanged})`

/**
 * Requests that live attempts be given up at the provider when what they pay is not due any more as it was claimed. Who changes invoices
 * calls it in the same transaction; the next look-up of an attempt cancels it. An attempt that is being settled is passed over, so that
 * nobody waits in a circle: the fence compares for itself, and so does whoever settles it as waiting for its payer.
 * Runs as counterfoil_reseller.
 * @param customerId whose invoices were changed; null for any of the reseller's
 */
export const requestCancelOfChanged = async (db: Db, now: Date, customerId: number | null = null): Promise<void> => {
  await sql`
    with changed as (select customer_id, id from payment_attempt
      where cancel_requested_at is null and (customer_id, id) in (select i.customer_id, i.attempt_id from payment_attempt_item i
        where i.live ${customerId === null ? sql`` : sql`and i.customer_id = ${customerId}`} and ${isItemChanged})
      for update skip locked)
    update payment_attempt a set cancel_requested_at = ${now},
      next_check_at = case when a.status = 'requires_action' then least(a.next_check_at, ${now}) else a.next_check_at end
    from changed where a.customer_id = changed.customer_id and a.id = changed.id`.execute(db)
}
