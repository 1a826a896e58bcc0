import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { USAGE_TEXTS } from '../../db/tables/usage-columns.data.ts'
import { dayAhead, NOTHING_UNUSUAL, type UnusualUsage } from '../unusual-usage.rules.ts'
import { goodLines, lineTableName, lineTexts, preferHashJoins } from './usage-staging.queries.ts'

/** The months of the good lines, as their first days. */
export const listGoodMonths = async (db: Db, loadId: string): Promise<string[]> => {
  const { rows } = await sql<{ month: string }>`
    select distinct date_trunc('month', used_at at time zone 'UTC')::date as month from ${goodLines(loadId)}`.execute(db)
  return rows.map(({ month }) => month)
}

/**
 * Waits until no other load writes the reseller's usage, and holds that right until the transaction ends: two would deadlock on the
 * versions of its customers.
 */
export const lockReseller = async (db: Db, resellerId: number): Promise<void> => {
  await sql`set local lock_timeout = '14min'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil import usage'), ${resellerId})`.execute(db)
}

/** The number of blocks of the staging table. */
export const countBlocks = async (db: Db, loadId: string): Promise<number> => {
  const { rows } = await sql<{ blocks: number }>`
    select pg_relation_size(${lineTableName(loadId)}::regclass) / current_setting('block_size')::bigint as blocks`.execute(db)
  return rows[0]?.blocks ?? 0
}

/** A range of blocks of the staging table; `to` is exclusive. */
export interface Blocks {
  readonly from: number
  readonly to: number
}

/**
 * Inserts the good lines of these blocks that do not exist yet. Sorting by partition, customer and instant writes each page only once.
 * How many are new is counted afterwards: where usage is distributed, an `insert … select` tells how many rows it was given.
 * @param count approximate number of lines
 */
export const insertRecords = async (
  db: Db,
  { loadId, resellerId }: { readonly loadId: string; readonly resellerId: number },
  { from, to }: Blocks,
  count: number,
): Promise<void> => {
  await preferHashJoins(db, count)
  await sql`
    insert into usage_record (reseller_id, customer_id, usage_at, service_item_id, service_id, record_type_id, agreement_id, units, price,
      ${sql.raw(USAGE_TEXTS.map(({ column }) => column).join(', '))}, cost_centre, external_id)
    select ${resellerId}, i.customer_id, l.used_at, i.service_item_id, i.service_id, t.record_type_id, a.agreement_id, l.units, l.price,
      ${lineTexts}, l.cost_centre, l.external_id
    from ${goodLines(loadId)} and l.ctid >= ${`(${from},0)`}::tid and l.ctid < ${`(${to},0)`}::tid
    order by date_trunc('month', l.used_at, 'UTC'), i.customer_id, l.used_at, l.line
    on conflict do nothing`.execute(db)
}

/** Whether any customer of the reseller has its first billing period after this day. */
export const hasPeriodsFrom = async (db: Db, day: string): Promise<boolean> => {
  const { rows } = await sql`select from billing_period group by customer_id having min(starts_on) > ${day}::date limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Counts the good lines that may be a mistake: before the first period, more than a day ahead, or with a negative price.
 * @param count approximate number of lines
 */
export const countUnusualLines = async (db: Db, loadId: string, now: Date, count: number): Promise<UnusualUsage> => {
  await preferHashJoins(db, count)
  const { rows } = await sql<UnusualUsage>`
    select count(*) filter (where l.used_at < p.starts_at) as "beforeFirstPeriod", count(*) filter (where l.used_at > ${dayAhead(now)}::timestamptz) as "moreThanADayAhead", count(*) filter (where l.price < 0) as "negativePrices"
    from (select i.customer_id, l.used_at, l.price from ${goodLines(loadId)}) l
    left join (select customer_id, min(starts_on)::timestamp at time zone 'UTC' as starts_at from billing_period group by 1) p using (customer_id)`.execute(
    db,
  )
  return rows[0] ?? NOTHING_UNUSUAL
}
