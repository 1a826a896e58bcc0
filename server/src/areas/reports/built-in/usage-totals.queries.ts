import type { Day } from '@counterfoil/contract/kit/day'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { CustomerScope } from '../../../session/scope.ts'

/** The usage to sum: whole UTC days, both included. */
export interface UsageSpan {
  readonly from: Day
  readonly to: Day
  readonly serviceId: number | null
  readonly agreementId: number | null
}

/** The days on which the customer has usage, oldest first, and how many records each holds. */
export const usageDays = (db: Db, scope: CustomerScope, days: { from: Day; to: Day } | null): Promise<{ day: Day; records: number }[]> =>
  db
    .selectFrom('usage_day')
    .select(['day', 'records'])
    .where(scope.owns('usage_day'))
    .where('records', '>', 0)
    .$if(days !== null, (query) => query.where('day', '>=', days?.from ?? '').where('day', '<=', days?.to ?? ''))
    .orderBy('day')
    .execute()

export interface UsageSum {
  readonly serviceId: number
  readonly recordTypeId: number
  readonly serviceItemId: number | null
  /** That of the records; null when they have none, or sums are not grouped by it. */
  readonly costCentre: string | null
  readonly records: number
  /** Exact decimals. */
  readonly units: string
  readonly price: string
}

/** Sums of usage in a span by service, record type and service item, and optionally by cost centre; read from the records, in no order. */
export const usageSums = async (db: Db, scope: CustomerScope, span: UsageSpan, byCostCentre: boolean): Promise<UsageSum[]> => {
  const { rows } = await sql<UsageSum>`
    select u.service_id as "serviceId", u.record_type_id as "recordTypeId", u.service_item_id as "serviceItemId",
      ${byCostCentre ? sql`nullif(u.cost_centre, '')` : sql`null::text`} as "costCentre",
      count(*) as records, sum(u.units)::text as units, sum(u.price)::text as price
    from usage_record u
    where ${scope.owns('u')} and u.usage_at >= ${`${span.from}T00:00:00Z`}::timestamptz
      and u.usage_at < ${`${span.to}T00:00:00Z`}::timestamptz + interval '1 day'
      ${span.serviceId === null ? sql`` : sql`and u.service_id = ${span.serviceId}`}
      ${span.agreementId === null ? sql`` : sql`and u.agreement_id = ${span.agreementId}`}
    group by 1, 2, 3, 4`.execute(db)
  return rows
}

/** The cost centres of the customer's service items that have one, by the items' ids. */
export const itemCostCentres = async (db: Db, scope: CustomerScope): Promise<ReadonlyMap<number | null, string | null>> => {
  const items = await db
    .selectFrom('service_item')
    .select(['id', 'cost_centre as costCentre'])
    .where(scope.owns('service_item'))
    .where('cost_centre', '<>', '')
    .execute()
  return new Map(items.map(({ id, costCentre }) => [id, costCentre]))
}

const NAMES_PER_PAGE = 5_000

export interface NamedItem {
  readonly id: number
  readonly name: string
  readonly description: string | null
}

/** One page of the customer's service items by name; `after` is the last item of the previous page. */
export const itemsByName = (db: Db, scope: CustomerScope, after: NamedItem | null): Promise<NamedItem[]> =>
  db
    .selectFrom('service_item')
    .select(['id', 'service_item as name', 'description'])
    .where(scope.owns('service_item'))
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(service_item.service_item, service_item.id) > (${after?.name}, ${after?.id}::bigint)`),
    )
    .orderBy('service_item.service_item')
    .orderBy('service_item.id')
    .limit(NAMES_PER_PAGE)
    .execute()

/** The reseller's services, by name: also those that the customer does not use. */
export const servicesByName = (db: Db, scope: CustomerScope): Promise<{ id: number; name: string }[]> =>
  db.selectFrom('service').select(['id', 'name']).where('reseller_id', '=', scope.resellerId).orderBy('name').orderBy('id').execute()

/** The reseller's record types, by name: also those that the customer has no usage of. */
export const recordTypesByName = (db: Db, scope: CustomerScope): Promise<{ id: number; name: string }[]> =>
  db
    .selectFrom('record_type')
    .select(['id', 'description as name'])
    .where('reseller_id', '=', scope.resellerId)
    .orderBy('description')
    .orderBy('id')
    .execute()
