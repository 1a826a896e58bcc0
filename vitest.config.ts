import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { hasPostgres } from './server/test/databases/postgres-binaries.ts'

/** Generous, so that no test fails on a busy machine. */
const patient = { testTimeout: 120_000, hookTimeout: 180_000 }
/**
 * The files of a worker share its modules: loading them anew for each file takes a third of the time. Their threads read TypeScript with
 * WebAssembly, which Node must not collect (docs/decisions/0009).
 */
const server = { include: ['server/{src,test}/**/*.test.ts'], isolate: false, execArgv: ['--no-wasm-code-gc'], ...patient }

const withPostgres = hasPostgres()
if (!withPostgres)
  console.warn('LEFT OUT: the tests on PostgreSQL. This machine has no PostgreSQL server; install one, or name one in TEST_DATABASE_URL.')

/** These do not depend on the database, so they run once, on the embedded one. */
const WITHOUT_DATABASE = [
  'server/src/{documents,kit,rate-limits,db/embedded,demo/pictures,payments/providers/*}/**',
  'server/src/**/*.rules.test.ts',
  'server/src/demo/{bills,reproducible}.test.ts',
  'server/src/config.test.ts',
  'server/src/imports/csv-lines.test.ts',
]

/**
 * These serve one request at a time with plain SQL, which is the same on both databases. They run on PostgreSQL where there is one; the
 * browser tests use the same sections on the embedded database. What can differ runs on both: payments, imports, usage, reports, jobs,
 * mail, audit, backups, isolation.
 */
const ALIKE_ON_BOTH = [
  'server/src/areas/!(usage|reports)/**',
  'server/src/cli/{tenants,sso,payments,audit,invoices,removal}/**',
  'server/src/cli/{every-command,json-output}.test.ts',
  'server/src/http/*.test.ts',
  'server/src/{context,openapi}.test.ts',
  // What it varies is the provider; the database is varied by the other files of its folder.
  'server/test/payments/fault-injection/{changed-account,hostile-answers,provider-faults,provider-lists,test-cards}.test.ts',
]

/** It cuts connections to the database, and the embedded one has none. */
const NEEDS_CONNECTIONS = ['server/src/payments/engine/lost-database.test.ts']

/** With a PostgreSQL server, only what can differ between the databases runs on both; the browser tests run once, on the embedded one. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'contract', ...patient, include: ['contract/src/**/*.test.ts', 'scripts/**/*.test.ts'] } },
      {
        test: {
          name: 'sandbox',
          ...patient,
          include: ['sandbox/src/**/*.test.ts'],
          globalSetup: 'sandbox/src/test/launch-browser.ts',
        },
      },
      { extends: './portal/vite.config.ts', test: { name: 'portal', ...patient, root: 'portal', include: ['src/**/*.test.{ts,tsx}'] } },
      {
        test: {
          name: 'embedded',
          ...server,
          exclude: [...NEEDS_CONNECTIONS, ...(withPostgres ? ALIKE_ON_BOTH : [])],
          globalSetup: 'server/test/databases/embedded.setup.ts',
        },
      },
      ...(withPostgres
        ? [{ test: { name: 'postgres', ...server, exclude: WITHOUT_DATABASE, globalSetup: 'server/test/databases/postgres.setup.ts' } }]
        : []),
      {
        test: {
          name: 'e2e',
          include: ['e2e/src/**/*.e2e.ts'],
          globalSetup: 'e2e/src/support/test-environment.setup.ts',
          // The files of a worker share its browser, and read Playwright once.
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
