import { sql } from 'kysely'
import type { Db } from './database.ts'

/** From here on the transaction works as the house itself: it may add a reseller, and look for one. */
export const actAsSystem = async (db: Db): Promise<void> => {
  await sql`set local role counterfoil_system`.execute(db)
}

/** From here on the transaction sees and writes this reseller's rows and no others. */
export const actAsReseller = async (db: Db, resellerId: number): Promise<void> => {
  await sql`set local role counterfoil_reseller`.execute(db)
  await sql`select set_config('app.reseller_id', ${String(resellerId)}, true)`.execute(db)
}

/** From here on the transaction is the schema's owner again. */
export const actAsOwner = async (db: Db): Promise<void> => {
  await sql`reset role`.execute(db)
}
