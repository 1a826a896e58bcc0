import { text } from 'node:stream/consumers'
import { PassThrough, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { postgresStore, type Store } from '../../db/database.ts'
import { prepareServer } from '../../db/migrate.ts'
import { hasProgramsAtWork } from '../../db/programs-at-work.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { BackupFile } from './backup-file.ts'
import { runTool } from './postgres-tools.ts'

/**
 * Drops our tables, sequences and functions inside the transaction that restores the backup. The schema public stays, with the rights on
 * it: its owner need not be the user of DATABASE_URL, and one who does not inherit rights may neither drop nor make it (db/roles.ts).
 */
const DROP_EXISTING_SQL = `
set client_min_messages = warning;
set statement_timeout = 0;
set lock_timeout = 0;
set idle_in_transaction_session_timeout = 0;
do $$ declare r record; begin
  for r in select c.oid::regclass::text as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  loop execute 'drop table if exists ' || r.name || ' cascade'; end loop;
  for r in select c.oid::regclass::text as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
  loop execute 'drop sequence if exists ' || r.name || ' cascade'; end loop;
  for r in select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop execute 'drop function if exists ' || r.name || ' cascade'; end loop;
end $$;
drop schema if exists pgboss cascade;
`

/** A store with one connection for a restore. Nothing is checked or asked yet. */
export const restoreStore = (databaseUrl: string): Store =>
  postgresStore(databaseUrl, () => undefined, { maxPerPool: 1, name: 'counterfoil restore' })

/**
 * The number of tables that a restore would replace, as in `12 tables`; null when there are none.
 * @throws OperatorError when a program is at work on the database
 */
export const describeExistingTables = async (store: Store): Promise<string | null> => {
  const { isBusy, tables } = await store.transact({ role: 'owner' }, async (db) => ({
    isBusy: await hasProgramsAtWork(db),
    tables: await sql<{ n: number }>`
      select count(*)::int as n from pg_class where relnamespace = to_regnamespace('public') and relkind in ('r', 'p') and not relispartition`.execute(
      db,
    ),
  }))
  if (isBusy)
    throw new OperatorError(
      'A server, worker or command is connected to this database. Stop it first; a restore under its feet would leave it confused.',
    )
  const count = tables.rows[0]?.n ?? 0
  return count === 0 ? null : `${count} tables`
}

/**
 * Puts a backup in place of our tables, sequences and functions, in one transaction, with pg_restore and psql.
 * @throws OperatorError for a foreign or damaged backup, or when a program fails; then the database is unchanged
 */
export const restoreServer = async (databaseUrl: string, store: Store, backup: BackupFile): Promise<void> => {
  await assertOwnBackup(backup)
  await prepareServer(store)
  const writeRestoreScript = async (stdin: Writable): Promise<void> => {
    stdin.write(DROP_EXISTING_SQL)
    await runTool({
      program: 'pg_restore',
      args: ['--no-owner', '--schema=public', '--file=-'],
      output: [keepOpen(stdin)],
      input: contentOf(backup),
    })
    stdin.end('\n')
  }
  let failure: unknown
  const args = ['--quiet', '--no-psqlrc', '--single-transaction', '--set=ON_ERROR_STOP=1', '--output=/dev/null']
  const input = (stdin: Writable): Promise<void> =>
    writeRestoreScript(stdin).catch((error: unknown) => {
      failure = error
      stdin.end('\nselect 1 / 0;\n') // fails the transaction, so that half a backup is not committed
    })
  await runTool({ program: 'psql', args, databaseUrl, output: null, input }).catch((error: unknown) => {
    throw failure instanceof OperatorError ? failure : error
  })
}

/** Makes the function that pipes the backup's content into a program's standard input, and ends that input. */
const contentOf =
  (backup: BackupFile) =>
  async (stdin: Writable): Promise<void> =>
    pipeline(await backup.open(), stdin)

/** Makes a stream that passes every chunk on to the target, and does not end the target. */
const keepOpen = (to: Writable): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (to.destroyed) return done(new Error('psql has ended'))
      if (to.write(chunk)) return done()
      const resume = (): void => {
        to.off('drain', resume)
        to.off('close', resume)
        done()
      }
      to.once('drain', resume)
      to.once('close', resume)
    },
  })

/** Reads the archive's table of contents with pg_restore. @throws OperatorError when it is damaged or not of Counterfoil */
const assertOwnBackup = async (backup: BackupFile): Promise<void> => {
  const { path } = backup
  const list = new PassThrough()
  const contents = text(list)
  await runTool({ program: 'pg_restore', args: ['--list'], output: [list], input: contentOf(backup) }).catch((error: unknown) => {
    if (error instanceof OperatorError && error.message.startsWith('pg_restore failed'))
      throw new OperatorError(`The backup ${path} is cut or damaged.`, { cause: error })
    throw error
  })
  if (!/ TABLE public migration /.test(await contents)) throw new OperatorError(`${path} is a dump of some other program's database.`)
}
