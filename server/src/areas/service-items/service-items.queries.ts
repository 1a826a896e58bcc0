import { addDays, type Span } from '@counterfoil/contract/kit/day'
import { MAX_SERVICE_ITEMS, type ServiceItem, type ServiceItemUsage } from '@counterfoil/contract/service-items'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'

const COLUMNS = ['id', 'service_id as serviceId', 'service_item as serviceItem', 'description', 'cost_centre as costCentre'] as const

/** Lists the customer's service items of one service, or of all services for null, by name; at most `MAX_SERVICE_ITEMS`. */
export const listServiceItems = (db: Db, scope: CustomerScope, serviceId: number | null): Promise<ServiceItem[]> =>
  db
    .selectFrom('service_item')
    .select(COLUMNS)
    .where(scope.owns('service_item'))
    .$if(serviceId !== null, (query) => query.where('service_id', '=', serviceId))
    .orderBy('service_item')
    .orderBy('id')
    .limit(MAX_SERVICE_ITEMS)
    .execute()

/**
 * The exact price of the usage of each service item in whole UTC days, of one service or of all services for null; at most one item
 * more than a list may have. Reads the index of the customer's months alone.
 * @throws the database's error 57014 when it takes longer than `maxMs`
 */
export const usagePrices = async (
  db: Db,
  scope: CustomerScope,
  serviceId: number | null,
  { from, to }: Span,
  maxMs: number,
): Promise<ServiceItemUsage[]> => {
  await sql`set local statement_timeout = ${sql.lit(maxMs)}`.execute(db)
  const { rows } = await sql<ServiceItemUsage>`
    select u.service_item_id as id, sum(u.price)::text as price from usage_record u
    where ${scope.owns('u')} and u.usage_at >= ${`${from}T00:00:00Z`}::timestamptz and u.usage_at < ${`${addDays(to, 1)}T00:00:00Z`}::timestamptz
      and u.service_item_id is not null ${serviceId === null ? sql`` : sql`and u.service_id = ${serviceId}`}
    group by 1 limit ${MAX_SERVICE_ITEMS + 1}`.execute(db)
  return rows
}

export type ServiceItemTexts = Partial<Pick<ServiceItem, 'description' | 'costCentre'>>

/** Finds a service item and locks its row until the transaction ends; undefined when the customer has none with this id. */
export const lockServiceItem = (db: Db, scope: CustomerScope, id: number): Promise<ServiceItem | undefined> =>
  db.selectFrom('service_item').select(COLUMNS).where(scope.owns('service_item')).where('id', '=', id).forUpdate().executeTakeFirst()

/** Stores both texts of a service item. @returns the item as it is then */
export const updateServiceItem = (
  db: Db,
  scope: CustomerScope,
  id: number,
  { description, costCentre }: Required<ServiceItemTexts>,
): Promise<ServiceItem> =>
  db
    .updateTable('service_item')
    .set({ description, cost_centre: costCentre })
    .where(scope.owns('service_item'))
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
