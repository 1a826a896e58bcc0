import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { dayAhead, NOTHING_UNUSUAL, type UnusualUsage } from '../unusual-usage.rules.ts'
import { isInSpan, type UsageRange, type UsageRecords } from '../../usage-store/count-usage.queries.ts'
import { TAX_CATEGORY } from './focus.rules.ts'

/** The stored rows of a file in one currency. */
export interface StoredSum {
  readonly currency: string
  readonly rows: number
  /** An exact decimal. */
  readonly sum: string
}

/**
 * Deletes from the staging the rows that earlier imports stored, by their keys.
 * @param span that of the staged usage
 * @returns the stored sums of those
 */
export const unstageKnownRows = async (
  db: Db,
  resellerId: number,
  importId: string,
  span: Pick<UsageRange, 'from' | 'to'>,
): Promise<StoredSum[]> => {
  const { rows } = await sql<StoredSum>`
    with wanted as materialized (
      select r.line, r.key, r.used_at, c.id as customer_id, c.currency
      from focus_row r join customer c on c.reseller_id = ${resellerId} and c.external_id = r.customer
      where r.import_id = ${importId}
    ), stored as materialized (
      select w.line, w.currency, u.price
      from wanted w join usage_record u on u.customer_id = w.customer_id and u.external_id = w.key and u.usage_at = w.used_at
      where ${isInSpan(span)}
    ), found as materialized (
      select line, currency, price from stored
      union all
      select w.line, w.currency, t.amount from wanted w join invoice_tax_charge t on t.customer_id = w.customer_id and t.external_id = w.key
    ), known as (
      delete from focus_row r using found f where r.import_id = ${importId} and r.line = f.line returning f.currency, f.price
    )
    select currency, count(*) as rows, sum(price)::text as sum from known group by currency`.execute(db)
  return rows
}

/** The SQL condition on focus_row that a staged row is usage and no tax. */
const isUsageOf = (importId: string) => sql`import_id = ${importId} and category <> ${TAX_CATEGORY}`

/**
 * Counts the staged usage that may be a mistake (before the first period, in the future, negative); credits and taxes may well be negative.
 */
export const countUnusualCharges = async (db: Db, resellerId: number, importId: string, now: Date): Promise<UnusualUsage> => {
  const { rows } = await sql<UnusualUsage>`
    select count(*) filter (where r.used_at < p.starts_on::timestamp at time zone 'UTC') as "beforeFirstPeriod",
      count(*) filter (where r.used_at > ${dayAhead(now)}::timestamptz) as "moreThanADayAhead",
      count(*) filter (where r.price < 0 and r.category in ('Usage', 'Purchase')) as "negativePrices"
    from focus_row r join customer c on c.reseller_id = ${resellerId} and c.external_id = r.customer
    join (select customer_id, min(starts_on) as starts_on from billing_period group by 1) p on p.customer_id = c.id
    where ${isUsageOf(importId)}`.execute(db)
  return rows[0] ?? NOTHING_UNUSUAL
}

/** Inserts the services, record types and service items that the staged usage names. Existing ones stay unchanged. */
export const insertCatalogue = async (db: Db, resellerId: number, importId: string): Promise<void> => {
  await sql`
    insert into service (reseller_id, external_id, name)
    select ${resellerId}, service, service from focus_row where ${isUsageOf(importId)} group by service order by service
    on conflict (reseller_id, external_id) do nothing`.execute(db)
  await sql`
    insert into record_type (reseller_id, service_id, external_id, description)
    select ${resellerId}, s.id, r.record_type, concat_ws(' ', r.category, r.sku)
    from (select distinct service, record_type, category, sku from focus_row where ${isUsageOf(importId)}) r
    join service s on s.reseller_id = ${resellerId} and s.external_id = r.service
    order by r.record_type
    on conflict (reseller_id, external_id) do nothing`.execute(db)
  await sql`
    insert into service_item (customer_id, external_id, service_id, service_item, description, cost_centre, site)
    select c.id, r.resource, s.id, r.resource, r.resource_name, r.cost_centre, r.site
    from (select distinct on (customer, resource) * from focus_row where ${isUsageOf(importId)} and resource is not null
      order by customer, resource, cost_centre is null, line) r
    join customer c on c.reseller_id = ${resellerId} and c.external_id = r.customer
    join service s on s.reseller_id = ${resellerId} and s.external_id = r.service
    order by c.id, r.line
    on conflict (customer_id, external_id) do nothing`.execute(db)
}

/** The months of the staged rows, as their first days. */
export const listStagedMonths = async (db: Db, importId: string): Promise<string[]> => {
  const { rows } = await sql<{ month: string }>`
    select distinct date_trunc('month', used_at at time zone 'UTC')::date as month from focus_row where import_id = ${importId}`.execute(db)
  return rows.map(({ month }) => month)
}

/** Inserts the staged usage as usage records, in (customer, date) order. They are not counted here. */
export const insertUsage = async (db: Db, resellerId: number, importId: string): Promise<void> => {
  await sql`
    insert into usage_record (reseller_id, customer_id, external_id, usage_at, service_id, record_type_id, agreement_id, service_item_id,
      site, cost_centre, units, price, extras)
    select ${resellerId}, c.id, r.key, r.used_at, s.id, t.id, a.id, i.id, r.site, r.cost_centre, r.units, r.price, r.extras
    from focus_row r
    join customer c on c.reseller_id = ${resellerId} and c.external_id = r.customer
    join service s on s.reseller_id = ${resellerId} and s.external_id = r.service
    join record_type t on t.reseller_id = ${resellerId} and t.external_id = r.record_type
    join agreement a on a.customer_id = c.id and a.external_id = 'focus'
    left join service_item i on i.customer_id = c.id and i.external_id = r.resource
    where ${isUsageOf(importId)}
    order by c.id, r.used_at, r.line
    on conflict do nothing`.execute(db)
}

/** Sums up usage records by the currency of their customers. */
export const sumByCurrency = async (db: Db, records: UsageRecords): Promise<StoredSum[]> => {
  const { rows } = await sql<StoredSum>`
    with added as materialized (
      select u.customer_id, count(*) as rows, sum(u.price) as price from usage_record u where ${records.where} group by 1)
    select c.currency, sum(a.rows)::bigint as rows, sum(a.price)::text as sum
    from added a join customer c on c.id = a.customer_id group by c.currency`.execute(db)
  return rows
}
