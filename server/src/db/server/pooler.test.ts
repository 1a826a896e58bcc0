import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { migratedDatabase } from '../../../test/databases/migrated-database.ts'
import { type PgBouncer, pgBouncerVersion, startPgBouncer } from '../../../test/databases/pgbouncer.ts'
import { clientFor, signInAs } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addUsage } from '../../../test/support/usage.ts'
import { databaseFindings } from '../../cli/doctor/database-findings.ts'
import { systemClock } from '../../kit/clock.ts'
import { type DbRole, postgresStore, type Store } from '../database.ts'
import { databaseTrouble } from '../database-errors.ts'
import { prepareServer } from '../migrate.ts'
import { findPooler, FULL_POOLER, UNFIT_POOLER } from './pooler.ts'

const RECORDS = 2_000
const MONTHS = 'dateFrom=2026-06-01&dateTo=2026-12-31'
const FILTER = {
  parameters: Object.entries({
    startDate: '2026-06-01 00:00:00',
    endDate: '2026-12-31 23:59:59',
    agreementId: '0',
    serviceId: '0',
    recordTypeId: '0',
    serviceItemId: '0',
  }).map(([name, value]) => ({ name, value })),
}
const FIRST_FIT_VERSION = 1.21
const version = pgBouncerVersion()
const isPostgres = inject('testDatabase').kind === 'postgres'
if (isPostgres && version === null) console.log('LEFT OUT: everything behind PgBouncer, which is neither installed nor named in PGBOUNCER')
if (isPostgres && version !== null && version < FIRST_FIT_VERSION)
  console.log(`LEFT OUT: work through PgBouncer. This is ${version}; name one of ${FIRST_FIT_VERSION} or newer in PGBOUNCER.`)

let ownerUrl: string
beforeAll(async () => {
  const database = inject('testDatabase')
  if (database.kind === 'postgres') ownerUrl = await migratedDatabase(database.adminUrl, 'counterfoil_pooled')
})

const limitsOf = async (store: Store, as: DbRole, pool: 'interactive' | 'background', pipelined = false): Promise<unknown> => {
  const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'plan_cache_mode', 'TimeZone', 'jit']
  const { rows } = await store.transact(
    as,
    (db) =>
      sql<{ values: string[] }>`select array(select current_setting(name) from unnest(${names}::text[]) as name) as values`.execute(db),
    { pool, pipelined },
  )
  return rows[0]?.values
}

const INTERACTIVE = ['15s', '2s', '10s', 'force_generic_plan', 'UTC', 'off']
const BACKGROUND = ['15min', '2s', '5min', 'auto', 'UTC', 'off']
const SYSTEM = { role: 'counterfoil_system' } as const

const expectLimits = async (store: Store): Promise<void> => {
  for (const as of [SYSTEM, { role: 'owner' }] as const)
    for (const pipelined of [false, true]) {
      expect(await limitsOf(store, as, 'background', pipelined)).toEqual(BACKGROUND)
      expect(await limitsOf(store, as, 'interactive', pipelined)).toEqual(INTERACTIVE)
    }
}

const using = async <T>(url: string, work: (store: Store) => Promise<T>): Promise<T> => {
  const store = postgresStore(url, () => undefined, { maxPerPool: 4 })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

test.runIf(isPostgres)(
  '[OPS-03] people wait 15 seconds for a statement and jobs 15 minutes, whatever the role was set to before',
  async () => {
    await using(ownerUrl, expectLimits)
    await using(ownerUrl, (store) =>
      store.transact({ role: 'owner' }, (db) => sql`alter role current_user in database counterfoil_pooled reset jit`.execute(db)),
    )
    const finding = {
      about: 'settings',
      state: 'warning',
      says: 'counterfoil_test does not have jit in this database as Counterfoil needs them yet.',
    }
    expect(await using(ownerUrl, (store) => databaseFindings(store, KEY, systemClock))).toContainEqual(expect.objectContaining(finding))
    await using(ownerUrl, prepareServer)
    await using(ownerUrl, expectLimits)
  },
)

const KEY = { masterKey: Buffer.alloc(32, 5), dataDir: '/nonexistent', fontsDir: null }
const FIT = { pool_mode: 'transaction', max_prepared_statements: '1000', default_pool_size: '4' }

describe.runIf(isPostgres && version !== null)('behind PgBouncer', () => {
  let pooler: PgBouncer | null = null
  let context: TestContext | null = null
  afterAll(async () => {
    await context?.close()
    await pooler?.stop()
  })

  const through = async <T>(settings: Readonly<Record<string, string>>, work: (url: string) => Promise<T>): Promise<T> => {
    const started = await startPgBouncer(ownerUrl, settings)
    try {
      return await work(started.urlOf(ownerUrl))
    } finally {
      await started.stop()
    }
  }

  test.each([
    [
      'loses prepared statements',
      { pool_mode: 'transaction', ...(Number(version) < FIRST_FIT_VERSION ? {} : { max_prepared_statements: '0' }) },
    ],
    ['has no transactions', { pool_mode: 'statement' }],
  ])('[OPS-03] one that %s is named at the start and by doctor', async (_, settings) => {
    await through(settings, async (url) => {
      await using(url, (store) => expect(prepareServer(store)).rejects.toThrow(UNFIT_POOLER))
      expect(await using(url, (store) => databaseFindings(store, KEY, systemClock))).toEqual([
        { about: 'pooler', state: 'bad', says: UNFIT_POOLER, mend: expect.stringContaining('docs/scaling.md') as string },
      ])
    })
  })

  // An older one loses the prepared statement before it has too few connections.
  test.runIf(Number(version) >= FIRST_FIT_VERSION).each([
    ['has one connection', {}],
    ['has one connection, and refuses those who wait for it', { query_wait_timeout: '1' }],
    ['has one connection in session mode', { pool_mode: 'session' }],
  ])('[OPS-03] one that %s is named at the start and by doctor, instead of a start that hangs', async (_, settings) => {
    await through({ pool_mode: 'transaction', default_pool_size: '1', ...settings }, async (url) => {
      const [findings] = await Promise.all([
        using(url, (store) => databaseFindings(store, KEY, systemClock)),
        using(url, (store) => expect(prepareServer(store)).rejects.toThrow(FULL_POOLER)),
      ])
      expect(findings).toEqual([
        { about: 'pooler', state: 'bad', says: FULL_POOLER, mend: expect.stringContaining('docs/scaling.md') as string },
      ])
    })
  })

  test('[OPS-03] one in session mode will do, and a setting of DATABASE_URL that it refuses is named', async () => {
    await through({ pool_mode: 'session' }, async (url) => {
      await using(url, async (store) => {
        await prepareServer(store)
        expect(await findPooler(store)).toBe('none')
        await expectLimits(store)
      })
      const refused = await using(`${url}?options=-c%20jit%3Don`, (store) =>
        findPooler(store).catch((error: unknown) => databaseTrouble(error)),
      )
      expect(refused).toMatchObject({
        reason: 'a connection pooler stands before it, which refuses a setting that DATABASE_URL names',
        remedy: 'Correct DATABASE_URL.',
      })
    })
  })

  test.runIf(Number(version) >= FIRST_FIT_VERSION)(
    '[OPS-03] [USG-07] in transaction mode two customers at once see their own, read, load and download, on four connections',
    async () => {
      pooler = await startPgBouncer(ownerUrl, FIT)
      const url = pooler.urlOf(ownerUrl)
      await using(url, prepareServer)
      context = await testContext({ MASTER_KEY: '5'.repeat(64) }, { store: postgresStore(url, () => undefined, { maxPerPool: 10 }) })
      expect(await findPooler(context.store)).toBe('fit')
      expect(await databaseFindings(context.store, KEY, systemClock)).toContainEqual(
        expect.objectContaining({ about: 'pooler', state: 'good' }),
      )
      await expectLimits(context.store)
      const seeded = [await addUsage(context, RECORDS), await addUsage(context, 2 * RECORDS)]
      const app = await context.app()
      const callers = await Promise.all(
        seeded.map(async ({ person, customerId }) => clientFor(app, await signInAs(app, person), customerId)),
      )
      const requests = Array.from({ length: 40 }, (_, at) => ({
        call: callers[at % 2] as (typeof callers)[number],
        rows: RECORDS * ((at % 2) + 1),
      }))
      const pages = await Promise.all(
        requests.map(async ({ call }) => (await call.get(`/v1/ec/usage?${MONTHS}&pageSize=5`)).json<{ totalCount: number }>().totalCount),
      )
      expect(pages).toEqual(requests.map(({ rows }) => rows))
      const files = await Promise.all(requests.slice(0, 2).map(({ call }) => call.post('/v1/ec/usage/download', FILTER)))
      expect(files.map(({ headers }) => headers['x-row-count'])).toEqual([String(RECORDS), String(2 * RECORDS)])
    },
  )
})
