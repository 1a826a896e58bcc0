import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import type { Report, reports } from '@counterfoil/contract/reports'
import { later } from '../../kit/clock.ts'
import type { Keys } from '../../kit/keys.ts'
import { invalidInput, notFound } from '../../kit/api-error.ts'
import type { CustomerRequestContext, FileResponse } from '../../http/request-context.ts'
import { charge, tooMany } from '../../rate-limits/rate-limits.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { takeFromBuckets } from '../../session/session.queries.ts'
import type { BuiltInReport } from './built-in-report.service.ts'
import { BUILT_IN_REPORTS } from './built-in-reports.service.ts'
import { type ReportParameters, reportParameters } from './report-parameters.rules.ts'
import { addJob, chunkOf, jobStatus, ownsInvoice, readyFile, switchedOff, usesService } from './reports.queries.ts'

export interface ReportsDeps {
  readonly keys: Keys
  readonly limits: Limits
  /** A report was asked for: it may be made now. */
  reportQueued(): void
}

/** How long a report and its file are kept. */
export const KEPT_MS = 24 * 3_600_000

/** The reports that the reseller offers, in the order in which they are built in. */
export const offeredReports = async (ask: CustomerRequestContext): Promise<Report[]> =>
  (await offered(ask)).map(({ id, name, exportTypeId, parameters }) => ({ id, name, exportTypeId, parameters }))

const offered = async ({ scope, transact }: CustomerRequestContext): Promise<readonly BuiltInReport[]> => {
  const off = await transact((db) => switchedOff(db, scope))
  return BUILT_IN_REPORTS.filter(({ id }) => !off.has(id))
}

/**
 * Puts a report into the queue.
 * @throws Refusal 400 for a report or a parameter that there is not; 429 after 200 a day
 */
export const askForReport = async (
  deps: ReportsDeps,
  ask: CustomerRequestContext,
  given: RequestInput<typeof reports.generate>['body'],
): Promise<ResponseBody<typeof reports.generate>> => {
  const report = (await offered(ask)).find(({ id }) => id === given.id)
  if (report === undefined) throw invalidInput('body.id', 'There is no report with this id.')
  const parameters = reportParameters(report.parameters, given.parameters)
  await refuseForeign(ask, parameters)
  await takeTurn(deps, ask)
  const { scope, transact, actor, now } = ask
  const job = { id: randomUUID(), reportId: report.id, parameters, userId: actor.userId, expiresAt: later(now, KEPT_MS) }
  await transact((db) => addJob(db, scope, job, now))
  deps.reportQueued()
  return { reportId: job.id }
}

const refuseForeign = ({ scope, transact }: CustomerRequestContext, { serviceId, invoiceId }: ReportParameters): Promise<void> =>
  transact(async (db) => {
    if (serviceId !== null && !(await usesService(db, scope, serviceId)))
      throw invalidInput('body.parameters', 'There is no service with the id that ServiceId names.')
    if (invoiceId !== null && !(await ownsInvoice(db, scope, invoiceId)))
      throw invalidInput('body.parameters', 'There is no invoice with the id that InvoiceId names.')
  })

const takeTurn = async ({ keys, limits }: ReportsDeps, { transactAsSystem, actor, now }: CustomerRequestContext): Promise<void> => {
  const waitMs = await transactAsSystem((db) => takeFromBuckets(db, [charge(keys, limits, 'report', actor.userId)], now))
  if (waitMs > 0) throw tooMany(waitMs)
}

const JOB_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const PATH = /^[\w-]{43}$/

/**
 * How far a report is. Its path is told once it is ready.
 * @throws Refusal 404, the same for a foreign, an expired and a missing one
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
 * The file of a report, piece by piece.
 * @throws Refusal 404, the same for a foreign, an expired and a missing one
 */
export const reportFile = async ({ scope, transact, now }: CustomerRequestContext, path: string): Promise<FileResponse> => {
  const file = PATH.test(path) ? await transact((db) => readyFile(db, scope, path, now)) : undefined
  if (file === undefined || file.fileName === null || file.contentType === null) throw notFound()
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for (let n = 0; ; n += 1) {
      const piece = await transact((db) => chunkOf(db, scope, file, n))
      if (piece === undefined) return
      yield piece
    }
  }
  return {
    contentType: file.contentType,
    fileName: file.fileName,
    headers: { 'content-length': String(file.sizeBytes) },
    body: Readable.from(pieces(), { objectMode: false }),
  }
}
