import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db, Store } from './database.ts'
import { OperatorError } from '../kit/api-error.ts'
import { ensureRoles, assertUnprivilegedRole } from './roles.ts'
import { validateConstraints } from './validate-constraints.ts'

const FOLDER = new URL('../migrations/', import.meta.url)

interface Migration {
  readonly name: string
  readonly text: string
  readonly digest: string
}

const readMigrations = async (): Promise<Migration[]> => {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8')
      return { name, text, digest: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Runs the pending migrations in order, each in one transaction; processes that start together wait for each other. Then the constraints
 * that bind new rows only are validated, where no row breaks them.
 * @returns the names of the files that ran
 * @throws OperatorError when a file that already ran was changed, or the database is newer than the program
 */
export const migrate = async (store: Store): Promise<string[]> => {
  await assertUnprivilegedRole(store)
  await ensureRoles(store)
  const files = await readMigrations()
  const applied = await store.transact({ role: 'owner' }, appliedMigrations)
  assertKnownMigrations(files, applied)
  const names: string[] = []
  for (const file of files.filter(({ name }) => !applied.has(name))) {
    if (await store.transact({ role: 'owner' }, (db) => runMigration(db, file), { pool: 'background' })) names.push(file.name)
  }
  if (names.length > 0) await validateConstraints(store)
  return names
}

export interface MigrationState {
  /** Files that have not run yet. */
  readonly pending: readonly string[]
  /** Migrations that ran but that this program does not know. */
  readonly unknown: readonly string[]
  /** Files that were changed after they ran. */
  readonly changed: readonly string[]
}

/** The state of the schema, without changing it. */
export const migrationState = async (store: Store): Promise<MigrationState> => {
  const files = await readMigrations()
  const applied = await store.transact({ role: 'owner' }, appliedMigrations)
  return {
    pending: files.filter(({ name }) => !applied.has(name)).map(({ name }) => name),
    unknown: [...applied.keys()].filter((name) => !files.some((file) => file.name === name)),
    changed: files.filter(({ name, digest }) => applied.has(name) && applied.get(name) !== digest).map(({ name }) => name),
  }
}

const appliedMigrations = async (db: Db): Promise<Map<string, string>> => {
  const { rows: tables } = await sql<{ there: boolean }>`select to_regclass('migration') is not null as there`.execute(db)
  if (tables[0]?.there !== true) return new Map()
  const { rows } = await sql<{ name: string; digest: string }>`select name, digest from migration`.execute(db)
  return new Map(rows.map(({ name, digest }) => [name, digest]))
}

const assertKnownMigrations = (files: readonly Migration[], applied: ReadonlyMap<string, string>): void => {
  const known = new Map(files.map(({ name, digest }) => [name, digest]))
  for (const [name, digest] of applied) {
    if (!known.has(name))
      throw new OperatorError(`The database has migration ${name}, which this program does not know. Run the newer program.`)
    if (known.get(name) !== digest)
      throw new OperatorError(`Migration ${name} was changed after it had run. Restore the file; put the change into a new one.`)
  }
}

const runMigration = async (db: Db, { name, text, digest }: Migration): Promise<boolean> => {
  await sql`set local lock_timeout = '10min'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil migrations'))`.execute(db)
  await sql`create table if not exists migration (name text primary key, digest text not null, ran_at timestamptz not null default now())`.execute(
    db,
  )
  const { rows } = await sql`select from migration where name = ${name}`.execute(db)
  if (rows.length > 0) return false // another process ran it in the meantime
  await sql.raw(text).execute(db)
  await sql`insert into migration (name, digest) values (${name}, ${digest})`.execute(db)
  return true
}
