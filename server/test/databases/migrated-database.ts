import pg from 'pg'
import { postgresStore } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'

const OWNER = 'counterfoil_test'

/** Creates an empty, migrated database owned by an unprivileged role; returns the owner's connection URL. */
export const migratedDatabase = async (adminUrl: string, name: string): Promise<string> => {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [OWNER])
  if (rowCount === 0) await admin.query(`create role ${OWNER} login createrole password 'counterfoil'`)
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.query(`create database ${name} owner ${OWNER}`)
  await admin.end()

  const ownerUrl = new URL(adminUrl)
  ownerUrl.username = OWNER
  ownerUrl.password = 'counterfoil'
  ownerUrl.pathname = name
  const store = postgresStore(ownerUrl.href, console.error, { maxPerPool: 2 })
  await migrate(store)
  await store.close()
  return ownerUrl.href
}
