import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { RateLimitHit } from './rate-limits.ts'

/**
 * Consumes one token of each bucket, or none when one of them is empty: an attempt that is refused by one limit uses up no other.
 * @returns how long the subject must wait, in milliseconds; 0 when every bucket had a token
 */
export const consumeRateLimits = async (db: Db, hits: readonly RateLimitHit[], now: Date): Promise<number> => {
  const { rows } = await sql<{ subject: Buffer }>`
    insert into rate_limit as r (subject, full_at)
      select c.subject, ${now}::timestamptz + c.step from ${hitRows(hits)} order by c.place
    on conflict (subject) do update set full_at = greatest(r.full_at, ${now}) + (excluded.full_at - ${now})
      where greatest(r.full_at, ${now}) + (excluded.full_at - ${now})
        <= (select ${now}::timestamptz + c.step * c.burst from ${hitRows(hits)} where c.subject = r.subject)
    returning r.subject`.execute(db)
  if (rows.length === hits.length) return 0
  const waitMs = Math.max(1, await rateLimitWaitMs(db, hits, now))
  const consumed = hits.filter(({ subject }) => rows.some((row) => subject.equals(row.subject)))
  if (consumed.length > 0) await refundRateLimits(db, consumed)
  return waitMs
}

/** Returns the consumed tokens: only failed attempts count. Locks the buckets in their order. */
export const refundRateLimits = async (db: Db, hits: readonly RateLimitHit[]): Promise<void> => {
  await sql`
    with mine as (select r.subject, c.step from rate_limit as r join ${hitRows(hits)} on c.subject = r.subject order by c.place for update of r)
    update rate_limit as r set full_at = r.full_at - mine.step from mine where r.subject = mine.subject`.execute(db)
}

/**
 * Takes one token of each bucket, also of an empty one: for what has happened already. Locks the buckets in their order.
 */
export const countRateLimitHits = async (db: Db, hits: readonly RateLimitHit[], now: Date): Promise<void> => {
  await sql`
    insert into rate_limit as r (subject, full_at)
      select c.subject, ${now}::timestamptz + c.step from ${hitRows(hits)} order by c.place
    on conflict (subject) do update set full_at = greatest(r.full_at, ${now}) + (excluded.full_at - ${now})`.execute(db)
}

/**
 * Asks the buckets and takes nothing.
 * @returns how long the subject of the emptiest bucket must wait for a token, in milliseconds; 0 while every bucket has one
 */
export const rateLimitWaitMs = async (db: Db, hits: readonly RateLimitHit[], now: Date): Promise<number> => {
  const { rows } = await sql<{ waitMs: string | null }>`
    select max(extract(epoch from r.full_at + c.step - (${now}::timestamptz + c.step * c.burst)) * 1000) as "waitMs"
    from rate_limit as r join ${hitRows(hits)} on c.subject = r.subject`.execute(db)
  return Math.max(0, Number(rows[0]?.waitMs ?? 0))
}

/** The hits as rows `c (subject, step, burst, place)`, in their order, so that two transactions never lock the same buckets crosswise. */
const hitRows = (hits: readonly RateLimitHit[]): RawBuilder<unknown> => sql`(
  select subject, make_interval(secs => seconds) as step, burst, place
  from unnest(${hits.map(({ subject }) => subject)}::bytea[], ${hits.map(({ limit }) => limit.refillMs / 1_000)}::float8[],
    ${hits.map(({ limit }) => limit.burst)}::int[]) with ordinality as given (subject, seconds, burst, place)) as c`
