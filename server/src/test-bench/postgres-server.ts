import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { postgresBinaries } from './postgres-binaries.ts'

export interface PostgresServer {
  /** Signs in as superuser: to make databases, never to serve. */
  readonly adminUrl: string
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root: then it runs as a user that owns nothing. */
const runAs = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((flag) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })),
      )
      if (uid && gid) return { uid, gid }
    } catch {
      // This system has no such user; the next one will do.
    }
  }
  throw new Error('PostgreSQL does not run as root, and this system has neither a user postgres nor nobody')
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/**
 * Starts a PostgreSQL server of the system's own binaries on a fresh folder, for tests and benchmarks alone:
 * nothing is flushed to disk, and everybody on this machine may sign in.
 * @param settings further `-c` settings
 */
export const startPostgres = async (settings: Record<string, string> = {}): Promise<PostgresServer> => {
  const binaries = postgresBinaries()
  if (binaries === null) throw new Error('this machine has no PostgreSQL server')
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-postgres-'))
  const identity = runAs()
  if (identity.uid !== undefined && identity.gid !== undefined) chownSync(folder, identity.uid, identity.gid)
  const data = join(folder, 'data')
  execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'], {
    ...identity,
    cwd: folder,
    stdio: 'ignore',
  })

  const port = await freePort()
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
  await answers(adminUrl)
  return {
    adminUrl,
    stop: async () => {
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answers = async (url: string): Promise<void> => {
  const deadline = performance.now() + 30_000
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
      await setTimeout(50) // there is no event to await: a server that starts says nothing to its clients
    }
  }
}
