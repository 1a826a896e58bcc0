import { readFileSync, rmSync } from 'node:fs'
import { OperatorError } from '../kit/api-error.ts'
import { createMasterKey, deriveKeys, type Keys, masterKeyFile } from '../kit/keys.ts'
import type { Store } from '../db/database.ts'
import { checkKey, type KeySettings, type KeyCheck } from './check-key.ts'
import { keyMark, storeKeyMark } from './key-mark.ts'

/**
 * Marks a migrated database that carries no mark with the key of these settings, and makes that key where there is none. Of several
 * programs that start at once on a new database, each with a data folder of its own, one wins.
 * @throws OperatorError when another one has won; the key that was made for nothing is gone then
 */
export const settleKey = async (store: Store, settings: KeySettings, { keys: foundKeys, isMarked }: KeyCheck): Promise<Keys> => {
  if (isMarked && foundKeys !== null) return foundKeys
  const { keys, master, isMade } = foundKeys === null ? makeKeys(settings.dataDir) : { keys: foundKeys, master: null, isMade: false }
  const mark = keyMark(keys)
  const stored = await store.transact({ role: 'counterfoil_system' }, (db) => storeKeyMark(db, mark))
  if (stored.equals(mark)) return keys
  const { problem } = await checkKey(store, settings)
  if (isMade && master !== null) removeKeyFile(settings.dataDir, master)
  throw new OperatorError(problem ?? 'Another program has just filled this database with another master key. Run it again.')
}

/** Writes a new master key into the data folder, or takes the one that another process has just made, and derives the keys. */
export const makeKeys = (dataDir: string): { keys: Keys; master: Buffer; isMade: boolean } => {
  const made = createMasterKey(dataDir)
  return { ...made, keys: deriveKeys(made.master) }
}

/** Deletes the data folder's key file if it still holds this key. */
const removeKeyFile = (dataDir: string, master: Buffer): void => {
  const file = masterKeyFile(dataDir)
  if (readFileSync(file, 'utf8').trim() === master.toString('hex')) rmSync(file)
}
