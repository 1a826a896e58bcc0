import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TenantRole } from './database.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addTenants, type Tenants } from '../../test/support/tenants.ts'

let context: TestContext
let tenants: Tenants

beforeAll(async () => {
  context = await testContext()
  tenants = await addTenants(context)
})
afterAll(() => context.close())

const customer = ({ id, resellerId }: { id: number; resellerId: number }): TenantRole => ({
  role: 'counterfoil_app',
  customerId: id,
  resellerId,
})
const WHO = sql`select current_user, current_setting('app.customer_id', true), current_setting('app.reseller_id', true)`
const CUSTOMERS = sql`select distinct customer_id from invoice order by 1`

/** Who every idle connection is outside a transaction. */
const identities = async (): Promise<string[]> => {
  const { interactive } = context.store.pools
  const clients = await Promise.all(Array.from({ length: Math.max(1, interactive.totalCount) }, () => interactive.connect()))
  const seen: string[] = []
  for (const client of clients) {
    const { rows } = await client.query<{ who: string }>({
      text: `select concat_ws(' ', current_user = session_user, current_setting('app.customer_id', true), current_setting('app.reseller_id', true)) as who`,
    })
    seen.push(...rows.map(({ who }) => who.trim()))
  }
  for (const client of clients) client.release()
  return [...new Set(seen)]
}

test('statements that are read as text see one customer, each batch its own, and leave nothing behind', async () => {
  for (const own of [tenants.ours.first, tenants.rivals.first, tenants.ours.second]) {
    const [who, customers] = await context.store.readRaw(customer(own), [WHO, CUSTOMERS])
    expect(who).toEqual([['counterfoil_app', String(own.id), String(own.resellerId)]])
    expect(customers).toEqual([[String(own.id)]])
    expect(await identities()).toEqual(['t'])
  }
})

test('an error in the middle ends the batch: nothing after it runs, and the next one sees its own customer', async () => {
  const { first, second } = tenants.ours
  for (const broken of [sql`select 1 / ${0}::int`, sql`select no_such_column from invoice`, sql`select * from app_user`]) {
    const failed = context.store.readRaw(customer(first), [CUSTOMERS, broken, sql`select nextval('usage_record_id')`])
    await expect(failed).rejects.toHaveProperty('code')
    expect(await identities()).toEqual(['t'])
    const [customers] = await context.store.readRaw(customer(second), [CUSTOMERS])
    expect(customers).toEqual([[String(second.id)]])
  }
})

test('a statement that failed with its values works with others, also where its batch was the first to send it', async () => {
  const as = customer(tenants.ours.first)
  const divide = (by: number) => sql`select (100 / ${by}::int)::text as share`
  await expect(context.store.readRaw(as, [divide(0)])).rejects.toMatchObject({ code: '22012' })
  expect(await context.store.readRaw(as, [divide(4)])).toEqual([[['25']]])
  expect(await context.store.readRaw(as, [divide(5), divide(20)])).toEqual([[['20']], [['5']]])
})

test('batches side by side get their own rows', async () => {
  const owners = [tenants.ours.first, tenants.ours.second, tenants.rivals.first]
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) => context.store.readRaw(customer(owners[at % 3] ?? tenants.ours.first), [WHO, CUSTOMERS])),
  )
  for (const [at, [who, customers]] of answers.entries()) {
    const id = String(owners[at % 3]?.id)
    expect(who?.[0]?.[1]).toBe(id)
    expect(customers).toEqual([[id]])
  }
})

const asOneMessage = { pipelined: true } as const

test('statements that begin at once travel as one message, each customer on its own, and leave nothing behind', async () => {
  for (const own of [tenants.ours.first, tenants.rivals.first]) {
    const [who, invoices] = await context.store.transact(
      customer(own),
      (db) =>
        Promise.all([
          WHO.execute(db),
          db.selectFrom('invoice').select(['customer_id', 'issued_on', 'generated_at', 'amount_minor']).limit(1).execute(),
        ]),
      asOneMessage,
    )
    expect(who.rows).toEqual([expect.objectContaining({ current_user: 'counterfoil_app' })])
    expect(invoices).toEqual([
      { customer_id: own.id, issued_on: expect.any(String), generated_at: expect.any(Date), amount_minor: expect.any(Number) },
    ])
    expect(await identities()).toEqual(['t'])
  }
})

test('values go and come in one message as they do in any transaction', async () => {
  const values = sql`select ${[1, 2]}::int[] as list, ${Buffer.from([0, 255])}::bytea as bytes, ${{ a: [null] }}::jsonb as object, ${null}::text as nothing,
    ${true}::boolean as flag, ${'1.50'}::numeric as exact, ${new Date(1_000)}::timestamptz as instant`
  const read = (options: object) => context.store.transact(customer(tenants.ours.first), (db) => values.execute(db), options)
  const [row] = (await read(asOneMessage)).rows
  expect(row).toEqual((await read({})).rows[0])
  expect((await read(asOneMessage)).rows).toEqual([row]) // prepared by now
})

test('one message says how many rows it changed, and one of its statements failing undoes the others', async () => {
  const asReseller = { role: 'counterfoil_reseller', resellerId: tenants.ours.id } as const
  const rename = (name: string) => sql`update brand set name = ${name} where id = (select min(id) from brand)`
  const read = () =>
    context.store.transact(asReseller, async (db) => (await sql`select name from brand order by id limit 1`.execute(db)).rows)
  const before = await read()
  const broken = context.store.transact(
    asReseller,
    (db) => Promise.all([rename('Undone').execute(db), sql`select 1 / ${0}::int`.execute(db)]),
    asOneMessage,
  )
  await expect(broken).rejects.toMatchObject({ code: '22012' })
  expect(await read()).toEqual(before)
  const { numAffectedRows } = await context.store.transact(asReseller, (db) => rename('Renamed').execute(db), asOneMessage)
  expect(numAffectedRows).toBe(1n)
  expect(await read()).toEqual([{ name: 'Renamed' }])
})

test('a statement that waits for the answer of another is refused in a transaction of one message', async () => {
  const inTurn = context.store.transact(
    customer(tenants.ours.first),
    async (db) => {
      await WHO.execute(db)
      return CUSTOMERS.execute(db)
    },
    asOneMessage,
  )
  await expect(inTurn).rejects.toThrow('begin at once')
})
