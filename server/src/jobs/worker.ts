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
  /** Mail was queued in this process. */
  wakeMailWorker(): void
  /** A report was asked for in this process. */
  wakeReportWorker(): void
  /** A payment company has told this process something. */
  wakePaymentSweeper(): void
  /** Lets the job under way finish. */
  stop(): Promise<void>
}

const SWEEP = 'sweep-sessions'

/**
 * Does the jobs of the queue, which lives in the same database; several workers may run, and each job is done by one of them.
 */
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
      await context.store.transact({ role: 'counterfoil_system' }, (db) => sweep(db, now), 'background')
  })
  const mailWorker = startMailWorker(context)
  // Older versions had it in the queue's own cron.
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
