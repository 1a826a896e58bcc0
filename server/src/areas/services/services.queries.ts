import type { Service } from '@counterfoil/contract/services'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'

/** Lists the services of which the customer has service items or usage, by name; the reseller's other services are left out. */
export const listServices = async (db: Db, scope: CustomerScope): Promise<Service[]> => {
  const { rows } = await sql<Service>`
    select s.id, s.name, s.service_item_label as "serviceItemLabel" from service s
    where s.id in (
      select i.service_id from service_item i where ${scope.owns('i')}
      union select k.service_id from usage_month_kind k where ${scope.owns('k')})
    order by s.name, s.id limit 5000`.execute(db)
  return rows
}
