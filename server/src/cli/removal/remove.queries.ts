import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Locks a row until the transaction ends, so that nothing begins to depend on it. Runs as counterfoil_reseller. */
export const lockTenant = async (db: Db, table: 'reseller' | 'brand' | 'customer', id: number): Promise<void> => {
  await sql`select from ${sql.table(table)} where id = ${id} for update`.execute(db)
}

/** Deletes the reseller's names of extra fields. Runs as counterfoil_reseller. */
export const deleteResellerLabels = async (db: Db, id: number): Promise<void> => {
  await db.deleteFrom('extra_field_label').where('reseller_id', '=', id).execute()
}

/** Deletes a reseller with its payment accounts and fees; fails while brands, customers or services are left. As counterfoil_system. */
export const deleteReseller = async (db: Db, id: number): Promise<void> => {
  await db.deleteFrom('reseller').where('id', '=', id).execute()
}

/** Deletes a brand with its pictures. Runs as counterfoil_reseller. */
export const deleteBrand = async (db: Db, id: number): Promise<void> => {
  await db.deleteFrom('brand').where('id', '=', id).execute()
}

/** Deletes a customer and all rows of it in other tables; assertNotReferenced comes before. Runs as counterfoil_reseller. */
export const deleteCustomer = async (db: Db, id: number): Promise<void> => {
  await db.deleteFrom('customer').where('id', '=', id).execute()
}

/** Deletes a user with its sessions and links. Runs as counterfoil_reseller. */
export const deleteUser = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('app_user').where('id', '=', id).execute()
}
