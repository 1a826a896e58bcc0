import { sql } from 'kysely'
import type { Db, Store } from '../database.ts'
import { changeRights } from '../roles.ts'

/**
 * What every connection of the login role has, by PostgreSQL's names and in its units. It stands on the role and not in the options of a
 * connection, which a pooler such as PgBouncer refuses.
 */
const LOGIN_SETTINGS: Readonly<Record<string, string>> = {
  statement_timeout: '15s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  timezone: 'UTC',
  client_connection_check_interval: '1s', // stop statements whose client has disconnected
  jit: 'off',
  // Queries of people read by key, so one generic plan fits every customer; planning each time would consider all partitions.
  plan_cache_mode: 'force_generic_plan',
}

/** The settings that the login role lacks, or has with another value. */
export const missingLoginSettings = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ setting: string }>`
    select unnest(setconfig) as setting from pg_db_role_setting
    where setdatabase = 0 and setrole = (select oid from pg_roles where rolname = current_user)`.execute(db)
  const present = new Set(rows.map(({ setting }) => setting.toLowerCase()))
  return Object.keys(LOGIN_SETTINGS).filter((name) => !present.has(`${name}=${LOGIN_SETTINGS[name]}`.toLowerCase()))
}

/** Gives the login role its settings, which hold for connections that are opened afterwards. */
export const ensureLoginSettings = async (store: Store): Promise<void> => {
  if ((await store.transact({ role: 'owner' }, missingLoginSettings)).length === 0) return
  await changeRights(store, async (db) => {
    for (const name of await missingLoginSettings(db))
      await sql.raw(`alter role current_user set ${name} = '${LOGIN_SETTINGS[name]}'`).execute(db)
  })
}
