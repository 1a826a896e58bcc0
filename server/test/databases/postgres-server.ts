import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { postgresBinaries } from './postgres-binaries.ts'

export interface PostgresServer {
  /** Connects as superuser: only to create databases. */
  readonly adminUrl: string
  stop(): Promise<void>
}

export interface Standby extends PostgresServer {
  /** Ends it like a crash, and keeps its folder. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** PostgreSQL and PgBouncer refuse to run as root, so they run as an unprivileged user. */
export const unprivilegedIdentity = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((flag) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })),
      )
      if (uid && gid) return { uid, gid }
    } catch {
      // Without such a user, try the next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and this system has neither a user postgres nor nobody')
}

/**
 * Starts the system's PostgreSQL server on a fresh folder, for tests and benchmarks only: it flushes nothing to disk and trusts local
 * users.
 * @param settings further `-c` settings
 */
export const startPostgres = async (settings: Record<string, string> = {}): Promise<PostgresServer> => {
  const binaries = postgresBinaries()
  if (binaries === null) throw new Error('this machine has no PostgreSQL server')
  const { folder, data, identity } = createDataFolder()
  execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'], {
    ...identity,
    cwd: folder,
    stdio: 'ignore',
  })
  const running = await launchServer(binaries, { folder, data, identity, port: await freePort() }, settings)
  return {
    adminUrl: running.adminUrl,
    stop: async () => {
      await running.end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a streaming standby of a server on this machine, by PostgreSQL's own replication. */
export const startStandby = async (primary: PostgresServer): Promise<Standby> => {
  const binaries = postgresBinaries()
  if (binaries === null) throw new Error('this machine has no PostgreSQL server')
  const location = { ...createDataFolder(), port: await freePort() }
  const { folder, data, identity } = location
  const from = ['-d', primary.adminUrl, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  await promisify(execFile)(join(binaries, 'pg_basebackup'), from, { ...identity, cwd: folder })
  let running = await launchServer(binaries, location, { hot_standby: 'on' })
  return {
    adminUrl: running.adminUrl,
    kill: () => running.end('SIGQUIT'),
    start: async () => {
      running = await launchServer(binaries, location, { hot_standby: 'on' })
    },
    stop: async () => {
      await running.end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface ServerLocation {
  readonly folder: string
  readonly data: string
  readonly identity: { uid?: number; gid?: number }
  readonly port: number
}

const createDataFolder = (): Omit<ServerLocation, 'port'> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-postgres-'))
  const identity = unprivilegedIdentity()
  if (identity.uid !== undefined && identity.gid !== undefined) chownSync(folder, identity.uid, identity.gid)
  return { folder, data: join(folder, 'data'), identity }
}

const launchServer = async (
  binaries: string,
  { folder, data, identity, port }: ServerLocation,
  settings: Record<string, string>,
): Promise<{ adminUrl: string; end(signal: NodeJS.Signals): Promise<void> }> => {
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    fsync: 'off',
    full_page_writes: 'off',
    max_connections: '200',
    ...settings,
  }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(binaries, 'postgres'), ['-D', data, ...options], { ...identity, cwd: folder, stdio: 'ignore' })
  const adminUrl = `postgres://postgres@127.0.0.1:${port}/postgres`
  await waitUntilReady(adminUrl)
  return {
    adminUrl,
    end: async (signal) => {
      if (server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill(signal)
      await ended
    },
  }
}

/** Waits until a server takes connections. */
export const waitUntilReady = async (url: string): Promise<void> => {
  const deadline = performance.now() + 30_000
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
      await setTimeout(50) // a starting server announces nothing, so poll
    }
  }
}
