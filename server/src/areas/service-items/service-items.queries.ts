import { MAX_SERVICE_ITEMS, type ServiceItem } from '@counterfoil/contract/service-items'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'

const COLUMNS = ['id', 'service_id as serviceId', 'service_item as serviceItem', 'description', 'cost_centre as costCentre'] as const

/** The customer's service items of one service, or of all when it is null, by name. */
export const serviceItemRows = (db: Db, scope: CustomerScope, serviceId: number | null): Promise<ServiceItem[]> =>
  db
    .selectFrom('service_item')
    .select(COLUMNS)
    .where(scope.owns('service_item'))
    .$if(serviceId !== null, (query) => query.where('service_id', '=', serviceId))
    .orderBy('service_item')
    .orderBy('id')
    .limit(MAX_SERVICE_ITEMS)
    .execute()

export type ServiceItemTexts = Partial<Pick<ServiceItem, 'description' | 'costCentre'>>

/** A service item, locked until the transaction ends; undefined when the customer has none with this id. */
export const lockServiceItem = (db: Db, scope: CustomerScope, id: number): Promise<ServiceItem | undefined> =>
  db.selectFrom('service_item').select(COLUMNS).where(scope.owns('service_item')).where('id', '=', id).forUpdate().executeTakeFirst()

/** Updates the given texts of a service item. */
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
