import { REPORT_STATUS } from '@counterfoil/contract/reports'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

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

/** Marks a report as waiting again or, when `isOver`, as failed. */
export const markStopped = async (db: Db, id: string, isOver: boolean, now: Date): Promise<void> => {
  await sql`
    update report_job set status = ${isOver ? REPORT_STATUS.failed : REPORT_STATUS.waiting}, finished_at = ${isOver ? now : null}::timestamptz
    where id = ${id} and status in (${REPORT_STATUS.waiting}, ${REPORT_STATUS.running})`.execute(db)
}

/** Deletes expired reports and their files, except running ones. */
export const sweepReports = async (db: Db, now: Date): Promise<void> => {
  await sql`
    delete from report_job r where expires_at <= ${now}
      and not exists (select from job j where j.id = r.id and j.finished_at is null and j.worker is not null and j.run_at > ${now})`.execute(
    db,
  )
}
