import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { openContext } from '../../context.ts'
import { postgresStore } from '../../db/database.ts'
import { keyMark, storeKeyMark } from '../../master-key/key-mark.ts'
import { openLog } from '../../kit/log.ts'
import { withReadReplica } from '../../db/read-replica.ts'
import { migratedDatabase } from '../../../test/databases/migrated-database.ts'
import { postgresBinaries } from '../../../test/databases/postgres-binaries.ts'
import { type PostgresServer, type Standby, startPostgres, startStandby } from '../../../test/databases/postgres-server.ts'
import { clientFor, signInAs } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addUsage, insertUsageRecords } from '../../../test/support/usage.ts'

const DATABASE = 'counterfoil_replicated'
const MONTHS = 'dateFrom=2026-06-01&dateTo=2026-12-31'
const RECORDS = 5_000
const SAME_KEY = { MASTER_KEY: '5'.repeat(64) }

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

/** A primary and a standby with PostgreSQL's streaming replication. */
describe.skipIf(inject('testDatabase').kind !== 'postgres' || postgresBinaries() === null)('a streaming standby', () => {
  let primary: PostgresServer
  let standby: Standby
  let ownerUrl: string
  let standbyUrl: string
  let primaryClient: pg.Client
  let withoutReplica: TestContext
  let withReplica: TestContext
  let withStrictReplica: TestContext
  let seeded: Awaited<ReturnType<typeof addUsage>>
  let call: Record<'alone' | 'patient' | 'strict', ReturnType<typeof clientFor>>

  beforeAll(async () => {
    primary = await startPostgres()
    ownerUrl = await migratedDatabase(primary.adminUrl, DATABASE)
    standby = await startStandby(primary)
    standbyUrl = Object.assign(new URL(ownerUrl), { port: new URL(standby.adminUrl).port }).href
    primaryClient = await connectTo(primary.adminUrl)
    const silentLog = openLog('silent')
    const store = () => postgresStore(ownerUrl, () => undefined, { maxPerPool: 5 })
    withoutReplica = await testContext(SAME_KEY, { store: store() })
    withReplica = await testContext(SAME_KEY, { store: withReadReplica(store(), standbyUrl, 600_000, silentLog) })
    withStrictReplica = await testContext(SAME_KEY, { store: withReadReplica(store(), standbyUrl, 0, silentLog) })
    seeded = await addUsage(withoutReplica, RECORDS)
    // As a program that fills a database does: without the mark nothing tells which key it belongs to.
    await withoutReplica.store.transact({ role: 'counterfoil_system' }, (db) => storeKeyMark(db, keyMark(withoutReplica.keys)))
    await waitForReplay()
    const session = async (context: TestContext) => {
      const app = await context.app()
      return clientFor(app, await signInAs(app, seeded.person), seeded.customerId)
    }
    call = { alone: await session(withoutReplica), patient: await session(withReplica), strict: await session(withStrictReplica) }
  }, 120_000)
  afterAll(async () => {
    await Promise.all([withoutReplica, withReplica, withStrictReplica].map((context) => context.close()))
    await primaryClient.end()
    await standby.stop()
    await primary.stop()
  })

  const connectTo = async (url: string, database = DATABASE): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: `/${database}` }).href })
    await client.connect()
    return client
  }

  const queryStandby = async <Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> => {
    const client = await connectTo(standby.adminUrl)
    try {
      return (await client.query<Row>(statement, values)).rows
    } finally {
      await client.end()
    }
  }

  /** Resolves when the standby has replayed all that the primary has written. */
  const waitForReplay = async (): Promise<void> => {
    const { rows } = await primaryClient.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
    const hasReplayed = async () =>
      (await queryStandby<{ there: boolean }>('select pg_last_wal_replay_lsn() >= $1::pg_lsn as there', [rows[0]?.lsn]))[0]?.there === true
    await waitUntil(hasReplayed)
  }

  /** Polls for at most half a minute, because PostgreSQL has no event for a standby that has caught up. */
  const waitUntil = async (condition: () => Promise<boolean>): Promise<void> => {
    const deadline = performance.now() + 30_000
    while (!(await condition())) {
      if (performance.now() > deadline) throw new Error('it did not come about within half a minute')
      await setTimeout(20)
    }
  }

  /** True when the standby read usage during `work`, or names for it. The check of its lag does not count. */
  const reachesStandby = async (work: () => Promise<unknown>): Promise<boolean> => {
    const [before] = await queryStandby<{ now: string }>('select clock_timestamp()::text as now')
    await work()
    const rows = await queryStandby(
      `select from pg_stat_activity where application_name like 'counterfoil%' and query ~ 'commit|copy |usage_|record_type' and query_start > $1::timestamptz`,
      [before?.now],
    )
    return rows.length > 0
  }

  const totalCount = async (one: keyof typeof call): Promise<number> => {
    const answer = await call[one].get(`/v1/ec/usage?${MONTHS}&pageSize=1`)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<{ totalCount: number }>().totalCount
  }

  const addRecord = async (id: number): Promise<void> => {
    const [one] = seeded.records
    if (one === undefined) throw new Error('no record')
    await insertUsageRecords(withoutReplica, seeded.resellerId, seeded.customerId, [{ ...one, id }])
  }

  test('[USG-05] [USG-07] answers pages, totals, other sorts, deep pages and the download, and equals the primary', async () => {
    await waitUntil(() => reachesStandby(() => totalCount('patient')))
    for (const query of [
      '',
      '&sort=price',
      '&sort=serviceItemName&order=asc',
      '&sort=units&pageSize=1000&pageNumber=4',
      '&pageNumber=30',
    ]) {
      const address = `/v1/ec/usage?${MONTHS}${query}`
      const expected = await call.alone.get(address)
      expect(expected.json<{ totalCount: number }>().totalCount).toBe(RECORDS)
      const answers: unknown[] = []
      expect(await reachesStandby(async () => answers.push((await call.patient.get(address)).json())), query).toBe(true)
      expect(answers).toEqual([expected.json()])
    }
    const file = await call.alone.post('/v1/ec/usage/download', FILTER)
    const copies: string[] = []
    const download = async () => copies.push((await call.patient.post('/v1/ec/usage/download', FILTER)).body)
    expect(await reachesStandby(download)).toBe(true)
    expect(copies).toEqual([file.body])
    expect(file.headers['x-row-count']).toBe(String(RECORDS))
  })

  test('with paused replay is seen to lag: its answers are stale, and a server with a stricter limit reads the primary', async () => {
    await waitForReplay()
    await waitUntil(() => reachesStandby(() => totalCount('patient')))
    await waitUntil(() => reachesStandby(() => totalCount('strict')))
    await queryStandby('select pg_wal_replay_pause()')
    await waitUntil(async () => (await queryStandby<{ is: string }>('select pg_get_wal_replay_pause_state() as is'))[0]?.is === 'paused')
    await addRecord(3_000_001)
    try {
      expect(await totalCount('alone')).toBe(RECORDS + 1)
      expect(await totalCount('patient')).toBe(RECORDS)
      expect(await totalCount('strict')).toBe(RECORDS + 1)
      const session = await signInAs(await withReplica.app(), seeded.person) // users and sessions are always read from the primary
      expect(session.accessToken).not.toBe('')
    } finally {
      await queryStandby('select pg_wal_replay_resume()')
    }
    await waitForReplay()
    expect(await totalCount('patient')).toBe(RECORDS + 1)
    await waitUntil(() => reachesStandby(() => totalCount('strict')))
  })

  test('that dies is replaced by the primary, and read from again when it is back', async () => {
    await waitUntil(() => reachesStandby(() => totalCount('patient')))
    await standby.kill()
    const all = await totalCount('alone')
    const answers = await Promise.all(Array.from({ length: 8 }, () => totalCount('patient')))
    expect(answers).toEqual(Array.from({ length: 8 }, () => all))
    const file = await call.patient.post('/v1/ec/usage/download', FILTER)
    expect([file.statusCode, file.headers['x-row-count']]).toEqual([200, String(all)])
    await standby.start()
    await waitUntil(() => reachesStandby(() => totalCount('patient')))
    expect(await totalCount('patient')).toBe(all)
  })

  const tryOpening = async (url: string): Promise<string> => {
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-standby-'))
    const config = readConfig({ ...SAME_KEY, DATABASE_URL: ownerUrl, READ_DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent' })
    try {
      const context = await openContext(config, openLog('silent'))
      await context.close()
      return 'opened'
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test('[OPS-02] is accepted at start-up only when it is a copy of the same database; an unreachable one is accepted too', async () => {
    await migratedDatabase(primary.adminUrl, 'counterfoil_other')
    await waitForReplay()
    expect(await tryOpening(standbyUrl)).toBe('opened')
    expect(await tryOpening(ownerUrl)).toContain('READ_DATABASE_URL names a server that is no standby')
    const other = Object.assign(new URL(standbyUrl), { pathname: '/counterfoil_other' }).href
    expect(await tryOpening(other)).toContain('READ_DATABASE_URL names a copy of another database')
    expect(await tryOpening('postgres://counterfoil@127.0.0.1:9/billing')).toBe('opened')
    const admin = Object.assign(new URL(standbyUrl), { username: 'postgres', password: '' }).href
    expect(await tryOpening(admin)).toContain('READ_DATABASE_URL signs in as "postgres", which is a superuser')
  })
})

test('READ_DATABASE_URL needs DATABASE_URL: the embedded database has no standby', () => {
  expect(() => readConfig({ READ_DATABASE_URL: 'postgres://standby/counterfoil' })).toThrow('READ_DATABASE_URL needs DATABASE_URL')
})
