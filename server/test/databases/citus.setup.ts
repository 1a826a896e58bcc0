import type { TestProject } from 'vitest/node'
import { postgresStore } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { distributeUsage } from '../../src/distribution/distribute.service.ts'
import { runAsAdministrator } from './administrator.ts'
import { openCitusDatabase } from './citus.ts'

const TEMPLATE = `counterfoil_citus_template_${process.pid}`

/**
 * Runs before the tests on Citus: makes a database on every node, migrates and distributes it. Each test file copies it on every node, and
 * has its part of the usage on the workers, because a node finds the others' databases by the name of its own.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const adminUrl = process.env['TEST_CITUS_URL'] ?? ''
  const { url, workerUrls, drop } = await openCitusDatabase(adminUrl, TEMPLATE)
  const store = postgresStore(url, console.error, { maxPerPool: 2, name: 'counterfoil start', isDistributed: true })
  await migrate(store)
  await distributeUsage(store, () => undefined)
  await store.close()
  // Only a database without connections can be copied, and Citus connects to each that it knows.
  for (const node of [adminUrl, ...workerUrls]) {
    await runAsAdministrator(node, `alter database ${TEMPLATE} allow_connections false`)
    await runAsAdministrator(node, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${TEMPLATE}'`)
  }
  project.provide('testDatabase', { kind: 'postgres', adminUrl, workerUrls, ownerUrl: url, template: TEMPLATE })
  return drop
}
