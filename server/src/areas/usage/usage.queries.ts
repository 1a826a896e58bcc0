import type { RecordType, UsageFilterChoices } from '@counterfoil/contract/usage'
import type { Day } from '@counterfoil/contract/kit/day'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope, PortalScope } from '../../session/scope.ts'

/** The record types of the services that the customer uses, by name, whether or not there is usage of the type. */
export const recordTypes = async (db: Db, scope: CustomerScope): Promise<RecordType[]> => {
  const { rows: used } = await sql<{
    id: number
  }>`select distinct k.service_id as id from usage_month_kind k where ${scope.owns('k')}`.execute(db)
  const { rows } = await sql<RecordType>`
    select t.id, t.service_id as "serviceId", t.description from record_type t
    where t.service_id in (
      select i.service_id from service_item i where ${scope.owns('i')} union select unnest(${used.map(({ id }) => id)}::bigint[]))
    order by t.description, t.id limit 5000`.execute(db)
  return rows
}

/** Limits the response. */
const MAX_COST_CENTRES = 5_000

/** The months with usage, newest first, and the cost centres of all records by name where the brand shows them. */
export const filterChoices = async (db: Db, scope: PortalScope): Promise<UsageFilterChoices> => {
  const { rows: months } = await sql<{ month: Day }>`
    select date_trunc('month', d.day::timestamp)::date as month from usage_day d where ${scope.owns('d')} and d.records > 0 group by 1 order by 1 desc`.execute(
    db,
  )
  const { withCostCentre } = await exportFacts(db, scope, null)
  return { months: months.map(({ month }) => month), costCentres: withCostCentre ? await costCentres(db, scope) : [] }
}

const costCentres = async (db: Db, scope: CustomerScope): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select c.cost_centre as name from usage_month_cost_centre c where ${scope.owns('c')} and c.records > 0
    group by 1 order by 1 limit ${MAX_COST_CENTRES}`.execute(db)
  return rows.map(({ name }) => name)
}

/** The name of a service (null for another reseller's), and whether the brand shows cost centres in usage. */
export const exportFacts = async (
  db: Db,
  scope: PortalScope,
  serviceId: number | null,
): Promise<{ serviceName: string | null; withCostCentre: boolean }> => {
  const { rows } = await sql<{ serviceName: string | null; withCostCentre: boolean }>`
    select (select s.name from service s where s.id = ${serviceId}::bigint and s.reseller_id = ${scope.resellerId}) as "serviceName",
      (select b.end_show_usage_cost_centre from brand b where b.id = ${scope.brandId}) as "withCostCentre"`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the brand does not exist')
  return row
}
