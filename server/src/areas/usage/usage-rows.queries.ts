import type { Day } from '@counterfoil/contract/kit/day'
import type { UsageSort } from '@counterfoil/contract/usage'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { USAGE_TEXTS, type UsageText } from '../../db/tables/usage-columns.data.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { PageLocation, PageRange } from './usage-counters.queries.ts'
import { filterCondition, type SqlFragment } from './usage-filter.queries.ts'
import { itemsWith, recordTypesWith, withoutNestedLoops } from './usage-names.queries.ts'

/** The key of a record: id and time in microseconds since 1970. */
export interface Key {
  readonly id: number
  readonly atMicros: number
}

/** SQL: the plain texts of a record `u`, by their fields. */
const TEXT_COLUMNS = Object.fromEntries(USAGE_TEXTS.map(({ field, column }) => [field, `u.${column}`])) as Record<
  UsageText['field'],
  string
>

/**
 * The columns of a record as usage-json.rules.ts reads them. Names stand by id, because a join for each row of a page costs more than the
 * rows.
 */
const RECORD_COLUMNS = sql.raw(
  ['u.usage_at, u.service_item_id, u.record_type_id, u.cost_centre, u.units, u.price', ...Object.values(TEXT_COLUMNS)].join(', '),
)

/** What stands after SQL's `order by`: the date, then the id, both in this order. */
const byDate = (order: PageRange['order']): SqlFragment => sql.raw(`u.usage_at ${order}, u.id ${order}`)

/** The statement that reads the first records of a filter by date. */
export const firstRowsByDate = (scope: CustomerScope, filter: UsageFilter, { order, limit }: PageRange): SqlFragment => sql`
  select ${RECORD_COLUMNS} from usage_record u where ${filterCondition(scope, filter)} order by ${byDate(order)} limit ${limit}`

/**
 * The statement that reads a located page by date, from the days that hold it only. Its first record is found in the index, from the nearer
 * end of its day: with ten thousand records before it on its day, reading and skipping them takes five times as long.
 */
export const locatedRowsByDate = (
  scope: CustomerScope,
  filter: UsageFilter,
  { order, limit }: PageRange,
  { firstDay, lastDay, rowsBefore, rowsLeft }: PageLocation,
): SqlFragment => {
  const isDescending = order === 'desc'
  const [dateFrom, dateTo] = isDescending
    ? [lastDay ?? filter.dateFrom, firstDay ?? filter.dateTo]
    : [firstDay ?? filter.dateFrom, lastDay ?? filter.dateTo]
  const recordsBetween = (from: Day, to: Day) =>
    sql`usage_record u where ${filterCondition(scope, { ...filter, dateFrom: from, dateTo: to })}`
  const first =
    firstDay !== null && rowsLeft < rowsBefore
      ? sql`${recordsBetween(firstDay, firstDay)} order by ${byDate(isDescending ? 'asc' : 'desc')} limit 1 offset ${rowsLeft - 1}`
      : sql`${recordsBetween(dateFrom, dateTo)} order by ${byDate(order)} limit 1 offset ${rowsBefore}`
  return sql`
    with first as materialized (select u.usage_at, u.id from ${first})
    select ${RECORD_COLUMNS} from ${recordsBetween(dateFrom, dateTo)}
      and (u.usage_at, u.id) ${sql.raw(isDescending ? '<=' : '>=')} ((select usage_at from first), (select id from first))
    order by ${byDate(order)} limit ${limit}`
}

/** A sort other than by date. */
export type KeySort = Exclude<UsageSort, 'date'>

/** The SQL of the text or figure of a sort; nulls sort last. */
const SORT_COLUMNS: Readonly<Record<KeySort, string>> = {
  serviceItemName: 'item.name',
  serviceItemDescription: 'item.name',
  recordType: 'kind.name',
  costCentre: 'u.cost_centre',
  units: 'u.units',
  price: 'u.price',
  ...TEXT_COLUMNS,
}

const ITEM_JOIN = sql`left join item on item.id = u.service_item_id`

/** For SQL, the names by which a sort orders and which are not in the records: what stands in the `with`, and how it is joined. */
const namesOfSort = (scope: CustomerScope, sort: KeySort): { readonly tables: readonly SqlFragment[]; readonly join: SqlFragment } => {
  if (sort === 'serviceItemName') return { tables: [itemsWith(scope, 'i.service_item as name')], join: ITEM_JOIN }
  if (sort === 'serviceItemDescription') return { tables: [itemsWith(scope, 'i.description as name')], join: ITEM_JOIN }
  if (sort === 'recordType')
    return { tables: [recordTypesWith(scope, 't.description as name')], join: sql`join kind on kind.id = u.record_type_id` }
  return { tables: [], join: sql`` }
}

/** The order of a filter's records. */
interface KeyOrder {
  readonly sort: KeySort
  readonly order: PageRange['order']
}

/**
 * SQL of a `with`, which has `sorted`: the ids and instants of a filter's records in an order. Ties are sorted newest first, then by id, so
 * that pages never overlap.
 */
const sortedKeys = (scope: CustomerScope, filter: UsageFilter, { sort, order }: KeyOrder, limit: SqlFragment): SqlFragment => {
  const { tables, join } = namesOfSort(scope, sort)
  const sorted = sql`
    sorted as (
      select u.usage_at, u.id from usage_record u ${join} where ${filterCondition(scope, filter)}
      order by ${sql.raw(`${SORT_COLUMNS[sort]} ${order} nulls last`)}, u.usage_at desc, u.id desc ${limit})`
  return sql.join([...tables, sorted])
}

/**
 * SQL of a `with`, which has the keys of one of the first pages of a sort. PostgreSQL keeps the top keys in a heap while it reads the
 * filter's records once.
 */
export const firstKeys = (
  scope: CustomerScope,
  filter: UsageFilter,
  sort: KeySort,
  { order, offset, limit }: PageRange,
): SqlFragment => sql`
  ${sortedKeys(scope, filter, { sort, order }, sql`limit ${limit} offset ${offset}`)},
  page as materialized (select row_number() over () as nth, usage_at, id from sorted)`

/** SQL of a `with`, which has these keys in their order. */
export const givenKeys = (keys: readonly Key[]): SqlFragment => {
  const ids = `{${keys.map(({ id }) => id).join(',')}}`
  const instants = `{${keys.map(({ atMicros }) => atMicros).join(',')}}`
  return sql`
    page as materialized (
      select key.nth, timestamptz 'epoch' + key.at * interval '1 microsecond' as usage_at, key.id
      from unnest(${ids}::bigint[], ${instants}::bigint[]) with ordinality as key (id, at, nth))`
}

/** The statement that reads the records of the keys in `page` by index probes; a plain join might read all records of the customer. */
export const rowsOfKeys = (scope: CustomerScope, page: SqlFragment): SqlFragment => sql`
  with ${page}
  select ${RECORD_COLUMNS} from page cross join lateral (
    select u.* from usage_record u where ${scope.owns('u')} and u.usage_at = page.usage_at and u.id = page.id limit 1) u
  order by page.nth`

/**
 * Reads all keys of a filter in the order of a sort into one buffer, `KEY_BYTES` each: id and microseconds. The caller limits their number.
 */
export const encodeSortedKeys = async (db: Db, scope: CustomerScope, filter: UsageFilter, order: KeyOrder): Promise<Buffer> => {
  await sql`set local work_mem = '256MB'`.execute(db)
  await withoutNestedLoops.execute(db)
  const { rows } = await sql<{ keys: Buffer | null }>`
    with ${sortedKeys(scope, filter, order, sql``)}
    select string_agg(int8send(id) || int8send((extract(epoch from usage_at) * 1000000)::bigint), ''::bytea) as keys from sorted`.execute(
    db,
  )
  return rows[0]?.keys ?? Buffer.alloc(0)
}

/** The most service item names of one statement: the first of them have the records of most pages. */
const MAX_ITEM_NAMES = 200

/**
 * The statement that reads the next service item names, in the order of a sort, with the ids of the items that have each, as an array's text.
 * @param after the last name that was read; null for the first names
 */
export const nextItemNames = (scope: CustomerScope, order: PageRange['order'], after: string | null): SqlFragment => sql`
  select i.service_item, array_agg(i.id) from service_item i
  where ${scope.owns('i')} ${after === null ? sql`` : sql`and i.service_item ${sql.raw(order === 'asc' ? '>' : '<')} ${after}`}
  group by 1 order by 1 ${sql.raw(order)} limit ${MAX_ITEM_NAMES}`

/**
 * The statement that reads records by service item name: name by name the newest of its items, until the limit is reached. Each row ends
 * with the number of records read, those before the offset included; a single row without a record says it where the offset is not reached.
 * @param itemIds the ids of the items of each name, in the order of the names, as an array's text
 * @param range the number of records to read, and of those that are left out of the rows
 */
export const rowsByItemName = (
  scope: CustomerScope,
  filter: UsageFilter,
  itemIds: readonly string[],
  { offset, limit }: Omit<PageRange, 'order'>,
): SqlFragment => sql`
  with walked as materialized (
    select row_number() over () as nth, r.* from (
      select u.* from unnest(${itemIds}::text[]) with ordinality as name (item_ids, nth) cross join lateral (
        select u.* from unnest(name.item_ids::bigint[]) as item (id) cross join lateral (
          select u.* from usage_record u where ${filterCondition(scope, filter)} and u.service_item_id = item.id
          order by u.usage_at desc, u.id desc limit ${limit}) u
        order by u.usage_at desc, u.id desc limit ${limit}) u
      order by name.nth, u.usage_at desc, u.id desc limit ${limit}) r)
  select ${RECORD_COLUMNS}, count.rows from (select count(*) as rows from walked) count left join walked u on u.nth > ${offset} order by u.nth`

/** The statement that reads a counter that changes with every change of the customer's usage. */
export const usageVersion = (scope: CustomerScope): SqlFragment => sql`select v.version from usage_version v where ${scope.owns('v')}`
