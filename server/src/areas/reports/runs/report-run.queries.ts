import { REPORT_STATUS } from '@counterfoil/contract/reports'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { FailureReason } from '../built-in/built-in-report.service.ts'

/** A report that is being generated; the number of the attempt fences off its earlier workers. */
export interface ReportRun {
  readonly id: string
  readonly customerId: number
  readonly resellerId: number
  readonly attempt: number
}

/** Marks a report as being generated. Undefined when it has expired, was deleted or is finished. */
export const startReport = async (db: Db, id: string, attempt: number, now: Date): Promise<ReportRun | undefined> => {
  const { rows } = await sql<ReportRun>`
    update report_job set status = ${REPORT_STATUS.running}, tries = ${attempt}
    where id = ${id} and status in (${REPORT_STATUS.waiting}, ${REPORT_STATUS.running}) and expires_at > ${now}
    returning id, customer_id as "customerId", reseller_id as "resellerId", tries as attempt`.execute(db)
  return rows[0]
}

/** The condition that no other worker has begun the report since. */
export const isCurrentRun = ({ customerId, id, attempt }: ReportRun) =>
  sql`customer_id = ${customerId} and id = ${id} and status = ${REPORT_STATUS.running} and tries = ${attempt}`

/** Marks a report that is to be retried as waiting again. */
export const markWaiting = async (db: Db, id: string): Promise<void> => {
  await sql`update report_job set status = ${REPORT_STATUS.waiting} where id = ${id} and ${IS_OPEN}`.execute(db)
}

/** Marks a report as failed for good. */
export const markFailed = async (db: Db, id: string, failure: FailureReason, now: Date): Promise<void> => {
  await sql`
    update report_job set status = ${REPORT_STATUS.failed}, failure = ${failure}, finished_at = ${now} where id = ${id} and ${IS_OPEN}`.execute(
    db,
  )
}

const IS_OPEN = sql`status in (${REPORT_STATUS.waiting}, ${REPORT_STATUS.running})`

/** How long the list says that a file has expired. */
const LISTED_DAYS = 30

/** Deletes expired files, and 30 days later the reports that they were of; running ones stay. */
export const sweepReports = async (db: Db, now: Date): Promise<void> => {
  await sql`
    with expired as (
      update report_job r set file_deleted = true where not file_deleted and expires_at <= ${now} and ${isNotRunning(now)}
      returning customer_id, id)
    delete from report_chunk c using expired e where c.customer_id = e.customer_id and c.job_id = e.id`.execute(db)
  await sql`
    delete from report_job r where expires_at <= ${now}::timestamptz - make_interval(days => ${LISTED_DAYS}) and ${isNotRunning(now)}`.execute(
    db,
  )
}

const isNotRunning = (now: Date) =>
  sql`not exists (select from job j where j.id = r.id and j.finished_at is null and j.worker is not null and j.run_at > ${now})`
