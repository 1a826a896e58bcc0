import type { Day } from '@counterfoil/contract/kit/day'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { type RawBuilder, sql } from 'kysely'
import type { CustomerScope } from '../../session/scope.ts'
import { dayAfter } from './usage-filter.rules.ts'

/** The start of a UTC day, for SQL. */
const instant = (day: Day): RawBuilder<Date> => sql<Date>`${`${day}T00:00:00Z`}::timestamptz`

/**
 * The SQL condition of a filter on rows `u` of usage_record: customer first, then days, then ids and the cost centre. Zero and empty mean
 * all.
 */
export const filterCondition = (scope: CustomerScope, filter: UsageFilter): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    [
      scope.owns('u'),
      sql`u.usage_at >= ${instant(filter.dateFrom)}`,
      sql`u.usage_at < ${instant(dayAfter(filter))}`,
      ...(filter.service === 0 ? [] : [sql`u.service_id = ${filter.service}`]),
      ...(filter.recordType === 0 ? [] : [sql`u.record_type_id = ${filter.recordType}`]),
      ...(filter.agreement === 0 ? [] : [sql`u.agreement_id = ${filter.agreement}`]),
      ...(filter.serviceItem === 0 ? [] : [sql`u.service_item_id = ${filter.serviceItem}`]),
      ...(filter.costCentre === '' ? [] : [sql`u.cost_centre = ${filter.costCentre}`]),
    ],
    sql` and `,
  )}`
