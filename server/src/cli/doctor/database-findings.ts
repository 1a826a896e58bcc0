import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Db, Store } from '../../db/database.ts'
import { checkKey, type KeySettings } from '../../master-key/check-key.ts'
import { missingLoginSettings } from '../../db/server/login-settings.ts'
import { migrationState } from '../../db/migrate.ts'
import { findPooler, poolerTrouble } from '../../db/server/pooler.ts'
import { connectedRole, hasSchemaRights, inheritsRoles, isGranted, ROLES, roleStatements } from '../../db/roles.ts'
import { serverMajor, versionTrouble } from '../../db/server/version.ts'
import { printedNameFindings } from './printed-names.ts'
import { debtFindings } from './debt-findings.ts'
import { distributionFindings } from './distribution-findings.ts'
import { badFinding, type Finding, goodFinding, warningFinding } from './finding.ts'

type DatabaseSettings = KeySettings & Pick<Config, 'fontsDir'>

/** All findings about a database that answers. A pooler that will not do is the only one, since nothing else can be asked then. */
export const databaseFindings = async (store: Store, settings: DatabaseSettings, clock: Clock): Promise<Finding[]> => {
  const pooler = await poolerFindings(store)
  if (pooler.some(({ state }) => state === 'bad')) return pooler // nothing else can be asked reliably
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
  const distribution = await distributionFindings(store)
  return [
    await versionFinding(store),
    ...pooler,
    role,
    ...(await roleFindings(store, name)),
    ...(distribution.length > 0 ? [] : await signInFindings(store)),
    ...(await schemaRightFindings(store, name)),
    ...(await loginSettingsFindings(store, name)),
    ...(await schemaFindings(store)),
    ...distribution,
    ...(await masterKeyFinding(store, settings)),
    ...(await permissionFindings(store)),
    ...((await migrationState(store)).pending.length > 0
      ? []
      : [...(await debtFindings(store)), ...(await printedNameFindings(store, settings.fontsDir))]),
    await clockFinding(store, clock),
  ]
}

/** One finding: bad for a PostgreSQL that is too old or an encoding other than UTF8; else good. */
const versionFinding = async (store: Store): Promise<Finding> => {
  const major = await serverMajor(store)
  const trouble = versionTrouble(major)
  if (trouble !== null) return badFinding('database', trouble, 'Bring it to a newer version.')
  const { rows } = await store.transact({ role: 'owner' }, (db) =>
    sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`.execute(db),
  )
  const encoding = rows[0]?.encoding ?? ''
  if (encoding !== 'UTF8') return badFinding('database', `Its encoding is ${encoding}.`, 'Make it anew with encoding UTF8.')
  return goodFinding('database', `It answers: ${store.kind === 'postgres' ? `PostgreSQL ${major}` : 'the embedded database'}.`)
}

/**
 * Whether the roles of row-level security exist, and the login role has their rights only after SET ROLE. None for the embedded database.
 */
const roleFindings = async (store: Store, loginRole: string): Promise<Finding[]> => {
  if (store.kind === 'embedded') return []
  const missing: string[] = []
  for (const role of ROLES) if (!(await store.transact({ role: 'owner' }, (db) => isGranted(db, role)))) missing.push(role)
  if (missing.length === 0) {
    if (!(await store.transact({ role: 'owner' }, inheritsRoles)))
      return [goodFinding('roles', 'The roles that keep customers apart are there, and nobody has their rights without taking one.')]
    return [
      warningFinding(
        'roles',
        `${loginRole} has the rights of the roles without taking one: a query that forgets its tenant would see rows.`,
        `Ask an administrator to run:\n${roleStatements(loginRole)}`,
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
      `${missing.join(', ')} are not there, and ${loginRole} may not make them.`,
      `Have an administrator run:\n${roleStatements(loginRole)}`,
    ),
  ]
}

/** Bad where a role may sign in though usage is on one server: only the other machines of a distributed database are reached as one. */
const signInFindings = async (store: Store): Promise<Finding[]> => {
  if (store.kind === 'embedded') return []
  const { rows } = await store.transact({ role: 'owner' }, (db) =>
    sql<{ name: string }>`
      select rolname::text as name from pg_roles where rolcanlogin and rolname = any(${[...ROLES]}::text[]) order by 1`.execute(db),
  )
  if (rows.length === 0) return []
  const names = rows.map(({ name }) => name)
  return [
    badFinding(
      'roles',
      `${names.join(', ')} may sign in, and only a distributed database needs that.`,
      `Unless another database of this server is distributed, run: ${names.map((name) => `alter role ${name} nologin;`).join(' ')}`,
    ),
  ]
}

/** Whether the connection pooler before the server is set up as Counterfoil needs it. No finding without a pooler. */
const poolerFindings = async (store: Store): Promise<Finding[]> => {
  const pooler = store.kind === 'embedded' ? 'none' : await findPooler(store)
  if (pooler === 'none') return []
  const trouble = poolerTrouble(pooler)
  if (trouble !== null) return [badFinding('pooler', trouble, 'Set it up so; docs/scaling.md has the settings of PgBouncer.')]
  return [goodFinding('pooler', 'A connection pooler stands before the database, and keeps prepared statements.')]
}

/**
 * One warning that names the settings which the login role lacks in this database, or has with another value. No finding when none is
 * missing, or the database is the embedded one.
 */
const loginSettingsFindings = async (store: Store, loginRole: string): Promise<Finding[]> => {
  if (store.kind === 'embedded') return []
  const missing = await store.transact({ role: 'owner' }, missingLoginSettings)
  if (missing.length === 0) return []
  return [
    warningFinding(
      'settings',
      `${loginRole} does not have ${missing.join(', ')} in this database as Counterfoil needs them yet.`,
      'Nothing to do: the next start sets them. A connection pooler has them in connections that it opens afterwards (RECONNECT in PgBouncer).',
    ),
  ]
}

/**
 * Whether the login role may make tables in the schema public. Where not, the owner of the database takes that right at the first start.
 */
const schemaRightFindings = async (store: Store, loginRole: string): Promise<Finding[]> => {
  if (store.kind === 'embedded') return []
  const { hasRights, ownsDatabase } = await store.transact({ role: 'owner' }, async (db) => ({
    hasRights: await hasSchemaRights(db),
    ownsDatabase: await sql<{ owns: boolean }>`select pg_has_role('pg_database_owner', 'member') as owns`.execute(db),
  }))
  if (hasRights) return [goodFinding('rights', `${loginRole} may make tables in the schema public.`)]
  if (ownsDatabase.rows[0]?.owns === true)
    return [
      warningFinding(
        'rights',
        `${loginRole} may not make tables in the schema public yet.`,
        'Nothing to do: the next start takes the right.',
      ),
    ]
  return [
    badFinding(
      'rights',
      `${loginRole} may not make tables in the schema public.`,
      `Have an administrator run in this database:\n${roleStatements(loginRole)}`,
    ),
  ]
}

/** One finding about migrations: unknown ones or changed files are bad; pending ones, or those of a newer program, a warning. */
const schemaFindings = async (store: Store): Promise<Finding[]> => {
  const { pending, unknown, compatible, changed } = await migrationState(store)
  if (unknown[0] !== undefined)
    return [badFinding('schema', `It has ${unknown[0]}, which this program does not know.`, 'Run the newer program.')]
  if (changed[0] !== undefined)
    return [badFinding('schema', `${changed[0]} was changed after it had run.`, 'Restore the file from version control.')]
  if (pending.length > 0)
    return [warningFinding('schema', `${pending.length} migrations have not run yet.`, 'Run counterfoil migrate; serve does so too.')]
  if (compatible.length > 0)
    return [
      warningFinding(
        'schema',
        `It has ${compatible.join(', ')} of a newer program, beside which this one goes on.`,
        'Install the newer program.',
      ),
    ]
  return [goodFinding('schema', 'It is up to date.')]
}

/**
 * Whether the master key of the settings is that of the database. No finding where a new database has none yet, or its file cannot be read.
 */
const masterKeyFinding = async (store: Store, settings: KeySettings): Promise<Finding[]> => {
  const check = await checkKey(store, settings).catch(() => null) // the findings about the machine say why its file cannot be read
  if (check === null || (check.keys === null && check.problem === null)) return []
  if (check.problem !== null)
    return [
      badFinding(
        'key',
        check.problem,
        'Bring back the master.key (or MASTER_KEY) that belongs to this database; every command refuses until then.',
      ),
    ]
  return [
    goodFinding(
      'key',
      check.isMarked
        ? 'The master key is the one that this database was filled with.'
        : 'This database is not marked with a master key yet; the next start marks it.',
    ),
  ]
}

/** A warning for each reseller (twenty at most) that takes payments and has not chosen whether customers must allow autopay. */
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

/** Compares this machine's clock with the database's. Bad for a skew over MAX_SKEW_SECONDS, or a year before MIN_YEAR. */
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
