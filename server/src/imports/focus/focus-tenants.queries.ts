import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { NamedRecord } from '../resellers.queries.ts'

/** The reseller's brands with this id or name (case-insensitive). */
export const findBrands = async (db: Db, resellerId: number, brand: string | number): Promise<NamedRecord[]> => {
  const query = db.selectFrom('brand').select(['id', 'name']).where('reseller_id', '=', resellerId)
  const matching = typeof brand === 'number' ? query.where('id', '=', brand) : query.where(sql`lower(name)`, '=', sql`lower(${brand})`)
  return await matching.orderBy('id').execute()
}

/** The currency of each of the reseller's customers, by external id. */
export const findCustomerCurrencies = async (db: Db, resellerId: number): Promise<Map<string, string>> => {
  const rows = await db.selectFrom('customer').select(['external_id', 'currency']).where('reseller_id', '=', resellerId).execute()
  return new Map(rows.flatMap(({ external_id: id, currency }) => (id === null ? [] : [[id, currency]])))
}

/** Inserts a reseller. As counterfoil_system, the only role that may. */
export const insertReseller = (db: Db, name: string, currency: string, symbol: string): Promise<NamedRecord> =>
  db
    .insertInto('reseller')
    .values({ name, legal_name: name, currency, currency_symbol: symbol })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()

export const insertBrand = (db: Db, resellerId: number, name: string, symbol: string): Promise<NamedRecord> =>
  db
    .insertInto('brand')
    .values({ reseller_id: resellerId, name, currency_symbol: symbol })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()

export interface NewCustomer {
  readonly customer: string
  readonly label: string
  readonly currency: string
  readonly symbol: string
  readonly account: string
}

/** Inserts new customers in order, each with an agreement, and renames customers and agreements whose name has changed. */
export const upsertCustomers = async (db: Db, resellerId: number, brandId: number, customers: readonly NewCustomer[]): Promise<void> => {
  const list = sql`json_to_recordset(${JSON.stringify(customers.map((customer, position) => ({ ...customer, position })))}::json)
    as n(customer text, label text, currency text, symbol text, account text, position integer)`
  await sql`
    insert into customer as c (reseller_id, brand_id, external_id, label, currency, currency_symbol)
    select ${resellerId}, ${brandId}, n.customer, n.label, n.currency, n.symbol from ${list} order by n.position
    on conflict (reseller_id, external_id) do update set label = excluded.label where c.label <> excluded.label`.execute(db)
  await sql`
    insert into agreement as a (customer_id, external_id, name)
    select c.id, 'focus', n.account from ${list} join customer c on c.reseller_id = ${resellerId} and c.external_id = n.customer
    order by n.position
    on conflict (customer_id, external_id) do update set name = excluded.name where a.name <> excluded.name`.execute(db)
}

/**
 * Finds the first of these customers that is stored under another brand or is billed in another currency; undefined when all are in place.
 */
export const findMisplacedCustomer = async (
  db: Db,
  resellerId: number,
  brandId: number,
  customers: readonly NewCustomer[],
): Promise<{ customer: string; brand: string; currency: string } | undefined> => {
  const { rows } = await sql<{ customer: string; brand: string; currency: string }>`
    select n.customer, b.name as brand, c.currency
    from json_to_recordset(${JSON.stringify(customers)}::json) as n(customer text, currency text)
    join customer c on c.reseller_id = ${resellerId} and c.external_id = n.customer
    join brand b on b.id = c.brand_id
    where c.brand_id <> ${brandId} or c.currency <> n.currency
    order by c.id
    limit 1`.execute(db)
  return rows[0]
}

/**
 * Finds a user of the transaction's reseller, by username (ignoring case) or by the external id that an import gave the user; undefined
 * without one.
 */
export const findUser = (
  db: Db,
  criterion: { username: string } | { externalId: string },
): Promise<{ id: string; username: string } | undefined> =>
  db
    .selectFrom('app_user')
    .select(['id', 'username'])
    .where((user) =>
      'username' in criterion
        ? user(sql`lower(username)`, '=', sql`lower(${criterion.username})`)
        : user('external_id', '=', criterion.externalId),
    )
    .executeTakeFirst()

export interface NewUser {
  readonly resellerId: number
  readonly brandId: number
  readonly username: string
  readonly displayName: string
  readonly externalId: string
  readonly passwordHash: string
  readonly now: Date
}

/**
 * Inserts a user with this password; the external id stays off where a user has it already.
 * @returns the new user's id; undefined when the username is taken in this installation
 */
export const insertUser = async (db: Db, user: NewUser): Promise<string | undefined> => {
  const existing = await findUser(db, { externalId: user.externalId })
  const inserted = await db
    .insertInto('app_user')
    .values({
      reseller_id: user.resellerId,
      brand_id: user.brandId,
      username: user.username,
      display_name: user.displayName,
      external_id: existing === undefined ? user.externalId : null,
      password_hash: user.passwordHash,
      password_changed_at: user.now,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(username)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** Lets the user act for these customers, beside those of before. The first is selected unless the user has one selected. */
export const addUserCustomers = async (db: Db, resellerId: number, userId: string, customers: readonly string[]): Promise<void> => {
  await sql`
    insert into user_customer (user_id, customer_id, selected)
    select ${userId}, c.id, n.position = 1 and not exists (select from user_customer u where u.user_id = ${userId} and u.selected)
    from json_array_elements_text(${JSON.stringify(customers)}::json) with ordinality as n(customer, position)
    join customer c on c.reseller_id = ${resellerId} and c.external_id = n.customer
    on conflict (user_id, customer_id) do nothing`.execute(db)
}
