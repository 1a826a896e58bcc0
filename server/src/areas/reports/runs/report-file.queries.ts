import { REPORT_STATUS } from '@counterfoil/contract/reports'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { JobFailure } from '../../../queue/job.ts'
import type { ReportParameters } from '../report-parameters.rules.ts'
import { isCurrentRun, type ReportRun } from './report-run.queries.ts'

/** Which report was requested, with which brand and parameters; undefined when the request was deleted. */
export const findReportRequest = async (
  db: Db,
  { customerId, id }: ReportRun,
): Promise<{ reportId: number; brandId: number; parameters: ReportParameters } | undefined> => {
  const row = await db
    .selectFrom('report_job')
    .select(['report_id as reportId', 'brand_id as brandId', 'parameters'])
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, parameters: row.parameters as ReportParameters }
}

/** Deletes the file chunks that attempts up to this one left when they broke off; this one has stored none yet. */
export const deleteEarlierChunks = async (db: Db, { customerId, id, attempt }: ReportRun): Promise<void> => {
  await db.deleteFrom('report_chunk').where('customer_id', '=', customerId).where('job_id', '=', id).where('try', '<=', attempt).execute()
}

/** Stores the chunk number `n` of a report's file. @throws JobFailure when another worker has begun the report since */
export const storeChunk = async (db: Db, run: ReportRun, n: number, bytes: Buffer): Promise<void> => {
  const { rows } = await sql`
    insert into report_chunk (customer_id, job_id, try, n, bytes)
    select customer_id, id, tries, ${n}::integer, ${bytes}::bytea from report_job where ${isCurrentRun(run)} returning 1`.execute(db)
  if (rows.length === 0) throw new JobFailure('the report belongs to another worker')
}

export interface FileFacts {
  readonly path: string
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly expiresAt: Date
}

/** Marks a report as ready, with its file's path, name and size. @throws JobFailure when another worker has begun the report since */
export const markReady = async (db: Db, run: ReportRun, file: FileFacts, now: Date): Promise<void> => {
  const { rows } = await sql`
    update report_job set status = ${REPORT_STATUS.ready}, path = ${file.path}, file_name = ${file.fileName}, content_type = ${file.contentType},
      size_bytes = ${file.sizeBytes}, finished_at = ${now}, expires_at = ${file.expiresAt}
    where ${isCurrentRun(run)} returning 1`.execute(db)
  if (rows.length === 0) throw new JobFailure('the report belongs to another worker')
}
