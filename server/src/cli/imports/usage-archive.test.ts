import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { clientFor, signInAs } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addUsage } from '../../../test/support/usage.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { findMiscounts } from '../../../test/support/usage-counters.ts'
import { postgresStore } from '../../db/database.ts'
import { findOldMonths } from '../../imports/usage/usage-archive.service.ts'
import { usageCsv } from '../../imports/usage/usage-sample.data.ts'
import { openFileSource } from '../terminal.ts'
import { dispatchCommand } from '../program/dispatch.ts'

const testDatabase = inject('testDatabase')

let context: TestContext
let first: Awaited<ReturnType<typeof addUsage>>
let other: Awaited<ReturnType<typeof addUsage>>
let call: ReturnType<typeof clientFor>
let folder: string

beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())

/** Runs the command as at a terminal. */
const run = async (options: Record<string, string | boolean>, command = 'usage archive', args: string[] = []) => {
  const out: string[] = []
  const io = { out: (line: string) => out.push(line), err: (line: string) => out.push(line), json: true, openFile: openFileSource }
  expect(await dispatchCommand(command, context, io, args, options), out.join('\n')).toBe(0)
  return JSON.parse(out.join(''))
}

const fetchPage = async (from: string, to: string, more = '') => {
  const answer = await call.get(`/v1/ec/usage?dateFrom=${from}&dateTo=${to}&pageSize=1000${more}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ totalCount: number; endUsageDetails: object[] }>()
}

const countUsage = (table: string, owner = first) =>
  context.store.transact({ role: 'counterfoil_reseller', resellerId: owner.resellerId }, async (db) => {
    const day = table.startsWith('usage_month') ? 'month' : 'day'
    const { rows } = await sql<{ n: number }>`
      select coalesce(sum(records), 0)::bigint as n from ${sql.id(table)} where ${sql.id(day)} < '2026-08-01'`.execute(db)
    return rows[0]?.n
  })

const recordsBetween = (owner: typeof first, from: string, to: string) => owner.records.filter(({ at }) => at >= from && at < to)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-archive-'))
  first = await addUsage(context, 900)
  other = await addUsage(context, 200, 23)
  call = clientFor(await context.app(), await signInAs(await context.app(), first.person), first.customerId)
})
afterEach(() => rmSync(folder, { recursive: true }))

test('[USG-05] old months are written out, dropped with their counters, and come back by importing the files', async () => {
  const before = await fetchPage('2026-06-01', '2026-07-31')
  const later = await fetchPage('2026-08-01', '2026-12-31')
  expect(before.totalCount).toBe(recordsBetween(first, '2026-06', '2026-08').length)
  expect(before.totalCount).toBeGreaterThan(100)

  const archived = await run({ before: '2026-08', out: folder, yes: true })
  expect(archived).toMatchObject({ before: '2026-08', removed: true, months: [{ month: '2026-06' }, { month: '2026-07' }] })
  expect(readdirSync(folder).filter((name) => !name.endsWith('.csv.gz'))).toEqual([])
  expect(await fetchPage('2026-06-01', '2026-07-31')).toEqual({ totalCount: 0, endUsageDetails: [] })
  expect(await fetchPage('2026-06-01', '2026-12-31', '&sort=price')).toMatchObject({ totalCount: later.totalCount })
  expect(await fetchPage('2026-08-01', '2026-12-31')).toEqual(later)
  for (const table of ['usage_day', 'usage_day_kind', 'usage_month_kind', 'usage_month_cost_centre'])
    expect([await countUsage(table), await countUsage(table, other)], table).toEqual([0, 0])
  expect((await run({ before: '2026-08', yes: true })).months).toEqual([])
  for (const { resellerId } of [first, other]) expect(await findMiscounts(context, resellerId)).toEqual([])

  const mine = `reseller-${first.resellerId}.csv.gz`
  const files: string[] = archived.months.flatMap(({ files: written }: { files: string[] }) => written)
  const rows = files
    .filter((path) => path.endsWith(mine))
    .flatMap((path) => parse(gunzipSync(readFileSync(path)), { columns: true }) as object[])
  expect(rows).toHaveLength(before.totalCount)
  for (const path of files) {
    const reseller = /reseller-(\d+)/.exec(path)?.[1] ?? ''
    const restored = await run({ reseller }, 'import usage', [path])
    expect(restored).toMatchObject({ rejected: 0, repeated: 0 })
  }
  const byPrice = '&sort=price&order=asc'
  expect((await fetchPage('2026-06-01', '2026-07-31')).totalCount).toBe(before.totalCount)
  const sortedRows = (details: object[]) => details.map((row) => JSON.stringify(row)).toSorted()
  expect(sortedRows((await fetchPage('2026-06-01', '2026-07-31', byPrice)).endUsageDetails)).toEqual(sortedRows(before.endUsageDetails))
})

test('without --yes it says what it would do, and does nothing', async () => {
  const all = await fetchPage('2026-06-01', '2026-12-31')
  const result = await run({ before: '2026-07', out: folder })
  const months = recordsBetween(first, '2026-06', '2026-07').length + recordsBetween(other, '2026-06', '2026-07').length
  expect(result.removed).toBe(false)
  const files = [first, other].map(({ resellerId }) => join(folder, `usage-2026-06-reseller-${resellerId}.csv.gz`))
  expect(result.months).toMatchObject([{ month: '2026-06', files: expect.arrayContaining(files) }])
  expect((await run({ before: '2026-07' })).months).toMatchObject([{ month: '2026-06', files: [] }])
  expect(result.months[0].records).toBeGreaterThanOrEqual(months)
  expect(readdirSync(folder)).toEqual([])
  expect(await fetchPage('2026-06-01', '2026-12-31')).toEqual(all)
})

test('a file that is in the way, a folder that is not there, and a month that is not over are refused, and nothing is lost', async () => {
  const all = await fetchPage('2026-06-01', '2026-12-31')
  await expect(run({ before: '2026-07', out: join(folder, 'nowhere') })).rejects.toThrow('Nothing can be written into the folder')
  const occupied = join(folder, `usage-2026-06-reseller-${first.resellerId}.csv.gz`)
  writeFileSync(occupied, '')
  await expect(run({ before: '2026-07', out: folder })).rejects.toThrow('is there already')
  await expect(run({ before: '2026-07', out: occupied })).rejects.toThrow('is no folder')
  rmSync(occupied)
  await expect(run({ before: '2026-07', out: join(folder, 'nowhere'), yes: true })).rejects.toThrow('its folder is not there')
  const inTheWay = `usage-2026-06-reseller-${other.resellerId}.csv.gz`
  writeFileSync(join(folder, inTheWay), 'earlier')
  await expect(run({ before: '2026-07', out: folder, yes: true })).rejects.toThrow(`${inTheWay} is there already`)
  expect(readdirSync(folder)).toEqual([inTheWay])
  expect(readFileSync(join(folder, inTheWay), 'utf8')).toBe('earlier')
  await expect(run({ before: '2026-12', yes: true })).rejects.toThrow('lies in the future')
  await expect(run({ before: 'June', yes: true })).rejects.toThrow('--before must be a month')
  expect(await fetchPage('2026-06-01', '2026-12-31')).toEqual(all)
})

/** Waits until this query finds a row. */
const waitFor = async (query: string): Promise<void> => {
  for (let tries = 0; (await context.store.pools.interactive.query(query)).rows.length === 0; tries += 1) {
    if (tries > 500) throw new Error(`nobody came: ${query}`)
    await context.store.pools.interactive.query('select pg_sleep(0.01)')
  }
}

test.skipIf(testDatabase.kind !== 'postgres')(
  'a load into the month at the same time: the month stays, and so does what came',
  async () => {
    const path = join(folder, 'late.csv')
    const late = {
      customer: String(other.customerId),
      service: '4G Data',
      recordType: other.kinds[0]?.description ?? '',
      date: '2026-06-25',
    }
    writeFileSync(path, usageCsv([{ ...late, externalId: 'late' }]))
    const all = await fetchPage('2026-06-01', '2026-12-31')
    const holder = await context.store.pools.background.connect()
    const hold = (what: string) =>
      holder.query(`begin; set local idle_in_transaction_session_timeout = 0;
        select pg_advisory_xact_lock(hashtext('counterfoil ${what} usage'), ${first.resellerId})`)
    try {
      await hold('import')
      await expect(run({ before: '2026-07', yes: true })).rejects.toThrow('Usage is being loaded; nothing of 2026-06 was removed')
      await holder.query('rollback')
      // It is held up at its first reseller's counters, while a load of another one comes in.
      await hold('merge')
      const archiving = expect(run({ before: '2026-07', yes: true })).rejects.toThrow('came in meanwhile; nothing of it was removed')
      await waitFor("select from pg_locks where locktype = 'advisory' and not granted")
      expect(await run({ reseller: String(other.resellerId) }, 'import usage', [path])).toMatchObject({ imported: 1 })
      await holder.query('rollback')
      await archiving
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    expect(await fetchPage('2026-06-01', '2026-12-31')).toEqual(all)
    for (const { resellerId } of [first, other]) expect(await findMiscounts(context, resellerId)).toEqual([])
  },
)

test.skipIf(testDatabase.kind !== 'postgres')(
  'a long read of usage delays the drop, and pages of other months are answered meanwhile',
  async () => {
    const reader = await context.store.pools.background.connect()
    await reader.query('begin isolation level repeatable read; select count(*) from usage_record')
    let isDone = false
    const archiving = run({ before: '2026-07', yes: true }).then((done) => {
      isDone = true
      return done
    })
    try {
      await waitFor("select from pg_locks where relation = 'usage_record'::regclass and mode = 'AccessExclusiveLock' and not granted")
      expect((await fetchPage('2026-08-01', '2026-12-31')).totalCount).toBe(recordsBetween(first, '2026-08', '2027').length)
      expect(isDone).toBe(false)
    } finally {
      await reader.query('commit')
      reader.release()
    }
    expect((await archiving).months).toMatchObject([{ month: '2026-06' }])
    expect((await fetchPage('2026-06-01', '2026-06-30')).totalCount).toBe(0)
  },
)

test.runIf(testDatabase.kind === 'postgres')('[USG-05] old months are found in whatever order PostgreSQL reads its catalogs', async () => {
  const [row] = await queryAsAdministrator<{ name: string }>(context, 'select current_database()::text as name')
  // As where the catalogs have been analyzed: every table's name is read, and joined afterwards with what are partitions.
  for (const plan of ['nestloop', 'indexscan', 'indexonlyscan', 'bitmapscan'])
    await queryAsAdministrator(context, `alter database ${row?.name} set enable_${plan} = off`)
  const url = new URL(testDatabase.kind === 'postgres' ? testDatabase.ownerUrl : '')
  url.pathname = row?.name ?? ''
  const store = postgresStore(url.href, console.error, { maxPerPool: 2 })
  const months = await findOldMonths(store, { before: '2026-08-01', folder: null }).finally(() => store.close())
  expect(months).toEqual(await findOldMonths(context.store, { before: '2026-08-01', folder: null }))
  expect(months.map(({ month }) => month)).toContain('2026-06')
})
