import { sql } from 'kysely'
import type { Store } from '../database.ts'
import { OperatorError } from '../../kit/api-error.ts'

const MIN_POSTGRES_MAJOR = 15

/** The major version of the PostgreSQL server, such as 15. */
export const serverMajor = async (store: Store): Promise<number> => {
  const { rows } = await store.transact({ role: 'owner' }, (db) =>
    sql<{ number: number }>`select current_setting('server_version_num')::int as number`.execute(db),
  )
  return Math.floor((rows[0]?.number ?? 0) / 10_000)
}

/** The sentence on a version that is too old; null when it will do. */
export const versionTrouble = (major: number): string | null =>
  major < MIN_POSTGRES_MAJOR ? `It is PostgreSQL ${major}; Counterfoil needs ${MIN_POSTGRES_MAJOR} or newer.` : null

/** @throws OperatorError when the server is too old */
export const assertSupportedVersion = async (store: Store): Promise<void> => {
  const trouble = versionTrouble(await serverMajor(store))
  if (trouble !== null) throw new OperatorError(`The database of DATABASE_URL cannot be used. ${trouble}`)
}
