import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { SessionBusy } from '../../db/embedded/session-lock.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { command } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { writeFileAtomically } from './backup-file.ts'
import { runTool } from './postgres-tools.ts'

export const backupCommand = command({
  name: 'backup',
  about: 'write the whole database into a file, while the server goes on (PostgreSQL: in the format of pg_dump)',
  arguments: { file: 'path' },
  run: async (context, io, { file }) => {
    const bytes = context.store.snapshot === null ? await dumpServer(context, file) : await dumpEmbedded(context.store.snapshot, file)
    const database = context.store.kind
    await context.store.transact({ role: 'counterfoil_system' }, (db) => auditOperator(db, context, 'backup.made', { subject: 'database' }))
    if (io.json) io.out(JSON.stringify({ file, bytes, database }))
    else {
      io.out(`${file}: ${bytes.toLocaleString('en')} bytes.`)
      io.out('The master key is not in it, and without the key no password fits: keep a copy of master.key apart.')
    }
    return 0
  },
})

const dumpEmbedded = (snapshot: () => Promise<Uint8Array>, path: string): Promise<number> =>
  writeFileAtomically(path, async (file) => {
    const archive = await snapshot().catch((error: unknown) => {
      if (error instanceof SessionBusy)
        throw new OperatorError('The database is busy with something long. No backup was made; run it again.', { cause: error })
      throw error
    })
    await pipeline(Readable.from([archive]), createGzip(), file)
  })

/** Staging tables: their rows are imported again from the original file. */
const EXCLUDED_TABLES = ['focus_row', 'focus_import', 'record_import', 'record_import_row', 'usage_load', 'usage_load_*']

const dumpServer = async ({ store, config }: AppContext, path: string): Promise<number> => {
  const { databaseUrl } = config
  if (databaseUrl === null) throw new OperatorError('This installation has no database server.')
  await store.transact({ role: 'owner' }, beginBackup, { pool: 'background' }).catch((error: { code?: string }) => {
    if (error.code === '55P03')
      throw new OperatorError('A long transaction holds a new table just now. No backup was made; run it again.', { cause: error })
    throw error
  })
  const args = [
    '--format=custom',
    '--role=counterfoil_backup',
    '--enable-row-security',
    '--schema=public',
    ...EXCLUDED_TABLES.map((table) => `--exclude-table-data=public.${table}`),
  ]
  return writeFileAtomically(path, async (file) => {
    await runTool({ program: 'pg_dump', args, databaseUrl, output: file })
    // A usage partition created during the dump would be restored without its rows.
    const added = await store.transact({ role: 'owner' }, endBackup, { pool: 'background' })
    if (added.length > 0)
      throw new OperatorError(`New tables came while the backup was made (${added[0]}). No backup was made; run it again.`)
  })
}

const beginBackup = async (db: Db): Promise<void> => {
  await sql`select open_for_backup()`.execute(db)
}

const endBackup = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select closed_for_backup as name from closed_for_backup()`.execute(db)
  return rows.map(({ name }) => name).filter((name) => !name.startsWith('usage_load_'))
}
