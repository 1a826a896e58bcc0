import { addDays, firstOfMonth } from '@counterfoil/contract/kit/day'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { clientFor, signInAs } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addUsage, runUsageInsert } from '../../../test/support/usage.ts'
import { mergeUsage } from '../../usage-store/merge-usage.service.ts'

/**
 * Counts the PostgreSQL blocks that usage pages read: a lost index or a full scan shows here on any machine, however fast it is.
 * auto_explain sends the plan of every statement to the connection that ran it.
 */
const database = inject('testDatabase')

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly 'Temp Written Blocks': number
  readonly 'Sort Space Type'?: string
  readonly Plans?: readonly PlanNode[]
}

const nodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
const blocksOf = (plans: readonly PlanNode[], relation: RegExp): number =>
  plans
    .flatMap(nodes)
    .filter((node) => relation.test(node['Relation Name'] ?? ''))
    .reduce((sum, node) => sum + node['Shared Hit Blocks'] + node['Shared Read Blocks'], 0)

const RECORDS = /^usage_record/
const COUNTERS = /^usage_(day|month|delta)/

describe.skipIf(database.kind !== 'postgres')('[USG-05] what a page reads', () => {
  let context: TestContext
  let call: ReturnType<typeof clientFor>
  let seenPlans: PlanNode[] = []
  let customer: Awaited<ReturnType<typeof addUsage>>

  beforeAll(async () => {
    context = await testContext()
    customer = await addUsage(context, 100)
    await insertRecords(context, customer, '2024-11-01', 729, 60_000)
    await mergeUsage(context.store, new AbortController().signal)
    await vacuumAll(context)
    const app = await context.app()
    context.store.pools.usage.on('connect', (client) => client.on('notice', ({ message }) => seenPlans.push(...parsePlan(message))))
    await explainEverything(context)
    call = clientFor(app, await signInAs(app, customer.person), customer.customerId)
    await readPage({})
  })
  afterAll(() => context.close())

  /** Requests a page twice, so that statements are prepared and caches warm. Returns the plans of the second request. */
  const readPage = async (query: Record<string, string>): Promise<PlanNode[]> => {
    const address = `/v1/ec/usage?${new URLSearchParams({ dateFrom: '2026-10-01', dateTo: '2026-10-31', ...query })}`
    for (const _ of [1, 2]) {
      seenPlans = []
      const { statusCode, body } = await call.get(address)
      expect(statusCode, body).toBe(200)
    }
    expect(seenPlans.length).toBeGreaterThan(0)
    return seenPlans
  }
  const years = { dateFrom: '2024-11-01', dateTo: '2026-10-31' }

  test('the first page of a month and of two years: the page, a counter a day, and a look for deltas', async () => {
    for (const [query, counters] of [
      [{}, 12],
      [years, 20],
    ] as const) {
      const plans = await readPage(query)
      expect(blocksOf(plans, RECORDS)).toBeLessThanOrEqual(30)
      expect(blocksOf(plans, COUNTERS)).toBeLessThanOrEqual(counters)
    }
  })

  test('page 600 of two years reads a day, not all that comes before it', async () => {
    expect(blocksOf(await readPage({ ...years, pageNumber: '600' }), RECORDS)).toBeLessThanOrEqual(30)
  })

  test('a service, a record type and an agreement over two years are counted by months', async () => {
    const [kind] = customer.kinds
    for (const query of [
      { service: String(kind?.service) },
      { recordType: String(kind?.type) },
      { agreement: String(customer.agreements[0]) },
    ]) {
      const plans = await readPage({ ...years, ...query })
      expect(blocksOf(plans, COUNTERS)).toBeLessThanOrEqual(60)
      expect(blocksOf(plans, RECORDS)).toBeLessThanOrEqual(100)
    }
  })

  test('another sort reads the index once and then the rows of its page', async () => {
    const as = { role: 'counterfoil_reseller', resellerId: customer.resellerId } as const
    const month = (await context.store.transact(as, busiestMonth)).rows[0]?.n ?? 0
    expect(blocksOf(await readPage({ sort: 'price' }), RECORDS)).toBeLessThanOrEqual(month / 50 + 320)
  })

  test('the sort by connection walks connections, over a month and over two years', async () => {
    expect(blocksOf(await readPage({ sort: 'serviceItemName', order: 'asc' }), RECORDS)).toBeLessThanOrEqual(120)
    expect(blocksOf(await readPage({ ...years, sort: 'serviceItemName', order: 'desc' }), RECORDS)).toBeLessThanOrEqual(120)
  })

  test('what is not merged yet costs its own blocks', async () => {
    for (const _ of [1, 2, 3]) await insertRecords(context, customer, '2026-10-01', 30, 2_000)
    expect(blocksOf(await readPage({}), COUNTERS)).toBeLessThanOrEqual(30)
  })

  test('no page is sorted on the disk', async () => {
    for (const sort of ['date', 'price', 'units', 'recordType', 'serviceItemName', 'serviceItemDescription', 'siteName', 'costCentre'])
      for (const plan of (await readPage({ ...years, sort })).flatMap(nodes)) {
        expect(plan['Temp Written Blocks']).toBe(0)
        expect(plan['Sort Space Type'] ?? 'Memory').toBe('Memory')
      }
  })
})

const busiestMonth = (db: Parameters<Parameters<TestContext['store']['transact']>[1]>[0]) =>
  sql<{ n: number }>`select max(n)::int as n from (select sum(records) as n from usage_month_kind group by month) m`.execute(db)

/** Inserts records of one customer, evenly over some days. */
const insertRecords = async (
  context: TestContext,
  { customerId, resellerId, kinds, items, agreements }: Awaited<ReturnType<typeof addUsage>>,
  from: string,
  days: number,
  records: number,
) => {
  const months = Array.from({ length: days + 1 }, (_, day) => firstOfMonth(addDays(from, day)))
  await runUsageInsert(
    context,
    resellerId,
    [...new Set(months)],
    sql`
        insert into usage_record (reseller_id, customer_id, usage_at, service_item_id, service_id, record_type_id, agreement_id, units, price, site, cost_centre)
        select ${resellerId}, ${customerId}, ${from}::timestamptz + n * interval '1 day' * ${days} / ${records},
          (${items.map(({ id }) => id)}::bigint[])[1 + n * 7 % ${items.length}], (${kinds.map(({ service }) => service)}::bigint[])[1 + n % ${kinds.length}],
          (${kinds.map(({ type }) => type)}::bigint[])[1 + n % ${kinds.length}], (${agreements}::bigint[])[1 + n % 2], n % 500, round(n * 7919 % 10007 / 100.0, 2),
          'Site ' || n % 40, 'CC ' || n % 9
        from generate_series(0, ${records}::int - 1) n on conflict do nothing`,
  )
}

/** Vacuums until every page is marked visible, so that index-only scans fetch no rows. A standby of another test can hold that back. */
const vacuumAll = async (context: TestContext): Promise<void> => {
  const { background } = context.store.pools
  const countHiddenPages = async (): Promise<number> => {
    await background.query(
      'vacuum analyze usage_record, usage_day_merged, usage_day_kind_merged, usage_month_kind_merged, usage_delta, service_item',
    )
    const { rows } = await background.query<{ hidden: number }>(
      `select sum(relpages - relallvisible)::int as hidden from pg_class where relkind = 'r' and relname ~ '^usage_(record|day|month|delta)'`,
    )
    return rows[0]?.hidden ?? 0
  }
  await vi.waitFor(async () => expect(await countHiddenPages()).toBe(0), { timeout: 120_000, interval: 500 })
}

/** Makes every new connection receive the plans of its statements. */
const explainEverything = async (context: TestContext): Promise<void> => {
  if (database.kind !== 'postgres') return
  const { rows } = await context.store.pools.background.query<{ name: string }>('select current_database()::text as name')
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  }
  for (const [name, value] of Object.entries(settings)) await admin.query(`alter database ${rows[0]?.name} set ${name} = '${value}'`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [rows[0]?.name])
  await admin.end()
  const { interactive, background } = context.store.pools
  await vi.waitUntil(() => interactive.totalCount + background.totalCount === 0) // a request must not be given a connection that just ended
}

const parsePlan = (message: string | undefined): PlanNode[] => {
  const json = message?.slice(message.indexOf('{'))
  if (message === undefined || json === undefined || !message.includes('plan:')) return []
  return [(JSON.parse(json) as { Plan: PlanNode }).Plan]
}
