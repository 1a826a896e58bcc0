import { REPORT_STATUS } from '@counterfoil/contract/reports'
import { sql } from 'kysely'
import { addMs } from '../../kit/clock.ts'
import type { Db } from '../../db/database.ts'

/** How long a claimed report belongs to its worker, which renews the lease while it runs. */
export const LEASE_MS = 30_000
const MAX_RUNNING_PER_CUSTOMER = 2
const MAX_TRIES = 3
const FIRST_RETRY_MS = 2_000

/** A claimed report; the number of the try fences off its earlier workers. */
export interface Lease {
  readonly id: string
  readonly customerId: number
  readonly resellerId: number
  readonly owner: string
  readonly tries: number
}

/**
 * Claims the oldest report of the customer that was served longest ago. A customer with two running reports waits.
 * A report whose lease has expired is claimed like a waiting one.
 */
export const claimReport = async (db: Db, owner: string, now: Date): Promise<Lease | undefined> => {
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil reports'))`.execute(db)
  const isDue = sql`((j.status = ${REPORT_STATUS.waiting} and j.due_at <= ${now}) or (j.status = ${REPORT_STATUS.running} and j.lease_until <= ${now}))
    and j.tries < ${MAX_TRIES} and j.expires_at > ${now}`
  const { rows } = await sql<Lease>`
    with waiting as (select j.customer_id, min(j.requested_at) as since from report_job j where ${isDue} group by j.customer_id),
    turn as (
      select w.customer_id from waiting w cross join lateral (
        select count(*) filter (where j.status = ${REPORT_STATUS.running} and j.lease_until > ${now}) as running, max(j.started_at) as served_at
        from report_job j where j.customer_id = w.customer_id) served
      where served.running < ${MAX_RUNNING_PER_CUSTOMER} order by served.served_at nulls first, w.since, w.customer_id limit 1),
    next as (
      select j.customer_id, j.id from report_job j join turn using (customer_id) where ${isDue}
      order by j.requested_at, j.id limit 1 for update of j skip locked)
    update report_job j
    set status = ${REPORT_STATUS.running}, started_at = ${now}, tries = j.tries + 1, lease_owner = ${owner}, lease_until = ${addMs(now, LEASE_MS)}
    from next where j.customer_id = next.customer_id and j.id = next.id
    returning j.id, j.customer_id as "customerId", j.reseller_id as "resellerId", j.lease_owner as owner, j.tries`.execute(db)
  return rows[0]
}

/** The condition that a lease still holds. */
export const holdsLease = ({ customerId, id, owner, tries }: Lease) =>
  sql`customer_id = ${customerId} and id = ${id} and status = ${REPORT_STATUS.running} and lease_owner = ${owner} and tries = ${tries}`

/** Renews a lease; false when another worker has claimed the report. */
export const renewLease = async (db: Db, lease: Lease, now: Date): Promise<boolean> => {
  const { rows } = await sql`update report_job set lease_until = ${addMs(now, LEASE_MS)} where ${holdsLease(lease)} returning 1`.execute(db)
  return rows.length > 0
}

/** Returns a report to the queue without counting the try, because this worker stops. */
export const releaseLease = async (db: Db, lease: Lease, now: Date): Promise<void> => {
  await sql`
    update report_job set status = ${REPORT_STATUS.waiting}, due_at = ${now}, tries = tries - 1, lease_owner = null, lease_until = null
    where ${holdsLease(lease)}`.execute(db)
}

/** Stores a failed try. Returns true when the report has failed for good: after its last try, or when `isFinal`. */
export const recordFailedTry = async (db: Db, lease: Lease, isFinal: boolean, now: Date): Promise<boolean> => {
  const hasFailed = isFinal || lease.tries >= MAX_TRIES
  const dueAt = addMs(now, FIRST_RETRY_MS * 2 ** (lease.tries - 1))
  await sql`
    update report_job set status = ${hasFailed ? REPORT_STATUS.failed : REPORT_STATUS.waiting}, due_at = ${dueAt},
      finished_at = ${hasFailed ? now : null}::timestamptz, lease_owner = null, lease_until = null
    where ${holdsLease(lease)}`.execute(db)
  return hasFailed
}

/** Fails the reports whose worker died during the last try. Returns their ids. */
export const failAbandonedReports = async (db: Db, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    update report_job set status = ${REPORT_STATUS.failed}, finished_at = ${now}, lease_owner = null, lease_until = null
    where status = ${REPORT_STATUS.running} and lease_until <= ${now} and tries >= ${MAX_TRIES} returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes expired reports and their files, except running ones. */
export const sweepReports = async (db: Db, now: Date): Promise<void> => {
  await sql`
    delete from report_job where expires_at <= ${now} and not (status = ${REPORT_STATUS.running} and coalesce(lease_until > ${now}, false))`.execute(
    db,
  )
}
