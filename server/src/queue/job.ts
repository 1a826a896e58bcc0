import type { Db } from '../db/database.ts'
import { addMs } from '../kit/clock.ts'

export type JobName =
  | 'mail'
  | 'reset-request'
  | 'report'
  | 'webhook-event'
  | 'payment-sweep'
  | 'reconcile-payments'
  | 'merge-usage'
  | 'clean-up'

/** A job that a worker has claimed. It has the id of what it is about, where that has an id of its own. */
export interface Job {
  readonly id: string
  /** Jobs of one key take turns with those of others; empty where the kind knows no turns. */
  readonly key: string
  /** Ids, never personal data. */
  readonly payload: Readonly<Record<string, string | number>>
  /** How often it was claimed, this time included. With `worker`, it fences off those who claimed it before. */
  readonly attempts: number
  readonly worker: string
  /** No retry starts later; null for no limit. */
  readonly giveUpAt: Date | null
}

/** What a running job watches. */
export interface JobSignals {
  /** The worker stops: begin nothing more, but finish what is under way. */
  readonly stopping: AbortSignal
  /** Stop at once: the time to finish is over, or another worker has claimed the job. */
  readonly aborted: AbortSignal
}

/** A kind of job: how it runs, how many at once, and what happens when it fails. */
export interface JobKind {
  readonly name: JobName
  /** At once in one process. */
  readonly concurrency: number
  /** At once of one key, in all processes; such a kind serves next the key that was served longest ago. */
  readonly maxPerKey?: number
  /** How long a claimed job belongs to its worker, which renews the lease while it runs. */
  readonly leaseMs: number
  /** The delay doubles with each attempt, from `firstMs` to `maxMs`. */
  readonly retry: { readonly firstMs: number; readonly maxMs: number; readonly maxAttempts?: number }
  /** Runs again and again, at every multiple of `everyMs` after `offsetMs`, counted from midnight UTC; never given up. */
  readonly schedule?: Schedule
  /**
   * Does the job. It may run twice when its worker dies, so it does nothing that has been done. @throws JobFailure, or anything else, to be
   * retried
   */
  run(job: Job, signals: JobSignals): Promise<void>
  /** Marks what the job is about as waiting again or, when `isOver`, as failed. Runs in the transaction that stores the failure. */
  onFailure?(db: Db, job: Job, isOver: boolean, now: Date, error: unknown): Promise<void>
}

export interface Schedule {
  readonly everyMs: number
  readonly offsetMs: number
}

/** A failure whose message is stored and logged, so it holds no personal data. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
  /** True when a retry would not help. */
  readonly isPermanent: boolean

  constructor(message: string, { isPermanent = false, cause }: { isPermanent?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isPermanent = isPermanent
  }
}

/** The first time of a schedule after `now`, never `now` itself. */
export const nextRunAt = ({ everyMs, offsetMs }: Schedule, now: Date): Date => addMs(now, everyMs - ((now.getTime() - offsetMs) % everyMs))
