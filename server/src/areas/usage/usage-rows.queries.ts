import type { UsageSort } from '@counterfoil/contract/usage'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { filterCondition } from './usage-filter.queries.ts'
import { isItemWalkCheaper } from './usage-filter.rules.ts'
import { isCountedByDay, type PagePosition, type Slice, totalOf } from './usage-position.queries.ts'

export interface UsageRow {
  readonly usageAt: Date
  readonly serviceItemName: string | null
  readonly serviceItemDescription: string | null
  readonly serviceItem2: string | null
  readonly serviceItem3: string | null
  readonly siteName: string | null
  /** Exact decimals. */
  readonly units: string
  readonly price: string
  readonly recordType: string
  readonly costCentre: string | null
}

/** The key of a record: id and time in microseconds since 1970. */
export interface Key {
  readonly id: number
  readonly atMicros: number
}

const COLUMNS = sql`u.usage_at as "usageAt", i.service_item as "serviceItemName", i.description as "serviceItemDescription",
  u.service_item2 as "serviceItem2", u.service_item3 as "serviceItem3", u.site as "siteName", u.units, u.price, t.description as "recordType",
  u.cost_centre as "costCentre"`

const NAME_JOINS = sql`left join service_item i on i.customer_id = u.customer_id and i.id = u.service_item_id
  join record_type t on t.id = u.record_type_id`

/** The newest or oldest records of a filter, without the joined names. */
const byDate = (scope: CustomerScope, filter: UsageFilter, { order, limit }: Slice, skip: number): RawBuilder<unknown> => sql`
  select u.* from usage_record u where ${filterCondition(scope, filter)}
  order by u.usage_at ${sql.raw(order)}, u.id ${sql.raw(order)} limit ${limit} offset ${skip}`

/** True when one query may read the first page by date with its total. Over many months a second, narrower query reads less. */
export const isSingleQuery = (filter: UsageFilter, { offset }: Slice): boolean => offset === 0 && isCountedByDay(filter)

/** Reads the first page by date and the exact total in one query. */
export const readFirstPage = async (
  db: Db,
  scope: CustomerScope,
  filter: UsageFilter,
  slice: Slice,
): Promise<{ total: number; rows: UsageRow[] }> => {
  const { rows } = await sql<UsageRow & { total: number; isRecord: boolean | null }>`
    select counted.total, page.* from (${totalOf(scope, filter)}) counted
    left join (
      select true as "isRecord", u.id, ${COLUMNS} from (${byDate(scope, filter, slice, 0)}) u ${NAME_JOINS}) page on true
    order by page."usageAt" ${sql.raw(slice.order)}, page.id ${sql.raw(slice.order)}`.execute(db)
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ isRecord }) => isRecord === true) }
}

/** Reads the page at a position by date, from the days that hold it only. */
export const rowsAtPosition = async (
  db: Db,
  scope: CustomerScope,
  filter: UsageFilter,
  position: PagePosition,
  { order, offset, limit }: Slice,
): Promise<UsageRow[]> => {
  if (position.firstDay === null) return []
  const [earliest, latest] =
    order === 'desc' ? [position.lastDay ?? filter.dateFrom, position.firstDay] : [position.firstDay, position.lastDay ?? filter.dateTo]
  const narrowedFilter = { ...filter, dateFrom: earliest, dateTo: latest }
  const by = sql.raw(`u.usage_at ${order}, u.id ${order}`)
  const { rows } = await sql<UsageRow>`
    select ${COLUMNS}
    from (${byDate(scope, narrowedFilter, { order, offset, limit }, position.skip)}) u ${NAME_JOINS} order by ${by}`.execute(db)
  return rows
}

/** The SQL column of each sort; nulls sort last. Ties are sorted newest first, then by id, so that pages never overlap. */
const SORT_COLUMNS: Readonly<Record<Exclude<UsageSort, 'date'>, string>> = {
  serviceItemName: 'i.service_item',
  serviceItemDescription: 'i.description',
  recordType: 't.description',
  serviceItem2: 'u.service_item2',
  serviceItem3: 'u.service_item3',
  siteName: 'u.site',
  costCentre: 'u.cost_centre',
  units: 'u.units',
  price: 'u.price',
}

const SORT_JOINS: Readonly<Partial<Record<UsageSort, RawBuilder<unknown>>>> = {
  serviceItemName: sql`left join service_item i on i.customer_id = u.customer_id and i.id = u.service_item_id`,
  serviceItemDescription: sql`left join service_item i on i.customer_id = u.customer_id and i.id = u.service_item_id`,
  recordType: sql`join record_type t on t.id = u.record_type_id`,
}

const sortedKeysQuery = (scope: CustomerScope, filter: UsageFilter, sort: Exclude<UsageSort, 'date'>, order: 'asc' | 'desc') => ({
  from: sql`usage_record u ${SORT_JOINS[sort] ?? sql``} where ${filterCondition(scope, filter)}`,
  by: sql.raw(`${SORT_COLUMNS[sort]} ${order} nulls last, u.usage_at desc, u.id desc`),
})

/** Reads one of the first pages of a sort other than by date. @param total the number of records of the filter */
export const topRows = async (
  db: Db,
  scope: CustomerScope,
  filter: UsageFilter,
  sort: Exclude<UsageSort, 'date'>,
  slice: Slice,
  total: number,
): Promise<UsageRow[]> => {
  const canWalk = sort === 'serviceItemName' && filter.serviceItem === 0 && isItemWalkCheaper(filter, slice, total)
  const walked = canWalk ? await rowsByItemName(db, scope, filter, slice) : []
  const isFull = canWalk && walked.length === Math.min(slice.limit, total - slice.offset)
  return isFull ? walked : topRowsBySort(db, scope, filter, sort, slice)
}

/** PostgreSQL keeps the top rows in a heap while it reads the filter's records once. */
const topRowsBySort = async (
  db: Db,
  scope: CustomerScope,
  filter: UsageFilter,
  sort: Exclude<UsageSort, 'date'>,
  { order, offset, limit }: Slice,
): Promise<UsageRow[]> => {
  const { from, by } = sortedKeysQuery(scope, filter, sort, order)
  const { rows } = await sql<UsageRow>`
    with best as materialized (
      select row_number() over () as nth, k.* from (select u.usage_at, u.id from ${from} order by ${by} limit ${limit} offset ${offset}) k)
    select ${COLUMNS} from best ${joinRecord(scope)} ${NAME_JOINS} order by best.nth`.execute(db)
  return rows
}

/** Joins the record of each row of `best` by index probes; a plain join might read all records of the customer. */
const joinRecord = (scope: CustomerScope): RawBuilder<unknown> => sql`cross join lateral (
  select u.* from usage_record u where ${scope.owns('u')} and u.usage_at = best.usage_at and u.id = best.id limit 1) u`

/**
 * Reads one of the first pages sorted by service item name: the items by name with the newest records of each, until the page is full.
 * Returns fewer rows when the items have too few records: records without an item sort last and need `topRowsBySort`.
 */
const rowsByItemName = async (db: Db, scope: CustomerScope, filter: UsageFilter, slice: Slice): Promise<UsageRow[]> => {
  const { order, offset, limit } = slice
  const { rows } = await sql<UsageRow>`
    with best as materialized (
      select row_number() over () as nth, k.* from (
        select r.*, i.service_item as item_name, i.description as item_description from service_item i
        cross join lateral (
          select u.* from usage_record u where u.service_item_id = i.id and ${filterCondition(scope, filter)}
          order by u.usage_at desc, u.id desc limit ${offset + limit}) r
        where ${scope.owns('i')} order by i.service_item ${sql.raw(order)}, r.usage_at desc, r.id desc limit ${limit} offset ${offset}) k)
    select ${COLUMNS} from best u join record_type t on t.id = u.record_type_id
    cross join lateral (select u.item_name as service_item, u.item_description as description) i order by u.nth`.execute(db)
  return rows
}

/** All keys of a filter in the order of a sort, 16 bytes each: id and microseconds. The caller limits their number. */
export const packedKeys = async (
  db: Db,
  scope: CustomerScope,
  filter: UsageFilter,
  sort: Exclude<UsageSort, 'date'>,
  order: 'asc' | 'desc',
): Promise<Buffer> => {
  const { from, by } = sortedKeysQuery(scope, filter, sort, order)
  await sql`set local work_mem = '256MB'`.execute(db)
  const { rows } = await sql<{ keys: Buffer | null }>`
    select string_agg(int8send(k.id) || int8send((extract(epoch from k.usage_at) * 1000000)::bigint), ''::bytea) as keys
    from (select u.id, u.usage_at from ${from} order by ${by}) k`.execute(db)
  return rows[0]?.keys ?? Buffer.alloc(0)
}

/** Reads the records of these keys, in their order. */
export const rowsOfKeys = async (db: Db, scope: CustomerScope, keys: readonly Key[]): Promise<UsageRow[]> => {
  if (keys.length === 0) return []
  const ids = `{${keys.map(({ id }) => id).join(',')}}`
  const instants = `{${keys.map(({ atMicros }) => atMicros).join(',')}}`
  const { rows } = await sql<UsageRow>`
    select ${COLUMNS}
    from (
      select key.id, timestamptz 'epoch' + key.at * interval '1 microsecond' as usage_at, key.nth
      from unnest(${ids}::bigint[], ${instants}::bigint[]) with ordinality as key (id, at, nth)) best
    ${joinRecord(scope)} ${NAME_JOINS} order by best.nth`.execute(db)
  return rows
}

/** A counter that changes with every change of the customer's usage. */
export const usageVersion = async (db: Db, scope: CustomerScope): Promise<number> => {
  const { rows } = await sql<{ version: number }>`select v.version from usage_version v where ${scope.owns('v')}`.execute(db)
  return rows[0]?.version ?? 0
}
