import { sql } from 'kysely'
import type { Day } from '@counterfoil/contract/kit/day'
import type { Db } from '../db/database.ts'

/** Deltas that a transaction merges, and counters of days and kinds after which it takes no further delta: it holds up nobody for long. */
const MAX_DELTAS = 500
const ENOUGH_COUNTERS = 5_000

/** The ids of the resellers whose usage has deltas that are not merged yet. As counterfoil_system. */
export const resellersWithDeltas = async (db: Db): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select distinct reseller_id as id from usage_delta order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

const KIND = sql.raw('k.service_id, k.record_type_id, k.agreement_id')
const KIND_ARRAYS = sql.raw('d.service_ids, d.record_type_ids, d.agreement_ids, d.records, d.prices, d.units')
const SUMS = sql.raw('records = m.records + excluded.records, price = m.price + excluded.price, units = m.units + excluded.units')

/** SQL: the key of the advisory lock on a reseller's deltas. */
const lockOf = (resellerId: number) => sql`hashtext('counterfoil merge usage'), ${resellerId}`

/** Waits until nobody merges a reseller's deltas, and keeps them as they are until the end of the transaction. */
export const lockDeltas = async (db: Db, resellerId: number): Promise<void> => {
  await sql`set local lock_timeout = '1min'`.execute(db)
  await sql`select pg_advisory_xact_lock(${lockOf(resellerId)})`.execute(db)
}

/** A delta, with how many counters of days and kinds it changes and whether it takes anything away. */
interface NextDelta {
  readonly customerId: number
  readonly month: Day
  readonly id: number
  readonly counters: number
  readonly takesAway: boolean
}

/** The reseller's next deltas, in the order of their keys: as many as one transaction merges. */
const nextDeltas = async (db: Db, resellerId: number, maxDeltas: number): Promise<NextDelta[]> => {
  const { rows } = await sql<NextDelta>`
    select customer_id as "customerId", month, id, cardinality(records) as counters, 0 > any (records) as "takesAway"
    from usage_delta where reseller_id = ${resellerId} order by customer_id, month, id limit ${maxDeltas}`.execute(db)
  let counters = 0
  const end = rows.findIndex((delta) => (counters += delta.counters) >= ENOUGH_COUNTERS)
  return end === -1 ? rows : rows.slice(0, end + 1)
}

/**
 * Adds the reseller's next deltas (changes of counts, which loads append) to the counters, and deletes them. As counterfoil_loader. Each
 * statement reads the same deltas: those that commit meanwhile have ids of their own.
 * @returns how many it merged; none while somebody else holds the lock
 */
export const mergeDeltas = async (db: Db, resellerId: number, maxDeltas = MAX_DELTAS): Promise<number> => {
  const { rows: locks } = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${lockOf(resellerId)}) as "isOurs"`.execute(db)
  if (locks[0]?.isOurs !== true) return 0
  const deltas = await nextDeltas(db, resellerId, maxDeltas)
  const last = deltas.at(-1)
  if (last === undefined) return 0
  const ids = [...new Set(deltas.map(({ id }) => id))]
  const taken = sql`d.reseller_id = ${resellerId} and d.id = any(${ids}::bigint[])
    and (d.customer_id, d.month, d.id) <= (${last.customerId}, ${last.month}::date, ${last.id})`
  await sql`
    insert into usage_day_merged as m (reseller_id, customer_id, day, records, price)
    select ${resellerId}, d.customer_id, k.day, sum(k.records)::bigint, sum(k.price)
    from usage_delta d cross join unnest(d.days, d.records, d.prices) as k (day, records, price)
    where ${taken} group by 2, 3 order by 2, 3
    on conflict (customer_id, day) do update set records = m.records + excluded.records, price = m.price + excluded.price`.execute(db)
  await sql`
    insert into usage_day_kind_merged as m (reseller_id, customer_id, day, service_id, record_type_id, agreement_id, records, price, units)
    select ${resellerId}, d.customer_id, k.day, ${KIND}, sum(k.records)::bigint, sum(k.price), sum(k.units)
    from usage_delta d cross join unnest(d.days, ${KIND_ARRAYS}) as k (day, service_id, record_type_id, agreement_id, records, price, units)
    where ${taken} group by 2, 3, 4, 5, 6 order by 2, 3, 4, 5, 6
    on conflict (customer_id, day, service_id, record_type_id, agreement_id) do update set ${SUMS}`.execute(db)
  await sql`
    insert into usage_month_kind_merged as m (reseller_id, customer_id, month, service_id, record_type_id, agreement_id, records, price, units)
    select ${resellerId}, d.customer_id, d.month, ${KIND}, sum(k.records)::bigint, sum(k.price), sum(k.units)
    from usage_delta d cross join unnest(${KIND_ARRAYS}) as k (service_id, record_type_id, agreement_id, records, price, units)
    where ${taken} group by 2, 3, 4, 5, 6 order by 2, 3, 4, 5, 6
    on conflict (customer_id, month, service_id, record_type_id, agreement_id) do update set ${SUMS}`.execute(db)
  await sql`
    insert into usage_month_cost_centre_merged as m (reseller_id, customer_id, month, cost_centre, records)
    select ${resellerId}, d.customer_id, d.month, k.cost_centre, sum(k.records)::bigint
    from usage_delta d cross join unnest(d.cost_centres, d.cost_centre_records) as k (cost_centre, records)
    where ${taken} group by 2, 3, 4 order by 2, 3, 4
    on conflict (customer_id, month, cost_centre) do update set records = m.records + excluded.records`.execute(db)
  const { numAffectedRows } = await sql`delete from usage_delta d where ${taken}`.execute(db)
  if (Number(numAffectedRows) !== deltas.length) throw new Error(`${numAffectedRows} deltas were merged where ${deltas.length} were read`)
  const emptied = deltas.filter(({ takesAway }) => takesAway).map(({ customerId, month }) => ({ customerId, month }))
  if (emptied.length > 0) await deleteEmptyCounters(db, JSON.stringify(emptied))
  return deltas.length
}

/** The tables of counters, with the column of their day or month. */
export const COUNTERS = [
  ['usage_day_merged', 'day'],
  ['usage_day_kind_merged', 'day'],
  ['usage_month_kind_merged', 'month'],
  ['usage_month_cost_centre_merged', 'month'],
] as const

/** Deletes the counters that stand at zero records in these months of customers. @param months as JSON */
const deleteEmptyCounters = async (db: Db, months: string): Promise<void> => {
  for (const [table, time] of COUNTERS)
    await sql`
      delete from ${sql.table(table)} k
      using (select distinct * from jsonb_to_recordset(${months}::jsonb) as m ("customerId" bigint, month date)) m
      where k.customer_id = m."customerId" and k.${sql.id(time)} >= m.month and k.${sql.id(time)} < m.month + interval '1 month' and k.records = 0`.execute(
      db,
    )
}
