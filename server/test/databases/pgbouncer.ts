import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { unprivilegedIdentity, waitUntilReady } from './postgres-server.ts'

export interface PgBouncer {
  /** The address of a database through the pooler. */
  urlOf(databaseUrl: string): string
  stop(): Promise<void>
}

const BINARY = process.env['PGBOUNCER'] ?? 'pgbouncer'

/** The version of the PgBouncer that `PGBOUNCER` names, else of the system's, such as 1.25; null where there is none. */
export const pgBouncerVersion = (): number | null => {
  try {
    return Number(/PgBouncer (\d+\.\d+)/.exec(execFileSync(BINARY, ['--version'], { encoding: 'utf8' }))?.[1])
  } catch {
    return null
  }
}

/** Starts a PgBouncer before the database of an address, with a login for its user. @param settings further lines of its file */
export const startPgBouncer = async (databaseUrl: string, settings: Readonly<Record<string, string>>): Promise<PgBouncer> => {
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-pgbouncer-'))
  const identity = unprivilegedIdentity()
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    ...settings,
  }
  const server = `* = host=${hostname} port=${serverPort}`
  writeFileSync(
    file,
    `[databases]\n${server}\n[pgbouncer]\n${Object.entries(lines)
      .map(([name, value]) => `${name} = ${value}`)
      .join('\n')}\n`,
  )
  writeFileSync(join(folder, 'users'), `"${username}" "${password}"\n`)
  if (identity.uid !== undefined && identity.gid !== undefined)
    for (const path of [folder, file, join(folder, 'users')]) chownSync(path, identity.uid, identity.gid)
  const pooler = spawn(BINARY, [file], { ...identity, cwd: folder, stdio: 'ignore' })
  const urlOf = (url: string): string => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href
  await waitUntilReady(urlOf(databaseUrl))
  return {
    urlOf,
    stop: async () => {
      const ended = once(pooler, 'exit')
      pooler.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
