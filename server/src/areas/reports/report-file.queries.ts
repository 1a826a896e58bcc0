import { REPORT_STATUS } from '@counterfoil/contract/reports'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ReportParameters } from './report-parameters.rules.ts'
import { holdsLease, type Lease } from './report-queue.queries.ts'

/** Thrown when another worker has claimed the report since. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** The request behind a report job; undefined when it was deleted. */
export const jobFacts = async (
  db: Db,
  { customerId, id }: Lease,
): Promise<{ reportId: number; brandId: number; parameters: ReportParameters } | undefined> => {
  const row = await db
    .selectFrom('report_job')
    .select(['report_id as reportId', 'brand_id as brandId', 'parameters'])
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, parameters: row.parameters as ReportParameters }
}

/** Deletes the file chunks of earlier tries. */
export const deleteEarlierTries = async (db: Db, { customerId, id, tries }: Lease): Promise<void> => {
  await db.deleteFrom('report_chunk').where('customer_id', '=', customerId).where('job_id', '=', id).where('try', '<', tries).execute()
}

/** @throws LeaseLost */
export const storeChunk = async (db: Db, lease: Lease, n: number, bytes: Buffer): Promise<void> => {
  const { rows } = await sql`
    insert into report_chunk (customer_id, job_id, try, n, bytes)
    select customer_id, id, tries, ${n}::integer, ${bytes}::bytea from report_job where ${holdsLease(lease)} returning 1`.execute(db)
  if (rows.length === 0) throw new LeaseLost('The report belongs to another worker.')
}

export interface FileFacts {
  readonly path: string
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly expiresAt: Date
}

/** Marks a report as ready and its file as complete. @throws LeaseLost */
export const markReady = async (db: Db, lease: Lease, file: FileFacts, now: Date): Promise<void> => {
  const { rows } = await sql`
    update report_job set status = ${REPORT_STATUS.ready}, path = ${file.path}, file_name = ${file.fileName}, content_type = ${file.contentType},
      size_bytes = ${file.sizeBytes}, finished_at = ${now}, expires_at = ${file.expiresAt}, lease_owner = null, lease_until = null
    where ${holdsLease(lease)} returning 1`.execute(db)
  if (rows.length === 0) throw new LeaseLost('The report belongs to another worker.')
}
