import type { Day } from '@counterfoil/contract/kit/day'
import type { UsageSort } from '@counterfoil/contract/usage'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { RawRow } from '../../db/statement-batch.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { filterCondition } from './usage-filter.queries.ts'
import { namesVersion } from './usage-names.queries.ts'
import { isItemWalkCheaper } from './usage-filter.rules.ts'
import { hasCategory, isCountedByDay, isCountedByRecord, type PagePosition, type Slice } from './usage-position.queries.ts'

/** The key of a record: id and time in microseconds since 1970. */
export interface Key {
  readonly id: number
  readonly atMicros: number
}

/** A statement that readPage can run: one of those below, or a total. */
export type Statement = RawBuilder<unknown>

export interface UsagePage {
  readonly total: number
  /** The version of the names in its records: see usage-names.queries.ts. */
  readonly version: string
  readonly rows: readonly RawRow[]
}

/** Runs two statements, a total's and a page's (which begins with RECORD_COLUMNS), in one round trip, on the replica where there is one. */
export const readPage = async (
  { scope, readRaw }: Pick<CustomerRequestContext, 'scope' | 'readRaw'>,
  total: Statement,
  records: Statement,
): Promise<UsagePage> => {
  const head = sql`select (${total}) as total, ${namesVersion(scope)}`
  const [headRows, rows = []] = await readRaw([head, records], { readReplica: true })
  const [totalText, version] = headRows?.[0] ?? []
  return { total: Number(totalText), version: version ?? '', rows }
}

/** The statement for a total that is known already. */
export const literalTotal = (total: number): Statement => sql`${total}::bigint`

/**
 * The columns of a record as usage-json.rules.ts reads them. Names stand by id, because a join for each row of a page costs more than the
 * rows.
 */
const RECORD_COLUMNS = sql`u.usage_at, u.service_item_id, u.record_type_id, u.service_item2, u.service_item3, u.site, u.cost_centre, u.units, u.price`

/**
 * Whether a page by date may be read together with its total, from the months at one end: the first page, unless a filter over a long span
 * is so rare that all records of many months might be read.
 */
export const isFirstPage = (filter: UsageFilter, { offset }: Slice): boolean =>
  offset === 0 && (isCountedByDay(filter) || !(hasCategory(filter) || isCountedByRecord(filter)))

/** What stands after SQL's `order by`: the date, then the id, both in this order. */
const byDate = (order: Slice['order']): RawBuilder<unknown> => sql.raw(`u.usage_at ${order}, u.id ${order}`)

/** The statement that reads the first page of a filter by date: the newest or oldest records, without the slice's offset. */
export const rowsByDate = (scope: CustomerScope, filter: UsageFilter, { order, limit }: Slice): Statement => sql`
  select ${RECORD_COLUMNS} from usage_record u where ${filterCondition(scope, filter)} order by ${byDate(order)} limit ${limit}`

/**
 * The statement that reads the page at a position by date, from the days that hold it only. Its first record is found in the index, from
 * the nearer end of its day: with ten thousand records before it on its day, reading and skipping them takes five times as long.
 */
export const rowsAtPosition = (
  scope: CustomerScope,
  filter: UsageFilter,
  { firstDay, lastDay, skip, rest }: PagePosition,
  { order, limit }: Slice,
): Statement => {
  const isDescending = order === 'desc'
  const [dateFrom, dateTo] = isDescending
    ? [lastDay ?? filter.dateFrom, firstDay ?? filter.dateTo]
    : [firstDay ?? filter.dateFrom, lastDay ?? filter.dateTo]
  const recordsBetween = (from: Day, to: Day) =>
    sql`usage_record u where ${filterCondition(scope, { ...filter, dateFrom: from, dateTo: to })}`
  const first =
    firstDay !== null && rest < skip
      ? sql`${recordsBetween(firstDay, firstDay)} order by ${byDate(isDescending ? 'asc' : 'desc')} limit 1 offset ${rest - 1}`
      : sql`${recordsBetween(dateFrom, dateTo)} order by ${byDate(order)} limit 1 offset ${skip}`
  return sql`
    with first as materialized (select u.usage_at, u.id from ${first})
    select ${RECORD_COLUMNS} from ${recordsBetween(dateFrom, dateTo)}
      and (u.usage_at, u.id) ${sql.raw(isDescending ? '<=' : '>=')} ((select usage_at from first), (select id from first))
    order by ${byDate(order)} limit ${limit}`
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

/** The SQL of a filter's records (`from`) and of a sort's order (`by`). */
const sortedKeysQuery = (scope: CustomerScope, filter: UsageFilter, sort: Exclude<UsageSort, 'date'>, order: 'asc' | 'desc') => ({
  from: sql`usage_record u ${SORT_JOINS[sort] ?? sql``} where ${filterCondition(scope, filter)}`,
  by: sql.raw(`${SORT_COLUMNS[sort]} ${order} nulls last, u.usage_at desc, u.id desc`),
})

/**
 * The statement that reads one of the first pages of a sort other than by date. PostgreSQL keeps the top rows in a heap while it reads the
 * filter's records once.
 */
export const topRows = (
  scope: CustomerScope,
  filter: UsageFilter,
  sort: Exclude<UsageSort, 'date'>,
  { order, offset, limit }: Slice,
): Statement => {
  const { from, by } = sortedKeysQuery(scope, filter, sort, order)
  return sql`
    with best as materialized (
      select row_number() over () as nth, k.* from (select u.usage_at, u.id from ${from} order by ${by} limit ${limit} offset ${offset}) k)
    select ${RECORD_COLUMNS} from best ${joinRecord(scope)} order by best.nth`
}

/** The SQL that joins the record of each row of `best` by index probes; a plain join might read all records of the customer. */
const joinRecord = (scope: CustomerScope): Statement => sql`cross join lateral (
  select u.* from usage_record u where ${scope.owns('u')} and u.usage_at = best.usage_at and u.id = best.id limit 1) u`

/** True when a page by service item name is cheaper read item by item than by sorting all records. @param total their number */
export const canWalkItems = (filter: UsageFilter, sort: UsageSort, slice: Slice, total: number): boolean =>
  sort === 'serviceItemName' && filter.serviceItem === 0 && isItemWalkCheaper(filter, slice, total)

/**
 * The statement that reads one of the first pages by service item name: the items by name with the newest records of each, until the page
 * is full. Has fewer rows when the items have too few records: records without an item sort last and need `topRows`.
 */
export const rowsByItemName = (scope: CustomerScope, filter: UsageFilter, { order, offset, limit }: Slice): Statement => sql`
  with best as materialized (
    select row_number() over () as nth, k.* from (
      select r.* from service_item i
      cross join lateral (
        select u.* from usage_record u where u.service_item_id = i.id and ${filterCondition(scope, filter)}
        order by u.usage_at desc, u.id desc limit ${offset + limit}) r
      where ${scope.owns('i')} order by i.service_item ${sql.raw(order)}, r.usage_at desc, r.id desc limit ${limit} offset ${offset}) k)
  select ${RECORD_COLUMNS} from best u order by u.nth`

/**
 * Reads all keys of a filter in the order of a sort into one buffer, `KEY_BYTES` each: id and microseconds. The caller limits their number.
 */
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

/** The statement that reads the records of these keys, in the keys' order. */
export const rowsOfKeys = (scope: CustomerScope, keys: readonly Key[]): Statement => {
  const ids = `{${keys.map(({ id }) => id).join(',')}}`
  const instants = `{${keys.map(({ atMicros }) => atMicros).join(',')}}`
  return sql`
    select ${RECORD_COLUMNS}
    from (
      select key.id, timestamptz 'epoch' + key.at * interval '1 microsecond' as usage_at, key.nth
      from unnest(${ids}::bigint[], ${instants}::bigint[]) with ordinality as key (id, at, nth)) best
    ${joinRecord(scope)} order by best.nth`
}

/** Reads a counter that changes with every change of the customer's usage. */
export const usageVersion = async (db: Db, scope: CustomerScope): Promise<number> => {
  const { rows } = await sql<{ version: number }>`select v.version from usage_version v where ${scope.owns('v')}`.execute(db)
  return rows[0]?.version ?? 0
}
