import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql'

/** The folder of the system's PostgreSQL server (15 or newer), or null without one. */
export const postgresBinaries = (): string | null => {
  const folders = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : []
  try {
    folders.push(execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim())
  } catch {
    // Without pg_config only Debian's folder is left.
  }
  const complete = folders.filter((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
  return complete.toSorted((a, b) => versionOf(b) - versionOf(a)).find((folder) => versionOf(folder) >= 15) ?? null
}

const versionOf = (folder: string): number => {
  const text = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/(\d+)/.exec(text)?.[1] ?? 0)
}

/** Whether the tests can use a PostgreSQL server: TEST_DATABASE_URL, or one that they start themselves. */
export const hasPostgres = (): boolean => process.env['TEST_DATABASE_URL'] !== undefined || postgresBinaries() !== null
