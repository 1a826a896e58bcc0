import { MAX_REPORT_RUNS, REPORT_STATUS } from '@counterfoil/contract/reports'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { enqueueJob } from '../../queue/job.queries.ts'
import type { CustomerScope, PortalScope } from '../../session/scope.ts'
import type { FailureReason } from './built-in/built-in-report.service.ts'
import type { StoredParameters } from './report-parameters.rules.ts'

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

/** Whether the customer has service items or usage of this service. */
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
  readonly parameters: StoredParameters
  readonly userId: string
  readonly isBySupport: boolean
  readonly expiresAt: Date
}

/** Stores a requested report and, in the same transaction, queues the job that generates its file. */
export const addReportJob = async (db: Db, scope: PortalScope, job: NewJob, now: Date): Promise<void> => {
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
      by_support: job.isBySupport,
      requested_at: now,
      expires_at: job.expiresAt,
    })
    .execute()
  await enqueueJob(db, { kind: 'report', id: job.id, key: String(scope.customerId), giveUpAt: job.expiresAt }, now)
}

export interface ReportRunRow {
  readonly id: string
  readonly reportId: number
  readonly parameters: StoredParameters
  readonly userId: string | null
  readonly isBySupport: boolean
  readonly requestedAt: Date
  readonly status: number
  readonly failure: FailureReason
  readonly expiresAt: Date
  readonly path: string | null
  readonly fileName: string | null
  readonly sizeBytes: number | null
  readonly service: string | null
  readonly invoice: string | null
}

/**
 * Lists the reports that the customer's users requested, newest first, with their states; expired and failed ones too, at most
 * `MAX_REPORT_RUNS`.
 */
export const listReportRunRows = async (db: Db, scope: CustomerScope): Promise<ReportRunRow[]> => {
  const { rows } = await sql<ReportRunRow>`
    select r.id, r.report_id as "reportId", r.parameters, r.requested_by as "userId", r.by_support as "isBySupport",
      r.requested_at as "requestedAt", r.status, r.failure, r.expires_at as "expiresAt", r.path, r.file_name as "fileName",
      r.size_bytes as "sizeBytes", s.name as service, i.number as invoice
    from report_job r
    left join service s on s.reseller_id = ${scope.resellerId} and s.id = (r.parameters ->> 'serviceId')::bigint
    left join invoice i on i.customer_id = r.customer_id and i.id = (r.parameters ->> 'invoiceId')::bigint
    where ${scope.owns('r')} order by r.requested_at desc, r.id desc limit ${MAX_REPORT_RUNS}`.execute(db)
  return rows
}

/** The display names of users, by id. Runs as counterfoil_system: a customer's role reads no users. */
export const userNames = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const users = await db.selectFrom('app_user').select(['id', 'display_name as name']).where('id', 'in', ids).execute()
  return new Map(users.map(({ id, name }) => [id, name]))
}

/** The status of a requested report, with its file's path once it is ready; undefined once it has expired. */
export const jobStatus = (db: Db, scope: CustomerScope, id: string, now: Date) =>
  db
    .selectFrom('report_job')
    .select(['status', 'path'])
    .where(scope.owns('report_job'))
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Finds the finished file of a report by its path (a random text), without its bytes; undefined once it has expired. */
export const findReadyFile = (db: Db, scope: CustomerScope, path: string, now: Date) =>
  db
    .selectFrom('report_job')
    .select(['id', 'tries', 'file_name as fileName', 'content_type as contentType', 'size_bytes as sizeBytes'])
    .where(scope.owns('report_job'))
    .where('path', '=', path)
    .where('status', '=', REPORT_STATUS.ready)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Reads chunk `n` of a report's finished file, from 0; undefined after the last. */
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
