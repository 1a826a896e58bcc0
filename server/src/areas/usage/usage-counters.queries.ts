import { addDays, type Day, daysBetween, firstOfMonth, lastOfMonth } from '@counterfoil/contract/kit/day'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { counterCondition, filterCondition, hasCategoryFilter, type SqlFragment } from './usage-filter.queries.ts'

/** What the figures of a filter are summed from: its records themselves, or their counters by day or by month. */
export type FigureSource = 'records' | 'days' | 'months'

/** The SQL columns to sum, over counters `k` and over records `u` grouped by day. */
export interface FigureColumns {
  readonly ofCounters: SqlFragment
  readonly ofRecords: SqlFragment
}

const RECORD_COUNT: FigureColumns = { ofCounters: sql`k.records`, ofRecords: sql`count(*) as records` }

/** The records of a category are counted by day up to this many days, over a longer span by month. */
const MAX_DAYS_BY_DAY = 93

/** Whether the filter's span is so short that its records are counted by day, not by month. */
export const isShortSpan = ({ dateFrom, dateTo }: UsageFilter): boolean => daysBetween(dateFrom, dateTo) <= MAX_DAYS_BY_DAY

/** What the total of a filter is counted from. A service item and a cost centre have no counters. */
export const totalSource = (filter: UsageFilter): FigureSource => {
  if (filter.serviceItem !== 0 || filter.costCentre !== '') return 'records'
  return hasCategoryFilter(filter) && !isShortSpan(filter) ? 'months' : 'days'
}

/**
 * The SQL of a filter's figures by `day`, of which each may have several rows. Whole months from the counters by month have the first day
 * of the month; the days before and after them come from the counters by day.
 */
export const figuresByDay = (scope: CustomerScope, filter: UsageFilter, source: FigureSource, columns: FigureColumns): SqlFragment => {
  if (source === 'records')
    return sql`
      select (u.usage_at at time zone 'UTC')::date as day, ${columns.ofRecords} from usage_record u
      where ${filterCondition(scope, filter)} group by 1`
  const dayCounters = hasCategoryFilter(filter) ? sql`usage_daily_category_delta k` : sql`usage_day_part k`
  const days = (from: Day, to: Day) =>
    sql`select k.day, ${columns.ofCounters} from ${dayCounters} where ${counterCondition(scope, filter, 'day', from, to)}`
  if (source === 'days') return days(filter.dateFrom, filter.dateTo)
  const { firstWhole, lastWhole } = wholeMonths(filter)
  return sql`
    select k.month as day, ${columns.ofCounters} from usage_month_kind_part k
    where ${counterCondition(scope, filter, 'month', firstWhole, lastWhole)}
    union all ${days(filter.dateFrom, addDays(firstWhole, -1))}
    union all ${days(addDays(lastOfMonth(lastWhole), 1), filter.dateTo)}`
}

/** The first and the last of the whole months of a filter, by their first days; the last is before the first when there is none. */
const wholeMonths = ({ dateFrom, dateTo }: UsageFilter): { firstWhole: Day; lastWhole: Day } => ({
  firstWhole: dateFrom === firstOfMonth(dateFrom) ? dateFrom : firstOfMonth(dateFrom, 1),
  lastWhole: dateTo === lastOfMonth(dateTo) ? firstOfMonth(dateTo) : firstOfMonth(dateTo, -1),
})

/** The statement that counts the records of a filter exactly. */
export const totalOf = (scope: CustomerScope, filter: UsageFilter): SqlFragment =>
  sql`select coalesce(sum(records), 0)::bigint as total from (${figuresByDay(scope, filter, totalSource(filter), RECORD_COUNT)}) figures`

/** Some of a filter's records in an order. */
export interface PageRange {
  readonly order: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** Where a page by date lies among the days, and the total number of records. */
export interface PageLocation {
  readonly total: number
  /** The day of the page's first record; null when the page is after the last record. */
  readonly firstDay: Day | null
  /** The day of its last record; null when the page is not full. */
  readonly lastDay: Day | null
  /** The number of records of the first day before the page. */
  readonly rowsBefore: number
  /** The number of records of the first day from the page's first record on; 0 when the page is after the last record. */
  readonly rowsLeft: number
}

/** Finds a page by date, from a few hundred counter rows however many records there are; a filter without counters from its records. */
export const locatePage = async (db: Db, scope: CustomerScope, filter: UsageFilter, range: PageRange): Promise<PageLocation> => {
  const source = totalSource(filter)
  if (source !== 'months') return locateIn(db, scope, filter, source, range)
  const months = await locateIn(db, scope, filter, 'months', range)
  if (months.firstDay === null) return months
  const [earliest, latest] =
    range.order === 'desc' ? [months.lastDay ?? filter.dateFrom, months.firstDay] : [months.firstDay, months.lastDay ?? filter.dateTo]
  const narrowedFilter: UsageFilter = {
    ...filter,
    dateFrom: max(filter.dateFrom, firstOfMonth(earliest)),
    dateTo: min(filter.dateTo, lastOfMonth(latest)),
  }
  const days = await locateIn(db, scope, narrowedFilter, 'days', { ...range, offset: months.rowsBefore })
  return { ...days, total: months.total }
}

const max = (a: Day, b: Day): Day => (a > b ? a : b)
const min = (a: Day, b: Day): Day => (a < b ? a : b)

/** Finds the page among the days or months of the figures; a month is named by its first day. */
const locateIn = async (
  db: Db,
  scope: CustomerScope,
  filter: UsageFilter,
  source: FigureSource,
  { order, offset, limit }: PageRange,
): Promise<PageLocation> => {
  const day = source === 'months' ? sql`date_trunc('month', day::timestamp)::date` : sql`day`
  const { rows } = await sql<{ total: number; firstDay: Day | null; before: number | null; upto: number | null; lastDay: Day | null }>`
    with counted as materialized (
        select ${day} as day, sum(records)::bigint as n from (${figuresByDay(scope, filter, source, RECORD_COUNT)}) figures group by 1),
      placed as materialized (select day, n, sum(n) over (order by day ${sql.raw(order)})::bigint as upto from counted where n > 0),
      first as (select day, upto - n as before, upto from placed where upto > ${offset}::bigint order by upto limit 1),
      last as (select day from placed where upto >= ${offset + limit}::bigint order by upto limit 1)
    select (select coalesce(sum(n), 0)::bigint from counted) as total, (select day from first) as "firstDay",
      (select before from first) as before, (select upto from first) as upto, (select day from last) as "lastDay"`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a count returned no row')
  const { total, firstDay, lastDay, before, upto } = row
  return { total, firstDay, lastDay, rowsBefore: offset - (before ?? 0), rowsLeft: Math.max(0, (upto ?? 0) - offset) }
}
