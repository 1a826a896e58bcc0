import { REPORT_STATUS } from '@counterfoil/contract/reports'
import type { Db } from '../../db/database.ts'
import { enqueueJob } from '../../jobs/job.queries.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { ReportParameters } from './report-parameters.rules.ts'

/** Ids of the reports that the reseller has disabled. */
export const disabledReportIds = async (db: Db, scope: CustomerScope): Promise<ReadonlySet<number>> => {
  const rows = await db
    .selectFrom('reseller_report')
    .select('report_id')
    .where('reseller_id', '=', scope.resellerId)
    .where('offered', '=', false)
    .execute()
  return new Set(rows.map((row) => row.report_id))
}

/** True when the customer has items or usage of this service. */
export const hasService = async (db: Db, scope: CustomerScope, serviceId: number): Promise<boolean> => {
  const ofItems = db.selectFrom('service_item').select('service_id').where(scope.owns('service_item')).where('service_id', '=', serviceId)
  const ofUsage = db
    .selectFrom('usage_month_kind')
    .select('service_id')
    .where(scope.owns('usage_month_kind'))
    .where('service_id', '=', serviceId)
  return (await ofItems.unionAll(ofUsage).limit(1).executeTakeFirst()) !== undefined
}

export const hasInvoice = async (db: Db, scope: CustomerScope, invoiceId: number): Promise<boolean> => {
  const query = db.selectFrom('invoice').select('id').where(scope.owns('invoice')).where('id', '=', invoiceId)
  return (await query.executeTakeFirst()) !== undefined
}

export interface NewJob {
  readonly id: string
  readonly reportId: number
  readonly parameters: ReportParameters
  readonly userId: string
  readonly expiresAt: Date
}

/** Stores a requested report and queues its generation. */
export const addReportJob = async (db: Db, scope: CustomerScope, job: NewJob, now: Date): Promise<void> => {
  await db
    .insertInto('report_job')
    .values({
      customer_id: scope.customerId,
      id: job.id,
      reseller_id: scope.resellerId,
      brand_id: scope.brandId,
      report_id: job.reportId,
      parameters: JSON.stringify(job.parameters),
      requested_by: job.userId,
      requested_at: now,
      expires_at: job.expiresAt,
    })
    .execute()
  await enqueueJob(db, { kind: 'report', id: job.id, key: String(scope.customerId), giveUpAt: job.expiresAt }, now)
}

/** The status of a report; undefined once it has expired. */
export const jobStatus = (db: Db, scope: CustomerScope, id: string, now: Date) =>
  db
    .selectFrom('report_job')
    .select(['status', 'path'])
    .where(scope.owns('report_job'))
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** The file at a path, without its bytes. */
export const findReadyFile = (db: Db, scope: CustomerScope, path: string, now: Date) =>
  db
    .selectFrom('report_job')
    .select(['id', 'tries', 'file_name as fileName', 'content_type as contentType', 'size_bytes as sizeBytes'])
    .where(scope.owns('report_job'))
    .where('path', '=', path)
    .where('status', '=', REPORT_STATUS.ready)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Chunk `n` of a file, from 0; undefined after the last. */
export const readChunk = async (
  db: Db,
  scope: CustomerScope,
  job: { id: string; tries: number },
  n: number,
): Promise<Buffer | undefined> => {
  const row = await db
    .selectFrom('report_chunk')
    .select('bytes')
    .where(scope.owns('report_chunk'))
    .where('job_id', '=', job.id)
    .where('try', '=', job.tries)
    .where('n', '=', n)
    .executeTakeFirst()
  return row?.bytes
}
