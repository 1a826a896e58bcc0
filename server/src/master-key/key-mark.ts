import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'

/**
 * The mark of a master key: a keyed hash of a constant, which identifies the key without revealing it. The database keeps the mark of the
 * key that it is filled with.
 */
export const keyMark = (keys: Keys): Buffer => keys.mac('mark', 'database')

/** The first eight hexadecimal digits of a mark, by which people tell keys apart. */
export const shortMark = (mark: Buffer): string => mark.toString('hex').slice(0, 8)

/** The mark stored in the database; undefined where there is none yet. Runs as counterfoil_system. */
export const storedKeyMark = async (db: Db): Promise<Buffer | undefined> => {
  const { rows } = await sql<{ mark: Buffer }>`select mark from master_key_mark`.execute(db)
  return rows[0]?.mark
}

/** Stores a mark where there is none; of several programs that start at once the first wins. @returns the mark that is stored then */
export const storeKeyMark = async (db: Db, mark: Buffer): Promise<Buffer> => {
  await sql`insert into master_key_mark (mark) values (${mark}) on conflict do nothing`.execute(db)
  const stored = await storedKeyMark(db)
  if (stored === undefined) throw new Error('the mark of the master key was not stored')
  return stored
}

/** Stores a mark in the place of the stored one, or as the first. Runs as counterfoil_system. */
export const replaceKeyMark = async (db: Db, mark: Buffer): Promise<void> => {
  await sql`insert into master_key_mark (mark) values (${mark}) on conflict (one) do update set mark = excluded.mark`.execute(db)
}
