import type { Db } from '../db/database.ts'

/** The ids of all resellers. As counterfoil_system. */
export const listResellerIds = async (db: Db): Promise<number[]> =>
  (await db.selectFrom('reseller').select('id').orderBy('id').execute()).map(({ id }) => id)
