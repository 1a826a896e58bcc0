import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db, Store } from './database.ts'
import { OperatorError } from '../kit/api-error.ts'
import { DISTRIBUTED_MARK } from './server/distributed-mark.ts'
import { ensureLoginSettings } from './server/login-settings.ts'
import { assertFitPooler } from './server/pooler.ts'
import { hasProgramsAtWork } from './programs-at-work.ts'
import { assertUnprivilegedRole, ensureRoles, ensureSchemaRights } from './roles.ts'
import { assertSupportedVersion } from './server/version.ts'
import { validateConstraints } from './constraints/validate-constraints.ts'

const FOLDER = new URL('../migrations/', import.meta.url)

/** The first line of a migration beside which a program without it goes on working (docs/decisions/0015). */
const COMPATIBLE_LINE = /^-- compatible(?:$|[\s:.])/

interface Migration {
  readonly name: string
  readonly text: string
  readonly digest: string
  readonly isCompatible: boolean
}

/** The file names of the migrations that this program has, in order, whether or not they ran. */
export const migrationNames = async (): Promise<string[]> => (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()

/** The program's migration files with their text and its SHA-256, in order. */
const readMigrations = async (): Promise<Migration[]> =>
  Promise.all(
    (await migrationNames()).map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8')
      const digest = createHash('sha256').update(text).digest('hex')
      return { name, text, digest, isCompatible: isCompatibleText(text) }
    }),
  )

/** Whether a migration's text says that programs without it go on working. */
export const isCompatibleText = (text: string): boolean => COMPATIBLE_LINE.test(text.split('\n', 1)[0] ?? '')

/**
 * Checks the server and the connected user, and makes roles and rights that are missing. Always before the first migration.
 * @throws OperatorError with what an administrator must do
 */
export const prepareServer = async (store: Store): Promise<void> => {
  if (store.kind === 'embedded') return ensureRoles(store)
  await assertFitPooler(store)
  await assertSupportedVersion(store)
  await assertUnprivilegedRole(store)
  await ensureRoles(store)
  await ensureSchemaRights(store)
  await ensureLoginSettings(store)
}

/** Prepares the server, then runs the pending migrations, even though programs are at work. @returns the names of the files that ran */
export const migrate = async (store: Store): Promise<string[]> => {
  await prepareServer(store)
  return runMigrations(store, { force: true })
}

export interface MigrationOptions {
  /** Whether to go on even though programs are at work on the database that would fail beside a pending migration. */
  readonly force: boolean
}

/**
 * Runs the pending migrations in order, each in one transaction; processes that start together wait for each other. Then the constraints
 * that bind new rows only are validated, where no row breaks them.
 * @returns the names of the files that ran
 * @throws OperatorError when a file that already ran was changed, the database is newer than the program, or, without `force`, programs are
 * at work that would fail beside a pending migration
 */
export const runMigrations = async (store: Store, options: MigrationOptions): Promise<string[]> => {
  const files = await readMigrations()
  const applied = await store.transact({ role: 'owner' }, appliedMigrations)
  assertKnownMigrations(files, applied)
  const pending = files.filter(({ name }) => !applied.has(name))
  if (pending.length === 0) return []
  await store.transact({ role: 'owner' }, (db) => prepareTable(db, files, options), { pool: 'background' })
  const names: string[] = []
  for (const file of pending)
    if (await store.transact({ role: 'owner' }, (db) => runMigration(db, file), { pool: 'background' })) names.push(file.name)
  if (names.length > 0) await validateConstraints(store)
  return names
}

export interface MigrationState {
  /** Files that have not run yet. */
  readonly pending: readonly string[]
  /** Migrations that ran, that this program does not know, and beside which it cannot go on. */
  readonly unknown: readonly string[]
  /** Migrations that ran, that this program does not know, and beside which it goes on. */
  readonly compatible: readonly string[]
  /** Files that were changed after they ran. */
  readonly changed: readonly string[]
}

/** Compares the program's migration files with those that ran on the database, without changing anything. */
export const migrationState = async (store: Store): Promise<MigrationState> => {
  const files = await readMigrations()
  const applied = await store.transact({ role: 'owner' }, appliedMigrations)
  const unknown = unknownMigrations(
    files.map(({ name }) => name),
    applied,
  )
  return {
    pending: files.filter(({ name }) => !applied.has(name)).map(({ name }) => name),
    unknown: unknown.filter((name) => applied.get(name)?.isCompatible !== true),
    compatible: unknown.filter((name) => applied.get(name)?.isCompatible === true),
    changed: files.filter(({ name, digest }) => applied.has(name) && applied.get(name)?.digest !== digest).map(({ name }) => name),
  }
}

/**
 * Why a program that knows these migrations cannot serve this database: one has not run, or another has run that is not marked as
 * compatible with programs before it. Null when the program can. Runs as the owner.
 */
export const schemaMismatch = async (db: Db, names: readonly string[]): Promise<string | null> => {
  const applied = await appliedMigrations(db)
  if (unknownMigrations(names, applied).some((name) => applied.get(name)?.isCompatible !== true))
    return 'the database has a migration that this program does not know'
  return names.every((name) => applied.has(name)) ? null : 'the database lacks a migration that this program needs'
}

interface AppliedMigration {
  readonly digest: string
  readonly isCompatible: boolean
}

/** The names of the migrations that ran and are not among these, in order. */
const unknownMigrations = (names: readonly string[], applied: ReadonlyMap<string, AppliedMigration>): string[] => {
  const known = new Set(names)
  return [...applied.keys()].filter((name) => !known.has(name)).toSorted()
}

/**
 * The migrations that ran, by name; none on a database without their table.
 * A table of an earlier program does not say which of them are compatible: none.
 */
const appliedMigrations = async (db: Db): Promise<Map<string, AppliedMigration>> => {
  const { rows: tables } = await sql<{ there: boolean }>`select to_regclass('migration') is not null as there`.execute(db)
  if (tables[0]?.there !== true) return new Map()
  const { rows } = await sql<AppliedMigration & { name: string }>`
    select name, digest, coalesce((to_jsonb(m) ->> 'is_compatible')::boolean, false) as "isCompatible" from migration m
    where name <> ${DISTRIBUTED_MARK}`.execute(db)
  return new Map(rows.map(({ name, ...row }) => [name, row]))
}

/** @throws OperatorError when a migration ran that is unknown and not compatible, or a file was changed after it ran */
const assertKnownMigrations = (files: readonly Migration[], applied: ReadonlyMap<string, AppliedMigration>): void => {
  const known = new Map(files.map(({ name, digest }) => [name, digest]))
  for (const [name, { digest, isCompatible }] of applied) {
    if (!known.has(name)) {
      if (isCompatible) continue
      throw new OperatorError(`The database has migration ${name}, which this program does not know. Run the newer program.`)
    }
    if (known.get(name) !== digest)
      throw new OperatorError(`Migration ${name} was changed after it had run. Restore the file; put the change into a new one.`)
  }
}

/** Waits until no other program migrates. The lock lasts until the transaction ends. */
const lockMigrations = async (db: Db): Promise<void> => {
  await sql`set local lock_timeout = '10min'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil migrations'))`.execute(db)
}

/**
 * Makes the list of migrations, or brings that of an earlier program up to date, before any of them runs.
 * @throws OperatorError without `force`, when programs are at work that would fail beside a pending migration
 */
const prepareTable = async (db: Db, files: readonly Migration[], { force }: MigrationOptions): Promise<void> => {
  await lockMigrations(db)
  const applied = await appliedMigrations(db) // another process that started may have run them in the meantime, and be at work by now
  const breaking = files.find(({ name, isCompatible }) => !applied.has(name) && !isCompatible)
  if (breaking !== undefined && !force && (await hasProgramsAtWork(db)))
    throw new OperatorError(
      `A server, worker or command of an earlier version is connected to this database, and would fail beside ${breaking.name}. Stop it first, or say --force to go on.`,
    )
  await sql`create table if not exists migration (name text primary key, digest text not null, ran_at timestamptz not null default now())`.execute(
    db,
  )
  const { rows } =
    await sql`select from pg_attribute where attrelid = 'migration'::regclass and attname = 'is_compatible' and not attisdropped`.execute(
      db,
    )
  if (rows.length === 0) await sql`alter table migration add column is_compatible boolean not null default false`.execute(db)
}

/** Runs one migration and notes it, in the caller's transaction. False when another process has run it meanwhile. */
const runMigration = async (db: Db, { name, text, digest, isCompatible }: Migration): Promise<boolean> => {
  await lockMigrations(db)
  const { rows } = await sql`select from migration where name = ${name}`.execute(db)
  if (rows.length > 0) return false // another process ran it in the meantime
  await sql.raw(text).execute(db)
  await sql`insert into migration (name, digest, is_compatible) values (${name}, ${digest}, ${isCompatible})`.execute(db)
  return true
}
