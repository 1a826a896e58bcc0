import type { ReportRun } from '@counterfoil/contract/reports'
import type { CustomerRequestContext } from '../../../http/request-context.ts'
import { toReportRun } from './report-runs.rules.ts'
import { listReportRunRows, userNames } from '../reports.queries.ts'
import { enabledReports } from '../reports.service.ts'

/** The reports that the customer's users have requested, newest first, whoever of them asked. */
export const listReportRuns = async (request: CustomerRequestContext): Promise<ReportRun[]> => {
  const { scope, transact, transactAsSystem, now } = request
  const rows = await transact((db) => listReportRunRows(db, scope))
  const userIds = [...new Set(rows.flatMap(({ userId }) => (userId === null ? [] : [userId])))]
  const names = userIds.length === 0 ? new Map<string, string>() : await transactAsSystem((db) => userNames(db, userIds))
  const offeredIds = new Set((await enabledReports(request)).map(({ id }) => id))
  return rows.flatMap((row) => toReportRun(row, { names, offeredIds, now }) ?? [])
}
