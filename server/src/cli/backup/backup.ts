import { type Duplex, Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { openForBackup } from '../../db/roles.ts'
import { SessionBusy } from '../../db/embedded/session-lock.ts'
import { dumpBetweenLoads } from '../../distribution/between-loads.service.ts'
import { keepDistributionAway } from '../../distribution/distributed-tables.queries.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { command, listOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { writeFileAtomically } from './backup-file.ts'
import { createEncryption } from './encryption.ts'
import { runTool } from './postgres-tools.ts'

export const backupCommand = command({
  name: 'backup',
  about: 'write the whole database into a file, while the server goes on (PostgreSQL: in the format of pg_dump)',
  arguments: { file: 'path' },
  options: { recipient: listOption('age1…', 'encrypt it for the holder of this public key of age') },
  run: async (context, io, { file }, { recipient: recipients = [] }) => {
    const encryption = recipients.length === 0 ? [] : [await createEncryption(recipients)]
    const { snapshot } = context.store
    const bytes = await writeFileAtomically(
      file,
      (stream) => (snapshot === null ? dumpServer(context, [...encryption, stream]) : dumpEmbedded(snapshot, [...encryption, stream])),
      io.catchStop?.(),
    )
    const database = context.store.kind
    await context.store.transact({ role: 'counterfoil_system' }, (db) => auditOperator(db, context, 'backup.made', { subject: 'database' }))
    if (io.json) io.out(JSON.stringify({ file, bytes, database, encrypted: recipients.length > 0 }))
    else {
      io.out(`${file}: ${bytes.toLocaleString('en')} bytes.`)
      io.out('The master key is not in it, and without the key no password fits: keep a copy of master.key apart.')
      if (recipients.length === 0)
        io.out('It is not encrypted: who reads it reads names, addresses, invoices and usage. --recipient encrypts it.')
    }
    return 0
  },
})

/** The streams that a backup passes, the file last. */
type BackupStreams = readonly [...Duplex[], Writable]

/** Sends the embedded database's archive, gzipped, through the streams. @throws OperatorError when the database stays busy */
const dumpEmbedded = async (snapshot: () => Promise<Uint8Array>, streams: BackupStreams): Promise<void> => {
  const archive = await snapshot().catch((error: unknown) => {
    if (error instanceof SessionBusy)
      throw new OperatorError('The database is busy with something long. No backup was made; run it again.', { cause: error })
    throw error
  })
  await pipeline([Readable.from([archive]), createGzip(), ...streams])
}

/** Staging tables: their rows are imported again from the original file. */
const EXCLUDED_TABLES = ['import_staging', 'focus_row', 'record_import_row']

/**
 * Sends a dump of the PostgreSQL server, made by pg_dump, through the streams.
 * @throws OperatorError when pg_dump fails, or when rows would be missing: usage moves between machines, or tables were added meanwhile
 */
const dumpServer = (context: AppContext, streams: BackupStreams): Promise<void> =>
  context.store.transact(
    { role: 'owner' },
    async (db) => {
      if (!(await keepDistributionAway(db)))
        throw new OperatorError('counterfoil distribute is at work. No backup was made; run it afterwards.')
      await dumpTables(context, streams)
    },
    { pool: 'background' },
  )

const dumpTables = async ({ store, config }: AppContext, streams: BackupStreams): Promise<void> => {
  const { databaseUrl } = config
  if (databaseUrl === null) throw new OperatorError('This installation has no database server.')
  await store.transact({ role: 'owner' }, openForBackup, { pool: 'background' }).catch((error: { code?: string }) => {
    if (error.code === '55P03')
      throw new OperatorError('A long transaction holds a new table just now. No backup was made; run it again.', { cause: error })
    throw error
  })
  const args = [
    '--format=custom',
    '--role=counterfoil_backup',
    '--enable-row-security',
    '--schema=public',
    '--exclude-table=public.usage_load_*', // an import makes them, at any moment
    ...EXCLUDED_TABLES.map((table) => `--exclude-table-data=public.${table}`),
  ]
  const dump = (): Promise<void> => runTool({ program: 'pg_dump', args, databaseUrl, output: streams })
  await ((await store.isDistributed()) ? dumpBetweenLoads(store, dump) : dump())
  // A usage partition created during the dump would be restored without its rows.
  const added = await store.transact({ role: 'owner' }, endBackup, { pool: 'background' })
  if (added.length > 0)
    throw new OperatorError(`New tables came while the backup was made (${added[0]}). No backup was made; run it again.`)
}

/** The tables that counterfoil_backup cannot read, because they were added since; but for those of imports under way. */
const endBackup = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select closed_for_backup as name from closed_for_backup()`.execute(db)
  return rows.map(({ name }) => name).filter((name) => !name.startsWith('usage_load_'))
}
