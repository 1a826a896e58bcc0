import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { isFull } from './server/test/databases/full-run.ts'
import { hasPostgres } from './server/test/databases/postgres-binaries.ts'

/**
 * For every project. The files of a worker share its modules: loading them anew for each file takes more than half of the time. The limits
 * are generous, so that no test fails on a busy machine.
 */
const shared = { isolate: false, testTimeout: 120_000, hookTimeout: 180_000 }
/** The server's threads read TypeScript with WebAssembly, which Node must not collect (docs/decisions/0009). */
const server = {
  ...shared,
  include: ['server/{src,test}/**/*.test.ts'],
  setupFiles: ['server/test/statements/check-statements.ts'],
  execArgv: ['--no-wasm-code-gc'],
}

const withPostgres = hasPostgres()
if (!withPostgres)
  console.warn('LEFT OUT: the tests on PostgreSQL. This machine has no PostgreSQL server; install one, or name one in TEST_DATABASE_URL.')

const withCitus = process.env['TEST_CITUS_URL'] !== undefined
if (!withCitus) console.warn('LEFT OUT: usage on several machines. Name a coordinator of Citus with workers in TEST_CITUS_URL.')
else if (process.env['TEST_CITUS_WORKER'] === undefined)
  console.warn('LEFT OUT: a worker that is lost. Name a command that kills, starts, pauses and resumes the first one in TEST_CITUS_WORKER.')

/** These do not depend on the database, so they run once, on the embedded one. */
const WITHOUT_DATABASE = [
  'server/src/{documents,kit,rate-limits,db/embedded,demo/pictures}/**',
  'server/src/**/*.rules.test.ts',
  'server/src/demo/{bills,reproducible}.test.ts',
  'server/src/config.test.ts',
  'server/src/imports/csv-lines.test.ts',
]

/**
 * Where there is a PostgreSQL server, the tests run on it, and these on the embedded database as well: what is written otherwise for it or
 * depends on its single session (schema, copies, backups, slices, jobs), the rights, and the engine's faults. The browser tests use
 * everything else on it.
 */
const ON_BOTH = [
  'server/src/db/**',
  'server/src/cli/backup/**',
  'server/src/imports/usage/import-usage.test.ts',
  'server/src/jobs/**',
  'server/src/areas/{reports,usage}/*.test.ts',
  'server/src/session/row-level-security.test.ts',
  'server/test/payments/fault-injection/{fault-matrix,payment-races}.test.ts',
  'server/test/payments/killed-servers/kill.test.ts',
]

/** What is about servers that a test makes itself, or about the plain one: on Citus they would show the same once more, or nothing. */
const NOT_ON_CITUS = [
  'server/src/distribution/**', // distributes and brings back, which takes the login of the roles from every database
  'server/src/areas/usage/usage-plans.test.ts', // the plans of one server; a worker's are not told
  'server/src/areas/usage/usage-standby.test.ts', // makes a server and its standby; READ_DATABASE_URL is refused with Citus
  'server/src/db/server/pooler.test.ts', // makes a plain database behind PgBouncer
  'server/src/db/{migrate,server/login-settings}.test.ts', // make plain databases, of users of their own
  'server/src/cli/backup/hardened-roles.test.ts', // the same
]

/** The test files of a pattern that names a folder. */
const testFiles = (pattern: string): string => pattern.replace(/\/\*\*$/, '/**/*.test.ts')

/** It cuts connections to the database, and the embedded one has none. */
const NEEDS_CONNECTIONS = ['server/src/payments/engine/lost-database.test.ts']

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'contract', ...shared, include: ['contract/src/**/*.test.ts', 'scripts/**/*.test.ts'] } },
      {
        test: {
          name: 'sandbox',
          ...shared,
          include: ['sandbox/src/**/*.test.ts'],
          globalSetup: 'sandbox/src/test/launch-browser.ts',
        },
      },
      {
        extends: './portal/vite.config.ts',
        test: { name: 'portal', ...shared, unstubGlobals: true, restoreMocks: true, root: 'portal', include: ['src/**/*.test.{ts,tsx}'] },
      },
      {
        test: {
          name: 'embedded',
          ...server,
          ...(withPostgres && !isFull ? { include: [...WITHOUT_DATABASE, ...ON_BOTH].map(testFiles) } : {}),
          exclude: NEEDS_CONNECTIONS,
          globalSetup: 'server/test/databases/embedded.setup.ts',
        },
      },
      ...(withPostgres
        ? [{ test: { name: 'postgres', ...server, exclude: WITHOUT_DATABASE, globalSetup: 'server/test/databases/postgres.setup.ts' } }]
        : []),
      ...(withCitus
        ? [
            {
              test: {
                name: 'citus',
                ...server,
                exclude: [...WITHOUT_DATABASE, ...NOT_ON_CITUS],
                globalSetup: 'server/test/databases/citus.setup.ts',
                sequence: { groupOrder: 1 }, // after the tests that distribute and bring back
              },
            },
          ]
        : []),
      {
        test: {
          name: 'e2e',
          include: ['e2e/src/**/*.e2e.ts'],
          globalSetup: 'e2e/src/support/test-environment.setup.ts',
          // The files of a worker share its browser too.
          ...shared,
          testTimeout: 300_000,
        },
      },
    ],
  },
})
