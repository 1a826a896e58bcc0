import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { sql } from 'kysely'
import { addMs } from '../../kit/clock.ts'
import type { Db } from '../../db/database.ts'
import { mintPayerScope } from '../../session/scope.ts'
import type { AttemptKey } from './settle.queries.ts'

/** Longer than a look-up may take. */
const LEASE_MS = 120_000

/** Leases the attempt whose look-up is most overdue. Runs as the system. */
export const leaseDueAttempt = async (db: Db, now: Date): Promise<AttemptKey | undefined> => {
  const { rows } = await sql<Pick<AttemptKey, 'customerId' | 'resellerId' | 'id'>>`
    with due as (select customer_id, id from payment_attempt where next_check_at <= ${now} and (lease_until is null or lease_until <= ${now})
      order by next_check_at limit 1 for update skip locked)
    update payment_attempt a set lease_until = ${addMs(now, LEASE_MS)} from due where a.customer_id = due.customer_id and a.id = due.id
    returning a.customer_id as "customerId", a.reseller_id as "resellerId", a.id`.execute(db)
  return rows[0] === undefined ? undefined : mintPayerScope(rows[0])
}

/**
 * Requests that live attempts be given up at the provider when their invoices are not due any more as they were claimed. Who changes
 * invoices calls it in the same transaction; the next look-up of an attempt cancels it. Runs as the reseller.
 */
export const requestCancelOfChanged = async (db: Db, now: Date): Promise<void> => {
  await sql`
    update payment_attempt a set cancel_requested_at = ${now},
      next_check_at = case when a.status = 'requires_action' then least(a.next_check_at, ${now}) else a.next_check_at end
    from payment_attempt_item i join invoice v on v.customer_id = i.customer_id and v.id = i.invoice_id
    where i.live and a.customer_id = i.customer_id and a.id = i.attempt_id and a.cancel_requested_at is null
      and (v.amount_due_minor <> i.amount_minor or v.status not in (${INVOICE_STATUS.open}, ${INVOICE_STATUS.inCollection}))`.execute(db)
}
