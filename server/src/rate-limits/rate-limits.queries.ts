import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { RateLimitUse } from './rate-limits.ts'

/**
 * Consumes one token of each bucket, or none when one of them is empty: an attempt that is refused by one limit uses up no other.
 * @returns how long the subject must wait, in milliseconds; 0 when every bucket had a token
 */
export const consumeRateLimits = async (db: Db, uses: readonly RateLimitUse[], now: Date): Promise<number> => {
  const { rows } = await sql<{ subject: Buffer }>`
    insert into rate_limit as r (subject, full_at)
      select c.subject, ${now}::timestamptz + c.step from ${rowsOfUses(uses)} order by c.place
    on conflict (subject) do update set full_at = greatest(r.full_at, ${now}) + (excluded.full_at - ${now})
      where greatest(r.full_at, ${now}) + (excluded.full_at - ${now})
        <= (select ${now}::timestamptz + c.step * c.burst from ${rowsOfUses(uses)} where c.subject = r.subject)
    returning r.subject`.execute(db)
  if (rows.length === uses.length) return 0
  const waitMs = Math.max(1, await rateLimitWaitMs(db, uses, now))
  const consumed = uses.filter(({ subject }) => rows.some((row) => subject.equals(row.subject)))
  if (consumed.length > 0) await refundRateLimits(db, consumed)
  return waitMs
}

/**
 * Gives back the token that an attempt took from each bucket: it succeeded, or another limit refused it. Locks the buckets in their order.
 */
export const refundRateLimits = async (db: Db, uses: readonly RateLimitUse[]): Promise<void> => {
  await sql`
    with mine as (select r.subject, c.step from rate_limit as r join ${rowsOfUses(uses)} on c.subject = r.subject order by c.place for update of r)
    update rate_limit as r set full_at = r.full_at - mine.step from mine where r.subject = mine.subject`.execute(db)
}

/**
 * Takes one token of each bucket, also of an empty one: for what has happened already. Locks the buckets in their order.
 */
export const countRateLimitUses = async (db: Db, uses: readonly RateLimitUse[], now: Date): Promise<void> => {
  await sql`
    insert into rate_limit as r (subject, full_at)
      select c.subject, ${now}::timestamptz + c.step from ${rowsOfUses(uses)} order by c.place
    on conflict (subject) do update set full_at = greatest(r.full_at, ${now}) + (excluded.full_at - ${now})`.execute(db)
}

/**
 * Asks the buckets and takes nothing.
 * @returns how long the subject of the emptiest bucket must wait for a token, in milliseconds; 0 while every bucket has one
 */
export const rateLimitWaitMs = async (db: Db, uses: readonly RateLimitUse[], now: Date): Promise<number> => {
  const { rows } = await sql<{ waitMs: string | null }>`
    select max(extract(epoch from r.full_at + c.step - (${now}::timestamptz + c.step * c.burst)) * 1000) as "waitMs"
    from rate_limit as r join ${rowsOfUses(uses)} on c.subject = r.subject`.execute(db)
  return Math.max(0, Number(rows[0]?.waitMs ?? 0))
}

/** The uses as rows `c (subject, step, burst, place)`, in their order, so that two transactions never lock the same buckets crosswise. */
const rowsOfUses = (uses: readonly RateLimitUse[]): RawBuilder<unknown> => sql`(
  select subject, make_interval(secs => seconds) as step, burst, place
  from unnest(${uses.map(({ subject }) => subject)}::bytea[], ${uses.map(({ limit }) => limit.refillMs / 1_000)}::float8[],
    ${uses.map(({ limit }) => limit.burst)}::int[]) with ordinality as given (subject, seconds, burst, place)) as c`
