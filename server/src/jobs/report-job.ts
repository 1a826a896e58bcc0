import { ReportFailure } from '../areas/reports/built-in/built-in-report.service.ts'
import { markFailed, markWaiting, startReport } from '../areas/reports/runs/report-run.queries.ts'
import { generateReport, type GenerateReportDeps } from './generate-report.ts'
import type { JobKind } from '../queue/job.ts'
import { type JobDeps, transactAsSystem } from '../queue/run-job.ts'

/**
 * The kind of job that generates a requested report, for the worker; its key is the customer. Runs none.
 * The embedded database has a single session, so fewer run at once there.
 */
export const reportJob = (deps: JobDeps & GenerateReportDeps): JobKind => ({
  name: 'report',
  concurrency: deps.store.kind === 'embedded' ? 2 : 4,
  maxPerKey: 2,
  leaseMs: 30_000,
  retry: { firstMs: 2_000, maxMs: 8_000, maxAttempts: 3 },
  run: async ({ id, attempts }, { aborted }) => {
    const report = await transactAsSystem(deps, (db) => startReport(db, id, attempts, deps.clock()))
    if (report === undefined) return
    await generateReport(deps, report, aborted)
    deps.log.info({ reportId: id, tries: attempts }, 'a report is ready')
  },
  onFailure: (db, { id }, isOver, now, error) =>
    isOver ? markFailed(db, id, error instanceof ReportFailure ? error.reason : null, now) : markWaiting(db, id),
})
