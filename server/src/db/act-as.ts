import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Whether the other machines of a distributed database are told which role and tenant the transaction has from here on. They are connected
 * to as one role, which may not take another. A setting without a meaning on one machine.
 */
const tellOthers = async (db: Db, isTold: boolean): Promise<void> => {
  await sql`set local citus.propagate_set_commands = ${sql.lit(isTold ? 'local' : 'none')}`.execute(db)
}

/** Switches the rest of the transaction to the system's role, which may add and find resellers. */
export const actAsSystem = async (db: Db): Promise<void> => {
  await tellOthers(db, false)
  await sql`set local role counterfoil_system`.execute(db)
}

/** Switches the rest of the transaction to a reseller's role, which sees and writes that reseller's rows only. */
export const actAsReseller = async (db: Db, resellerId: number): Promise<void> => {
  await tellOthers(db, true)
  await sql`set local role counterfoil_reseller`.execute(db)
  await sql`set local app.reseller_id = ${sql.lit(resellerId)}`.execute(db)
}

/** Switches the rest of the transaction back to the schema's owner. */
export const actAsOwner = async (db: Db): Promise<void> => {
  await tellOthers(db, true)
  await sql`set local role none`.execute(db)
}
