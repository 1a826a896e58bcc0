import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { Keys } from '../kit/keys.ts'

/**
 * Is the master key the one that this database was filled with? A database that bears no mark yet takes this key's. As counterfoil_system.
 * The mark is a keyed hash of nothing in particular: it tells keys apart and gives none away.
 */
export const matchesKeyMark = async (db: Db, keys: Keys): Promise<boolean> => {
  const mark = keys.mac('mark', 'database')
  await sql`insert into master_key_mark (mark) values (${mark}) on conflict do nothing`.execute(db)
  return (await storedKeyMark(db))?.equals(mark) ?? false
}

/** The mark that the database bears; undefined where no server has opened it yet. */
export const storedKeyMark = async (db: Db): Promise<Buffer | undefined> => {
  const { rows } = await sql<{ mark: Buffer }>`select mark from master_key_mark`.execute(db)
  return rows[0]?.mark
}
