import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface NamedRecord {
  readonly id: number
  readonly name: string
}

/** Finds the resellers with this id or name (case-insensitive); several may have one name. As counterfoil_system. */
export const findResellers = async (db: Db, reseller: string | number): Promise<NamedRecord[]> => {
  const query = db.selectFrom('reseller').select(['id', 'name'])
  const matching =
    typeof reseller === 'number' ? query.where('id', '=', reseller) : query.where(sql`lower(name)`, '=', sql`lower(${reseller})`)
  return await matching.orderBy('id').execute()
}
