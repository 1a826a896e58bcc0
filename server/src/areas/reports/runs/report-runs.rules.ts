import { REPORT_STATUS, type ReportRun } from '@counterfoil/contract/reports'
import type { FailureReason } from '../built-in/built-in-report.service.ts'
import { BUILT_IN_REPORTS } from '../built-in/built-in-reports.service.ts'
import { toParameters } from '../report-parameters.rules.ts'
import type { ReportRunRow } from '../reports.queries.ts'

interface RunsContext {
  /** What users are called, by id. */
  readonly names: ReadonlyMap<string, string>
  readonly offeredIds: ReadonlySet<number>
  readonly now: Date
}

/**
 * A requested report as the list shows it; undefined when the product has this report no more. An expired one that was never finished
 * counts as failed.
 */
export const toReportRun = (row: ReportRunRow, { names, offeredIds, now }: RunsContext): ReportRun | undefined => {
  const report = BUILT_IN_REPORTS.find(({ id }) => id === row.reportId)
  if (report === undefined) return undefined
  const { parameters, userId, isBySupport } = row
  const isExpired = row.expiresAt <= now
  const isReady = row.status === REPORT_STATUS.ready
  const isLate = isExpired && row.status < REPORT_STATUS.ready
  const status = isLate ? REPORT_STATUS.failed : row.status
  return {
    id: row.id,
    reportId: report.id,
    name: report.name,
    timeframe: parameters.timeframe ?? null,
    from: parameters.days?.from ?? null,
    to: parameters.days?.to ?? null,
    service: row.service,
    invoice: row.invoice,
    parameters: toParameters(report.parameters, parameters),
    requestedAt: row.requestedAt.toISOString(),
    requestedBy: isBySupport || userId === null ? null : (names.get(userId) ?? null),
    bySupport: isBySupport,
    status,
    reason: status === REPORT_STATUS.failed ? failureText(row.failure, isLate) : null,
    expiresAt: isReady ? row.expiresAt.toISOString() : null,
    expired: isReady && isExpired,
    path: isReady && !isExpired ? row.path : null,
    fileName: row.fileName,
    sizeBytes: row.sizeBytes,
    offered: offeredIds.has(report.id),
  }
}

/** Why a report failed, as a sentence for its user. */
const failureText = (failure: FailureReason, isLate: boolean): string => {
  if (isLate) return 'It could not be made in time.'
  switch (failure) {
    case 'too_large':
      return 'It is too large for one file. Choose fewer days or a single service.'
    case 'gone':
      return 'What it is about does not exist any more.'
    default:
      return 'Something went wrong on our side.'
  }
}
