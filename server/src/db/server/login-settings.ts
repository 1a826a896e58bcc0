import { sql } from 'kysely'
import type { Db, Store } from '../database.ts'
import { changeRights } from '../roles.ts'

/** How long a statement of the login role may take, where its transaction says nothing else. */
export const STATEMENT_TIMEOUT = '15s'

/**
 * What every connection of the login role to this database has, by PostgreSQL's names and in its units. It stands on the role and not in
 * the options of a connection, which a pooler such as PgBouncer refuses; in other databases the role is left as it is.
 */
export const LOGIN_SETTINGS: Readonly<Record<string, string>> = {
  statement_timeout: STATEMENT_TIMEOUT,
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  timezone: 'UTC',
  client_connection_check_interval: '1s', // stop statements whose client has disconnected
  jit: 'off',
  // Queries of people read by key, so one generic plan fits every customer; planning each time would consider all partitions.
  plan_cache_mode: 'force_generic_plan',
}

const NAMES = Object.keys(LOGIN_SETTINGS)

/** The names of the settings that the login role lacks in this database, or has with another value. */
export const missingLoginSettings = (db: Db): Promise<string[]> => missingSettings(db, 'this database')

/** The names of LOGIN_SETTINGS that the login role lacks, or has with another value, in this database or for all databases. */
const missingSettings = async (db: Db, where: 'this database' | 'all databases'): Promise<string[]> => {
  const database = where === 'this database' ? sql`(select oid from pg_database where datname = current_database())` : sql`0`
  const { rows } = await sql<{ setting: string }>`
    select unnest(setconfig) as setting from pg_db_role_setting
    where setrole = (select oid from pg_roles where rolname = current_user) and setdatabase = ${database}`.execute(db)
  const present = new Set(rows.map(({ setting }) => setting.toLowerCase()))
  return NAMES.filter((name) => !present.has(`${name}=${LOGIN_SETTINGS[name]}`.toLowerCase()))
}

/**
 * Whether an earlier version has given the login role all its settings in all databases.
 * That version gave all of them, so that fewer are an administrator's.
 */
const hasRoleWideSettings = async (db: Db): Promise<boolean> => (await missingSettings(db, 'all databases')).length === 0

/** Whether the login role has all its settings in this database, and none of an earlier version in all databases. */
const isSettled = async (db: Db): Promise<boolean> => (await missingLoginSettings(db)).length === 0 && !(await hasRoleWideSettings(db))

/** Gives the login role its settings in this database, which hold for connections that are opened afterwards. */
export const ensureLoginSettings = async (store: Store): Promise<void> => {
  if (await store.transact({ role: 'owner' }, isSettled)) return
  await changeRights(store, async (db) => {
    for (const name of await missingLoginSettings(db)) await sql.raw(setInThisDatabase(name)).execute(db)
    if (await hasRoleWideSettings(db)) for (const name of NAMES) await sql.raw(`alter role current_user reset ${name}`).execute(db)
  })
}

/** The SQL that gives the login role a setting in this database, whose name PostgreSQL does not take from an expression. Runs nothing. */
const setInThisDatabase = (name: string): string =>
  `do $$ begin execute format('alter role current_user in database %I set ${name} = %L', current_database(), '${LOGIN_SETTINGS[name]}'); end $$`
