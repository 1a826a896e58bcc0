import { sql } from 'kysely'
import type { Db } from '../../kit/db.ts'
import { stagedRows } from './usage-staging.queries.ts'

/** Makes the partitions of the months in which the good rows lie. */
export const ensureMonths = async (db: Db, loadId: string): Promise<void> => {
  await sql`
    select ensure_usage_months(month, month)
    from (select distinct date_trunc('month', used_at at time zone 'UTC')::date as month from ${stagedRows(loadId)} where fault is null) months`.execute(
    db,
  )
}

/** Lets one load at a time write a reseller's usage: two that took turns at the same counters would wait for one another for ever. */
export const takeTurn = async (db: Db, resellerId: number): Promise<void> => {
  await sql`set local lock_timeout = '14min'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil import usage'), ${resellerId})`.execute(db)
}

/** The places of the staged rows: from the first to the last. */
export const lastPlace = async (db: Db, loadId: string): Promise<number> => {
  const { rows } = await sql<{ last: number }>`select coalesce(max(place), 0) as last from ${stagedRows(loadId)}`.execute(db)
  return rows[0]?.last ?? 0
}

/** Makes usage records of the good rows of these places, unless they are there already. The counters move with them. @returns how many are new */
export const insertRecords = async (db: Db, loadId: string, from: number, to: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    insert into usage_record (customer_id, usage_at, service_item_id, service_id, record_type_id, agreement_id, units, price,
      service_item2, service_item3, site, cost_centre, external_id)
    select customer_id, used_at, service_item_id, service_id, record_type_id, agreement_id, units, price,
      service_item2, service_item3, site, cost_centre, external_id
    from ${stagedRows(loadId)} where fault is null and place between ${from} and ${to} order by place
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}
