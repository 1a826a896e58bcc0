import { randomInt } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { mailJobs } from '../mail/mail-jobs.ts'
import { mailTransport } from '../mail/transport.ts'
import { webhookEventJob } from '../payments/webhooks/webhook-events.ts'
import { startJobWorker } from '../queue/job-worker.ts'
import { recurringJobs } from './recurring-jobs.ts'
import { reportJob } from './report-job.ts'

export interface Worker {
  /** Call when a job was queued in this process. */
  wake(): void
  /** Call when mail was queued in this process. */
  wakeForMail(): void
  /** Resolves when the running jobs have finished. */
  stop(): Promise<void>
}

/** A random delay, so that the time of the next response does not reveal whether a mail was sent. */
const MIN_MAIL_DELAY_MS = 200
const MAX_MAIL_DELAY_MS = 600

/** Starts doing the jobs of the queue. Several workers may run; each job is done by one of them. */
export const startWorker = (context: AppContext): Worker => {
  const transport = mailTransport(context.config)
  const wakeForMail = (): void => void setTimeout(() => worker.wake(), randomInt(MIN_MAIL_DELAY_MS, MAX_MAIL_DELAY_MS))
  const payments = { ...context, onMailQueued: wakeForMail }
  const worker = startJobWorker(context, [
    ...mailJobs(context, transport),
    reportJob(context),
    webhookEventJob(payments),
    ...recurringJobs(payments),
  ])
  context.log.info('the worker is ready')
  return {
    wake: worker.wake,
    wakeForMail,
    stop: async () => {
      await worker.stop()
      transport.close()
    },
  }
}
