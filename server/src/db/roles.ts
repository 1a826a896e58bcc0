import { sql } from 'kysely'
import type { Db, Store } from './database.ts'
import { OperatorError } from '../kit/api-error.ts'

/** counterfoil_backup reads everything and writes nothing, so that backups need no superuser. */
export const ROLES = ['counterfoil_app', 'counterfoil_reseller', 'counterfoil_system', 'counterfoil_loader', 'counterfoil_backup'] as const

/** The statements that an administrator runs where the schema's owner may not create roles. */
export const roleStatements = (owner: string): string =>
  ROLES.flatMap((role) => [
    `do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if; end $$;`,
    `grant ${role} to "${owner.replaceAll('"', '""')}";`,
  ]).join('\n')

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
 * Creates the missing roles and grants them to the owner. Roles belong to the whole server, so another database on it may have created
 * them already.
 * @throws OperatorError with the statements for an administrator when the owner may not create roles
 */
export const ensureRoles = async (store: Store): Promise<void> => {
  const { name } = await store.transact({ role: 'owner' }, connectedRole)
  for (const role of ROLES) {
    if (await store.transact({ role: 'owner' }, (db) => isGranted(db, role))) continue
    try {
      await store.transact({ role: 'owner' }, async (db) => {
        await sql`select pg_advisory_xact_lock(hashtext('counterfoil roles'))`.execute(db)
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
}

/** Whether the connected user may switch to this role. */
export const isGranted = async (db: Db, role: string): Promise<boolean> => {
  const { rows } = await sql<{ granted: boolean }>`
    select pg_has_role(current_user, oid, 'member') as granted from pg_roles where rolname = ${role}`.execute(db)
  return rows[0]?.granted ?? false
}
