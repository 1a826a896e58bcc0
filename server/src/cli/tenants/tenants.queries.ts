import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { BrandTable, CustomerTable, ResellerTable } from '../../db/tables/tenants.ts'

export interface Found {
  readonly id: number
  readonly name: string
  readonly resellerId: number
}

/** Every reseller, as counterfoil_system. */
export const allResellers = (db: Db) =>
  db
    .selectFrom('reseller')
    .select(['id', 'name', 'currency', 'payment_type as paymentType', 'payments_enabled as paymentsEnabled'])
    .orderBy('id')
    .execute()

export const resellerRow = (db: Db, id: number) => db.selectFrom('reseller').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export const resellersCalled = async (db: Db, name: string): Promise<boolean> =>
  (await db.selectFrom('reseller').select('id').where(sql`lower(name)`, '=', sql<string>`lower(${name})`).executeTakeFirst()) !== undefined

/** As counterfoil_system; with an id, that one. @returns nothing when the id is taken */
export const insertReseller = async (db: Db, row: Insertable<ResellerTable>): Promise<number | undefined> => {
  const made = await db
    .insertInto('reseller')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

/** The next reseller without an id of its own comes after this one. Needs the schema's owner. */
export const countResellersFrom = async (db: Db, id: number): Promise<void> => {
  await sql`
    select setval(s, greatest(coalesce(pg_sequence_last_value(s), 1), ${id}::bigint))
    from (select pg_get_serial_sequence('reseller', 'id')::regclass as s) as sequence`.execute(db)
}

export const updateReseller = async (db: Db, id: number, to: Updateable<ResellerTable>): Promise<void> => {
  await db.updateTable('reseller').set(to).where('id', '=', id).execute()
}

const foundBrands = (db: Db) => db.selectFrom('brand').select(['id', 'name', sql<number>`coalesce(reseller_id, 0)`.as('resellerId')])

/** The brands of this id or name, whatever its case; of all resellers or of one. As counterfoil_system. */
export const brandsCalled = (db: Db, brand: string | number, resellerId?: number): Promise<Found[]> =>
  foundBrands(db)
    .where((is) => (typeof brand === 'number' ? is('id', '=', brand) : is(sql`lower(name)`, '=', sql`lower(${brand})`)))
    .$if(resellerId !== undefined, (query) => query.where('reseller_id', '=', resellerId ?? 0))
    .orderBy('id')
    .limit(20)
    .execute()

export const allBrands = (db: Db, resellerId: number | undefined) =>
  db
    .selectFrom('brand')
    .select(['id', 'name', 'reseller_id as reseller', 'domain'])
    .$if(resellerId !== undefined, (query) => query.where('reseller_id', '=', resellerId ?? 0))
    .orderBy('id')
    .execute()

export const brandRow = (db: Db, id: number) => db.selectFrom('brand').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Which of the two pictures a brand has, and of what kind they are. */
export const brandPictures = (db: Db, brandId: number) =>
  db.selectFrom('brand_image').select(['kind', 'content_type as contentType']).where('brand_id', '=', brandId).orderBy('kind').execute()

export const insertBrand = async (db: Db, row: Insertable<BrandTable>): Promise<number> =>
  (await db.insertInto('brand').values(row).returning('id').executeTakeFirstOrThrow()).id

export const updateBrand = async (db: Db, id: number, to: Updateable<BrandTable>): Promise<void> => {
  await db.updateTable('brand').set(to).where('id', '=', id).execute()
}

/** The reseller's services of this id or name. As counterfoil_reseller. */
export const servicesCalled = (db: Db, service: string | number): Promise<{ id: number }[]> =>
  db
    .selectFrom('service')
    .select('id')
    .where((is) => (typeof service === 'number' ? is('id', '=', service) : is(sql`lower(name)`, '=', sql`lower(${service})`)))
    .limit(2)
    .execute()

export const putPicture = async (
  db: Db,
  picture: { brandId: number; kind: 'logo' | 'banner'; contentType: string; bytes: Buffer; now: Date },
): Promise<void> => {
  const to = { content_type: picture.contentType, bytes: picture.bytes, changed_at: picture.now }
  await db
    .insertInto('brand_image')
    .values({ brand_id: picture.brandId, kind: picture.kind, ...to })
    .onConflict((conflict) => conflict.columns(['brand_id', 'kind']).doUpdateSet(to))
    .execute()
}

/** @returns whether there was one */
export const dropPicture = async (db: Db, brandId: number, kind: 'logo' | 'banner'): Promise<boolean> => {
  const { numDeletedRows } = await db.deleteFrom('brand_image').where('brand_id', '=', brandId).where('kind', '=', kind).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Customers by external id, which goes first, or by id; of all resellers or of one. As counterfoil_system. */
export const customersCalled = async (db: Db, customer: string, resellerId?: number): Promise<Found[]> => {
  const base = db
    .selectFrom('customer')
    .select(['id', 'label as name', 'reseller_id as resellerId'])
    .$if(resellerId !== undefined, (query) => query.where('reseller_id', '=', resellerId ?? 0))
    .orderBy('id')
    .limit(20)
  const named = await base.where('external_id', '=', customer).execute()
  return named.length > 0 || !/^[1-9]\d{0,14}$/.test(customer) ? named : base.where('id', '=', Number(customer)).execute()
}

export const someCustomers = (db: Db, of: { resellerId?: number; brandId?: number }, limit: number) =>
  db
    .selectFrom('customer')
    .select(['id', 'label as name', 'external_id as externalId', 'reseller_id as reseller', 'brand_id as brand', 'currency'])
    .$if(of.resellerId !== undefined, (query) => query.where('reseller_id', '=', of.resellerId ?? 0))
    .$if(of.brandId !== undefined, (query) => query.where('brand_id', '=', of.brandId ?? 0))
    .orderBy('id')
    .limit(limit)
    .execute()

export const customerRow = (db: Db, id: number) => db.selectFrom('customer').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** @returns nothing when the reseller has another customer with this external id */
export const insertCustomer = async (db: Db, row: Insertable<CustomerTable>): Promise<number | undefined> => {
  const made = await db
    .insertInto('customer')
    .values(row)
    .onConflict((conflict) => conflict.columns(['reseller_id', 'external_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export const updateCustomer = async (db: Db, id: number, to: Updateable<CustomerTable>): Promise<void> => {
  await db.updateTable('customer').set(to).where('id', '=', id).execute()
}
