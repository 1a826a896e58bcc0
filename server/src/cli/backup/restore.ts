import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import { embeddedStore, type Store } from '../../db/database.ts'
import { explainDatabaseErrors } from '../../db/database-errors.ts'
import { startEngine } from '../../db/embedded/engine.ts'
import { lockFolder } from '../../db/embedded/folder-lock.ts'
import { checkKey, type KeyCheck } from '../../master-key/check-key.ts'
import { keyMark, storeKeyMark } from '../../master-key/key-mark.ts'
import { migrate } from '../../db/migrate.ts'
import { removeMark } from '../../distribution/distributed-tables.queries.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { systemClock } from '../../kit/clock.ts'
import { command, flag, inputOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { confirm } from '../program/confirm.ts'
import { readTextFile } from '../sso/sso-options.ts'
import { type BackupFile, openBackup, readArchive } from './backup-file.ts'
import { parseIdentities } from './encryption.ts'
import { describeExistingTables, restoreServer, restoreStore } from './restore-server.ts'
import { makeFolder } from '../../kit/system-errors.ts'

/** No server may be running. */
export const restoreCommand = command({
  name: 'restore',
  about: 'put a backup in place of the database; the server must be stopped',
  arguments: { file: 'path' },
  options: {
    identity: inputOption('file', 'the key that opens an encrypted backup, as age-keygen writes it'),
    yes: flag('do it without asking, though there is something already'),
  },
  runWithoutDatabase: async (io, { file: path }, { identity, ...options }) => {
    const [config, yes] = [readConfig(), options.yes === true]
    const identities = identity === undefined ? null : await parseIdentities(await readTextFile(io, identity), identity)
    const backup = await openBackup(path, identities)
    const { kind } = backup
    const target = config.databaseUrl === null ? 'embedded' : 'postgres'
    if (kind !== target)
      throw new OperatorError(
        kind === 'postgres'
          ? `${path} is a backup of a PostgreSQL server: name the server to restore it to in DATABASE_URL.`
          : `${path} is a backup of an embedded database; DATABASE_URL names a PostgreSQL server, which cannot take it.`,
      )
    const {
      previousFolder,
      key,
      wasDistributed = false,
    } = await explainDatabaseErrors(config, () =>
      config.databaseUrl === null ? restoreEmbedded(config, backup, yes) : restoreOverServer(config, config.databaseUrl, backup, yes),
    )
    const keyFits = key.problem === null
    if (io.json)
      io.out(
        JSON.stringify({
          file: path,
          database: kind,
          keyFits,
          wasDistributed,
          ...(previousFolder === null ? {} : { before: previousFolder }),
        }),
      )
    else {
      io.out(`${path} is restored.`)
      if (wasDistributed)
        io.out(
          'The backup is of a distributed installation. Its usage is on this server alone now: run counterfoil distribute to spread it.',
        )
      if (previousFolder !== null) io.out(`What was there before is in ${previousFolder}; delete it when it is no longer needed.`)
    }
    if (!keyFits) io.err(`The master key is not the one of this backup. ${key.problem} Until then every command refuses.`)
    return 0
  },
})

interface Restored {
  /** The folder of the database that was there before; null when there was none. */
  readonly previousFolder: string | null
  /** Whether the master key of the settings belongs to the backup. */
  readonly key: KeyCheck
  /** Whether the usage of the backed-up installation was distributed. */
  readonly wasDistributed?: boolean
}

/**
 * Asks where there are tables, replaces them on the PostgreSQL server, migrates them, and checks the master key. Nothing of before is kept.
 */
const restoreOverServer = async (config: Config, databaseUrl: string, backup: BackupFile, yes: boolean): Promise<Restored> => {
  const store = restoreStore(databaseUrl)
  try {
    const existing = await describeExistingTables(store)
    if (existing !== null) await confirm(`The database holds ${existing} already; all of it goes, and the backup takes its place.`, yes)
    await restoreServer(databaseUrl, store, backup)
    const wasDistributed = await store.transact({ role: 'owner' }, removeMark)
    await migrate(store)
    return { previousFolder: null, key: await finishRestore(store, config), wasDistributed }
  } finally {
    await store.close()
  }
}

/**
 * Restores into a new folder first, so that an unusable backup leaves the database unchanged. The database of before is renamed, not
 * deleted.
 */
const restoreEmbedded = async (config: Config, backup: BackupFile, yes: boolean): Promise<Restored> => {
  const { dataDir } = config
  makeFolder(dataDir)
  const folder = join(dataDir, 'database')
  const unlock = lockFolder(folder)
  try {
    const hasDatabase = existsSync(folder)
    if (hasDatabase) await confirm(`There is a database in ${folder}; the backup takes its place.`, yes)
    const newFolder = `${folder}.restoring`
    rmSync(newFolder, { recursive: true, force: true })
    const key = await restoreIntoFolder(newFolder, config, backup)
    const previousFolder = hasDatabase ? unusedName(`${folder}.before-restore`) : null
    if (previousFolder !== null) renameSync(folder, previousFolder)
    renameSync(newFolder, folder)
    return { previousFolder, key }
  } finally {
    unlock()
  }
}

/**
 * Makes an embedded database out of the backup in this folder, migrates it, and checks the master key.
 * @throws OperatorError when the backup cannot be opened; then the folder is deleted
 */
const restoreIntoFolder = async (folder: string, config: Config, backup: BackupFile): Promise<KeyCheck> => {
  const archive = await readArchive(backup)
  try {
    const store = embeddedStore(await startEngine({ folder, snapshot: archive }), () => undefined)
    try {
      await migrate(store)
      return await finishRestore(store, config)
    } finally {
      await store.close()
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`The backup ${backup.path} cannot be opened: it is damaged, or of another version of the embedded database.`, {
      cause: error,
    })
  }
}

/** The path with the first of -1, -2, … behind it at which no file or folder exists. Creates none. */
const unusedName = (name: string): string => {
  for (let n = 1; ; n += 1) if (!existsSync(`${name}-${n}`)) return `${name}-${n}`
}

/**
 * Checks whether the master key belongs to the restored database. Where it does, stores its mark and writes an audit entry, and commits.
 */
const finishRestore = async (store: Store, config: Config): Promise<KeyCheck> => {
  const check = await checkKey(store, config)
  const { keys, problem } = check
  if (keys === null || problem !== null) return check // an entry sealed with another key would break the chain
  await store.transact({ role: 'counterfoil_system' }, async (db) => {
    await storeKeyMark(db, keyMark(keys))
    await auditOperator(db, { keys, clock: systemClock }, 'backup.restored', { subject: 'database' })
  })
  return check
}
