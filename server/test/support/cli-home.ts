import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { inject, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { type AppContext, openContext } from '../../src/context.ts'
import { startEngine } from '../../src/db/embedded/engine.ts'
import { openLog } from '../../src/kit/log.ts'
import { freePort } from '../databases/free-port.ts'
import { operateHere, type Said } from './operator.ts'

const COMMAND = fileURLToPath(new URL('../../bin/counterfoil.js', import.meta.url))

/** A folder of this machine in which an operator works, with settings and a database of this run's kind. */
export interface Home {
  readonly folder: string
  /** What the operator's environment names; a test may change it. */
  env: Record<string, string>
  /** Puts a migrated database there, in place of none or of what there was. */
  fill(): Promise<void>
  /** Goes on with an empty database in another data folder. */
  moveToEmpty(dataDir: string): Promise<void>
  /** Types a command in this process, which spares starting the program. */
  typed(words: readonly string[], more?: Record<string, string>): Promise<Said>
  /** Runs the program itself, in that folder. */
  program(words: readonly string[], more?: Record<string, string>): Promise<Said>
  /** Starts the server, and gives it while the work lasts. */
  serving(work: (address: string) => Promise<void>): Promise<void>
  /** Works on the house in this process. */
  inHouse<T>(work: (context: AppContext) => Promise<T>): Promise<T>
}

/** Homes for one file of tests. Making a database takes seconds, so they copy one that is migrated. */
export const homes = (): { next(): Promise<Home>; tearDown(): Promise<void> } => {
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
        ...(await serverDatabase(databases, false)),
      }
      return homeIn(folder, env, databases, () => (template ??= unpackedTemplate(root)))
    },
    tearDown: async () => {
      rmSync(root, { recursive: true, force: true })
      for (const name of databases) await asAdministrator(`drop database if exists ${name} with (force)`)
    },
  }
}

const homeIn = (folder: string, env: Record<string, string>, databases: string[], template: () => Promise<string>): Home => {
  const home: Home = {
    folder,
    env,
    fill: async () => {
      Object.assign(home.env, await serverDatabase(databases, true))
      if (inject('testDatabase').kind === 'postgres') return
      mkdirSync(home.env['DATA_DIR'] ?? '', { recursive: true, mode: 0o700 })
      cpSync(await template(), join(home.env['DATA_DIR'] ?? '', 'database'), { recursive: true })
    },
    moveToEmpty: async (dataDir) => {
      Object.assign(home.env, await serverDatabase(databases, false), { DATA_DIR: dataDir })
    },
    typed: async (words, more = {}) => {
      for (const [name, value] of Object.entries({ ...home.env, ...more })) vi.stubEnv(name, value)
      try {
        return await operateHere(...words)
      } finally {
        vi.unstubAllEnvs()
      }
    },
    program: async (words, more = {}) => {
      const child = spawn(process.execPath, [COMMAND, ...words], {
        cwd: folder,
        env: { ...home.env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [out, err] = [text(child.stdout), text(child.stderr)]
      const [exit] = (await once(child, 'close')) as [number | null]
      return { exit: exit ?? -1, out: await out, err: await err }
    },
    serving: (work) => serving(folder, home.env, work),
    inHouse: async (work) => {
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

const serving = async (folder: string, env: Record<string, string>, work: (address: string) => Promise<void>): Promise<void> => {
  const child = spawn(process.execPath, [COMMAND, 'serve'], {
    cwd: folder,
    env: { ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await new Promise<void>((resolve, reject) => {
      let said = ''
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes('"ready"')) resolve()
      })
      child.once('exit', () => reject(new Error(`the server did not start: ${said}`)))
    })
    await work(`http://127.0.0.1:${env['PORT']}`)
  } finally {
    const ended = child.exitCode === null ? once(child, 'exit') : null
    child.kill('SIGTERM')
    await ended
  }
}

/** The migrated archive as a folder that can be copied. */
const unpackedTemplate = async (root: string): Promise<string> => {
  const given = inject('testDatabase')
  if (given.kind !== 'embedded') throw new Error('only the embedded database is a folder')
  const folder = join(root, 'template')
  const engine = await startEngine({ folder, snapshot: new Uint8Array(readFileSync(given.snapshot)) })
  await engine.close()
  return folder
}

const asAdministrator = async (statement: string): Promise<void> => {
  const given = inject('testDatabase')
  if (given.kind !== 'postgres') return
  const client = new pg.Client({ connectionString: given.adminUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

const serverDatabase = async (databases: string[], isMigrated: boolean): Promise<Record<string, string>> => {
  const given = inject('testDatabase')
  if (given.kind !== 'postgres') return {}
  const name = `counterfoil_operator_${randomUUID().replaceAll('-', '')}`
  await asAdministrator(`create database ${name} owner counterfoil_test${isMigrated ? ` template ${given.template}` : ''}`)
  databases.push(name)
  const url = new URL(given.ownerUrl)
  url.pathname = name
  return { DATABASE_URL: url.href }
}

/** What moves a terminal's cursor, and is no word. */
const STEERING = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g')

/** Types lines at a terminal, where there is a program that makes one. */
export const atTerminal = async (home: Home, words: string, lines: readonly string[]): Promise<string> => {
  const line = `${process.execPath} ${COMMAND} ${words}`
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: home.folder, env: home.env, stdio: ['pipe', 'pipe', 'inherit'] })
  const said = text(child.stdout)
  let heard = ''
  const left = [...lines]
  child.stdout.on('data', (chunk: Buffer) => {
    heard += chunk.toString()
    if (!heard.replaceAll(STEERING, '').endsWith(': ') || left.length === 0) return
    heard = ''
    child.stdin.write(`${left.shift() ?? ''}\n`)
  })
  await once(child, 'close')
  return said
}
/** Is there a program here that makes a terminal? */
export const hasTerminal = spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0
