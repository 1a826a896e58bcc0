import { dayOf } from '@counterfoil/contract/kit/day'
import type { AppContext } from '../context.ts'
import { addMs } from '../kit/clock.ts'
import { type Poller, startPoller } from '../kit/poller.ts'
import { completeDailyJob, registerDailyJob, scheduleDailyRetry, claimDailyJob } from './daily-jobs.queries.ts'

/** A job that one of the workers runs once a day. */
export interface DailyJob {
  readonly name: string
  /** The earliest time of day, UTC, as "03:43". */
  readonly notBefore: string
  run(): Promise<void>
}

type DailyDeps = Pick<AppContext, 'store' | 'clock' | 'log'>

/** Longer than any job takes; another worker then takes over the job of a dead one. */
const LEASE_MS = 4 * 3_600_000
const RETRY_MS = 10 * 60_000
const POLL_MS = 60_000

/** Runs due daily jobs, looking every minute until it is stopped. A server that was down at that time runs them when it is back. */
export const startDailyJobs = (deps: DailyDeps, jobs: readonly DailyJob[]): Poller =>
  startPoller({
    intervalMs: POLL_MS,
    run: async (signal) => {
      for (const job of jobs) if (!signal.aborted) await runDailyJob(deps, job)
    },
    onError: (error) => deps.log.error({ err: error }, 'the daily jobs could not be checked'),
  })

/** Runs a job if it is due today and no other worker runs it. Returns whether it was done. A failed job is retried after ten minutes. */
export const runDailyJob = async (deps: DailyDeps, { name, notBefore, run }: DailyJob): Promise<boolean> => {
  const now = deps.clock()
  const today = dayOf(now)
  const transactAsSystem = <T>(work: Parameters<typeof deps.store.transact<T>>[1]): Promise<T> =>
    deps.store.transact({ role: 'counterfoil_system' }, work, { pool: 'background' })
  if (now.toISOString().slice(11, 16) < notBefore) return false
  const isOurs = await transactAsSystem(async (db) => {
    await registerDailyJob(db, name, today)
    return claimDailyJob(db, name, { today, now, leaseUntil: addMs(now, LEASE_MS) })
  })
  if (!isOurs) return false
  try {
    await run()
  } catch (error) {
    deps.log.error({ err: error, job: name }, 'a daily job failed; it will be retried')
    await transactAsSystem((db) => scheduleDailyRetry(db, name, addMs(deps.clock(), RETRY_MS)))
    return false
  }
  await transactAsSystem((db) => completeDailyJob(db, name, today))
  return true
}
