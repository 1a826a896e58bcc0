import { reports } from '@counterfoil/contract/reports'
import type { Area } from '../../http/request-context.ts'
import { askForReport, offeredReports, reportFile, type ReportsDeps, reportStatus } from './reports.service.ts'

export const reportsArea =
  (deps: ReportsDeps): Area =>
  (serve) => {
    serve(reports.list, (ask) => offeredReports(ask))
    serve(reports.generate, (ask, { body }) => askForReport(deps, ask, body))
    serve(reports.status, (ask, { params }) => reportStatus(ask, params.id))
    serve(reports.blob, (ask, { params }) => reportFile(ask, params.path))
  }
