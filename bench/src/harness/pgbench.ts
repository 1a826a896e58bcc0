import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postgresBinaries } from '../../../server/test/databases/postgres-binaries.ts'

/** Runs a script with prepared statements from so many clients. @returns scripts a second, and milliseconds for one */
export const runPgbench = async (
  databaseUrl: string,
  script: string,
  { clients, seconds }: { readonly clients: number; readonly seconds: number },
): Promise<{ perSecond: number; ms: number }> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-pgbench-'))
  const file = join(folder, 'page.sql')
  writeFileSync(file, script)
  const url = new URL(databaseUrl)
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    '1',
    '-T',
    String(seconds),
    '-f',
    file,
    '-h',
    url.hostname,
    '-p',
    url.port,
    '-U',
    url.username,
    url.pathname.slice(1),
  ]
  const { stdout } = await promisify(execFile)(join(postgresBinaries() ?? '', 'pgbench'), args, {
    env: { ...process.env, PGPASSWORD: url.password },
  })
  rmSync(folder, { recursive: true })
  return { perSecond: Number(/tps = ([\d.]+)/.exec(stdout)?.[1]), ms: Number(/latency average = ([\d.]+)/.exec(stdout)?.[1]) }
}
