import { sweepReports } from '../areas/reports/runs/report-run.queries.ts'
import { deleteOldNotes } from '../imports/undo/undo-import.queries.ts'
import { mergeUsage } from '../usage-store/merge-usage.service.ts'
import { sweepMail } from '../mail/mail.queries.ts'
import { deleteUnusedCredentials } from '../payments/reconciliation/former-accounts.ts'
import { sweepAttempts } from '../payments/engine/sweep.ts'
import type { PaymentsDeps } from '../payments/payments-deps.ts'
import { reconcileAll } from '../payments/reconciliation/reconcile.ts'
import { deleteOldWebhookEvents } from '../payments/webhooks/webhook-events.queries.ts'
import { sweepLinks } from '../session/one-time-links.queries.ts'
import { sweepSessions } from '../session/session.queries.ts'
import { sweepSignOns } from '../sso/attempts.queries.ts'
import { sweepJobs } from '../queue/job.queries.ts'
import type { JobKind } from '../queue/job.ts'
import { transactAsSystem } from '../queue/run-job.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

const EXPIRED = [sweepSessions, sweepLinks, sweepSignOns, sweepMail, sweepReports, deleteOldWebhookEvents, deleteOldNotes, sweepJobs]

/**
 * The kinds of jobs that run on a schedule, for the worker; runs none. One of the workers does each.
 * One that was due while no worker ran is done once when a worker is back.
 */
export const recurringJobs = (deps: PaymentsDeps): readonly JobKind[] => [
  {
    name: 'payment-sweep',
    concurrency: 1,
    leaseMs: 2 * MINUTE_MS,
    retry: { firstMs: 5 * SECOND_MS, maxMs: 5 * SECOND_MS },
    schedule: { everyMs: 5 * SECOND_MS, offsetMs: 0 },
    run: async (_job, { stopping }) => void (await sweepAttempts(deps, stopping)),
  },
  {
    name: 'reconcile-payments',
    concurrency: 1,
    leaseMs: 5 * MINUTE_MS,
    retry: { firstMs: 10 * MINUTE_MS, maxMs: 10 * MINUTE_MS },
    schedule: { everyMs: 24 * HOUR_MS, offsetMs: 3 * HOUR_MS + 43 * MINUTE_MS },
    run: async () => {
      await reconcileAll(deps)
      await deleteUnusedCredentials(deps)
    },
  },
  {
    name: 'merge-usage',
    concurrency: 1,
    leaseMs: MINUTE_MS,
    retry: { firstMs: MINUTE_MS, maxMs: 10 * MINUTE_MS },
    schedule: { everyMs: MINUTE_MS, offsetMs: 0 },
    run: (_job, { stopping }) => mergeUsage(deps.store, stopping),
  },
  {
    name: 'clean-up',
    concurrency: 1,
    leaseMs: 5 * MINUTE_MS,
    retry: { firstMs: 10 * MINUTE_MS, maxMs: 10 * MINUTE_MS },
    schedule: { everyMs: HOUR_MS, offsetMs: 17 * MINUTE_MS },
    run: async () => {
      for (const deleteExpired of EXPIRED) await transactAsSystem(deps, (db) => deleteExpired(db, deps.clock()))
    },
  },
]
