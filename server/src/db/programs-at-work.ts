import { sql } from 'kysely'
import { type Db, WORKING_NAMES } from './database.ts'

/** The name by which PostgreSQL lists pg_dump and the others that a backup or restore runs. */
export const DUMP_NAME = 'counterfoil backup'

/**
 * Whether servers, workers or commands are connected to this database. One that has not brought the schema up to date yet does not count
 * (context.ts), nor does the own connection.
 */
export const hasProgramsAtWork = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name = any(${[...WORKING_NAMES]}::text[])) as found`.execute(db)
  return rows[0]?.found === true
}
