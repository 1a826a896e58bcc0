import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Stores that an import has begun, and removes what dead ones have staged: those without a sign of life for 6 hours. */
export const openStaging = async (db: Db, importId: string): Promise<void> => {
  await sql`select open_import_staging(${importId}::uuid)`.execute(db)
}

/** Removes what an import has staged, whether it succeeded or not. */
export const closeStaging = async (db: Db, importId: string): Promise<void> => {
  await sql`select close_import_staging(${importId}::uuid)`.execute(db)
}

/**
 * Stores that the import is still alive, and allows the transaction long statements and large sorts.
 * @returns false when another import took this one for dead
 */
export const renewStaging = async (db: Db, importId: string): Promise<boolean> => {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local work_mem = '64MB'`.execute(db)
  const { numAffectedRows } = await sql`update import_staging set alive_at = now() where id = ${importId}::uuid`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Waits until no other import of this kind writes for the reseller, and holds that right until the transaction ends.
 * @param resellerId 0 for all of them, where the reseller may be new
 */
export const lockImports = async (db: Db, kind: 'records' | 'focus', resellerId: number): Promise<void> => {
  await sql`set local lock_timeout = '14min'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext(${`counterfoil import ${kind}`}), ${resellerId})`.execute(db)
}
