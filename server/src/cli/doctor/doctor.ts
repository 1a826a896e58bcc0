import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import { systemClock } from '../../kit/clock.ts'
import { embeddedStore, postgresStore, type Store } from '../../db/database.ts'
import { startEngine } from '../../db/embedded/engine.ts'
import { FolderInUse, lockFolder } from '../../db/embedded/folder-lock.ts'
import type { Keys } from '../../kit/keys.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { Io } from '../command.ts'
import { throughServer } from '../socket.ts'
import { databaseFindings } from './database-findings.ts'
import { bad, type Finding, warning } from './finding.ts'
import { fileFindings, keyFindings, mailFinding } from './machine-findings.ts'

/** `counterfoil doctor`: says what is wrong and how to mend it. Changes nothing. Ends with 1 when something is bad. */
export const doctorCommand = async (io: Io): Promise<number> => {
  const findings = await examined()
  const isBad = findings.some(({ state }) => state === 'bad')
  if (io.json) io.out(JSON.stringify({ ok: !isBad, findings }))
  else tell(io, findings)
  return isBad ? 1 : 0
}

const MARKS = { good: 'ok  ', warning: 'note', bad: 'BAD ' } as const

const tell = (io: Io, findings: readonly Finding[]): void => {
  for (const { about, state, says, mend } of findings) {
    io.out(`${MARKS[state]}  ${about.padEnd(9)} ${says}`)
    if (mend !== undefined) io.out(`                ${mend.replaceAll('\n', '\n                ')}`)
  }
  const count = findings.filter(({ state }) => state === 'bad').length
  io.out(count === 0 ? 'Nothing is in the way.' : `${count} ${count === 1 ? 'thing is' : 'things are'} bad.`)
}

const examined = async (): Promise<Finding[]> => {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return [bad('settings', error.message, 'Mend that setting; docs/settings.md describes it.')]
  }
  const { keys, findings } = keyFindings(config)
  const [files, database, mail] = await Promise.all([fileFindings(config), examinedDatabase(config, keys), mailFinding(config)])
  return [...files, ...findings, ...database, mail]
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'there is no such host',
  EHOSTUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it does not answer',
  '28P01': 'the password is wrong',
  '28000': 'the user may not sign in',
  '3D000': 'there is no database of that name',
}

const examinedDatabase = (config: Config, keys: Keys | null): Promise<Finding[]> =>
  config.databaseUrl === null ? examinedFolder(config, keys) : examinedServer(config.databaseUrl, keys)

const examinedServer = async (databaseUrl: string, keys: Keys | null): Promise<Finding[]> => {
  const store = postgresStore(databaseUrl, () => undefined, 1)
  try {
    return await databaseFindings(store, keys, systemClock)
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    const { host, pathname } = new URL(databaseUrl)
    const words = UNREACHABLE[code] ?? (code === '' ? message : `code ${code}`)
    return [
      bad(
        'database',
        `${pathname.slice(1) || 'The database'} at ${host} cannot be used: ${words}.`,
        'Check DATABASE_URL and that the server runs.',
      ),
    ]
  } finally {
    await store.close()
  }
}

const examinedFolder = async (config: Config, keys: Keys | null): Promise<Finding[]> => {
  const folder = join(config.dataDir, 'database')
  const embedded = warning(
    'database',
    'It is the embedded one: for a first look, it does not flush to disk.',
    'Set DATABASE_URL for anything that matters.',
  )
  const far: string[] = []
  const voice = { out: (line: string) => void far.push(line), err: () => undefined, input: () => process.stdin }
  const answered = await throughServer(config.dataDir, { command: 'doctor database', args: [], options: {}, json: true }, voice)
  if (answered === 0) return [embedded, ...(JSON.parse(far[0] ?? '[]') as Finding[])]
  if (!existsSync(folder)) return [embedded, warning('database', 'There is none yet.', 'Nothing to do: the first start makes it.')]
  let unlock: (() => void) | null = null
  let store: Store | null = null
  try {
    unlock = lockFolder(folder)
    store = embeddedStore(await startEngine({ folder }), () => undefined)
    return [embedded, ...(await databaseFindings(store, keys, systemClock))]
  } catch (error) {
    if (error instanceof FolderInUse)
      return [embedded, warning('database', error.message, 'Nothing to do, if that is a command that is at work.')]
    return [bad('database', `The embedded database in ${folder} cannot be opened.`, 'Restore it from a backup: counterfoil restore FILE.')]
  } finally {
    await store?.close()
    unlock?.()
  }
}
