import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { postgresStore } from '../kit/db.ts'
import { migrate } from '../kit/migrate.ts'
import { startPostgres } from './postgres-server.ts'

const OWNER = 'counterfoil_test'
const TEMPLATE = 'counterfoil_test_template'

/** Before the tests on PostgreSQL: a server, a schema owner without special rights, and a migrated template that each test file copies. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const given = process.env['TEST_DATABASE_URL']
  const server = given === undefined ? await startPostgres() : { adminUrl: given, stop: async () => undefined }
  const ownerUrl = new URL(server.adminUrl)
  ownerUrl.username = OWNER
  ownerUrl.password = 'counterfoil'
  ownerUrl.pathname = TEMPLATE

  const admin = new pg.Client({ connectionString: server.adminUrl })
  await admin.connect()
  const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [OWNER])
  if (rowCount === 0) await admin.query(`create role ${OWNER} login createrole password 'counterfoil'`)
  await admin.query(`drop database if exists ${TEMPLATE} with (force)`)
  await admin.query(`create database ${TEMPLATE} owner ${OWNER}`)
  await admin.end()

  const store = postgresStore(ownerUrl.href, console.error, 2)
  await migrate(store)
  await store.close()
  project.provide('testDatabase', { kind: 'postgres', adminUrl: server.adminUrl, ownerUrl: ownerUrl.href, template: TEMPLATE })
  return () => server.stop()
}
