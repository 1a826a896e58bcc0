import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import { systemClock } from '../../kit/clock.ts'
import { embeddedStore, postgresStore, type Store } from '../../db/database.ts'
import { databaseTrouble } from '../../db/database-errors.ts'
import { startEngine } from '../../db/embedded/engine.ts'
import { FolderInUse, lockFolder } from '../../db/embedded/folder-lock.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { runOnServer } from '../socket.ts'
import { databaseFindings } from './database-findings.ts'
import { badFinding, type Finding, warningFinding } from './finding.ts'
import { fileFindings, keyFinding, mailFinding } from './machine-findings.ts'

/** All findings of `counterfoil doctor`. A setting that cannot be read is the only finding then. Changes nothing. */
export const examineInstallation = async (): Promise<Finding[]> => {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return [badFinding('settings', error.message, 'Mend that setting; docs/settings.md describes it.')]
  }
  const [files, database, mail] = await Promise.all([fileFindings(config), examineDatabase(config), mailFinding(config)])
  return [...files, keyFinding(config), ...database, mail]
}

/** The findings about the database of the settings: the embedded one, or that of a PostgreSQL server. */
const examineDatabase = (config: Config): Promise<Finding[]> =>
  config.databaseUrl === null ? examineFolder(config) : examineServer(config, config.databaseUrl)

/** The findings about the PostgreSQL database. One that cannot be connected to is one bad finding; nothing is thrown. */
const examineServer = async (config: Config, databaseUrl: string): Promise<Finding[]> => {
  const store = postgresStore(databaseUrl, () => undefined, { maxPerPool: 1, name: 'counterfoil start' })
  try {
    return await databaseFindings(store, config, systemClock)
  } catch (error) {
    const { code = 'no code', message } = error as { code?: string; message: string }
    const trouble = databaseTrouble(error) ?? { isReached: true, reason: `${message} (${code})`, remedy: 'Look into the server’s log.' }
    const { host, pathname } = new URL(databaseUrl)
    const verb = trouble.isReached ? 'used' : 'reached'
    return [
      badFinding('database', `${pathname.slice(1) || 'The database'} at ${host} cannot be ${verb}: ${trouble.reason}.`, trouble.remedy),
    ]
  } finally {
    await store.close()
  }
}

/** The findings about the embedded database: asked of the running server that holds it, else read by opening its folder here. */
const examineFolder = async (config: Config): Promise<Finding[]> => {
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
    return [embedded, ...(await databaseFindings(store, config, systemClock))]
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
