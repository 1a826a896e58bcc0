import { csvCells, csvLine } from '@counterfoil/contract/kit/csv'
import { type Day, firstOfMonth, lastOfMonth } from '@counterfoil/contract/kit/day'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../db/database.ts'
import type { ExportPlan } from '../../db/copy-out.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { type UsageRow, usageColumns } from './usage-csv.rules.ts'
import { dayAfter } from './usage-filter.rules.ts'
import { pagePosition } from './usage-position.queries.ts'
import { filterCondition } from './usage-filter.queries.ts'

/** Records per slice of an export on the embedded database, which serves nobody else meanwhile. */
const SLICE = 500

/** Counts a filter's records and makes the statements that export them as CSV, newest first. Nothing is exported yet. */
export const planUsageExport = async (db: Db, scope: CustomerScope, filter: UsageFilter, withCostCentre: boolean): Promise<ExportPlan> => {
  const { total } = await pagePosition(db, scope, filter, { order: 'desc', offset: 0, limit: 1 })
  const maxRecordId = await readMaxRecordId(db)
  return {
    rows: total,
    query: copyQuery(scope, filter, withCostCentre),
    slices: (transact) => slices(transact, scope, filter, withCostCentre, maxRecordId),
  }
}

/** The last id that was drawn for a usage record. An export leaves out the records whose ids are drawn after it began. */
const readMaxRecordId = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ maxRecordId: number }>`select last_value as "maxRecordId" from usage_record_id`.execute(db)
  return rows[0]?.maxRecordId ?? 0
}

/**
 * The SQL that puts an apostrophe before a text which a spreadsheet would evaluate, as contract/kit/csv does; an empty text becomes null.
 */
const escapeFormula = (column: string): string =>
  `case when ${column} ~ '^([\\t\\r\\n]|[ \\u00a0\\u3000]*[-=+@|\\uff1d\\uff0b\\uff0d\\uff20])' then '''' || ${column} else nullif(${column}, '') end`

/** An id as SQL text. @throws RangeError for anything but a whole number */
const idLiteral = (id: number): string => {
  if (!Number.isSafeInteger(id)) throw new RangeError('an id is not a whole number')
  return String(id)
}

/** The start of a UTC day as SQL text. @throws RangeError for anything but a day */
const dayLiteral = (day: Day): string => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new RangeError('a day is not a day')
  return `timestamptz '${day} 00:00:00+00'`
}

/** The SQL text for COPY, which takes no parameters; every inlined value is checked to be a number or a day, or quoted. */
const copyQuery = (scope: CustomerScope, filter: UsageFilter, withCostCentre: boolean): string => {
  const conditions = [
    `u.customer_id = ${idLiteral(scope.customerId)}`,
    `u.usage_at >= ${dayLiteral(filter.dateFrom)}`,
    `u.usage_at < ${dayLiteral(dayAfter(filter))}`,
    ...(filter.service === 0 ? [] : [`u.service_id = ${idLiteral(filter.service)}`]),
    ...(filter.recordType === 0 ? [] : [`u.record_type_id = ${idLiteral(filter.recordType)}`]),
    ...(filter.agreement === 0 ? [] : [`u.agreement_id = ${idLiteral(filter.agreement)}`]),
    ...(filter.serviceItem === 0 ? [] : [`u.service_item_id = ${idLiteral(filter.serviceItem)}`]),
    ...(filter.costCentre === '' ? [] : [`u.cost_centre = ${pg.escapeLiteral(filter.costCentre)}`]),
  ]
  return `
    with item as materialized (
      select i.id, ${escapeFormula('i.service_item')} as name, ${escapeFormula('i.description')} as description from service_item i
      where i.customer_id = ${idLiteral(scope.customerId)}),
    kind as materialized (select t.id, ${escapeFormula('t.description')} as name from record_type t)
    select item.name, ${escapeFormula('u.service_item2')}, ${escapeFormula('u.service_item3')}, kind.name, round(u.units, 2), item.description,
      ${escapeFormula('u.site')}, (u.usage_at at time zone 'UTC')::date, round(u.price, 4)${withCostCentre ? `, ${escapeFormula('u.cost_centre')}` : ''}
    from usage_record u left join item on item.id = u.service_item_id join kind on kind.id = u.record_type_id
    where ${conditions.join(' and ')}
    order by u.usage_at desc, u.id desc`
}

type TransactExport = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** The end of a slice; the instant is text because a Date has no microseconds. */
interface SliceEnd {
  readonly id: number
  readonly instant: string
}

/**
 * The CSV lines of a filter's records in parts of at most `SLICE`, each read by a short statement, because the embedded database has a
 * single session.
 */
const slices = async function* (
  transact: TransactExport,
  scope: CustomerScope,
  filter: UsageFilter,
  withCostCentre: boolean,
  maxRecordId: number,
): AsyncGenerator<string> {
  const columns = usageColumns(withCostCentre)
  for (const month of await transact((db) => monthsOf(db, scope, filter))) {
    let after: SliceEnd | null = null
    for (;;) {
      const rows: (UsageRow & SliceEnd)[] = await transact((db) => slice(db, scope, month, maxRecordId, after))
      if (rows.length > 0) yield rows.map((row) => `${csvLine(csvCells(columns, row))}\n`).join('')
      if (rows.length < SLICE) break
      after = rows.at(-1) ?? null
    }
  }
}

/** Splits the filter into filters of a month each, newest first, where the customer has usage, so that each slice reads one partition. */
const monthsOf = async (db: Db, scope: CustomerScope, filter: UsageFilter): Promise<UsageFilter[]> => {
  const months = await db
    .selectFrom('usage_month_kind as k')
    .select('k.month')
    .distinct()
    .where(scope.owns('k'))
    .where('k.month', '>=', firstOfMonth(filter.dateFrom))
    .where('k.month', '<=', filter.dateTo)
    .orderBy('k.month', 'desc')
    .execute()
  return months.map(({ month }) => ({
    ...filter,
    dateFrom: month > filter.dateFrom ? month : filter.dateFrom,
    dateTo: lastOfMonth(month) < filter.dateTo ? lastOfMonth(month) : filter.dateTo,
  }))
}

/** Reads the next records, newest first and at most `SLICE`, after the end of the last slice. */
const slice = async (db: Db, scope: CustomerScope, filter: UsageFilter, maxRecordId: number, after: SliceEnd | null) => {
  const { rows } = await sql<UnnamedRow>`
    select u.usage_at::text as instant, u.usage_at as "usageAt", u.id, u.service_item_id as "itemId", u.service_item2 as "serviceItem2",
      u.service_item3 as "serviceItem3", u.site as "siteName", u.units, u.price, t.description as "recordType", u.cost_centre as "costCentre"
    from (
      select u.* from usage_record u
      where ${filterCondition(scope, filter)} and u.id <= ${maxRecordId}
        and ${after === null ? sql`true` : sql`(u.usage_at, u.id) < (${after.instant}::timestamptz, ${after.id})`}
      order by u.usage_at desc, u.id desc limit ${SLICE}) u
    join record_type t on t.id = u.record_type_id
    order by u.usage_at desc, u.id desc`.execute(db)
  const items = await itemsOf(db, scope, rows)
  return rows.map((row) => ({ ...row, ...(items.get(row.itemId) ?? NO_ITEM) }))
}

type UnnamedRow = Omit<UsageRow, keyof ItemNames> & SliceEnd & { readonly itemId: number | null }
type ItemNames = Pick<UsageRow, 'serviceItemName' | 'serviceItemDescription'>
const NO_ITEM: ItemNames = { serviceItemName: null, serviceItemDescription: null }

/** The item names of these records. With a join, each slice might read all items of the customer, who may have ten thousand. */
const itemsOf = async (db: Db, scope: CustomerScope, rows: readonly UnnamedRow[]): Promise<ReadonlyMap<number | null, ItemNames>> => {
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
