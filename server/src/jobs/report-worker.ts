import { randomUUID } from 'node:crypto'
import { PermanentReportError } from '../areas/reports/built-in-report.service.ts'
import { LeaseLost } from '../areas/reports/report-file.queries.ts'
import {
  failAbandonedReports,
  releaseLease,
  type Lease,
  LEASE_MS,
  recordFailedTry,
  renewLease,
  claimReport,
} from '../areas/reports/report-queue.queries.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../kit/log.ts'
import { type Poller, startPoller } from '../kit/poller.ts'
import { generateReport, type GenerateReportDeps } from './generate-report.ts'

export type ReportWorkerDeps = GenerateReportDeps & { readonly log: Log }

/** Reports generated at once in one process; the embedded database has a single session. */
const MAX_CONCURRENT = { embedded: 2, postgres: 4 } as const
const SHUTDOWN_GRACE_MS = 8_000

/**
 * Generates queued reports until it is stopped. Running reports then finish, or return to the queue when they take longer than
 * some seconds. Several workers may run at once, each in its own process.
 */
export const startReportWorker = (deps: ReportWorkerDeps): Poller => {
  const owner = randomUUID()
  const shutdown = new AbortController()
  const running = new Set<Promise<void>>()
  const startWaitingReports = async (stopping: AbortSignal): Promise<void> => {
    while (!stopping.aborted && running.size < MAX_CONCURRENT[deps.store.kind]) {
      const lease = await claimNextReport(deps, owner)
      if (lease === undefined) return
      const run: Promise<void> = processReport(deps, lease, shutdown.signal).finally(() => {
        running.delete(run)
        rounds.wake()
      })
      running.add(run)
    }
  }
  const rounds = startPoller({
    intervalMs: 2_000,
    run: startWaitingReports,
    onError: (error) => deps.log.error({ err: error }, 'the queue of reports could not be read'),
  })
  return {
    wake: rounds.wake,
    stop: async () => {
      await rounds.stop()
      const graceTimer = setTimeout(() => shutdown.abort(), SHUTDOWN_GRACE_MS)
      await Promise.all(running)
      clearTimeout(graceTimer)
    },
  }
}

const transactAsSystem = <T>({ store }: ReportWorkerDeps, work: (db: Db) => Promise<T>): Promise<T> =>
  store.transact({ role: 'counterfoil_system' }, work, { pool: 'background' })

/** Claims the next report, and fails those whose worker died in their last try. */
export const claimNextReport = async (deps: ReportWorkerDeps, owner: string): Promise<Lease | undefined> => {
  const now = deps.clock()
  const { lease, abandoned } = await transactAsSystem(deps, async (db) => ({
    abandoned: await failAbandonedReports(db, now),
    lease: await claimReport(db, owner, now),
  }))
  for (const reportId of abandoned) deps.log.error({ reportId }, 'a report failed: its worker died in the last try')
  return lease
}

/** Generates one claimed report, renews its lease meanwhile and stores the outcome. Never rejects. */
export const processReport = async (deps: ReportWorkerDeps, lease: Lease, stopping: AbortSignal): Promise<void> => {
  const lost = new AbortController()
  const renewal = setInterval(() => void renewOrAbort(deps, lease, lost), LEASE_MS / 3)
  try {
    await generateReport(deps, lease, AbortSignal.any([stopping, lost.signal]))
    deps.log.info({ reportId: lease.id, tries: lease.tries }, 'a report is ready')
  } catch (error) {
    await recordFailure(deps, lease, stopping, error).catch((failure: unknown) =>
      deps.log.error({ err: failure, reportId: lease.id }, 'the failure of a report could not be stored; its lease will expire'),
    )
  } finally {
    clearInterval(renewal)
  }
}

const renewOrAbort = async (deps: ReportWorkerDeps, lease: Lease, lost: AbortController): Promise<void> => {
  try {
    if (!(await transactAsSystem(deps, (db) => renewLease(db, lease, deps.clock()))))
      lost.abort(new LeaseLost('The lease was not renewed.'))
  } catch (error) {
    deps.log.warn({ err: error, reportId: lease.id }, 'the lease of a report could not be renewed; it will be retried')
  }
}

const recordFailure = async (deps: ReportWorkerDeps, lease: Lease, stopping: AbortSignal, error: unknown): Promise<void> => {
  const { id: reportId, tries } = lease
  if (error instanceof LeaseLost) return deps.log.warn({ reportId, tries }, 'a report was taken over by another worker')
  if (stopping.aborted) {
    await transactAsSystem(deps, (db) => releaseLease(db, lease, deps.clock()))
    return deps.log.info({ reportId }, 'a report was returned to the queue because this worker stops')
  }
  const isOver = await transactAsSystem(deps, (db) => recordFailedTry(db, lease, error instanceof PermanentReportError, deps.clock()))
  if (isOver) deps.log.error({ err: error, reportId, tries }, 'a report failed')
  else deps.log.warn({ err: error, reportId, tries }, 'a report failed; it will be retried')
}
