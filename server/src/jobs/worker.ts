import { PgBoss } from 'pg-boss'
import { sweepReports } from '../areas/reports/report-queue.queries.ts'
import type { AppContext } from '../context.ts'
import { sweepMail } from '../mail/mail.queries.ts'
import { startMailWorker } from '../mail/mail-worker.ts'
import { sweepLinks } from '../session/one-time-links.queries.ts'
import { deleteOldWebhookEvents } from '../payments/webhooks/webhook-events.queries.ts'
import { sweepSessions } from '../session/session.queries.ts'
import { sweepSignOns } from '../sso/attempts.queries.ts'
import { startDailyJobs } from './run-daily-job.ts'
import { dailyJobs } from './daily-jobs.ts'
import { startPaymentSweeper } from './payment-sweeper.ts'
import { startReportWorker } from './report-worker.ts'

export interface Worker {
  /** Call when mail was queued in this process. */
  wakeMailWorker(): void
  /** Call when a report was queued in this process. */
  wakeReportWorker(): void
  /** Call when this process has received a webhook event. */
  wakePaymentSweeper(): void
  /** Resolves when the running jobs have finished. */
  stop(): Promise<void>
}

const SWEEP = 'sweep-sessions'

/** Starts all background jobs. Several workers may run; each job is done by one of them. */
export const startWorker = async (context: AppContext): Promise<Worker> => {
  const pool = context.store.pools.background
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values ?? []) },
    schema: 'pgboss',
    cronMonitorIntervalSeconds: 30,
    maintenanceIntervalSeconds: 300,
  })
  boss.on('error', (error) => context.log.error({ err: error }, 'the job queue had a problem'))
  await boss.start()
  await boss.createQueue(SWEEP, { retryLimit: 3, policy: 'singleton' })
  await boss.schedule(SWEEP, '17 * * * *')
  await boss.work(SWEEP, { batchSize: 1, pollingIntervalSeconds: 10 }, async () => {
    const now = context.clock()
    for (const sweep of [sweepSessions, sweepLinks, sweepSignOns, sweepMail, sweepReports, deleteOldWebhookEvents])
      await context.store.transact({ role: 'counterfoil_system' }, (db) => sweep(db, now), { pool: 'background' })
  })
  const mailWorker = startMailWorker(context)
  // Older versions scheduled it in pg-boss.
  await boss.unschedule('reconcile-payments')
  const daily = startDailyJobs(context, dailyJobs({ ...context, onMailQueued: () => mailWorker.wake() }))
  const reportWorker = startReportWorker(context)
  const paymentSweeper = startPaymentSweeper({ ...context, onMailQueued: () => mailWorker.wake() })
  context.log.info('the worker is ready')
  return {
    wakeMailWorker: () => mailWorker.wake(),
    wakeReportWorker: () => reportWorker.wake(),
    wakePaymentSweeper: () => paymentSweeper.wake(),
    stop: async () => {
      await Promise.all([
        mailWorker.stop(),
        reportWorker.stop(),
        paymentSweeper.stop(),
        daily.stop(),
        boss.stop({ graceful: true, timeout: 20_000 }),
      ])
    },
  }
}
