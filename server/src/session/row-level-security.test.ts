import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, DbRole } from '../db/database.ts'
import { mergeUsage } from '../usage-store/merge-usage.service.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { queryAsAdministrator } from '../../test/support/people.ts'
import { addTenants, type Tenants } from '../../test/support/tenants.ts'

let context: TestContext
let tenants: Tenants
let tables: string[]

beforeAll(async () => {
  context = await testContext()
  tenants = await addTenants(context)
  await mergeUsage(context.store, new AbortController().signal)
  await queryAsAdministrator(
    context,
    `insert into usage_delta (reseller_id, customer_id, month, id, days, service_ids, record_type_ids, agreement_ids, records, prices, units,
       cost_centres, cost_centre_records)
     select reseller_id, customer_id, date_trunc('month', usage_at)::date, id, array[usage_at::date], array[service_id], array[record_type_id],
       array[0], array[1], array[price], array[units], array[cost_centre], array[1] from usage_record`,
  )
  tables = await tablesWith(context, '%')
})
afterAll(() => context.close())

const tablesWith = async (context: TestContext, column: string, type: 'BASE TABLE' | 'VIEW' = 'BASE TABLE'): Promise<string[]> => {
  const rows = await queryAsAdministrator<{ name: string }>(
    context,
    `select distinct c.table_name::text as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = $2 and c.column_name like $1 order by 1`,
    [column, type],
  )
  return rows.map(({ name }) => name)
}

const countIn = (db: Db, table: string): Promise<number> =>
  sql<{ rows: number }>`select count(*)::int as rows from ${sql.table(table)}`.execute(db).then(({ rows }) => rows[0]?.rows ?? -1)

const count = (as: DbRole, table: string): Promise<number> => context.store.transact(as, (db) => countIn(db, table))

/** The rows that a role sees, or the word for not being let in at all. */
const visibleRows = (as: DbRole, table: string): Promise<number | string> =>
  count(as, table).catch((error: { code?: string }) => (error.code === '42501' ? 'refused' : Promise.reject(error)))

const app = (customerId: number, resellerId: number): DbRole => ({ role: 'counterfoil_app', customerId, resellerId })

test('every table of a customer or a reseller has row-level security, forced upon its owner too', async () => {
  const ours = new Set([
    ...(await tablesWith(context, 'customer_id')),
    ...(await tablesWith(context, 'reseller_id')),
    'session',
    'refresh_token',
  ])
  expect(ours.size).toBeGreaterThan(18)
  const bare = await queryAsAdministrator<{ name: string }>(
    context,
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and not (relrowsecurity and relforcerowsecurity)`,
  )
  expect(bare.map(({ name }) => name).filter((name) => ours.has(name))).toEqual([])
})

test('the tenants of this test have rows in every table of a customer', async () => {
  for (const table of await tablesWith(context, 'customer_id')) {
    const [row] = await queryAsAdministrator<{ rows: number }>(context, `select count(*)::int as rows from ${table}`)
    expect(row?.rows, `${table}: give each customer a row in server/test/support/tenants.ts`).toBeGreaterThan(5)
  }
})

test('a request that names nobody sees no row of any table', async () => {
  for (const table of tables) {
    const answer = await context.store
      .transact({ role: 'owner' }, async (db) => {
        await sql`set local role counterfoil_app`.execute(db)
        return countIn(db, table)
      })
      .catch((error: { code?: string }) => error.code)
    expect([0, '42501'], table).toContain(answer)
  }
})

/** A month of usage: reached through usage_record, whose policies hold, and by nobody directly. */
const isPartition = (table: string): boolean => /^usage_record_\d{4}_\d{2}$/.test(table)

test('a month of usage cannot be reached past its table', async () => {
  const months = (await tablesWith(context, 'customer_id')).filter(isPartition)
  expect(months).not.toEqual([])
  for (const month of months)
    expect(await visibleRows(app(tenants.ours.first.id, tenants.ours.first.resellerId), month), month).toBe('refused')
})

test("a customer's request sees that customer's rows and no others", async () => {
  const { ours, rivals } = tenants
  for (const table of [...(await tablesWith(context, 'customer_id')), ...(await tablesWith(context, 'customer_id', 'VIEW'))]) {
    if (table === 'user_customer' || isPartition(table)) continue
    for (const { id, resellerId } of [ours.first, ours.second, rivals.first]) {
      const [expected] = await queryAsAdministrator<{ rows: number }>(
        context,
        `select count(*)::int as rows from ${table} where customer_id = $1`,
        [id],
      )
      expect(expected?.rows, table).toBeGreaterThan(0)
      expect(await count(app(id, resellerId), table), table).toBe(expected?.rows)
    }
  }
})

test('a customer and a reseller that do not belong together see no rows of either other', async () => {
  const mixed = app(tenants.ours.first.id, tenants.rivals.id)
  const invoices = await context.store.transact(mixed, (db) => db.selectFrom('invoice').select('customer_id').distinct().execute())
  expect(invoices).toEqual([{ customer_id: tenants.ours.first.id }])
  const services = await context.store.transact(mixed, (db) => db.selectFrom('service').select('reseller_id').distinct().execute())
  expect(services).toEqual([{ reseller_id: tenants.rivals.id }])
})

test("a customer's request may not read people, passwords, sessions or limits at all, and may write nothing but what was shown", async () => {
  const { id, resellerId } = tenants.ours.first
  for (const table of ['app_user', 'user_customer', 'session', 'refresh_token', 'rate_limit', 'migration'])
    expect(await visibleRows(app(id, resellerId), table), table).toBe('refused')
  // What a payment page has shown is remembered by whoever reads it, of its own customer alone.
  for (const table of tables.filter((name) => name !== 'payment_link_total')) {
    const written = context.store.transact(app(id, resellerId), (db) => sql`delete from ${sql.table(table)}`.execute(db))
    await expect(written, table).rejects.toMatchObject({ code: '42501' })
  }
})

test('the system role sees users and sessions, and no billing', async () => {
  const known = new Set(['user_customer', 'report_job', 'report_chunk', 'invoice', 'payment_attempt', 'payment_outbox', 'usage_delta'])
  const billed = (await tablesWith(context, 'customer_id')).filter((table) => !known.has(table))
  for (const table of billed) expect(await visibleRows({ role: 'counterfoil_system' }, table), table).toBe('refused')
  const asked = context.store.transact({ role: 'counterfoil_system' }, (db) => db.selectFrom('report_job').select('parameters').execute())
  await expect(asked, 'the queue of reports tells whose turn it is, not what was asked for').rejects.toMatchObject({ code: '42501' })
  const chunks = context.store.transact({ role: 'counterfoil_system' }, (db) => db.selectFrom('report_chunk').selectAll().execute())
  await expect(chunks, 'expired files are deleted, not read').rejects.toMatchObject({ code: '42501' })
  const amounts = context.store.transact({ role: 'counterfoil_system' }, (db) =>
    db.selectFrom('payment_attempt').select('amount_minor').execute(),
  )
  await expect(amounts, 'the sweeper sees which payments are due, not what they are').rejects.toMatchObject({ code: '42501' })
  const events = context.store.transact({ role: 'counterfoil_system' }, (db) => db.selectFrom('payment_outbox').select('payload').execute())
  await expect(events, 'the line of events tells whose turn it is, not what it says').rejects.toMatchObject({ code: '42501' })
  const deltas = context.store.transact({ role: 'counterfoil_system' }, (db) => sql`select records from usage_delta`.execute(db))
  await expect(deltas, 'the merging job sees whose usage waits, not how much').rejects.toMatchObject({ code: '42501' })
  expect(await count({ role: 'counterfoil_system' }, 'invoice'), 'an invoice is seen by who holds its payment link').toBe(0)
  expect(await count({ role: 'counterfoil_system' }, 'app_user')).toBe(Object.keys(tenants.people).length)
})

test("an operator's work stays inside the reseller", async () => {
  const { ours, rivals } = tenants
  const operator: DbRole = { role: 'counterfoil_reseller', resellerId: ours.id }
  const customers = await context.store.transact(operator, (db) => db.selectFrom('customer').select('id').orderBy('id').execute())
  expect(customers).toEqual([ours.first, ours.second, ours.dark].map(({ id }) => ({ id })))
  const stranger = { customer_id: rivals.first.id, name: 'Planted' }
  await expect(context.store.transact(operator, (db) => db.insertInto('agreement').values(stranger).execute())).rejects.toMatchObject({
    code: '42501',
  })
  const moved = { customer_id: rivals.first.id }
  await expect(context.store.transact(operator, (db) => db.updateTable('agreement').set(moved).execute())).rejects.toMatchObject({
    code: expect.stringMatching(/^(42501|23503)$/),
  })
  const planted = { user_id: tenants.people.one.id, customer_id: rivals.first.id }
  await expect(context.store.transact(operator, (db) => db.insertInto('user_customer').values(planted).execute())).rejects.toMatchObject({
    code: '42501',
  })
})

test('a transaction leaves neither its role nor its customer behind on its connection', async () => {
  const { id, resellerId } = tenants.ours.first
  await context.store.transact(app(id, resellerId), (db) => db.selectFrom('invoice').select('id').execute())
  await context.store.transact(app(id, resellerId), () => Promise.reject(new Error('no'))).catch(() => undefined)
  for (let at = 0; at < 10; at += 1) {
    const { rows } = await context.store.transact({ role: 'owner' }, (db) =>
      sql<{ who: string; customer: string | null }>`
        select current_user::text as who, nullif(current_setting('app.customer_id', true), '') as customer`.execute(db),
    )
    expect(rows).toEqual([{ who: expect.not.stringContaining('counterfoil_app'), customer: null }])
  }
})

test('a row of one customer cannot be linked to a row of another', async () => {
  const { first, second } = tenants.ours
  const operator: DbRole = { role: 'counterfoil_reseller', resellerId: tenants.ours.id }
  const crossed = {
    customer_id: second.id,
    invoice_id: first.drawnInvoice,
    line_no: 9,
    service_name: 'x',
    description: 'x',
    amount_minor: 1,
  }
  await expect(
    context.store.transact(operator, (db) =>
      db
        .insertInto('invoice_line')
        .values({ ...crossed, service_item: null, from_on: null, to_on: null, quantity: null, unit: null, unit_price: null })
        .execute(),
    ),
  ).rejects.toMatchObject({ code: '23503' })
})
