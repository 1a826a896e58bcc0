import { sql } from 'kysely'
import type { Db } from '../../kit/db.ts'
import type { AttemptStatus } from '../attempt.ts'

/** Everything that was written of an attempt. */
export interface WrittenAttempt {
  readonly id: string
  readonly status: AttemptStatus
  readonly amount: number
  readonly nextCheckAt: Date | null
  /** What the book has of it in all, and of what was paid in. */
  readonly booked: number
  readonly paidIn: number
  /** The states that it has gone through, each as "from to". */
  readonly steps: readonly string[]
  readonly liveItems: number
  readonly succeededEvents: number
}

/** The attempts at these intents. Read as the reseller. */
export const writtenAttempts = async (db: Db, customerId: number, intentIds: readonly string[]): Promise<WrittenAttempt[]> => {
  const { rows } = await sql<WrittenAttempt>`
    select a.id, a.status, a.amount_minor as amount, a.next_check_at as "nextCheckAt",
      (select coalesce(sum(b.amount_minor), 0)::bigint from payment_allocation b where b.customer_id = a.customer_id and b.attempt_id = a.id) as booked,
      (select coalesce(sum(b.amount_minor) filter (where b.kind = 'pay'), 0)::bigint from payment_allocation b
        where b.customer_id = a.customer_id and b.attempt_id = a.id) as "paidIn",
      (select coalesce(array_agg(coalesce(e.from_status, '') || ' ' || e.to_status order by e.entry_no), '{}') from payment_attempt_event e
        where e.customer_id = a.customer_id and e.attempt_id = a.id) as steps,
      (select count(*) from payment_attempt_item i where i.customer_id = a.customer_id and i.attempt_id = a.id and i.live) as "liveItems",
      (select count(*) from payment_outbox o where o.customer_id = a.customer_id and o.kind = 'payment.succeeded'
        and o.payload->>'attemptId' = a.id::text) as "succeededEvents"
    from payment_attempt a where a.customer_id = ${customerId} and a.intent_id = any(${intentIds}::uuid[]) order by a.created_at`.execute(
    db,
  )
  return rows
}

/** How invoices stand. Read as the reseller. */
export const writtenInvoices = (db: Db, customerId: number, ids: readonly number[]) =>
  db
    .selectFrom('invoice')
    .select(['id', 'number', 'status', 'amount_due_minor as dueMinor', 'amount_minor as amountMinor'])
    .where('customer_id', '=', customerId)
    .where('id', 'in', ids)
    .execute()

/** How many notices of this company are not done with. */
export const waitingNotices = async (db: Db): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from payment_notice where due_at is not null`.execute(db)).rows[0]?.n ?? 0
