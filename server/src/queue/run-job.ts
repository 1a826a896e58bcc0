import type { Db, Store } from '../db/database.ts'
import { addMs, type Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import { claimJob, failJob, finishJob, releaseJob, renewLease, rescheduleJob } from './job.queries.ts'
import { type Job, JobFailure, type JobKind, type JobSignals, nextRunAt } from './job.ts'

/** What running jobs needs of the AppContext. */
export interface JobDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** Runs work in one transaction as counterfoil_system on the background pool, and commits. */
export const transactAsSystem = <T>({ store }: Pick<JobDeps, 'store'>, work: (db: Db) => Promise<T>): Promise<T> =>
  store.transact({ role: 'counterfoil_system' }, work, { pool: 'background' })

/** Claims the next due job of a kind for this worker. */
export const claimNextJob = (deps: JobDeps, kind: JobKind, worker: string): Promise<Job | undefined> =>
  transactAsSystem(deps, (db) => claimJob(db, kind, worker, deps.clock()))

/** Runs a claimed job, renews its lease meanwhile, and stores the outcome. Never rejects. */
export const runJob = async (deps: JobDeps, kind: JobKind, job: Job, signals: JobSignals): Promise<void> => {
  const lost = new AbortController()
  const renewal = setInterval(() => void renewOrAbort(deps, kind, job, lost), kind.leaseMs / 3)
  try {
    if (job.attempts > (kind.retry.maxAttempts ?? Infinity))
      throw new JobFailure('its worker died in the last attempt', { isPermanent: true })
    await kind.run(job, { stopping: signals.stopping, aborted: AbortSignal.any([signals.aborted, lost.signal]) })
    const { schedule } = kind
    const now = deps.clock()
    await transactAsSystem(deps, (db) =>
      schedule === undefined ? finishJob(db, job, now) : rescheduleJob(db, job, nextRunAt(schedule, now)),
    )
  } catch (error) {
    await storeFailure(deps, kind, job, signals, error).catch((failure: unknown) =>
      deps.log.error({ err: failure, job: kind.name, jobId: job.id }, 'the failure of a job could not be stored; its lease will expire'),
    )
  } finally {
    clearInterval(renewal)
  }
}

/** Extends the lease of a running job. Aborts `lost` when another worker has claimed the job; a failed query is only logged. */
const renewOrAbort = async (deps: JobDeps, kind: JobKind, job: Job, lost: AbortController): Promise<void> => {
  try {
    const leaseUntil = addMs(deps.clock(), kind.leaseMs)
    if (!(await transactAsSystem(deps, (db) => renewLease(db, job, leaseUntil)))) lost.abort(new JobFailure('the lease was lost'))
  } catch (error) {
    deps.log.warn({ err: error, job: kind.name, jobId: job.id }, 'the lease of a job could not be renewed; another worker may claim it')
  }
}

/** Stores that a job failed, is retried or was returned, with the kind's `onFailure` in one transaction, and logs it. */
const storeFailure = async (deps: JobDeps, kind: JobKind, job: Job, signals: JobSignals, error: unknown): Promise<void> => {
  const now = deps.clock()
  const isReleased = signals.aborted.aborted
  const retryAt = isReleased ? now : retryTime(kind, job, error, now)
  const wasOurs = await transactAsSystem(deps, async (db) => {
    const stored = await (isReleased ? releaseJob(db, job, now) : failJob(db, job, storableReason(error), retryAt, now))
    if (stored) await kind.onFailure?.(db, job, retryAt === null, now, error)
    return stored
  })
  const fields = { job: kind.name, jobId: job.id, attempts: job.attempts }
  const failure = error instanceof JobFailure ? { failure: error.message } : { err: error }
  if (!wasOurs) deps.log.warn(fields, 'a job was cancelled or taken over by another worker')
  else if (isReleased) deps.log.info(fields, 'a job was returned to the queue because this worker stops')
  else if (retryAt === null) deps.log.error({ ...fields, ...failure }, 'a job was given up')
  else deps.log.warn({ ...fields, ...failure, retryAt }, 'a job failed; it will be retried')
}

/** When a failed job is retried, after a delay that doubles with each attempt; null for never. A scheduled job always is. */
const retryTime = ({ retry, schedule }: JobKind, { attempts, giveUpAt }: Job, error: unknown, now: Date): Date | null => {
  const retryAt = addMs(now, Math.min(retry.firstMs * 2 ** (attempts - 1), retry.maxMs))
  if (schedule !== undefined) return retryAt
  const isPermanent = error instanceof JobFailure && error.isPermanent
  const isOver = attempts >= (retry.maxAttempts ?? Infinity) || (giveUpAt !== null && retryAt > giveUpAt)
  return isPermanent || isOver ? null : retryAt
}

/** What is stored of an error: the message of a JobFailure, else its code or name, since other messages may name a person. */
const storableReason = (error: unknown): string =>
  error instanceof JobFailure ? error.message : String((error as { code?: string }).code ?? (error as Error).name)
