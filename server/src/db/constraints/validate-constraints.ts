import { sql } from 'kysely'
import type { Db, Store } from '../database.ts'

const CHECK_VIOLATION = '23514'

/** The check constraints that are not validated: they bind new rows only. Older rows broke them when they were last checked. */
export const listUnvalidated = async (db: Db): Promise<{ table: string; name: string }[]> => {
  const { rows } = await sql<{ table: string; name: string }>`
    select t.relname as table, c.conname as name from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.contype = 'c' and not c.convalidated and c.connamespace = current_schema()::regnamespace order by 1, 2`.execute(db)
  return rows
}

/**
 * Validates the constraints that no row breaks any more, each in a transaction of its own; reading and writing go on meanwhile.
 * @returns those that a row still breaks
 */
export const validateConstraints = async (store: Store): Promise<string[]> => {
  const broken: string[] = []
  for (const { table, name } of await store.transact({ role: 'owner' }, listUnvalidated)) {
    try {
      await store.transact({ role: 'owner' }, (db) => validate(db, table, name), { pool: 'background' })
    } catch (error) {
      if ((error as { code?: string }).code !== CHECK_VIOLATION) throw error
      broken.push(name)
    }
  }
  return broken
}

/** Validates one constraint, for as long as that takes. Fails where a row breaks it. */
const validate = async (db: Db, table: string, name: string): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local lock_timeout = '10min'`.execute(db)
  await sql`alter table ${sql.table(table)} validate constraint ${sql.id(name)}`.execute(db)
}
