import type { TestProject } from 'vitest/node'
import { migratedDatabase } from './migrated-database.ts'
import { startPostgres } from './postgres-server.ts'

const TEMPLATE = 'counterfoil_test_template'

/**
 * Runs before the tests on PostgreSQL: starts a server, and creates an unprivileged schema owner and a migrated template, which each test
 * file copies.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const databaseUrl = process.env['TEST_DATABASE_URL']
  const server = databaseUrl === undefined ? await startPostgres() : { adminUrl: databaseUrl, stop: async () => undefined }
  const ownerUrl = await migratedDatabase(server.adminUrl, TEMPLATE)
  project.provide('testDatabase', { kind: 'postgres', adminUrl: server.adminUrl, workerUrls: [], ownerUrl, template: TEMPLATE })
  return () => server.stop()
}
