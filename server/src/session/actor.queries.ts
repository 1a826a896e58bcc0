import type { SectionFlags } from '@counterfoil/contract/kit/sections'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface ActorRow extends SectionFlags {
  readonly sessionId: string
  /** The name of the support employee who uses the session; null in a session of the user's own. */
  readonly supporter: string | null
  /** The only customer that the session may act for; null without such a limit. */
  readonly onlyCustomerId: number | null
  readonly userId: string
  readonly displayName: string
  readonly brandId: number
  readonly resellerId: number
  readonly isAlive: boolean
  readonly idleUntil: Date
  /** The customer named by the header, if the user may act for it; without a header the user's only customer. */
  readonly customerId: number | null
  readonly customers: number
}

/**
 * The session with its user, the brand's section flags and the requested customer, also of a session that has ended (`isAlive` is false).
 * One query, because every authenticated request begins with it. A user acts only for customers of its own reseller.
 */
export const findActorRow = async (
  db: Db,
  sessionId: string,
  requestedCustomerId: number | null,
  now: Date,
): Promise<ActorRow | undefined> => {
  const { rows } = await sql<ActorRow>`
    select s.id as "sessionId", s.supporter, s.only_customer_id as "onlyCustomerId", u.id as "userId", u.display_name as "displayName", u.brand_id as "brandId", u.reseller_id as "resellerId",
      s.ended_at is null and s.idle_until > ${now} and s.absolute_until > ${now} and u.disabled_at is null as "isAlive", s.idle_until as "idleUntil",
      may.customer_id as "customerId", may.customers,
      b.end_show_dashboard as "endShowDashboard", b.end_show_invoices as "endShowInvoices", b.end_show_usage as "endShowUsage",
      b.end_show_transactions as "endShowTransactions", b.end_show_reports as "endShowReports", b.end_show_cost_centre as "endShowCostCentre",
      b.end_show_service_item as "endShowServiceItem"
    from session s
    join app_user u on u.id = s.user_id
    join brand b on b.id = u.brand_id
    cross join lateral (
      select min(m.customer_id) as customer_id, count(*)::int as customers
      from (
        select uc.customer_id from user_customer uc join customer c on c.id = uc.customer_id and c.reseller_id = u.reseller_id
        where uc.user_id = u.id and (${requestedCustomerId}::bigint is null or uc.customer_id = ${requestedCustomerId}::bigint)
          and (s.only_customer_id is null or uc.customer_id = s.only_customer_id)
        limit 2) m) may
    where s.id = ${sessionId}`.execute(db)
  return rows[0]
}

/** The id of the brand with exactly this domain; undefined without one. */
export const brandIdOfHost = async (db: Db, host: string): Promise<number | undefined> => {
  const row = await db.selectFrom('brand').select('id').where('domain', '=', host).executeTakeFirst()
  return row?.id
}
