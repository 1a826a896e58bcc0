import { addDays, type Day, firstOfMonth, lastOfMonth } from '@counterfoil/contract/kit/day'
import { daysBetween } from '@counterfoil/contract/kit/day'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { filterCondition } from './usage-filter.queries.ts'

/** The position of a page by date among the days, and the total number of records. */
export interface PagePosition {
  readonly total: number
  /** The day of the page's first record; null when the page is after the last record. */
  readonly firstDay: Day | null
  /** The day of its last record; null when the page is not full. */
  readonly lastDay: Day | null
  /** The number of records of the first day before the page. */
  readonly skip: number
  /** The number of records of the first day from the page's first record on; 0 when the page is after the last record. */
  readonly rest: number
}

export interface Slice {
  readonly order: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** Filters of up to this many days are counted by day, longer ones by month first. */
const MAX_DAYS_BY_DAY = 93

/**
 * The exact number of records of a filter and the days of a page sorted by date, from a few hundred counter rows however many records there
 * are. A single service item is counted by index, a cost centre by reading the customer's records.
 */
export const pagePosition = async (db: Db, scope: CustomerScope, filter: UsageFilter, slice: Slice): Promise<PagePosition> => {
  if (isCountedByRecord(filter) || !hasCategory(filter) || isCountedByDay(filter))
    return computePosition(db, dayCounts(scope, filter), slice)
  const months = await computePosition(db, monthCounts(scope, filter), slice)
  if (months.firstDay === null) return months
  const [earliest, latest] =
    slice.order === 'desc' ? [months.lastDay ?? filter.dateFrom, months.firstDay] : [months.firstDay, months.lastDay ?? filter.dateTo]
  const narrowedFilter: UsageFilter = {
    ...filter,
    dateFrom: max(filter.dateFrom, firstOfMonth(earliest)),
    dateTo: min(filter.dateTo, lastOfMonth(latest)),
  }
  const days = await computePosition(db, dayCounts(scope, narrowedFilter), { ...slice, offset: months.skip })
  return { ...days, total: months.total }
}

/** Whether the filter's span is so short that its records are counted by day, not by month. */
export const isCountedByDay = ({ dateFrom, dateTo }: UsageFilter): boolean => daysBetween(dateFrom, dateTo) <= MAX_DAYS_BY_DAY

/** Whether the filter has a service item or cost centre, for which there are no counters: its records themselves are counted. */
export const isCountedByRecord = ({ serviceItem, costCentre }: UsageFilter): boolean => serviceItem !== 0 || costCentre !== ''

/** The statement that counts the records of a filter exactly, as `total`; for spans that are counted by day. */
export const totalOf = (scope: CustomerScope, filter: UsageFilter): RawBuilder<unknown> =>
  sql`select coalesce(sum(n), 0)::bigint as total from (${dayCounts(scope, filter)}) counts`

const max = (a: Day, b: Day): Day => (a > b ? a : b)
const min = (a: Day, b: Day): Day => (a < b ? a : b)

/** True for a filter by category: by service, record type or agreement, which have counters of their own. Zero means no such filter. */
export const hasCategory = ({ service, recordType, agreement }: UsageFilter): boolean =>
  service !== 0 || recordType !== 0 || agreement !== 0

/** Numbers of records by day or month, of which each may have several. */
type Counts = RawBuilder<{ day: Day; n: number }>

/** The condition on rows `k` of the counters by category: that they are of the filter's service, record type and agreement. */
export const categoryCondition = (filter: UsageFilter): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    [
      sql`true`,
      ...(filter.service === 0 ? [] : [sql`k.service_id = ${filter.service}`]),
      ...(filter.recordType === 0 ? [] : [sql`k.record_type_id = ${filter.recordType}`]),
      ...(filter.agreement === 0 ? [] : [sql`k.agreement_id = ${filter.agreement}`]),
    ],
    sql` and `,
  )}`

/** The SQL of the numbers of records by day: from the records for a service item or cost centre, else from the counters. */
const dayCounts = (scope: CustomerScope, filter: UsageFilter): Counts => {
  if (isCountedByRecord(filter))
    return sql`select (u.usage_at at time zone 'UTC')::date as day, count(*) as n from usage_record u where ${filterCondition(scope, filter)} group by 1`
  if (!hasCategory(filter))
    return sql`select k.day, k.records as n from usage_day_part k where ${scope.owns('k')} and k.day between ${filter.dateFrom}::date and ${filter.dateTo}::date`
  return sql`
    select k.day, k.records as n from usage_daily_category_delta k
    where ${scope.owns('k')} and k.day between ${filter.dateFrom}::date and ${filter.dateTo}::date and ${categoryCondition(filter)}`
}

/** The first and the last of the whole months of a filter, by their first days; the last is before the first when there is none. */
export const wholeMonths = ({ dateFrom, dateTo }: UsageFilter): { firstWhole: Day; lastWhole: Day } => ({
  firstWhole: dateFrom === firstOfMonth(dateFrom) ? dateFrom : firstOfMonth(dateFrom, 1),
  lastWhole: dateTo === lastOfMonth(dateTo) ? firstOfMonth(dateTo) : firstOfMonth(dateTo, -1),
})

/**
 * The SQL of the numbers of records by month: whole months from the month counters, partial months at both ends from the day counters. Each
 * end has its own range, because one condition for both would read every day between them.
 */
const monthCounts = (scope: CustomerScope, filter: UsageFilter): Counts => {
  const { firstWhole, lastWhole } = wholeMonths(filter)
  const daysOf = (from: Day, to: Day) => sql`
    select date_trunc('month', k.day::timestamp)::date, k.records from usage_daily_category_delta k
    where ${scope.owns('k')} and k.day between ${from}::date and ${to}::date and ${categoryCondition(filter)}`
  return sql`
    select k.month as day, k.records as n from usage_month_kind_part k
    where ${scope.owns('k')} and k.month between ${firstWhole}::date and ${lastWhole}::date and ${categoryCondition(filter)}
    union all ${daysOf(filter.dateFrom, addDays(firstWhole, -1))}
    union all ${daysOf(addDays(lastOfMonth(lastWhole), 1), filter.dateTo)}`
}

/** Runs the counts and finds the page among their days or months, in the slice's order. */
const computePosition = async (db: Db, counts: Counts, { order, offset, limit }: Slice): Promise<PagePosition> => {
  const direction = sql.raw(order)
  const { rows } = await sql<{ total: number; firstDay: Day | null; before: number | null; upto: number | null; lastDay: Day | null }>`
    with counted as materialized (select day, sum(n)::bigint as n from (${counts}) counts group by day),
      placed as materialized (select day, n, sum(n) over (order by day ${direction})::bigint as upto from counted where n > 0),
      first as (select day, upto - n as before, upto from placed where upto > ${offset}::bigint order by upto limit 1),
      last as (select day from placed where upto >= ${offset + limit}::bigint order by upto limit 1)
    select (select coalesce(sum(n), 0)::bigint from counted) as total, (select day from first) as "firstDay",
      (select before from first) as before, (select upto from first) as upto, (select day from last) as "lastDay"`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a count returned no row')
  const { total, firstDay, lastDay, before, upto } = row
  return { total, firstDay, lastDay, skip: offset - (before ?? 0), rest: Math.max(0, (upto ?? 0) - offset) }
}
