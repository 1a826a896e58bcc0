import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { documentRenderer, type Renderer } from './documents/renderer.ts'
import { type Clock, systemClock } from './kit/clock.ts'
import { embeddedStore, postgresStore, type Store } from './db/database.ts'
import { startEngine } from './db/embedded/engine.ts'
import { lockFolder } from './db/embedded/folder-lock.ts'
import { matchesKeyMark } from './db/key-mark.ts'
import { type Keys, deriveKeys, readOrCreateMasterKey } from './kit/keys.ts'
import type { Log } from './kit/log.ts'
import { migrate } from './db/migrate.ts'
import { OperatorError } from './kit/api-error.ts'
import { assertIsReplica, withReadReplica } from './db/read-replica.ts'
import { createPasswords, type Passwords } from './session/passwords.ts'
import { connectionErrorText, fileErrorText, makeFolder } from './kit/system-errors.ts'

/** What every part of the program works with: database, keys, clock, log. Opened once per process. */
export interface AppContext {
  readonly config: Config
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly log: Log
  readonly passwords: Passwords
  readonly renderer: Renderer
  close(): Promise<void>
}

/**
 * Opens the database and brings its schema up to date.
 * @throws OperatorError when a setting, a folder or a database role is unusable; FolderInUse when another process holds the folder
 */
export const openContext = async (config: Config, log: Log): Promise<AppContext> => {
  const keys = deriveKeys(config.masterKey ?? explainFolderErrors(config.dataDir, () => readOrCreateMasterKey(config.dataDir)))
  const handle = await openStore(config, log)
  const { store } = handle
  try {
    const appliedMigrations = await explainConnectionErrors(config, () => migrate(store))
    await assertIsReplica(store, log)
    if (appliedMigrations.length > 0) log.info({ migrations: appliedMigrations }, 'the schema was brought up to date')
    if ((await store.transact({ role: 'counterfoil_system' }, (db) => matchesKeyMark(db, keys))) === false)
      log.error('the master key is not the one that this database was filled with: no password fits; counterfoil doctor says more')
  } catch (error) {
    await handle.close()
    throw error
  }
  const renderer = documentRenderer()
  const passwords = createPasswords(keys)
  return {
    config,
    store,
    keys,
    clock: systemClock,
    log,
    passwords,
    renderer,
    close: async () => {
      await renderer.close()
      await passwords.close()
      await handle.close()
    },
  }
}

const openStore = async (config: Config, log: Log): Promise<{ store: Store; close(): Promise<void> }> => {
  const onError = (error: Error): void => log.error({ err: error }, 'a database connection failed')
  if (config.databaseUrl !== null) {
    const primary = postgresStore(config.databaseUrl, onError)
    const store = config.readDatabaseUrl === null ? primary : withReadReplica(primary, config.readDatabaseUrl, config.maxReplicaLagMs, log)
    return { store, close: () => store.close() }
  }
  const folder = join(config.dataDir, 'database')
  explainFolderErrors(config.dataDir, () => makeFolder(config.dataDir))
  const isNew = !existsSync(folder)
  const unlock = explainFolderErrors(config.dataDir, () => lockFolder(folder))
  try {
    const store = embeddedStore(await startEngine({ folder }), onError)
    return {
      store,
      close: async () => {
        await store.close()
        unlock()
      },
    }
  } catch (error) {
    if (isNew) rmSync(folder, { recursive: true, force: true }) // half a database could not be opened later
    unlock()
    const reason = fileErrorText(error) ?? (error instanceof Error ? error.message : 'it is damaged, or of another version')
    throw new OperatorError(`The embedded database in ${folder} cannot be opened: ${reason}.`, { cause: error })
  }
}

const explainFolderErrors = <T>(folder: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    const explanation = fileErrorText(error)
    if (explanation === undefined) throw error
    throw new OperatorError(`The data folder ${folder} cannot be used: ${explanation}. Mend that, or choose another with DATA_DIR.`, {
      cause: error,
    })
  }
}

const explainConnectionErrors = async <T>(config: Config, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const reason = connectionErrorText(error)
    if (config.databaseUrl === null || reason === undefined) throw error
    const { host, pathname } = new URL(config.databaseUrl)
    throw new OperatorError(
      `The database ${pathname.slice(1)} at ${host} cannot be reached: ${reason}. Check DATABASE_URL and that the server runs.`,
      { cause: error },
    )
  }
}
