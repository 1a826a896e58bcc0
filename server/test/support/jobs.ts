import { randomUUID } from 'node:crypto'
import type { Job, JobKind } from '../../src/queue/job.ts'
import { claimNextJob, type JobDeps, runJob } from '../../src/queue/run-job.ts'
import type { PaymentsDeps } from '../../src/payments/payments-deps.ts'
import { webhookEventJob } from '../../src/payments/webhooks/webhook-events.ts'

const NEVER = new AbortController().signal
/** The signals of a worker that goes on. */
export const NOT_STOPPING = { stopping: NEVER, aborted: NEVER }

/** Runs the due jobs of these kinds, as a worker of its own, until none is due. Returns the jobs in the order in which they ran. */
export const runDueJobs = async (deps: JobDeps, ...kinds: readonly JobKind[]): Promise<Job[]> => {
  const worker = randomUUID()
  const jobs: Job[] = []
  for (const kind of kinds)
    for (let job = await claimNextJob(deps, kind, worker); job !== undefined; job = await claimNextJob(deps, kind, worker)) {
      await runJob(deps, kind, job, NOT_STOPPING)
      jobs.push(job)
    }
  return jobs
}

/** Processes the due webhook events. */
export const processWebhookEvents = async (deps: PaymentsDeps): Promise<void> => {
  await runDueJobs(deps, webhookEventJob(deps))
}
