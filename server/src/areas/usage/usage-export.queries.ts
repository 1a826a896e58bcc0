import { csvCells, csvLine } from '@counterfoil/contract/kit/csv'
import { type Day, firstOfMonth, lastOfMonth } from '@counterfoil/contract/kit/day'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ExportPlan } from '../../db/copy-out.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { usageColumns } from './usage-csv.rules.ts'
import { endOf, type UsageFilter } from './usage-filter.rules.ts'
import { placeOf } from './usage-position.queries.ts'
import { matches, type UsageRow } from './usage-rows.queries.ts'

/** So many records make one slice of an export on the embedded database, which answers nobody else meanwhile. */
const SLICE = 500

/** How a filter's records are exported, newest first; the number of them is counted in the same snapshot. */
export const usageExport = async (db: Db, scope: CustomerScope, filter: UsageFilter, withCostCentre: boolean): Promise<ExportPlan> => {
  const { total } = await placeOf(db, scope, filter, { order: 'desc', offset: 0, limit: 1 })
  const newest = await newestId(db)
  return {
    rows: total,
    query: copyQuery(scope, filter, withCostCentre),
    slices: (within) => slices(within, scope, filter, withCostCentre, newest),
  }
}

/** Records that are loaded while an export runs have higher ids, and are left out of it. */
const newestId = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ newest: number }>`select last_value as newest from usage_record_id`.execute(db)
  return rows[0]?.newest ?? 0
}

/** A text that a spreadsheet would run gets an apostrophe, as contract/kit/csv does it. */
const defused = (column: string): string => `case when ${column} ~ '^[=+@|\\t\\r-]' then '''' || ${column} else nullif(${column}, '') end`

const number = (id: number): string => {
  if (!Number.isSafeInteger(id)) throw new RangeError('an id is not a whole number')
  return String(id)
}

const dayText = (day: Day): string => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new RangeError('a day is not a day')
  return `timestamptz '${day} 00:00:00+00'`
}

/** The records as COPY takes them: every value written out, so each is checked to be a number or a day. */
const copyQuery = (scope: CustomerScope, filter: UsageFilter, withCostCentre: boolean): string => {
  const keep = [
    `u.customer_id = ${number(scope.customerId)}`,
    `u.usage_at >= ${dayText(filter.fromDay)}`,
    `u.usage_at < ${dayText(endOf(filter))}`,
    ...(filter.serviceId === null ? [] : [`u.service_id = ${number(filter.serviceId)}`]),
    ...(filter.recordTypeId === null ? [] : [`u.record_type_id = ${number(filter.recordTypeId)}`]),
    ...(filter.agreementId === null ? [] : [`u.agreement_id = ${number(filter.agreementId)}`]),
    ...(filter.serviceItemId === null ? [] : [`u.service_item_id = ${number(filter.serviceItemId)}`]),
  ]
  return `
    with item as materialized (
      select i.id, ${defused('i.service_item')} as name, ${defused('i.description')} as description from service_item i
      where i.customer_id = ${number(scope.customerId)}),
    kind as materialized (select t.id, ${defused('t.description')} as name from record_type t)
    select item.name, ${defused('u.service_item2')}, ${defused('u.service_item3')}, kind.name, round(u.units, 2), item.description,
      ${defused('u.site')}, (u.usage_at at time zone 'UTC')::date, round(u.price, 4)${withCostCentre ? `, ${defused('u.cost_centre')}` : ''}
    from usage_record u left join item on item.id = u.service_item_id join kind on kind.id = u.record_type_id
    where ${keep.join(' and ')}
    order by u.usage_at desc, u.id desc`
}

type Within = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** Where a slice ended; the instant as text, because a Date knows no microseconds. */
interface Ended {
  readonly id: number
  readonly instant: string
}

/** The same in pieces, each a short statement: the embedded database has one session for everybody. */
const slices = async function* (
  within: Within,
  scope: CustomerScope,
  filter: UsageFilter,
  withCostCentre: boolean,
  newest: number,
): AsyncGenerator<string> {
  const columns = usageColumns(withCostCentre)
  for (const month of await within((db) => monthsOf(db, scope, filter))) {
    let after: Ended | null = null
    for (;;) {
      const rows: (UsageRow & Ended)[] = await within((db) => slice(db, scope, month, newest, after))
      if (rows.length > 0) yield rows.map((row) => `${csvLine(csvCells(columns, row))}\n`).join('')
      if (rows.length < SLICE) break
      after = rows.at(-1) ?? null
    }
  }
}

/** The filter in pieces of the months that have records, newest first: a slice of one month is planned over one partition. */
const monthsOf = async (db: Db, scope: CustomerScope, filter: UsageFilter): Promise<UsageFilter[]> => {
  const months = await db
    .selectFrom('usage_month_kind as k')
    .select('k.month')
    .distinct()
    .where(scope.owns('k'))
    .where('k.month', '>=', firstOfMonth(filter.fromDay))
    .where('k.month', '<=', filter.toDay)
    .orderBy('k.month', 'desc')
    .execute()
  return months.map(({ month }) => ({
    ...filter,
    fromDay: month > filter.fromDay ? month : filter.fromDay,
    toDay: lastOfMonth(month) < filter.toDay ? lastOfMonth(month) : filter.toDay,
  }))
}

const slice = async (db: Db, scope: CustomerScope, filter: UsageFilter, newest: number, after: Ended | null) => {
  const { rows } = await sql<Nameless>`
    select u.usage_at::text as instant, u.usage_at as "usageAt", u.id, u.service_item_id as "itemId", u.service_item2 as "serviceItem2",
      u.service_item3 as "serviceItem3", u.site as "siteName", u.units, u.price, t.description as "recordType", u.cost_centre as "costCentre"
    from (
      select u.* from usage_record u
      where ${matches(scope, filter)} and u.id <= ${newest}
        and ${after === null ? sql`true` : sql`(u.usage_at, u.id) < (${after.instant}::timestamptz, ${after.id})`}
      order by u.usage_at desc, u.id desc limit ${SLICE}) u
    join record_type t on t.id = u.record_type_id
    order by u.usage_at desc, u.id desc`.execute(db)
  const items = await itemsOf(db, scope, rows)
  return rows.map((row) => ({ ...row, ...(items.get(row.itemId) ?? NO_ITEM) }))
}

type Nameless = Omit<UsageRow, keyof ItemNames> & Ended & { readonly itemId: number | null }
type ItemNames = Pick<UsageRow, 'serviceItemName' | 'serviceItemDescription'>
const NO_ITEM: ItemNames = { serviceItemName: null, serviceItemDescription: null }

/** The names of these records' items. Joined, the planner may read all items of the customer, who may have ten thousand, for each slice. */
const itemsOf = async (db: Db, scope: CustomerScope, rows: readonly Nameless[]): Promise<ReadonlyMap<number | null, ItemNames>> => {
  const ids = [...new Set(rows.map(({ itemId }) => itemId))].filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const items = await db
    .selectFrom('service_item as i')
    .select(['i.id', 'i.service_item as serviceItemName', 'i.description as serviceItemDescription'])
    .where(scope.owns('i'))
    .where('i.id', 'in', ids)
    .execute()
  return new Map(items.map(({ id, ...names }) => [id, names]))
}
