import { type Day, firstOfMonth, lastOfMonth } from '@counterfoil/contract/kit/day'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'

/** The opening balance in minor units, with its currency and the day for which it stands; undefined when none is recorded. */
export const openingBalance = (db: Db, scope: CustomerScope) =>
  db
    .selectFrom('opening_balance')
    .innerJoin('customer', 'customer.id', 'opening_balance.customer_id')
    .select(['opening_balance.balance_minor as minor', 'opening_balance.as_of_on as asOf', 'customer.currency'])
    .where(scope.owns('opening_balance'))
    .executeTakeFirst()

export interface BundleRow {
  readonly id: number
  readonly name: string
  readonly productName: string | null
  readonly serviceItem: string | null
  readonly quantity: string | null
  readonly unitLabel: string | null
  readonly consumption: string | null
}

const MAX_PRODUCTS = 500

/**
 * The customer's bundles with their products, one row per product, in the order of creation. A bundle without products has one row with
 * nulls.
 */
export const bundleProducts = async (db: Db, scope: CustomerScope): Promise<BundleRow[]> => {
  const { rows } = await sql<BundleRow>`
    select bundle.id, bundle.name, product.product_name as "productName", product.service_item as "serviceItem", product.quantity,
      product.unit_label as "unitLabel", product.consumption
    from bundle left join bundle_product product on product.customer_id = bundle.customer_id and product.bundle_id = bundle.id
    where ${scope.owns('bundle')} order by bundle.id, product.product_no limit ${MAX_PRODUCTS}`.execute(db)
  return rows
}

export interface UsageSum {
  readonly startsOn: Day
  readonly gigabytes: string
}

/** Gigabytes used in each of the last 24 calendar months, this month included, newest first. A month without usage has no row. */
export const dataUsageByMonth = (db: Db, scope: CustomerScope, today: Day): Promise<UsageSum[]> =>
  db
    .selectFrom('data_usage_day as d')
    .select([
      sql<string>`to_char(date_trunc('month', d.used_on), 'YYYY-MM-DD')`.as('startsOn'),
      sql<string>`sum(d.gigabytes)`.as('gigabytes'),
    ])
    .where(scope.owns('d'))
    .where('d.used_on', '>=', firstOfMonth(today, -23))
    .where('d.used_on', '<=', lastOfMonth(today))
    .groupBy('startsOn')
    .orderBy('startsOn', 'desc')
    .execute()

/**
 * Gigabytes used in the current month by week, oldest first; weeks start on the days 1, 8, 15, 22 and 29. A week without usage has no row.
 */
export const dataUsageByWeek = (db: Db, scope: CustomerScope, today: Day): Promise<UsageSum[]> =>
  db
    .selectFrom('data_usage_day as d')
    .select([
      sql<string>`to_char(d.used_on - (extract(day from d.used_on)::int - 1) % 7, 'YYYY-MM-DD')`.as('startsOn'),
      sql<string>`sum(d.gigabytes)`.as('gigabytes'),
    ])
    .where(scope.owns('d'))
    .where('d.used_on', '>=', firstOfMonth(today))
    .where('d.used_on', '<=', lastOfMonth(today))
    .groupBy('startsOn')
    .orderBy('startsOn')
    .execute()
