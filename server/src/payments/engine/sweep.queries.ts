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
