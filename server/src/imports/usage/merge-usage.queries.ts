import { sql } from 'kysely'
import type { Day } from '@counterfoil/contract/kit/day'
import type { Db } from '../../db/database.ts'

/** Deltas that a transaction merges, and counters of days and kinds after which it takes no further delta: it holds up nobody for long. */
const MAX_DELTAS = 500
const ENOUGH_COUNTERS = 5_000

/** The ids of the resellers whose usage has deltas that are not merged yet. As counterfoil_system. */
export const resellersWithDeltas = async (db: Db): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select distinct c.reseller_id as id from usage_delta d join customer c on c.id = d.customer_id order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** SQL: the key of the advisory lock on a reseller's deltas. */
const lockOf = (resellerId: number) => sql`hashtext('counterfoil merge usage'), ${resellerId}`

/** Waits until nobody merges a reseller's deltas, and keeps them as they are until the end of the transaction. */
export const lockDeltas = async (db: Db, resellerId: number): Promise<void> => {
  await sql`set local lock_timeout = '1min'`.execute(db)
  await sql`select pg_advisory_xact_lock(${lockOf(resellerId)})`.execute(db)
}

/**
 * Adds the reseller's next deltas (changes of counts, which loads append) to the counters, and deletes them. As counterfoil_loader, for
 * whom row-level security is evaluated once a statement and not once a customer.
 * @returns how many it merged; none while somebody else holds the lock
 */
export const mergeDeltas = async (db: Db, resellerId: number, maxDeltas = MAX_DELTAS): Promise<number> => {
  const { rows: locks } = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${lockOf(resellerId)}) as "isOurs"`.execute(db)
  if (locks[0]?.isOurs !== true) return 0
  const { rows } = await sql<{ deltas: number; emptied: { customerId: number; month: Day }[] | null }>`
    with taken as materialized (
      delete from usage_delta d using (
        select customer_id, month, id, sum(cardinality(records)) over (order by customer_id, month, id) - cardinality(records) as before
        from (select * from usage_delta order by customer_id, month, id limit ${maxDeltas}) next) n
      where d.customer_id = n.customer_id and d.month = n.month and d.id = n.id and n.before < ${ENOUGH_COUNTERS} returning d.*
    ), kind as materialized (
      select customer_id, month, k.day, k.service_id, k.record_type_id, k.agreement_id, sum(k.records)::bigint as records, sum(k.price) as price,
        sum(k.units) as units
      from taken cross join unnest(days, service_ids, record_type_ids, agreement_ids, records, prices, units)
        as k (day, service_id, record_type_id, agreement_id, records, price, units)
      group by 1, 2, 3, 4, 5, 6
    ), days as (
      insert into usage_day_merged as d (customer_id, day, records, price)
      select customer_id, day, sum(records)::bigint, sum(price) from kind group by 1, 2 order by 1, 2
      on conflict (customer_id, day) do update set records = d.records + excluded.records, price = d.price + excluded.price
    ), months as (
      insert into usage_month_kind_merged as m (customer_id, month, service_id, record_type_id, agreement_id, records, price, units)
      select customer_id, month, service_id, record_type_id, agreement_id, sum(records)::bigint, sum(price), sum(units)
      from kind group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (customer_id, month, service_id, record_type_id, agreement_id)
      do update set records = m.records + excluded.records, price = m.price + excluded.price, units = m.units + excluded.units
    ), cost_centres as (
      insert into usage_month_cost_centre_merged as c (customer_id, month, cost_centre, records)
      select customer_id, month, k.cost_centre, sum(k.records)::bigint
      from taken cross join unnest(cost_centres, cost_centre_records) as k (cost_centre, records) group by 1, 2, 3 order by 1, 2, 3
      on conflict (customer_id, month, cost_centre) do update set records = c.records + excluded.records
    ), day_kinds as (
      insert into usage_day_kind_merged as k (customer_id, day, service_id, record_type_id, agreement_id, records, price, units)
      select customer_id, day, service_id, record_type_id, agreement_id, records, price, units from kind order by 1, 2, 3, 4, 5
      on conflict (customer_id, day, service_id, record_type_id, agreement_id)
      do update set records = k.records + excluded.records, price = k.price + excluded.price, units = k.units + excluded.units
    )
    select count(*) as deltas, jsonb_agg(distinct jsonb_build_object('customerId', customer_id, 'month', month)) filter (where 0 > any (records)) as emptied
    from taken`.execute(db)
  const [merged] = rows
  if (merged?.emptied) await deleteEmptyCounters(db, JSON.stringify(merged.emptied))
  return merged?.deltas ?? 0
}

/** Deletes the counters that stand at zero records in these months of customers. @param months as JSON */
const deleteEmptyCounters = async (db: Db, months: string): Promise<void> => {
  for (const [table, time] of [
    ['usage_day_merged', 'day'],
    ['usage_day_kind_merged', 'day'],
    ['usage_month_kind_merged', 'month'],
    ['usage_month_cost_centre_merged', 'month'],
  ] as const)
    await sql`
      delete from ${sql.table(table)} k using jsonb_to_recordset(${months}::jsonb) as m ("customerId" bigint, month date)
      where k.customer_id = m."customerId" and k.${sql.id(time)} >= m.month and k.${sql.id(time)} < m.month + interval '1 month' and k.records = 0`.execute(
      db,
    )
}
