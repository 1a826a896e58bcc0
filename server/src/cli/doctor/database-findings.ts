import { sql } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import type { Db, Store } from '../../db/database.ts'
import { keyMark } from '../../db/key-mark.ts'
import type { Keys } from '../../kit/keys.ts'
import { migrationState } from '../../db/migrate.ts'
import { isGranted, ROLES, roleStatements, whoami } from '../../db/roles.ts'
import { bad, type Finding, good, warning } from './finding.ts'

const OLDEST = 15

/** What is to be said of a database that answers. */
export const databaseFindings = async (store: Store, keys: Keys | null, clock: Clock): Promise<Finding[]> => {
  const asOwner = <T>(work: (db: Db) => Promise<T>): Promise<T> => store.transact({ role: 'owner' }, work)
  const { name, mighty } = await asOwner(whoami)
  const role =
    mighty && store.kind === 'postgres'
      ? bad(
          'role',
          `${name} is a superuser or has BYPASSRLS: row-level security is void for it.`,
          "Make a role of its own: create role counterfoil login password '…' createrole;",
        )
      : good('role', `Signed in as ${name}, which row-level security binds.`)
  return [
    await version(store),
    role,
    ...(await roles(store, name)),
    ...(await schema(store)),
    ...(await key(store, keys)),
    await clocks(store, clock),
  ]
}

const version = async (store: Store): Promise<Finding> => {
  const { rows } = await store.transact({ role: 'owner' }, (db) =>
    sql<{
      number: number
      encoding: string
    }>`select current_setting('server_version_num')::int as number, current_setting('server_encoding') as encoding`.execute(db),
  )
  const [{ number, encoding } = { number: 0, encoding: '' }] = rows
  const major = Math.floor(number / 10_000)
  if (major < OLDEST) return bad('database', `It is PostgreSQL ${major}.`, `Bring it to ${OLDEST} or newer.`)
  if (encoding !== 'UTF8') return bad('database', `Its encoding is ${encoding}.`, 'Make it anew with encoding UTF8.')
  return good('database', `It answers: ${store.kind === 'postgres' ? `PostgreSQL ${major}` : 'the embedded database'}.`)
}

const roles = async (store: Store, owner: string): Promise<Finding[]> => {
  if (store.kind === 'embedded') return []
  const missing: string[] = []
  for (const role of ROLES) if (!(await store.transact({ role: 'owner' }, (db) => isGranted(db, role)))) missing.push(role)
  if (missing.length === 0) return [good('roles', 'The roles that keep customers apart are there.')]
  const mayMake = await store.transact({ role: 'owner' }, async (db) => {
    const { rows } = await sql<{ may: boolean }>`select rolcreaterole as may from pg_roles where rolname = current_user`.execute(db)
    return rows[0]?.may === true
  })
  if (mayMake) return [warning('roles', `${missing.join(', ')} are not there yet.`, 'Nothing to do: the first start makes them.')]
  return [
    bad(
      'roles',
      `${missing.join(', ')} are not there, and ${owner} may not make them.`,
      `Have an administrator run:\n${roleStatements(owner)}`,
    ),
  ]
}

const schema = async (store: Store): Promise<Finding[]> => {
  const { pending, unknown, changed } = await migrationState(store)
  if (unknown[0] !== undefined) return [bad('schema', `It has ${unknown[0]}, which this program does not know.`, 'Run the newer program.')]
  if (changed[0] !== undefined)
    return [bad('schema', `${changed[0]} was changed after it had run.`, 'Restore the file from version control.')]
  if (pending.length > 0)
    return [warning('schema', `${pending.length} migrations have not run yet.`, 'Run counterfoil migrate; serve does so too.')]
  return [good('schema', 'It is up to date.')]
}

const key = async (store: Store, keys: Keys | null): Promise<Finding[]> => {
  const { pending } = await migrationState(store)
  if (pending.length > 0 || keys === null) return []
  const mark = await store.transact({ role: 'counterfoil_system' }, keyMark)
  if (mark === undefined || mark.equals(keys.mac('mark', 'database')))
    return [good('key', 'The master key is the one that this database was filled with.')]
  return [
    bad(
      'key',
      'The master key is not the one that this database was filled with: no password fits.',
      'Bring back the master.key (or MASTER_KEY) that belongs to it.',
    ),
  ]
}

/** Access tokens live five minutes; far less than that must not matter. */
const ODD_SECONDS = 5
const MOST_SECONDS = 60
const EARLIEST_YEAR = 2025

const clocks = async (store: Store, clock: Clock): Promise<Finding> => {
  const before = clock().getTime()
  const { rows } = await store.transact({ role: 'owner' }, (db) => sql<{ now: Date }>`select clock_timestamp() as now`.execute(db))
  const here = (before + clock().getTime()) / 2
  const apart = Math.round(Math.abs((rows[0]?.now.getTime() ?? 0) - here) / 1_000)
  const mend = 'Let both machines keep their time by NTP.'
  if (clock().getUTCFullYear() < EARLIEST_YEAR)
    return bad('clock', `This machine believes that it is ${clock().toISOString().slice(0, 10)}.`, mend)
  if (apart > MOST_SECONDS) return bad('clock', `This machine and the database are ${apart} seconds apart.`, mend)
  if (apart > ODD_SECONDS) return warning('clock', `This machine and the database are ${apart} seconds apart.`, mend)
  return good('clock', 'This machine and the database agree on the time.')
}
