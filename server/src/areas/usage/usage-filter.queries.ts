import type { Day } from '@counterfoil/contract/kit/day'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { type RawBuilder, sql } from 'kysely'
import type { CustomerScope } from '../../session/scope.ts'
import { dayAfter } from './usage-filter.rules.ts'

/** A part of a statement, or a whole one. */
export type SqlFragment = RawBuilder<unknown>

/** The start of a UTC day, for SQL. */
const instant = (day: Day): RawBuilder<Date> => sql<Date>`${`${day}T00:00:00Z`}::timestamptz`

/** The fields of a filter by category with their columns. */
const CATEGORIES = [
  ['service', 'service_id'],
  ['recordType', 'record_type_id'],
  ['agreement', 'agreement_id'],
] as const

/** True for a filter by category: by service, record type or agreement, which have counters of their own. Zero means no such filter. */
export const hasCategoryFilter = (filter: UsageFilter): boolean => CATEGORIES.some(([field]) => filter[field] !== 0)

/** The conditions on the categories of records `u` or counters `k`. */
const categoryConditions = (filter: UsageFilter, table: 'u' | 'k'): RawBuilder<boolean>[] =>
  CATEGORIES.filter(([field]) => filter[field] !== 0).map(([field, column]) => sql`${sql.raw(`${table}.${column}`)} = ${filter[field]}`)

/** The condition of a filter on rows `u` of usage_record: customer first, then days, then ids and the cost centre. */
export const filterCondition = (scope: CustomerScope, filter: UsageFilter): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    [
      scope.owns('u'),
      sql`u.usage_at >= ${instant(filter.dateFrom)}`,
      sql`u.usage_at < ${instant(dayAfter(filter))}`,
      ...categoryConditions(filter, 'u'),
      ...(filter.serviceItem === 0 ? [] : [sql`u.service_item_id = ${filter.serviceItem}`]),
      ...(filter.costCentre === '' ? [] : [sql`u.cost_centre = ${filter.costCentre}`]),
    ],
    sql` and `,
  )}`

/** The condition of a filter's categories on rows `k` of the counters by day or by month, from the first to the last of these days. */
export const counterCondition = (
  scope: CustomerScope,
  filter: UsageFilter,
  time: 'day' | 'month',
  from: Day,
  to: Day,
): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    [scope.owns('k'), sql`${sql.raw(`k.${time}`)} between ${from}::date and ${to}::date`, ...categoryConditions(filter, 'k')],
    sql` and `,
  )}`
