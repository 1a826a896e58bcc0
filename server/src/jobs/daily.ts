import { dayOf } from '@counterfoil/contract/kit/day'
import type { AppContext } from '../context.ts'
import { later } from '../kit/clock.ts'
import { type Rounds, startRounds } from '../kit/poller.ts'
import { endTurn, knowDailyJob, putOffTurn, takeTurn } from './daily.queries.ts'

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
const AGAIN_MS = 10 * 60_000
const ROUND_MS = 60_000

/** Looks every minute whether a job's hour has come, until it is stopped. A house that was off at that hour does it when it is back. */
export const startDaily = (context: DailyDeps, jobs: readonly DailyJob[]): Rounds =>
  startRounds({
    everyMs: ROUND_MS,
    work: async (signal) => {
      for (const job of jobs) if (!signal.aborted) await dailyTurn(context, job)
    },
    failed: (error) => context.log.error({ err: error }, 'a daily job could not be looked for'),
  })

/** Does a job if it is due today and nobody else does it; says whether it did. One that fails is tried again ten minutes later. */
export const dailyTurn = async (context: DailyDeps, { name, notBefore, run }: DailyJob): Promise<boolean> => {
  const now = context.clock()
  const today = dayOf(now)
  const transactAsSystem = <T>(work: Parameters<typeof context.store.transact<T>>[1]): Promise<T> =>
    context.store.transact({ role: 'counterfoil_system' }, work, 'background')
  if (now.toISOString().slice(11, 16) < notBefore) return false
  const isOurs = await transactAsSystem(async (db) => {
    await knowDailyJob(db, name, today)
    return takeTurn(db, name, { today, now, until: later(now, LEASE_MS) })
  })
  if (!isOurs) return false
  try {
    await run()
  } catch (error) {
    context.log.error({ err: error, job: name }, 'a daily job failed; it is tried again')
    await transactAsSystem((db) => putOffTurn(db, name, later(context.clock(), AGAIN_MS)))
    return false
  }
  await transactAsSystem((db) => endTurn(db, name, today))
  return true
}
