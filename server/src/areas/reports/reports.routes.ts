import { reports } from '@counterfoil/contract/reports'
import type { RegisterArea } from '../../http/request-context.ts'
import { askForReport, offeredReports, reportFile, type ReportsDeps, reportStatus } from './reports.service.ts'

export const reportsArea =
  (deps: ReportsDeps): RegisterArea =>
  (route) => {
    route(reports.list, (ask) => offeredReports(ask))
    route(reports.generate, (ask, { body }) => askForReport(deps, ask, body))
    route(reports.status, (ask, { params }) => reportStatus(ask, params.id))
    route(reports.blob, (ask, { params }) => reportFile(ask, params.path))
  }
