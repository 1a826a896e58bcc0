import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { Keys } from '../kit/keys.ts'

/**
 * Whether the master key is the one that this database was filled with. Marks a database that has no mark yet. Runs as counterfoil_system.
 * The mark is a keyed hash of a constant: it identifies the key without revealing it.
 */
export const matchesKeyMark = async (db: Db, keys: Keys): Promise<boolean> => {
  const mark = keys.mac('mark', 'database')
  await sql`insert into master_key_mark (mark) values (${mark}) on conflict do nothing`.execute(db)
  return (await storedKeyMark(db))?.equals(mark) ?? false
}

/** The mark stored in the database; undefined before the first server has opened it. */
export const storedKeyMark = async (db: Db): Promise<Buffer | undefined> => {
  const { rows } = await sql<{ mark: Buffer }>`select mark from master_key_mark`.execute(db)
  return rows[0]?.mark
}
