import { addDays, type Day, lastOfMonth } from '@counterfoil/contract/kit/day'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { filterCondition } from './usage-filter.queries.ts'
import { hasCategory, isCountedByRecord, categoryCondition, wholeMonths } from './usage-position.queries.ts'

export type UsageInterval = 'day' | 'month'

/** The sums of one day, or of the days of one month that the filter has. */
export interface UsageSum {
  /** Its first day, also when the filter begins later in its month. */
  readonly start: Day
  readonly records: number
  /** Exact decimals; units of several record types have no meaning. */
  readonly price: string
  readonly units: string
}

/** How long sums may take that the counters do not have. A million records in memory take about a second. */
const MAX_RECORDS_MS = 5_000

/**
 * The exact sums of a filter by day or month, where there are records: from the counters, or from the records for a service item or a cost
 * centre.
 * @throws an error with code 57014 when reading the records takes more than five seconds
 */
export const readUsageSums = async (db: Db, scope: CustomerScope, filter: UsageFilter, interval: UsageInterval): Promise<UsageSum[]> => {
  if (isCountedByRecord(filter)) await sql.raw(`set local statement_timeout = ${MAX_RECORDS_MS}`).execute(db)
  const { rows } = await sql<UsageSum>`
    select date_trunc(${interval}, day::timestamp)::date as start, sum(records)::bigint as records, sum(price) as price, sum(units) as units
    from (${sumsOf(scope, filter, interval)}) sums group by 1 having sum(records) > 0 order by 1`.execute(db)
  return rows
}

/**
 * The SQL of records, price and units by day or month: from the records for a service item or cost centre, else from the counters. Without
 * a category, units are 0.
 */
const sumsOf = (scope: CustomerScope, filter: UsageFilter, interval: UsageInterval): RawBuilder<unknown> => {
  if (isCountedByRecord(filter))
    return sql`
      select (u.usage_at at time zone 'UTC')::date as day, count(*) as records, sum(u.price) as price, sum(u.units) as units
      from usage_record u where ${filterCondition(scope, filter)} group by 1`
  if (!hasCategory(filter))
    return sql`
      select k.day, k.records, k.price, 0 as units from usage_day_part k
      where ${scope.owns('k')} and k.day between ${filter.dateFrom}::date and ${filter.dateTo}::date`
  return interval === 'day' ? daysOf(scope, filter, filter.dateFrom, filter.dateTo) : monthsOf(scope, filter)
}

/** The SQL of the sums by day from the day counters. */
const daysOf = (scope: CustomerScope, filter: UsageFilter, from: Day, to: Day): RawBuilder<unknown> => sql`
  select k.day, k.records, k.price, k.units from usage_daily_category_delta k
  where ${scope.owns('k')} and k.day between ${from}::date and ${to}::date and ${categoryCondition(filter)}`

/** The SQL of the sums by month: whole months from the month counters, the days before and after them from the day counters. */
const monthsOf = (scope: CustomerScope, filter: UsageFilter): RawBuilder<unknown> => {
  const { firstWhole, lastWhole } = wholeMonths(filter)
  return sql`
    select k.month as day, k.records, k.price, k.units from usage_month_kind_part k
    where ${scope.owns('k')} and k.month between ${firstWhole}::date and ${lastWhole}::date and ${categoryCondition(filter)}
    union all ${daysOf(scope, filter, filter.dateFrom, addDays(firstWhole, -1))}
    union all ${daysOf(scope, filter, addDays(lastOfMonth(lastWhole), 1), filter.dateTo)}`
}
