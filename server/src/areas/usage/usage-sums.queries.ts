import type { Day } from '@counterfoil/contract/kit/day'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { type FigureSource, figuresByDay, totalSource } from './usage-counters.queries.ts'
import { hasCategoryFilter } from './usage-filter.queries.ts'

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
 * centre. Without a category, units are 0.
 * @throws an error with code 57014 when reading the records takes more than five seconds
 */
export const readUsageSums = async (db: Db, scope: CustomerScope, filter: UsageFilter, interval: UsageInterval): Promise<UsageSum[]> => {
  const source = sumSource(filter, interval)
  if (source === 'records') await sql.raw(`set local statement_timeout = ${MAX_RECORDS_MS}`).execute(db)
  const figures = figuresByDay(scope, filter, source, {
    ofCounters: sql`k.records, k.price, ${hasCategoryFilter(filter) ? sql`k.units` : sql`0 as units`}`,
    ofRecords: sql`count(*) as records, sum(u.price) as price, sum(u.units) as units`,
  })
  const { rows } = await sql<UsageSum>`
    select date_trunc(${interval}, day::timestamp)::date as start, sum(records)::bigint as records, sum(price) as price, sum(units) as units
    from (${figures}) figures group by 1 having sum(records) > 0 order by 1`.execute(db)
  return rows
}

/** What the sums of a filter are read from. Only categories have counters by month. */
const sumSource = (filter: UsageFilter, interval: UsageInterval): FigureSource => {
  if (totalSource(filter) === 'records') return 'records'
  return interval === 'month' && hasCategoryFilter(filter) ? 'months' : 'days'
}
