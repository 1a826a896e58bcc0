import { sql } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import type { Db, Store } from '../../db/database.ts'
import { storedKeyMark } from '../../db/key-mark.ts'
import type { Keys } from '../../kit/keys.ts'
import { migrationState } from '../../db/migrate.ts'
import { inheritsRoles, isGranted, ROLES, roleStatements, connectedRole } from '../../db/roles.ts'
import { debtFindings } from './debt-findings.ts'
import { badFinding, type Finding, goodFinding, warningFinding } from './finding.ts'

const MIN_POSTGRES_MAJOR = 15

/** The findings about a database that is reachable. */
export const databaseFindings = async (store: Store, keys: Keys | null, clock: Clock): Promise<Finding[]> => {
  const transactAsOwner = <T>(work: (db: Db) => Promise<T>): Promise<T> => store.transact({ role: 'owner' }, work)
  const { name, bypassesRls } = await transactAsOwner(connectedRole)
  const role =
    bypassesRls && store.kind === 'postgres'
      ? badFinding(
          'role',
          `${name} is a superuser or has BYPASSRLS: row-level security is void for it.`,
          "Make a role of its own: create role counterfoil login password '…' createrole;",
        )
      : goodFinding('role', `Signed in as ${name}, which row-level security binds.`)
  return [
    await versionFinding(store),
    role,
    ...(await roleFindings(store, name)),
    ...(await schemaFindings(store)),
    ...(await masterKeyFindings(store, keys)),
    ...(await permissionFindings(store)),
    ...((await migrationState(store)).pending.length > 0 ? [] : await debtFindings(store)),
    await clockFinding(store, clock),
  ]
}

const versionFinding = async (store: Store): Promise<Finding> => {
  const { rows } = await store.transact({ role: 'owner' }, (db) =>
    sql<{
      number: number
      encoding: string
    }>`select current_setting('server_version_num')::int as number, current_setting('server_encoding') as encoding`.execute(db),
  )
  const [{ number, encoding } = { number: 0, encoding: '' }] = rows
  const major = Math.floor(number / 10_000)
  if (major < MIN_POSTGRES_MAJOR) return badFinding('database', `It is PostgreSQL ${major}.`, `Bring it to ${MIN_POSTGRES_MAJOR} or newer.`)
  if (encoding !== 'UTF8') return badFinding('database', `Its encoding is ${encoding}.`, 'Make it anew with encoding UTF8.')
  return goodFinding('database', `It answers: ${store.kind === 'postgres' ? `PostgreSQL ${major}` : 'the embedded database'}.`)
}

const roleFindings = async (store: Store, owner: string): Promise<Finding[]> => {
  if (store.kind === 'embedded') return []
  const missing: string[] = []
  for (const role of ROLES) if (!(await store.transact({ role: 'owner' }, (db) => isGranted(db, role)))) missing.push(role)
  if (missing.length === 0) {
    if (!(await store.transact({ role: 'owner' }, inheritsRoles)))
      return [goodFinding('roles', 'The roles that keep customers apart are there, and nobody has their rights without taking one.')]
    return [
      warningFinding(
        'roles',
        `${owner} has the rights of the roles without taking one: a query that forgets its tenant would see rows.`,
        `Ask an administrator to run:\n${roleStatements(owner)}`,
      ),
    ]
  }
  const canCreateRoles = await store.transact({ role: 'owner' }, async (db) => {
    const { rows } = await sql<{ may: boolean }>`select rolcreaterole as may from pg_roles where rolname = current_user`.execute(db)
    return rows[0]?.may === true
  })
  if (canCreateRoles)
    return [warningFinding('roles', `${missing.join(', ')} are not there yet.`, 'Nothing to do: the first start makes them.')]
  return [
    badFinding(
      'roles',
      `${missing.join(', ')} are not there, and ${owner} may not make them.`,
      `Have an administrator run:\n${roleStatements(owner)}`,
    ),
  ]
}

const schemaFindings = async (store: Store): Promise<Finding[]> => {
  const { pending, unknown, changed } = await migrationState(store)
  if (unknown[0] !== undefined)
    return [badFinding('schema', `It has ${unknown[0]}, which this program does not know.`, 'Run the newer program.')]
  if (changed[0] !== undefined)
    return [badFinding('schema', `${changed[0]} was changed after it had run.`, 'Restore the file from version control.')]
  if (pending.length > 0)
    return [warningFinding('schema', `${pending.length} migrations have not run yet.`, 'Run counterfoil migrate; serve does so too.')]
  return [goodFinding('schema', 'It is up to date.')]
}

const masterKeyFindings = async (store: Store, keys: Keys | null): Promise<Finding[]> => {
  const { pending } = await migrationState(store)
  if (pending.length > 0 || keys === null) return []
  const mark = await store.transact({ role: 'counterfoil_system' }, storedKeyMark)
  if (mark === undefined || mark.equals(keys.mac('mark', 'database')))
    return [goodFinding('key', 'The master key is the one that this database was filled with.')]
  return [
    badFinding(
      'key',
      'The master key is not the one that this database was filled with: no password fits.',
      'Bring back the master.key (or MASTER_KEY) that belongs to it.',
    ),
  ]
}

/** Resellers that take payments, and have not chosen whether autopay needs their customers' permission. */
const permissionFindings = async (store: Store): Promise<Finding[]> => {
  if ((await migrationState(store)).pending.length > 0) return []
  const { rows } = await store.transact({ role: 'counterfoil_system' }, (db) =>
    sql<{ id: number; name: string }>`select id, name from reseller where payments_enabled and customer_permission_for_charging is null
      order by id limit 20`.execute(db),
  )
  return rows.map(({ id, name }) =>
    warningFinding(
      'autopay',
      `Nobody has chosen whether customers of ${name} must allow autopay; until then it charges none of them.`,
      `Run counterfoil reseller payments set ${id} --ask-permission on, or off.`,
    ),
  )
}

/** Access tokens live five minutes, so clocks must agree far better than that. */
const WARNING_SKEW_SECONDS = 5
const MAX_SKEW_SECONDS = 60
const MIN_YEAR = 2025

const clockFinding = async (store: Store, clock: Clock): Promise<Finding> => {
  const before = clock().getTime()
  const { rows } = await store.transact({ role: 'owner' }, (db) => sql<{ now: Date }>`select clock_timestamp() as now`.execute(db))
  const localTime = (before + clock().getTime()) / 2
  const skewSeconds = Math.round(Math.abs((rows[0]?.now.getTime() ?? 0) - localTime) / 1_000)
  const remedy = 'Let both machines keep their time by NTP.'
  if (clock().getUTCFullYear() < MIN_YEAR)
    return badFinding('clock', `This machine believes that it is ${clock().toISOString().slice(0, 10)}.`, remedy)
  if (skewSeconds > MAX_SKEW_SECONDS) return badFinding('clock', `This machine and the database are ${skewSeconds} seconds apart.`, remedy)
  if (skewSeconds > WARNING_SKEW_SECONDS)
    return warningFinding('clock', `This machine and the database are ${skewSeconds} seconds apart.`, remedy)
  return goodFinding('clock', 'This machine and the database agree on the time.')
}
