import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { useFontsFolder } from './documents/pdf/canvas/fonts.ts'
import { documentRenderer, type Renderer } from './documents/renderer.ts'
import type { Clock } from './kit/clock.ts'
import { embeddedStore, postgresStore, type Store } from './db/database.ts'
import { type DatabaseClock, startDatabaseClock } from './db/database-clock.ts'
import { startEngine } from './db/embedded/engine.ts'
import { lockFolder } from './db/embedded/folder-lock.ts'
import { explainDatabaseErrors } from './db/database-errors.ts'
import { checkKey } from './master-key/check-key.ts'
import { settleKey } from './master-key/settle-key.ts'
import { explainFolderErrors } from './kit/data-folder.ts'
import type { Keys } from './kit/keys.ts'
import type { Log } from './kit/log.ts'
import { prepareServer, runMigrations } from './db/migrate.ts'
import { OperatorError } from './kit/api-error.ts'
import { assertIsReplica, withReadReplica } from './db/read-replica.ts'
import { createPasswords, type Passwords } from './session/passwords.ts'
import { fileErrorText, makeFolder } from './kit/system-errors.ts'

/** What every part of the program works with: database, keys, clock, log. Opened once per process. */
export interface AppContext {
  readonly config: Config
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly log: Log
  readonly passwords: Passwords
  readonly renderer: Renderer
  /** The migrations that ran when it was opened. */
  readonly migrations: readonly string[]
  close(): Promise<void>
}

/** How long to wait for a connection to PostgreSQL. */
const CONNECT_TIMEOUT_MS = 10_000

export interface OpenOptions {
  /** Brings the schema up to date though programs of an earlier version are at work on the database. */
  readonly force?: boolean
  /**
   * Makes the migrated database one of other keys than it was filled with: those of the settings, or new ones where they lead to none.
   * Without it such a start is refused.
   */
  readonly takeOver?: (store: Store, found: Keys | null) => Promise<Keys>
}

/**
 * Opens the database, checks the master key, and brings the schema up to date. Closes everything again when that fails.
 * @throws OperatorError when a setting, folder, role or the key does not fit, or programs of an earlier version are at work; FolderInUse
 */
export const openContext = async (config: Config, log: Log, options: OpenOptions = {}): Promise<AppContext> => {
  useFontsFolder(config.fontsDir)
  const handle = await openStore(config, log)
  const { store } = handle
  let opened: { readonly keys: Keys; readonly migrations: readonly string[] }
  let time: DatabaseClock
  try {
    opened = await explainDatabaseErrors(config, () => bringUpToDate(config, handle, log, options))
    await assertIsReplica(store, log)
    time = await explainDatabaseErrors(config, () => startDatabaseClock(store, log)) // opens the connection that is kept
  } catch (error) {
    await handle.close()
    throw error
  }
  const renderer = documentRenderer({ fontsDir: config.fontsDir })
  const passwords = createPasswords(opened.keys)
  return {
    ...opened,
    config,
    store,
    clock: time.clock,
    log,
    passwords,
    renderer,
    close: async () => {
      time.stop()
      await renderer.close()
      await passwords.close()
      await handle.close()
    },
  }
}

interface OpenedStore {
  readonly store: Store
  /** The store until the schema is up to date: PostgreSQL lists its connections by another name. */
  openForStart(): Store
  close(): Promise<void>
}

/** Brings the schema up to date under the master key that belongs to the database, which is checked before anything is written. */
const bringUpToDate = async (
  config: Config,
  handle: OpenedStore,
  log: Log,
  options: OpenOptions,
): Promise<{ keys: Keys; migrations: readonly string[] }> => {
  const store = handle.openForStart()
  try {
    await prepareServer(store)
    const check = await explainFolderErrors(config.dataDir, () => checkKey(store, config))
    const { takeOver } = options
    if (check.problem !== null && takeOver === undefined) throw new OperatorError(check.problem)
    const migrations = await runMigrations(store, { force: options.force === true })
    if (migrations.length > 0) log.info({ migrations }, 'the schema was brought up to date')
    const keys = await explainFolderErrors(config.dataDir, async () =>
      check.problem === null || takeOver === undefined ? settleKey(store, config, check) : takeOver(store, check.keys),
    )
    return { keys, migrations }
  } finally {
    if (store !== handle.store) await store.close()
  }
}

/**
 * Opens the PostgreSQL server on first use, or the embedded database at once, whose folder is made and locked. Runs no migration.
 * @throws OperatorError when the folder is unusable; FolderInUse when another process holds it
 */
const openStore = async (config: Config, log: Log): Promise<OpenedStore> => {
  const onError = (error: Error): void => log.error({ err: error }, 'a database connection failed')
  const { databaseUrl } = config
  if (databaseUrl !== null) {
    const primary = postgresStore(databaseUrl, onError)
    const store = config.readDatabaseUrl === null ? primary : withReadReplica(primary, config.readDatabaseUrl, config.maxReplicaLagMs, log)
    return {
      store,
      openForStart: () => postgresStore(databaseUrl, onError, { maxPerPool: 2, connectMs: CONNECT_TIMEOUT_MS, name: 'counterfoil start' }),
      close: () => store.close(),
    }
  }
  const folder = join(config.dataDir, 'database')
  const { isNew, unlock } = await explainFolderErrors(config.dataDir, async () => {
    makeFolder(config.dataDir)
    return { isNew: !existsSync(folder), unlock: lockFolder(folder) }
  })
  try {
    const store = embeddedStore(await startEngine({ folder }), onError)
    return {
      store,
      openForStart: () => store,
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
