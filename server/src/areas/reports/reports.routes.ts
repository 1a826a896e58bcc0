import { reports } from '@counterfoil/contract/reports'
import type { RegisterArea } from '../../http/request-context.ts'
import { listReportRuns } from './runs/report-runs.service.ts'
import { requestReport, listReports, reportFile, type ReportsDeps, reportStatus } from './reports.service.ts'

/** Registers the endpoints of reports: kinds, request, requested ones, status, file. */
export const reportsArea =
  (deps: ReportsDeps): RegisterArea =>
  (route) => {
    route(reports.list, (request) => listReports(request))
    route(reports.generate, (request, { body }) => requestReport(deps, request, body))
    route(reports.runs, (request) => listReportRuns(request))
    route(reports.status, (request, { params }) => reportStatus(request, params.id))
    route(reports.blob, (request, { params }) => reportFile(request, params.path))
  }
