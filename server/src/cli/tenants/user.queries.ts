import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { AppUserTable } from '../../db/tables/tenants.ts'

/** The query of users, without their password hashes and without a condition yet. */
const selectUsers = (db: Db) =>
  db
    .selectFrom('app_user')
    .select([
      'id',
      'username',
      'display_name as displayName',
      'email',
      'reseller_id as reseller',
      'brand_id as brand',
      'external_id as externalId',
      'receipt_email as receiptEmail',
      'number_locale as numberLocale',
      sql<boolean>`disabled_at is not null`.as('disabled'),
      sql<boolean>`password_hash is not null`.as('hasPassword'),
      'disabled_at as disabledAt',
    ])

/** The user with this username (case-insensitive), disabled or not; undefined without one. As counterfoil_system. */
export const findUserByUsername = (db: Db, username: string) =>
  selectUsers(db).where(sql`lower(username)`, '=', sql<string>`lower(${username})`).executeTakeFirst()

/** The first users by username that match, disabled or not. As counterfoil_system. */
export const listUsers = (db: Db, filter: { resellerId?: number; brandId?: number; customerId?: number }, limit: number) =>
  selectUsers(db)
    .$if(filter.resellerId !== undefined, (query) => query.where('reseller_id', '=', filter.resellerId ?? 0))
    .$if(filter.brandId !== undefined, (query) => query.where('brand_id', '=', filter.brandId ?? 0))
    .$if(filter.customerId !== undefined, (query) =>
      query.where(
        'id',
        'in',
        db
          .selectFrom('user_customer')
          .select('user_id')
          .where('customer_id', '=', filter.customerId ?? 0),
      ),
    )
    .orderBy(sql`lower(username)`)
    .limit(limit)
    .execute()

/** The customers that a user may act for, the selected one first. */
export const customersOfUser = (db: Db, userId: string) =>
  db
    .selectFrom('user_customer')
    .innerJoin('customer', 'customer.id', 'user_customer.customer_id')
    .select(['customer.id', 'customer.label as name'])
    .where('user_id', '=', userId)
    .orderBy('selected', 'desc')
    .orderBy('customer.id')
    .execute()

/** Inserts a user. As counterfoil_reseller. @returns the new id; undefined when the username is taken in this installation */
export const insertUser = async (db: Db, row: Insertable<AppUserTable>): Promise<string | undefined> => {
  const inserted = await db
    .insertInto('app_user')
    .values(row)
    .onConflict((conflict) => conflict.expression(sql`lower(username)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export const updateUser = async (db: Db, id: string, changes: Updateable<AppUserTable>): Promise<void> => {
  await db.updateTable('app_user').set(changes).where('id', '=', id).execute()
}

/** Replaces the customers that the user may act for. The first is selected unless one of them already is. */
export const replaceUserCustomers = async (db: Db, userId: string, customerIds: readonly number[]): Promise<void> => {
  await db
    .deleteFrom('user_customer')
    .where('user_id', '=', userId)
    .where('customer_id', 'not in', customerIds.length === 0 ? [0] : customerIds)
    .execute()
  for (const [at, customerId] of customerIds.entries())
    await sql`
      insert into user_customer (user_id, customer_id, selected)
      values (${userId}, ${customerId}, ${at === 0} and not exists (select from user_customer where user_id = ${userId} and selected))
      on conflict do nothing`.execute(db)
}
