import type { BrandPicture } from '@counterfoil/contract/brands'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { BrandTable, CustomerTable, ResellerTable } from '../../db/tables/tenants.ts'

export interface TenantRecord {
  readonly id: number
  readonly name: string
  readonly resellerId: number
}

/** Every reseller, as counterfoil_system. */
export const listResellers = (db: Db) =>
  db
    .selectFrom('reseller')
    .select(['id', 'name', 'currency', 'payment_type as paymentType', 'payments_enabled as paymentsEnabled'])
    .orderBy('id')
    .execute()

/** Reads the whole row of a reseller. @throws NoResultError without one of this id */
export const readReseller = (db: Db, id: number) => db.selectFrom('reseller').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** How many invoices of the reseller are in another currency than this one. As counterfoil_reseller. */
export const countInvoicesInOtherCurrency = async (db: Db, resellerId: number, currency: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from invoice join customer on customer.id = invoice.customer_id
    where customer.reseller_id = ${resellerId} and invoice.currency <> ${currency}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Whether a reseller has this name, ignoring case. As counterfoil_system. */
export const isResellerNameTaken = async (db: Db, name: string): Promise<boolean> =>
  (await db.selectFrom('reseller').select('id').where(sql`lower(name)`, '=', sql<string>`lower(${name})`).executeTakeFirst()) !== undefined

/** Inserts a reseller. As counterfoil_system. @returns the new id; undefined when the given id is taken */
export const insertReseller = async (db: Db, row: Insertable<ResellerTable>): Promise<number | undefined> => {
  const inserted = await db
    .insertInto('reseller')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** Moves the sequence of reseller ids to this id at least, so that the next reseller gets a higher one. As the schema's owner. */
export const advanceResellerSequence = async (db: Db, id: number): Promise<void> => {
  await sql`
    select setval(s, greatest(coalesce(pg_sequence_last_value(s), 1), ${id}::bigint))
    from (select pg_get_serial_sequence('reseller', 'id')::regclass as s) as sequence`.execute(db)
}

export const updateReseller = async (db: Db, id: number, changes: Updateable<ResellerTable>): Promise<void> => {
  await db.updateTable('reseller').set(changes).where('id', '=', id).execute()
}

/** The query of brands with id, name and reseller, which is 0 for brand 0; without a condition yet. */
const selectBrands = (db: Db) => db.selectFrom('brand').select(['id', 'name', sql<number>`coalesce(reseller_id, 0)`.as('resellerId')])

/** The brands with this id or name (case-insensitive), of all resellers or of one. As counterfoil_system. */
export const findBrandsByRef = (db: Db, brand: string | number, resellerId?: number): Promise<TenantRecord[]> =>
  selectBrands(db)
    .where((is) => (typeof brand === 'number' ? is('id', '=', brand) : is(sql`lower(name)`, '=', sql`lower(${brand})`)))
    .$if(resellerId !== undefined, (query) => query.where('reseller_id', '=', resellerId ?? 0))
    .orderBy('id')
    .limit(20)
    .execute()

/** The brands of a reseller by id; of all resellers for undefined. As counterfoil_system. */
export const listBrands = (db: Db, resellerId: number | undefined) =>
  db
    .selectFrom('brand')
    .select(['id', 'name', 'reseller_id as reseller', 'domain'])
    .$if(resellerId !== undefined, (query) => query.where('reseller_id', '=', resellerId ?? 0))
    .orderBy('id')
    .execute()

/** Reads the whole row of a brand. @throws NoResultError without one of this id */
export const readBrand = (db: Db, id: number) => db.selectFrom('brand').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The kinds of the pictures that a brand has of its own, with their MIME types; not their bytes. */
export const brandPictures = (db: Db, brandId: number) =>
  db.selectFrom('brand_image').select(['kind', 'content_type as contentType']).where('brand_id', '=', brandId).orderBy('kind').execute()

/** Inserts a brand; returns its id. Rejects with a unique violation for a domain that is taken. */
export const insertBrand = async (db: Db, row: Insertable<BrandTable>): Promise<number> =>
  (await db.insertInto('brand').values(row).returning('id').executeTakeFirstOrThrow()).id

export const updateBrand = async (db: Db, id: number, changes: Updateable<BrandTable>): Promise<void> => {
  await db.updateTable('brand').set(changes).where('id', '=', id).execute()
}

/** The reseller's services with this id or name (case-insensitive), two at most. As counterfoil_reseller. */
export const findServicesByRef = (db: Db, service: string | number): Promise<{ id: number }[]> =>
  db
    .selectFrom('service')
    .select('id')
    .where((is) => (typeof service === 'number' ? is('id', '=', service) : is(sql`lower(name)`, '=', sql`lower(${service})`)))
    .limit(2)
    .execute()

/** Inserts or replaces the brand's picture of this kind. */
export const savePicture = async (
  db: Db,
  picture: { brandId: number; kind: BrandPicture; contentType: string; bytes: Buffer; now: Date },
): Promise<void> => {
  const changes = { content_type: picture.contentType, bytes: picture.bytes, changed_at: picture.now }
  await db
    .insertInto('brand_image')
    .values({ brand_id: picture.brandId, kind: picture.kind, ...changes })
    .onConflict((conflict) => conflict.columns(['brand_id', 'kind']).doUpdateSet(changes))
    .execute()
}

/** Deletes the brand's own picture of this kind. @returns false when there was none */
export const deletePicture = async (db: Db, brandId: number, kind: BrandPicture): Promise<boolean> => {
  const { numDeletedRows } = await db.deleteFrom('brand_image').where('brand_id', '=', brandId).where('kind', '=', kind).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Customers by external id; where none has it, by id. Of all resellers or of one. As counterfoil_system. */
export const findCustomersByRef = async (db: Db, customer: string, resellerId?: number): Promise<TenantRecord[]> => {
  const query = db
    .selectFrom('customer')
    .select(['id', 'label as name', 'reseller_id as resellerId'])
    .$if(resellerId !== undefined, (query) => query.where('reseller_id', '=', resellerId ?? 0))
    .orderBy('id')
    .limit(20)
  const byExternalId = await query.where('external_id', '=', customer).execute()
  return byExternalId.length > 0 || !/^[1-9]\d{0,14}$/.test(customer) ? byExternalId : query.where('id', '=', Number(customer)).execute()
}

/** The first customers by id that match, of all resellers without a filter. As counterfoil_system. */
export const listCustomers = (db: Db, filter: { resellerId?: number; brandId?: number }, limit: number) =>
  db
    .selectFrom('customer')
    .select(['id', 'label as name', 'external_id as externalId', 'reseller_id as reseller', 'brand_id as brand', 'currency'])
    .$if(filter.resellerId !== undefined, (query) => query.where('reseller_id', '=', filter.resellerId ?? 0))
    .$if(filter.brandId !== undefined, (query) => query.where('brand_id', '=', filter.brandId ?? 0))
    .orderBy('id')
    .limit(limit)
    .execute()

/** Reads the whole row of a customer. @throws NoResultError without one of this id */
export const readCustomer = (db: Db, id: number) => db.selectFrom('customer').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** As counterfoil_reseller. @returns the new id; undefined when the reseller has another customer with this external id */
export const insertCustomer = async (db: Db, row: Insertable<CustomerTable>): Promise<number | undefined> => {
  const inserted = await db
    .insertInto('customer')
    .values(row)
    .onConflict((conflict) => conflict.columns(['reseller_id', 'external_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export const updateCustomer = async (db: Db, id: number, changes: Updateable<CustomerTable>): Promise<void> => {
  await db.updateTable('customer').set(changes).where('id', '=', id).execute()
}
