import { dayOf } from '@counterfoil/contract/kit/day'
import type { AppContext } from '../context.ts'
import { addMs } from '../kit/clock.ts'
import { type Poller, startPoller } from '../kit/poller.ts'
import { completeDailyJob, registerDailyJob, scheduleDailyRetry, claimDailyJob } from './daily-jobs.queries.ts'

/** Something that is done once a day, by one of the workers. */
export interface DailyJob {
  readonly name: string
  /** Not before this time of day, UTC, as "03:43". */
  readonly notBefore: string
  run(): Promise<void>
}

type DailyDeps = Pick<AppContext, 'store' | 'clock' | 'log'>

/** Longer than any of them takes: what a worker that died had in its hands is taken by another after it. */
const LEASE_MS = 4 * 3_600_000
const RETRY_MS = 10 * 60_000
const POLL_MS = 60_000

/** Looks every minute whether a job's hour has come, until it is stopped. A house that was off at that hour does it when it is back. */
export const startDailyJobs = (deps: DailyDeps, jobs: readonly DailyJob[]): Poller =>
  startPoller({
    intervalMs: POLL_MS,
    run: async (signal) => {
      for (const job of jobs) if (!signal.aborted) await runDailyJob(deps, job)
    },
    onError: (error) => deps.log.error({ err: error }, 'a daily job could not be looked for'),
  })

/** Does a job if it is due today and nobody else does it; says whether it did. One that fails is tried again ten minutes later. */
export const runDailyJob = async (deps: DailyDeps, { name, notBefore, run }: DailyJob): Promise<boolean> => {
  const now = deps.clock()
  const today = dayOf(now)
  const transactAsSystem = <T>(work: Parameters<typeof deps.store.transact<T>>[1]): Promise<T> =>
    deps.store.transact({ role: 'counterfoil_system' }, work, 'background')
  if (now.toISOString().slice(11, 16) < notBefore) return false
  const isOurs = await transactAsSystem(async (db) => {
    await registerDailyJob(db, name, today)
    return claimDailyJob(db, name, { today, now, leaseUntil: addMs(now, LEASE_MS) })
  })
  if (!isOurs) return false
  try {
    await run()
  } catch (error) {
    deps.log.error({ err: error, job: name }, 'a daily job failed; it is tried again')
    await transactAsSystem((db) => scheduleDailyRetry(db, name, addMs(deps.clock(), RETRY_MS)))
    return false
  }
  await transactAsSystem((db) => completeDailyJob(db, name, today))
  return true
}
