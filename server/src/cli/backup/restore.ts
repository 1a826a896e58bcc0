import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import { openContext } from '../../context.ts'
import { embeddedStore } from '../../db/database.ts'
import { startEngine } from '../../db/embedded/engine.ts'
import { lockFolder } from '../../db/embedded/folder-lock.ts'
import { storedKeyMark } from '../../db/key-mark.ts'
import { openLog } from '../../kit/log.ts'
import { migrate } from '../../db/migrate.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { command, flag, inputOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { confirm } from '../program/confirm.ts'
import { readTextFile } from '../sso/sso-options.ts'
import { type BackupFile, openBackup, readArchive } from './backup-file.ts'
import { parseIdentities } from './encryption.ts'
import { restoreServer, describeExistingTables } from './restore-server.ts'
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
  runHere: async (io, { file: path }, { identity, ...options }) => {
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
    const previousFolder =
      config.databaseUrl === null
        ? await restoreEmbedded(config.dataDir, backup, yes)
        : await restoreOverServer(config.databaseUrl, backup, yes)
    const keyFits = await doesKeyFit(config)
    if (io.json)
      io.out(JSON.stringify({ file: path, database: kind, keyFits, ...(previousFolder === null ? {} : { before: previousFolder }) }))
    else {
      io.out(`${path} is restored.`)
      if (previousFolder !== null) io.out(`What was there before is in ${previousFolder}; delete it when it is no longer needed.`)
    }
    if (!keyFits) io.err('The master key is not the one of this backup: bring back its master.key (or MASTER_KEY), or no password fits.')
    return 0
  },
})

const restoreOverServer = async (databaseUrl: string, backup: BackupFile, yes: boolean): Promise<null> => {
  const existing = await describeExistingTables(databaseUrl)
  if (existing !== null) await confirm(`The database holds ${existing} already; all of it goes, and the backup takes its place.`, yes)
  await restoreServer(databaseUrl, backup)
  return null
}

/** Restores into a new folder first, so that an unusable backup leaves the database unchanged. @returns the folder of the previous database; null when there was none */
const restoreEmbedded = async (dataDir: string, backup: BackupFile, yes: boolean): Promise<string | null> => {
  makeFolder(dataDir)
  const folder = join(dataDir, 'database')
  const unlock = lockFolder(folder)
  try {
    const hasDatabase = existsSync(folder)
    if (hasDatabase) await confirm(`There is a database in ${folder}; the backup takes its place.`, yes)
    const newFolder = `${folder}.restoring`
    rmSync(newFolder, { recursive: true, force: true })
    await restoreIntoFolder(newFolder, await readArchive(backup), backup.path)
    const before = hasDatabase ? unusedName(`${folder}.before-restore`) : null
    if (before !== null) renameSync(folder, before)
    renameSync(newFolder, folder)
    return before
  } finally {
    unlock()
  }
}

const restoreIntoFolder = async (folder: string, archive: Uint8Array<ArrayBuffer>, path: string): Promise<void> => {
  try {
    const store = embeddedStore(await startEngine({ folder, snapshot: archive }), () => undefined)
    try {
      await migrate(store)
    } finally {
      await store.close()
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`The backup ${path} cannot be opened: it is damaged, or of another version of the embedded database.`, {
      cause: error,
    })
  }
}

const unusedName = (name: string): string => {
  for (let n = 1; ; n += 1) if (!existsSync(`${name}-${n}`)) return `${name}-${n}`
}

const doesKeyFit = async (config: Config): Promise<boolean> => {
  const deps = await openContext(config, openLog('silent'))
  try {
    return await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const fits = (await storedKeyMark(db))?.equals(deps.keys.mac('mark', 'database')) ?? false
      if (fits) await auditOperator(db, deps, 'backup.restored', { subject: 'database' }) // an entry sealed with another key would break the chain
      return fits
    })
  } finally {
    await deps.close()
  }
}
