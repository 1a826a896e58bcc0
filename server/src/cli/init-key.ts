import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { explainDatabaseError } from '../db/database-errors.ts'
import { embeddedStore, postgresStore, type Store } from '../db/database.ts'
import { startEngine } from '../db/embedded/engine.ts'
import { lockFolder } from '../db/embedded/folder-lock.ts'
import { checkKey, type KeyCheck } from '../master-key/check-key.ts'
import { OperatorError } from '../kit/api-error.ts'

/** Whether a master key may be made for these settings: only where the database is new. */
export type KeyPermission =
  /** The key that there is belongs to the database. */
  | { readonly state: 'found' }
  /** There is none, and the database is new. */
  | { readonly state: 'needed' }
  /** There is none, and the database cannot be asked; `reason` is a sentence. */
  | { readonly state: 'unknown'; readonly reason: string }

/**
 * Asks the database of these settings, without changing anything, whether a master key may be made for it.
 * @throws OperatorError when it was filled with another key than the settings lead to; FolderInUse when another process holds it
 */
export const askForKey = async (config: Config): Promise<KeyPermission> => {
  let check: KeyCheck
  try {
    check = config.databaseUrl === null ? await checkEmbedded(config) : await checkAtServer(config, config.databaseUrl)
  } catch (error) {
    const reason = explainDatabaseError(error, config)
    if (reason === undefined) throw error
    return config.masterKey === null ? { state: 'unknown', reason } : { state: 'found' }
  }
  if (check.problem !== null) throw new OperatorError(`${check.problem} Nothing was written.`)
  return { state: check.keys === null ? 'needed' : 'found' }
}

/** Compares the master key of the settings with the database of a PostgreSQL server, and disconnects. Throws where it cannot be reached. */
const checkAtServer = async (config: Config, databaseUrl: string): Promise<KeyCheck> => {
  const store = postgresStore(databaseUrl, () => undefined, { maxPerPool: 1, name: 'counterfoil start' })
  try {
    return await checkKey(store, config)
  } finally {
    await store.close()
  }
}

/**
 * Compares the master key of the settings with the embedded database, whose folder is locked meanwhile, and closes the database. Where the
 * folder is missing, the result is that of an empty database: no problem, and no mark of a key.
 * @throws FolderInUse when another process holds the folder
 */
const checkEmbedded = async (config: Config): Promise<KeyCheck> => {
  const folder = join(config.dataDir, 'database')
  if (!existsSync(folder)) return checkKey(null, config)
  const unlock = lockFolder(folder)
  let store: Store | null = null
  try {
    store = embeddedStore(await startEngine({ folder }), () => undefined)
    return await checkKey(store, config)
  } finally {
    await store?.close()
    unlock()
  }
}
