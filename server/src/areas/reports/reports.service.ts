import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import { type Report, REPORT_LIFETIME_HOURS, type reports } from '@counterfoil/contract/reports'
import { addMs } from '../../kit/clock.ts'
import type { Keys } from '../../kit/keys.ts'
import { invalidInput, notFound } from '../../kit/api-error.ts'
import type { CustomerRequestContext, FileResponse } from '../../http/request-context.ts'
import { rateLimitUse, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { consumeRateLimits } from '../../rate-limits/rate-limits.queries.ts'
import type { BuiltInReport } from './built-in/built-in-report.service.ts'
import { BUILT_IN_REPORTS } from './built-in/built-in-reports.service.ts'
import { type ReportParameters, reportParameters } from './report-parameters.rules.ts'
import { addReportJob, readChunk, jobStatus, hasInvoice, findReadyFile, disabledReportIds, hasService } from './reports.queries.ts'

export interface ReportsDeps {
  readonly keys: Keys
  readonly limits: Limits
  /** Call when a report was queued. */
  onReportQueued(): void
}

/** Time until a report and its file expire. */
export const REPORT_LIFETIME_MS = REPORT_LIFETIME_HOURS * 3_600_000

/** The reports that the reseller offers, in their built-in order, as the API lists them: kinds of report, not those that were requested. */
export const listReports = async (request: CustomerRequestContext): Promise<Report[]> =>
  (await enabledReports(request)).map(({ id, name, description, exportTypeId, parameters }) => ({
    id,
    name,
    description,
    exportTypeId,
    parameters,
  }))

/** The built-in reports that the reseller has not disabled, with their generators. */
export const enabledReports = async ({ scope, transact }: CustomerRequestContext): Promise<readonly BuiltInReport[]> => {
  const disabledIds = await transact((db) => disabledReportIds(db, scope))
  return BUILT_IN_REPORTS.filter(({ id }) => !disabledIds.has(id))
}

/**
 * Stores a request for a report and queues its generation; returns the id by which its status is asked.
 * @throws ApiError 400 for an unknown report or parameter; 429 when a user requests too many
 */
export const requestReport = async (
  deps: ReportsDeps,
  request: CustomerRequestContext,
  input: RequestInput<typeof reports.generate>['body'],
): Promise<ResponseBody<typeof reports.generate>> => {
  const report = (await enabledReports(request)).find(({ id }) => id === input.id)
  if (report === undefined) throw invalidInput('body.id', 'There is no report with this id.')
  const parameters = reportParameters(report.parameters, input.parameters)
  const timeframe = parameters.days === null ? null : (input.timeframe ?? null)
  await assertOwnParameters(request, parameters)
  await consumeReportLimit(deps, request)
  const { scope, transact, actor, now } = request
  const job = {
    id: randomUUID(),
    reportId: report.id,
    parameters: { ...parameters, timeframe },
    userId: actor.userId,
    isBySupport: actor.supporter !== null,
    expiresAt: addMs(now, REPORT_LIFETIME_MS),
  }
  await transact((db) => addReportJob(db, scope, job, now))
  deps.onReportQueued()
  return { reportId: job.id }
}

/** @throws ApiError 400 where the service or the invoice that the parameters name is not the customer's */
const assertOwnParameters = async (
  { scope, transact }: CustomerRequestContext,
  { serviceId, invoiceId }: ReportParameters,
): Promise<void> => {
  if (serviceId !== null && !(await transact((db) => hasService(db, scope, serviceId), { usage: 'primary' })))
    throw invalidInput('body.parameters', 'There is no service with the id that ServiceId names.')
  if (invoiceId !== null && !(await transact((db) => hasInvoice(db, scope, invoiceId))))
    throw invalidInput('body.parameters', 'There is no invoice with the id that InvoiceId names.')
}

/** Counts a request for a report of this user. @throws ApiError 429 when there were too many */
const consumeReportLimit = async (
  { keys, limits }: ReportsDeps,
  { transactAsSystem, actor, now }: CustomerRequestContext,
): Promise<void> => {
  const waitMs = await transactAsSystem((db) => consumeRateLimits(db, [rateLimitUse(keys, limits, 'report', actor.userId)], now))
  if (waitMs > 0) throw tooManyRequests(waitMs)
}

const JOB_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const PATH = /^[\w-]{43}$/

/**
 * The status of a requested report, with its path once it is ready.
 * @throws ApiError 404, the same for a foreign, an expired and a missing one
 */
export const reportStatus = async (
  { scope, transact, now }: CustomerRequestContext,
  id: string,
): Promise<ResponseBody<typeof reports.status>> => {
  const job = JOB_ID.test(id) ? await transact((db) => jobStatus(db, scope, id, now)) : undefined
  if (job === undefined) throw notFound()
  return job
}

/**
 * Streams the file of a report from the database, chunk by chunk.
 * @param path the random text that `reportStatus` gave
 * @throws ApiError 404, the same for a foreign, an expired, an unfinished and a missing one
 */
export const reportFile = async ({ scope, transact, now }: CustomerRequestContext, path: string): Promise<FileResponse> => {
  const file = PATH.test(path) ? await transact((db) => findReadyFile(db, scope, path, now)) : undefined
  if (file === undefined || file.fileName === null || file.contentType === null) throw notFound()
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (let n = 0; ; n += 1) {
      const chunk = await transact((db) => readChunk(db, scope, file, n))
      if (chunk === undefined) return
      yield chunk
    }
  }
  return {
    contentType: file.contentType,
    fileName: file.fileName,
    headers: { 'content-length': String(file.sizeBytes) },
    body: Readable.from(chunks(), { objectMode: false }),
  }
}
