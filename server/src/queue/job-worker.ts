import { randomUUID } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { type Poller, startPoller } from './poller.ts'
import { addScheduledJob, countDueJobs } from './job.queries.ts'
import { type JobKind, nextRunAt } from './job.ts'
import { claimNextJob, type JobDeps, runJob, transactAsSystem } from './run-job.ts'

/** One query in each, for all kinds. What is queued in this process wakes the worker at once. */
const POLL_MS = 2_000
const SHUTDOWN_GRACE_MS = 8_000

/**
 * Runs due jobs until it is stopped. Running jobs then finish, or return to the queue when they take longer than some seconds. Several
 * workers may run at once, each in its own process.
 */
export const startJobWorker = (deps: JobDeps, kinds: readonly JobKind[]): Poller => {
  const worker = randomUUID()
  const [stopping, shutdown] = [new AbortController(), new AbortController()]
  const signals = { stopping: stopping.signal, aborted: shutdown.signal }
  const running = new Map(kinds.map((kind) => [kind, new Set<Promise<void>>()]))
  let isScheduled = false

  /** Runs jobs of a kind one after the other until none is due. Returns whether there was one. */
  const drain = async (kind: JobKind): Promise<boolean> => {
    for (let count = 0; ; count += 1) {
      const job = stopping.signal.aborted ? undefined : await claimNextJob(deps, kind, worker)
      if (job === undefined) return count > 0
      await runJob(deps, kind, job, signals)
      if (kind.schedule !== undefined) return false
    }
  }
  const startDrains = (kind: JobKind, drains: Set<Promise<void>>, due: number): void => {
    for (let places = Math.min(due, kind.concurrency - drains.size); places > 0; places -= 1) {
      const run: Promise<void> = drain(kind)
        .then((foundWork) => foundWork && poller.wake()) // a job may have queued others, or made room for its key's next
        .catch((error: unknown) => deps.log.error({ err: error, job: kind.name }, 'no job could be claimed'))
        .then(() => void drains.delete(run))
      drains.add(run)
    }
  }
  const poller = startPoller({
    intervalMs: POLL_MS,
    run: async () => {
      const now = deps.clock()
      if (!isScheduled) await transactAsSystem(deps, (db) => addScheduledJobs(db, kinds, now))
      isScheduled = true
      const due = new Map((await transactAsSystem(deps, (db) => countDueJobs(db, now))).map(({ kind, count }) => [kind, count]))
      for (const [kind, drains] of running) startDrains(kind, drains, due.get(kind.name) ?? 0)
    },
    onError: (error) => deps.log.error({ err: error }, 'the queue could not be read'),
  })
  poller.wake()
  return {
    wake: poller.wake,
    stop: async () => {
      stopping.abort()
      await poller.stop()
      const graceTimer = setTimeout(() => shutdown.abort(), SHUTDOWN_GRACE_MS)
      await Promise.all([...running.values()].flatMap((drains) => [...drains]))
      clearTimeout(graceTimer)
    },
  }
}

/** Adds the job of each kind with a schedule, for its next time, unless it is there. */
const addScheduledJobs = async (db: Db, kinds: readonly JobKind[], now: Date): Promise<void> => {
  for (const { name, schedule } of kinds) if (schedule !== undefined) await addScheduledJob(db, name, nextRunAt(schedule, now), now)
}
