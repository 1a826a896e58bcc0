import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql'

/** The folder with the system's own PostgreSQL server (15 or newer), or null where there is none. */
export const postgresBinaries = (): string | null => {
  const folders = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : []
  try {
    folders.push(execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim())
  } catch {
    // No pg_config on this machine: only Debian's place is left.
  }
  const complete = folders.filter((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
  return complete.toSorted((a, b) => versionOf(b) - versionOf(a)).find((folder) => versionOf(folder) >= 15) ?? null
}

const versionOf = (folder: string): number => {
  const text = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/(\d+)/.exec(text)?.[1] ?? 0)
}

/** Can the tests reach a PostgreSQL server: one that is named, or one that they start themselves? */
export const hasPostgres = (): boolean => process.env['TEST_DATABASE_URL'] !== undefined || postgresBinaries() !== null
