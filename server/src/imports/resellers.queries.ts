import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface Named {
  readonly id: number
  readonly name: string
}

/** The resellers of this id or this name, whatever its case. As counterfoil_system. */
export const resellersNamed = async (db: Db, reseller: string | number): Promise<Named[]> => {
  const query = db.selectFrom('reseller').select(['id', 'name'])
  const found =
    typeof reseller === 'number' ? query.where('id', '=', reseller) : query.where(sql`lower(name)`, '=', sql`lower(${reseller})`)
  return await found.orderBy('id').execute()
}
