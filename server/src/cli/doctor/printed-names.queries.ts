import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

const PAGE_ROWS = 5_000

/** Lists the legal name of every reseller, which its documents print, by id. Runs as counterfoil_system. */
export const listLegalNames = (db: Db): Promise<{ id: number; name: string }[]> =>
  db.selectFrom('reseller').select(['id', 'legal_name as name']).orderBy('id').execute()

/** The names of a reseller's brands. Runs as counterfoil_reseller. */
export const listBrandNames = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('brand').select('name').execute()).map(({ name }) => name)

/** The next customers whose name or address has more than ASCII letters, by id, with both in one text. Runs as counterfoil_reseller. */
export const nextPrintedCustomers = async (db: Db, afterId: number): Promise<{ id: number; name: string }[]> => {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, label || ' ' || array_to_string(address_lines, ' ') as name from customer
    where id > ${afterId} and (label || array_to_string(address_lines, ' ')) ~ '[^\\x20-\\x7e]'
    order by id limit ${PAGE_ROWS}`.execute(db)
  return rows
}
