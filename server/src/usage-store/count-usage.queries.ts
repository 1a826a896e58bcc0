import { firstOfMonth } from '@counterfoil/contract/kit/day'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The records `u` of usage that a load added or an undo takes away, in SQL. */
export interface UsageRecords {
  /** What stands before the statement: nothing, or a `with` of materialized tables. */
  readonly with: RawBuilder<unknown>
  readonly where: RawBuilder<boolean>
}

/** The records that an import added: those of its reseller with ids between two that no record has, and instants in a span. */
export interface UsageRange {
  readonly firstId: number
  readonly lastId: number
  /** Exact text. */
  readonly from: string
  /** Exclusive. */
  readonly to: string
}

/** The span of these months. @param months their first days; at least one */
export const spanOf = (months: readonly string[]): Pick<UsageRange, 'from' | 'to'> => {
  const sorted = months.toSorted()
  return { from: `${sorted[0] ?? ''} 00:00:00+00`, to: `${firstOfMonth(sorted.at(-1) ?? '', 1)} 00:00:00+00` }
}

/** SQL: whether a record `u` lies in a span. */
export const isInSpan = ({ from, to }: Pick<UsageRange, 'from' | 'to'>): RawBuilder<boolean> =>
  sql<boolean>`u.usage_at >= ${from}::timestamptz and u.usage_at < ${to}::timestamptz`

/** The records of a range. Loads of other resellers may have taken ids in between. */
export const recordsInRange = (resellerId: number, range: UsageRange): UsageRecords => ({
  with: sql``,
  where: sql<boolean>`u.reseller_id = ${resellerId} and u.id between ${range.firstId} and ${range.lastId} and ${isInSpan(range)}`,
})

/** The number of records. */
export const countRecords = async (db: Db, records: UsageRecords): Promise<number> => {
  const { rows } = await sql<{ n: number }>`${records.with} select count(*) as n from usage_record u where ${records.where}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Deletes records. Who calls it has counted them with sign -1. */
export const deleteUsage = async (db: Db, records: UsageRecords): Promise<void> => {
  await sql`${records.with} delete from usage_record u where ${records.where}`.execute(db)
}

/**
 * Counts records that were inserted, or that are about to be deleted, before their transaction commits: adds a delta for each customer and
 * month, which `mergeUsage` merges into the counters later, and a new version for each customer.
 * @param records all of this reseller
 * @param sign 1 for records that were inserted, -1 for those that are about to be deleted
 */
export const countUsage = async (db: Db, resellerId: number, records: UsageRecords, sign: 1 | -1): Promise<void> => {
  const { rows } = await sql<{ id: number }>`select nextval('usage_record_id') as id`.execute(db)
  const deltaId = rows[0]?.id ?? 0
  await sql`
    ${records.with}
    insert into usage_delta (reseller_id, id, customer_id, month, days, service_ids, record_type_ids, agreement_ids, records, prices, units,
      cost_centres, cost_centre_records)
    select ${resellerId}, ${deltaId}, customer_id, month, p.days, p.service_ids, p.record_type_ids, p.agreement_ids, p.records, p.prices, p.units,
      c.cost_centres, c.cost_centre_records
    from (
      select customer_id, date_trunc('month', day::timestamp)::date as month, array_agg(day) as days, array_agg(service_id) as service_ids,
        array_agg(record_type_id) as record_type_ids, array_agg(agreement_id) as agreement_ids, array_agg(records) as records,
        array_agg(price) as prices, array_agg(units) as units
      from (
        select u.customer_id, (u.usage_at at time zone 'UTC')::date as day, u.service_id, u.record_type_id,
          coalesce(u.agreement_id, 0) as agreement_id, ${sign} * count(*) as records, ${sign} * sum(u.price) as price, ${sign} * sum(u.units) as units
        from usage_record u where ${records.where} group by 1, 2, 3, 4, 5) kind
      group by 1, 2) p
    left join (
      select customer_id, month, array_agg(cost_centre) as cost_centres, array_agg(records) as cost_centre_records
      from (
        select u.customer_id, date_trunc('month', u.usage_at at time zone 'UTC')::date as month, u.cost_centre, ${sign} * count(*) as records
        from usage_record u where ${records.where} and u.cost_centre <> '' group by 1, 2, 3) centre
      group by 1, 2) c using (customer_id, month)
    on conflict do nothing`.execute(db)
  await sql`
    insert into usage_version as v (reseller_id, customer_id, version)
    select distinct ${resellerId}::integer, d.customer_id, 1 from usage_delta d where d.id = ${deltaId} order by 2
    on conflict (customer_id) do update set version = v.version + 1`.execute(db)
}
