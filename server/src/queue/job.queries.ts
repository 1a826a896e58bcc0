import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { addMs } from '../kit/clock.ts'
import type { Job, JobKind, JobName } from './job.ts'

export interface NewJob {
  readonly kind: JobName
  readonly id?: string
  readonly key?: string
  readonly payload?: Job['payload']
  readonly giveUpAt?: Date
}

/** Queues a job, due at once, in the caller's transaction. */
export const enqueueJob = async (
  db: Db,
  { kind, id = randomUUID(), key = '', payload = {}, giveUpAt }: NewJob,
  now: Date,
): Promise<void> => {
  await sql`
    insert into job (id, kind, key, payload, created_at, run_at, give_up_at)
    values (${id}, ${kind}, ${key}, ${JSON.stringify(payload)}, ${now}, ${now}, ${giveUpAt ?? null})`.execute(db)
}

/** Adds the one job of a kind that runs on a schedule, unless it is there. */
export const addScheduledJob = async (db: Db, kind: JobName, runAt: Date, now: Date): Promise<void> => {
  await sql`
    insert into job (id, kind, created_at, run_at) values (md5(${kind})::uuid, ${kind}, ${now}, ${runAt})
    on conflict (id) do nothing`.execute(db)
}

/** How many jobs of each kind are due. */
export const countDueJobs = async (db: Db, now: Date): Promise<{ kind: string; count: number }[]> => {
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*) as count from job where finished_at is null and run_at <= ${now} group by kind`.execute(db)
  return rows
}

type ClaimedKind = Pick<JobKind, 'name' | 'leaseMs' | 'maxPerKey'>

/**
 * Claims a due job for the time of a lease; undefined when none is due. A job whose lease has expired is due.
 * First comes the one due longest or, with `maxPerKey`, the oldest of the key that was served longest ago and has fewer running.
 */
export const claimJob = async (db: Db, kind: ClaimedKind, worker: string, now: Date): Promise<Job | undefined> => {
  const { name, maxPerKey, leaseMs } = kind
  // Two workers must not both see room for one more.
  if (maxPerKey !== undefined) await sql`select pg_advisory_xact_lock(hashtext(${`counterfoil ${name} jobs`}))`.execute(db)
  const { rows } = await sql<Job>`
    with next as (${maxPerKey === undefined ? longestDue(name, now) : nextInTurn(name, maxPerKey, now)})
    update job j set worker = ${worker}, run_at = ${addMs(now, leaseMs)}, started_at = ${now}, attempts = j.attempts + 1
    from next where j.id = next.id
    returning j.id, j.key, j.payload, j.attempts, j.worker, j.give_up_at as "giveUpAt"`.execute(db)
  return rows[0]
}

/** The SQL condition that job `j` of this kind is unfinished and due. */
const isDue = (kind: JobName, now: Date) => sql`j.kind = ${kind} and j.finished_at is null and j.run_at <= ${now}`

/** The query that locks the job of a kind that has been due longest, past those that others have locked. */
const longestDue = (kind: JobName, now: Date): RawBuilder<unknown> =>
  sql`select j.id from job j where ${isDue(kind, now)} order by j.run_at limit 1 for update skip locked`

/** The query that locks the oldest due job of the key that was served longest ago and has fewer than `maxPerKey` running. */
const nextInTurn = (kind: JobName, maxPerKey: number, now: Date): RawBuilder<unknown> => sql`
  select j.id from job j
  where ${isDue(kind, now)} and j.key = (
    select waiting.key from (select j.key, min(j.created_at) as since from job j where ${isDue(kind, now)} group by j.key) waiting
    where (select count(*) from job r where r.kind = ${kind} and r.key = waiting.key and r.finished_at is null and r.worker is not null
      and r.run_at > ${now}) < ${maxPerKey}
    order by (select max(s.started_at) from job s where s.kind = ${kind} and s.key = waiting.key) nulls first, waiting.since, waiting.key
    limit 1)
  order by j.created_at, j.id limit 1 for update skip locked`

/** The SQL condition that a worker's claim of a job still holds. */
const isOurs = ({ id, worker, attempts }: Job) => sql`id = ${id} and worker = ${worker} and attempts = ${attempts} and finished_at is null`

/** Applies a change to a claimed job; false when another worker has claimed it since, or it was cancelled. */
const updateClaimed = async (db: Db, job: Job, change: RawBuilder<unknown>): Promise<boolean> => {
  const { rows } = await sql`update job set ${change} where ${isOurs(job)} returning 1`.execute(db)
  return rows.length > 0
}

/** Extends the lease of a claimed job. False when another worker has claimed the job since, or the job was cancelled. */
export const renewLease = (db: Db, job: Job, leaseUntil: Date): Promise<boolean> => updateClaimed(db, job, sql`run_at = ${leaseUntil}`)

/** Marks a claimed job as done. False when another worker has claimed it since, or it was cancelled. */
export const finishJob = (db: Db, job: Job, now: Date): Promise<boolean> =>
  updateClaimed(db, job, sql`finished_at = ${now}, worker = null, last_error = null`)

/** Lets a claimed job run again at `runAt`, with no attempt counted. False when another worker has claimed it since. */
export const rescheduleJob = (db: Db, job: Job, runAt: Date): Promise<boolean> =>
  updateClaimed(db, job, sql`run_at = ${runAt}, worker = null, attempts = 0, last_error = null`)

/** Returns a claimed job to the queue, due at once, without counting the attempt, because its worker stops. False when it was lost. */
export const releaseJob = (db: Db, job: Job, now: Date): Promise<boolean> =>
  updateClaimed(db, job, sql`run_at = ${now}, worker = null, attempts = attempts - 1`)

/** Stores why a claimed job failed, and when it is retried; null for never. False when another worker has claimed it since. */
export const failJob = (db: Db, job: Job, error: string, retryAt: Date | null, now: Date): Promise<boolean> =>
  retryAt === null
    ? updateClaimed(db, job, sql`finished_at = ${now}, worker = null, last_error = ${error}`)
    : updateClaimed(db, job, sql`run_at = ${retryAt}, worker = null, last_error = ${error}`)

/** Deletes jobs that finished a week ago. Until then they tell who was served when. */
export const sweepJobs = async (db: Db, now: Date): Promise<void> => {
  await sql`delete from job where finished_at < ${now}::timestamptz - interval '7 days'`.execute(db)
}
