import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import { systemClock } from '../../kit/clock.ts'
import { embeddedStore, postgresStore, type Store } from '../../db/database.ts'
import { startEngine } from '../../db/embedded/engine.ts'
import { FolderInUse, lockFolder } from '../../db/embedded/folder-lock.ts'
import type { Keys } from '../../kit/keys.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { runOnServer } from '../socket.ts'
import { databaseFindings } from './database-findings.ts'
import { badFinding, type Finding, warningFinding } from './finding.ts'
import { fileFindings, keyFindings, mailFinding } from './machine-findings.ts'
import { connectionErrorText } from '../../kit/system-errors.ts'

/** What is right and wrong with the settings, files, keys, database and mail. */
export const examineInstallation = async (): Promise<Finding[]> => {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return [badFinding('settings', error.message, 'Mend that setting; docs/settings.md describes it.')]
  }
  const { keys, findings } = keyFindings(config)
  const [files, database, mail] = await Promise.all([fileFindings(config), examineDatabase(config, keys), mailFinding(config)])
  return [...files, ...findings, ...database, mail]
}

const examineDatabase = (config: Config, keys: Keys | null): Promise<Finding[]> =>
  config.databaseUrl === null ? examineFolder(config, keys) : examineServer(config.databaseUrl, keys)

const examineServer = async (databaseUrl: string, keys: Keys | null): Promise<Finding[]> => {
  const store = postgresStore(databaseUrl, () => undefined, 1)
  try {
    return await databaseFindings(store, keys, systemClock)
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    const { host, pathname } = new URL(databaseUrl)
    const text = connectionErrorText(error) ?? (code === '' ? message : `code ${code}`)
    return [
      badFinding(
        'database',
        `${pathname.slice(1) || 'The database'} at ${host} cannot be used: ${text}.`,
        'Check DATABASE_URL and that the server runs.',
      ),
    ]
  } finally {
    await store.close()
  }
}

const examineFolder = async (config: Config, keys: Keys | null): Promise<Finding[]> => {
  const folder = join(config.dataDir, 'database')
  const embedded = warningFinding(
    'database',
    'It is the embedded one: for a first look, it does not flush to disk.',
    'Set DATABASE_URL for anything that matters.',
  )
  const output: string[] = []
  const io = { out: (line: string) => void output.push(line), err: () => undefined, input: () => process.stdin }
  const exitCode = await runOnServer(config.dataDir, { command: 'doctor database', args: [], options: {}, json: true }, io)
  if (exitCode === 0) return [embedded, ...(JSON.parse(output[0] ?? '[]') as Finding[])]
  if (!existsSync(folder)) return [embedded, warningFinding('database', 'There is none yet.', 'Nothing to do: the first start makes it.')]
  let unlock: (() => void) | null = null
  let store: Store | null = null
  try {
    unlock = lockFolder(folder)
    store = embeddedStore(await startEngine({ folder }), () => undefined)
    return [embedded, ...(await databaseFindings(store, keys, systemClock))]
  } catch (error) {
    if (error instanceof FolderInUse)
      return [embedded, warningFinding('database', error.message, 'Nothing to do, if that is a command that is at work.')]
    return [
      badFinding('database', `The embedded database in ${folder} cannot be opened.`, 'Restore it from a backup: counterfoil restore FILE.'),
    ]
  } finally {
    await store?.close()
    unlock?.()
  }
}
