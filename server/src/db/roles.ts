import { sql } from 'kysely'
import type { Db, Store } from './database.ts'
import { OperatorError } from '../kit/api-error.ts'

/** counterfoil_backup reads everything and writes nothing, so that backups need no superuser. */
export const ROLES = ['counterfoil_app', 'counterfoil_reseller', 'counterfoil_system', 'counterfoil_loader', 'counterfoil_backup'] as const

/** Since this version each grant says for itself whether it is inherited. */
const INHERITANCE_PER_GRANT = 160_000

/** The role as a quoted SQL identifier. */
const toQuoted = (role: string): string => `"${role.replaceAll('"', '""')}"`

/** The SQL that an administrator runs where the schema's owner may not create roles. Runs nothing. */
export const roleStatements = (owner: string): string => {
  const name = toQuoted(owner)
  return [
    ...ROLES.flatMap((role) => [
      `do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if; end $$;`,
      `grant ${role} to ${name};`,
    ]),
    ...schemaGrants(name),
    `alter role ${name} noinherit;`,
    `do $$ begin if current_setting('server_version_num')::int >= ${INHERITANCE_PER_GRANT} then execute 'grant ${ROLES.join(', ')} to ${name.replaceAll("'", "''")} with inherit false'; end if; end $$;`,
  ].join('\n')
}

/** The SQL that grants the rights on the schema that the owner and the roles need. Runs nothing. */
const schemaGrants = (ownerName: string): string[] => [
  `grant usage, create on schema public to ${ownerName};`,
  `grant usage on schema public to ${ROLES.join(', ')};`,
]

/**
 * Checks that the connected role is neither a superuser nor BYPASSRLS: row-level security would silently not apply to it.
 * @param setting the setting that names this database
 * @throws OperatorError with the SQL that creates a suitable role
 */
export const assertUnprivilegedRole = async (store: Store, setting = 'DATABASE_URL'): Promise<void> => {
  if (store.kind === 'embedded') return
  const { name, bypassesRls } = await store.transact({ role: 'owner' }, connectedRole)
  if (!bypassesRls) return
  throw new OperatorError(
    [
      `${setting} signs in as "${name}", which is a superuser or has BYPASSRLS: row-level security would not hold for it.`,
      `Make a role of its own and put it into ${setting}:`,
      "  create role counterfoil login password '…' createrole;",
      '  create database counterfoil owner counterfoil;',
    ].join('\n'),
  )
}

/** The connected role, and whether row-level security does not apply to it. */
export const connectedRole = async (db: Db): Promise<{ name: string; bypassesRls: boolean }> => {
  const { rows } = await sql<{ name: string; bypassesRls: boolean }>`
    select current_user::text as name, rolsuper or rolbypassrls as "bypassesRls" from pg_roles where rolname = current_user`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database does not know its own user')
  return row
}

/**
 * Runs work that changes rights, as the owner, in a transaction that commits, one program after the other.
 * Where two change the same right at once, PostgreSQL fails one of them.
 */
export const changeRights = (store: Store, work: (db: Db) => Promise<void>): Promise<void> =>
  store.transact({ role: 'owner' }, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtext('counterfoil roles'))`.execute(db)
    await work(db)
  })

/**
 * Creates the missing roles and grants them to the owner, who does not inherit their rights. Another database of the server may have them.
 * @throws OperatorError with the statements for an administrator when the owner may not create roles
 */
export const ensureRoles = async (store: Store): Promise<void> => {
  const { name } = await store.transact({ role: 'owner' }, connectedRole)
  for (const role of ROLES) {
    if (await store.transact({ role: 'owner' }, (db) => isGranted(db, role))) continue
    try {
      await changeRights(store, async (db) => {
        await sql
          .raw(`do $$ begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end $$`)
          .execute(db)
        await sql.raw(`grant ${role} to current_user`).execute(db)
      })
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error
      throw new OperatorError(
        `The database user "${name}" may not make the roles that keep customers apart. Ask an administrator to run:\n${roleStatements(name)}`,
      )
    }
  }
  await removeInheritance(store)
}

/**
 * Gives the connected user and the roles their rights on the schema. PostgreSQL lets the database's owner do so as pg_database_owner, also
 * one who does not inherit rights and so has none on the schema of a new database.
 * @throws OperatorError with the statements for an administrator when the user does not own the database
 */
export const ensureSchemaRights = async (store: Store): Promise<void> => {
  if (await store.transact({ role: 'owner' }, hasSchemaRights)) return
  const { name } = await store.transact({ role: 'owner' }, connectedRole)
  try {
    await changeRights(store, async (db) => {
      if (await hasSchemaRights(db)) return
      await sql`set local role pg_database_owner`.execute(db)
      for (const statement of schemaGrants(toQuoted(name))) await sql.raw(statement).execute(db)
    })
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
  }
  if (await store.transact({ role: 'owner' }, hasSchemaRights)) return
  throw new OperatorError(
    `The database user "${name}" may not make tables in this database. Ask an administrator to run in it:\n${roleStatements(name)}`,
  )
}

/** Whether the connected user may make tables in the schema, and the roles may use it. */
export const hasSchemaRights = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ has: boolean }>`
    select has_schema_privilege('public', 'usage') and has_schema_privilege('public', 'create')
      and coalesce(bool_and(has_schema_privilege(oid, 'public', 'usage')), true) as has
    from pg_roles where rolname = any(${[...ROLES]}::text[])`.execute(db)
  return rows[0]?.has === true
}

/** Gives counterfoil_backup the right to read every table that it cannot read yet, in the owner's transaction. */
export const openForBackup = async (db: Db): Promise<void> => {
  await sql`select open_for_backup()`.execute(db)
}

/**
 * Takes the roles' rights from the owner, who then has them only while it has taken the role: a transaction that forgets to take one sees
 * nothing. PostgreSQL 15 knows this only for a role as a whole, which then has no rights on its own schema either, so there an
 * administrator sets it (`roleStatements`). Where it is not set, `doctor` says so.
 */
const removeInheritance = async (store: Store): Promise<void> => {
  if (!(await store.transact({ role: 'owner' }, canRemoveInheritance))) return
  try {
    await changeRights(store, async (db) => {
      if (await inheritsRoles(db)) await sql.raw(`grant ${ROLES.join(', ')} to current_user with inherit false`).execute(db)
    })
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
  }
}

/** Whether the owner inherits the roles' rights, and this version of PostgreSQL can take that from a single grant. */
const canRemoveInheritance = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(db)
  return (rows[0]?.version ?? 0) >= INHERITANCE_PER_GRANT && (await inheritsRoles(db))
}

/**
 * Whether the connected user has the rights of one of the roles without taking that role. False for a superuser, who has all rights anyway.
 */
export const inheritsRoles = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ inherits: boolean }>`
    select coalesce(bool_or(pg_has_role(current_user, r.oid, 'usage')), false) and not own.rolsuper as inherits
    from pg_roles own left join pg_roles r on r.rolname = any(${[...ROLES]}::text[]) where own.rolname = current_user group by own.rolsuper`.execute(
    db,
  )
  return rows[0]?.inherits ?? false
}

/** Whether the connected user may switch to this role; false for a role that does not exist. */
export const isGranted = async (db: Db, role: string): Promise<boolean> => {
  const { rows } = await sql<{ granted: boolean }>`
    select pg_has_role(current_user, oid, 'member') as granted from pg_roles where rolname = ${role}`.execute(db)
  return rows[0]?.granted ?? false
}
