import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { inject, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { type AppContext, openContext } from '../../src/context.ts'
import { startEngine } from '../../src/db/embedded/engine.ts'
import { openLog } from '../../src/kit/log.ts'
import { copyDatabase, dropCopy, runAsAdministrator } from '../databases/administrator.ts'
import { freePort } from '../databases/free-port.ts'
import { runCommandHere, type CommandResult } from './operator.ts'

/** The program. */
export const COMMAND = fileURLToPath(new URL('../../bin/counterfoil.js', import.meta.url))

/** A folder in which an operator works, with settings and a database of this run's kind. */
export interface OperatorHome {
  readonly folder: string
  /** The operator's environment variables; a test may change them. */
  env: Record<string, string>
  /** Creates a migrated database, replacing any earlier one. */
  createDatabase(): Promise<void>
  /** Switches to an empty database in another data folder. */
  useEmptyDatabase(dataDir: string): Promise<void>
  /** Runs a command in this process, which is faster than starting the program. */
  run(args: readonly string[], more?: Record<string, string>): Promise<CommandResult>
  /** Runs the program in that folder. */
  spawn(args: readonly string[], more?: Record<string, string>): Promise<CommandResult>
  /** Runs the server while `work` runs, without its jobs: those change rows at the turn of a minute. */
  withServer(work: (address: string) => Promise<void>): Promise<void>
  /** Opens the application context in this process. */
  withContext<T>(work: (context: AppContext) => Promise<T>): Promise<T>
}

/** Homes for one test file. Creating a database takes seconds, so they copy a migrated one. */
export const operatorHomes = (): { next(): Promise<OperatorHome>; tearDown(): Promise<void> } => {
  const root = mkdtempSync(join(tmpdir(), 'counterfoil-home-'))
  const databases: string[] = []
  let template: Promise<string> | undefined
  return {
    next: async () => {
      const folder = mkdtempSync(join(root, 'home-'))
      const env = {
        PATH: process.env['PATH'] ?? '',
        DATA_DIR: join(folder, 'data'),
        LOG_LEVEL: 'silent',
        PORT: String(await freePort()),
        STOP_DELAY_MS: '0',
        MAIL_URL: `smtp://127.0.0.1:${await freePort()}`,
        ...(await createServerDatabase(databases, false)),
      }
      return createHome(folder, env, databases, () => (template ??= unpackTemplate(root)))
    },
    tearDown: async () => {
      rmSync(root, { recursive: true, force: true })
      const database = inject('testDatabase')
      if (database.kind === 'postgres') for (const name of databases) await dropCopy(database, name)
    },
  }
}

const createHome = (folder: string, env: Record<string, string>, databases: string[], template: () => Promise<string>): OperatorHome => {
  const home: OperatorHome = {
    folder,
    env,
    createDatabase: async () => {
      Object.assign(home.env, await createServerDatabase(databases, true))
      if (inject('testDatabase').kind === 'postgres') return
      mkdirSync(home.env['DATA_DIR'] ?? '', { recursive: true, mode: 0o700 })
      cpSync(await template(), join(home.env['DATA_DIR'] ?? '', 'database'), { recursive: true })
    },
    useEmptyDatabase: async (dataDir) => {
      Object.assign(home.env, await createServerDatabase(databases, false), { DATA_DIR: dataDir })
    },
    run: async (args, more = {}) => {
      for (const [name, value] of Object.entries({ ...home.env, ...more })) vi.stubEnv(name, value)
      try {
        return await runCommandHere(...args)
      } finally {
        vi.unstubAllEnvs()
      }
    },
    spawn: async (args, more = {}) => {
      const child = spawn(process.execPath, [COMMAND, ...args], {
        cwd: folder,
        env: { ...home.env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [out, err] = [text(child.stdout), text(child.stderr)]
      const [exit] = (await once(child, 'close')) as [number | null]
      return { exit: exit ?? -1, out: await out, err: await err }
    },
    withServer: (work) => withServer(folder, home.env, work),
    withContext: async (work) => {
      const context = await openContext(readConfig(home.env), openLog('silent'))
      try {
        return await work(context)
      } finally {
        await context.close()
      }
    },
  }
  return home
}

const withServer = async (folder: string, env: Record<string, string>, work: (address: string) => Promise<void>): Promise<void> => {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--no-worker'], {
    cwd: folder,
    env: { ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await new Promise<void>((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('"ready"')) resolve()
      })
      child.once('exit', () => reject(new Error(`the server did not start: ${output}`)))
    })
    await work(`http://127.0.0.1:${env['PORT']}`)
  } finally {
    const ended = child.exitCode === null ? once(child, 'exit') : null
    child.kill('SIGTERM')
    await ended
  }
}

/** Unpacks the migrated archive into a folder that can be copied. */
const unpackTemplate = async (root: string): Promise<string> => {
  const database = inject('testDatabase')
  if (database.kind !== 'embedded') throw new Error('only the embedded database is a folder')
  const folder = join(root, 'template')
  const engine = await startEngine({ folder, snapshot: new Uint8Array(readFileSync(database.snapshot)) })
  await engine.close()
  return folder
}

const createServerDatabase = async (databases: string[], isMigrated: boolean): Promise<Record<string, string>> => {
  const database = inject('testDatabase')
  if (database.kind !== 'postgres') return {}
  const name = `counterfoil_operator_${randomUUID().replaceAll('-', '')}`
  if (isMigrated) await copyDatabase(database, name)
  else await runAsAdministrator(database.adminUrl, `create database ${name} owner counterfoil_test`)
  databases.push(name)
  const url = new URL(database.ownerUrl)
  url.pathname = name
  return { DATABASE_URL: url.href }
}

/** Escape sequences that move a terminal's cursor. */
const CURSOR_SEQUENCES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g')

/** Runs a command in a pseudo-terminal and types lines at its prompts. */
export const typeAtTerminal = async (home: OperatorHome, args: string, lines: readonly string[]): Promise<string> => {
  const line = `${process.execPath} ${COMMAND} ${args}`
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: home.folder, env: home.env, stdio: ['pipe', 'pipe', 'inherit'] })
  const output = text(child.stdout)
  let unanswered = ''
  const remaining = [...lines]
  child.stdout.on('data', (chunk: Buffer) => {
    unanswered += chunk.toString()
    if (!unanswered.replaceAll(CURSOR_SEQUENCES, '').endsWith(': ') || remaining.length === 0) return
    unanswered = ''
    child.stdin.write(`${remaining.shift() ?? ''}\n`)
  })
  await once(child, 'close')
  return output
}
/** Whether this machine has `script`, which creates pseudo-terminals. */
export const hasTerminal = spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0
