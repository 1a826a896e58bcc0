import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db/database.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { DEMO_PASSWORD, type DemoData, seedDemoData } from './demo-data.ts'
import { RESELLERS } from './resellers/resellers.ts'

const NIMBUS = 2204
let context: TestContext
let demoData: DemoData
const messages: string[] = []

beforeAll(async () => {
  context = await testContext()
  demoData = await seedDemoData(context, { progress: (words) => messages.push(words) })
})
afterAll(() => context.close())

const asReseller = <T>(resellerId: number, work: (db: Db) => Promise<T>): Promise<T> =>
  context.store.transact({ role: 'counterfoil_reseller', resellerId }, work)

/** Runs the work as every reseller and concatenates the rows. */
const inEveryReseller = async <T>(work: (db: Db) => Promise<readonly T[]>): Promise<T[]> => {
  const found: T[] = []
  for (const { id } of RESELLERS) found.push(...(await asReseller(id, work)))
  return found
}

const queryRows = <T>(db: Db, query: ReturnType<typeof sql<T>>): Promise<readonly T[]> => query.execute(db).then(({ rows }) => rows)

test('[OPS-01] the listing names a user of each of the twelve resellers, and seeding reports its progress', () => {
  expect(demoData.made).toBe(true)
  expect(demoData.users.map(({ username }) => username)).toEqual(
    'demo us uk eu authorize ippay moneris pinch nexio bpoint none sso'.split(' '),
  )
  expect(demoData.users[0]).toEqual({ username: 'demo', resellerName: 'Nimbus Mobile Data' })
  expect(messages).toHaveLength(12)
})

test('[OPS-01] every user signs in with the one password and acts for all customers of the reseller', async () => {
  const people = await inEveryReseller((db) =>
    queryRows(
      db,
      sql<{ username: string; email: string; password_hash: string; customers: number; of: number; selected: number }>`
        select u.username, u.email, u.password_hash, (select count(*)::int from user_customer) as customers,
               (select count(*)::int from customer) as of, (select count(*)::int from user_customer where selected) as selected
        from app_user as u`,
    ),
  )
  expect(people).toHaveLength(12)
  for (const { username, email, customers, of, selected } of people)
    expect({ email, customers, selected }).toEqual({ email: `${username}@example.com`, customers: of, selected: 1 })
  expect(await context.passwords.verify(people[0]?.password_hash ?? null, DEMO_PASSWORD)).toBe(true)
})

test('[OPS-01] the demo reseller has exactly 60,000 usage records, the others fewer, and none after today', async () => {
  const counts = await inEveryReseller((db) =>
    queryRows(
      db,
      sql<{ rows: number; last: string; first: string }>`
        select count(*)::int as rows, max(usage_at)::date::text as last, min(usage_at)::date::text as first from usage_record`,
    ),
  )
  expect(counts[0]).toEqual({ rows: 60_000, last: '2026-11-20', first: '2025-11-01' })
  for (const { rows, last } of counts.slice(1)) {
    expect(rows).toBe(1200)
    expect(last <= '2026-11-20').toBe(true)
  }
})

test('[OPS-01] every customer has at least 14 invoices in every state that its reseller knows', async () => {
  const found = await inEveryReseller((db) =>
    queryRows(
      db,
      sql<Record<'invoices' | 'paid' | 'open' | 'overdue' | 'credited' | 'zero' | 'collection', number> & { customer_id: number }>`
        select customer_id, count(*)::int as invoices,
               count(*) filter (where status = 11 and amount_minor > 0 and amount_due_minor = 0)::int as paid,
               count(*) filter (where status = 1 and amount_due_minor = amount_minor and due_on >= '2026-11-20')::int as open,
               count(*) filter (where status = 1 and amount_due_minor = amount_minor and due_on < '2026-11-20')::int as overdue,
               count(*) filter (where status = 9 and amount_minor > 0 and amount_due_minor = 0)::int as credited,
               count(*) filter (where amount_minor = 0)::int as zero,
               count(*) filter (where status = 7 and amount_due_minor = amount_minor)::int as collection
        from invoice group by customer_id`,
    ),
  )
  expect(found).toHaveLength(RESELLERS.flatMap(({ customers }) => customers).length)
  for (const { customer_id, invoices, collection, ...states } of found) {
    expect(invoices).toBeGreaterThanOrEqual(14)
    for (const [state, count] of Object.entries(states)) expect(count, `${state} of ${customer_id}`).toBeGreaterThanOrEqual(1)
    const reseller = RESELLERS.find(({ id }) => id === Math.floor(customer_id / 100))
    expect(collection, `in collection of ${customer_id}`).toBe(reseller?.payment.takesDebits === true ? 1 : 0)
  }
})

test('[OPS-01] every invoice adds up: lines to net, each tax rounded by itself, net and taxes to the amount', async () => {
  const wrong = await inEveryReseller((db) =>
    queryRows(
      db,
      sql`
        select i.number from invoice as i
        where i.net_minor <> (select sum(l.amount_minor) from invoice_line as l where l.customer_id = i.customer_id and l.invoice_id = i.id)
           or i.amount_minor <> i.net_minor + (select sum(t.amount_minor) from invoice_tax as t where t.customer_id = i.customer_id and t.invoice_id = i.id)
           or exists (select from invoice_tax as t where t.customer_id = i.customer_id and t.invoice_id = i.id
                      and (t.base_minor <> i.net_minor or t.amount_minor <> round(t.base_minor * t.rate_percent / 100)))
           or exists (select from invoice_line as l where l.customer_id = i.customer_id and l.invoice_id = i.id
                      and l.unit_price is not null and l.amount_minor <> l.quantity * l.unit_price * 100)`,
    ),
  )
  expect(wrong).toEqual([])
})

test('[OPS-01] a line of usage is the sum of that month’s records of the service, rounded to cents', async () => {
  const compared = await inEveryReseller((db) =>
    queryRows(
      db,
      sql<{ billed: string; used: string; units: string; counted: string }>`
        with u as materialized (select customer_id, service_id, date_trunc('month', usage_at)::date as month, sum(price) as price,
          sum(units) as units from usage_record group by 1, 2, 3)
        select l.amount_minor::text as billed, round(u.price, 2) * 100 as used, l.quantity as units, u.units as counted
        from invoice_line as l
        join service as s on s.name = l.service_name
        join u on u.customer_id = l.customer_id and u.service_id = s.id and u.month = l.from_on
        where l.unit_price is null`,
    ),
  )
  expect(compared.length).toBeGreaterThan(500)
  for (const { billed, used, units, counted } of compared) {
    expect(Number(billed)).toBe(Number(used))
    expect(Number(units)).toBe(Number(counted))
  }
})

test('[OPS-01][EASE-06] the prices of an invoice’s transactions add up to its net amount, as the sum under Transactions does', async () => {
  const sums = await inEveryReseller((db) =>
    queryRows(
      db,
      sql<{ net: string; posted: string }>`
        select i.net_minor::text as net, trim_scale(sum(t.price * 100))::text as posted
        from invoice as i join billing_transaction as t on t.customer_id = i.customer_id and t.invoice_id = i.id and t.period_id = i.period_id
        group by i.customer_id, i.id, i.net_minor`,
    ),
  )
  expect(sums.length).toBeGreaterThan(350)
  for (const { net, posted } of sums) expect(posted).toBe(net)
})

test('[OPS-01][EASE-01] the opening balance is what the invoices before the current month ask for', async () => {
  const balances = await inEveryReseller((db) =>
    queryRows(
      db,
      sql<{ balance: number; due: number; asOf: string }>`
        select b.balance_minor as balance, b.as_of_on as "asOf", (select sum(i.amount_due_minor)::bigint from invoice as i
          where i.customer_id = b.customer_id and i.issued_on < b.as_of_on) as due
        from opening_balance as b`,
    ),
  )
  expect(balances.length).toBeGreaterThan(20)
  for (const { balance, due, asOf } of balances) {
    expect(balance).toBe(due)
    expect(balance).toBeGreaterThan(0)
    expect(asOf.endsWith('-01')).toBe(true)
  }
})

test('[OPS-01] [DASH-05] every customer has bundles near, well under and over their limits, with one to three products each', async () => {
  const shares = await inEveryReseller((db) =>
    queryRows(
      db,
      sql<{ customer_id: number; near: boolean; under: boolean; over: boolean; maxProducts: number }>`
        select customer_id, bool_or(used between 80 and 90) as near, bool_or(used < 50) as under, bool_or(used > 100) as over,
               max(product_no)::int as "maxProducts"
        from (select customer_id, product_no, consumption / quantity * 100 as used from bundle_product) as p group by customer_id`,
    ),
  )
  for (const { near, under, over, maxProducts } of shares)
    expect({ near, under, over, few: maxProducts <= 3 }).toEqual({ near: true, under: true, over: true, few: true })
  expect(Math.max(...shares.map(({ maxProducts }) => maxProducts))).toBe(3)
})

test('[OPS-01] data used on a day is exactly the 4G records of that day, in gigabytes', async () => {
  const [sums] = await asReseller(NIMBUS, (db) =>
    queryRows(
      db,
      sql<{ days: number; different: number }>`
        with s as materialized (select id from service where name = '4G Data'),
          u as materialized (select customer_id, usage_at::date as used_on, sum(units) / 1000 as gigabytes from usage_record
            where service_id in (select id from s) group by 1, 2)
        select count(*)::int as days, count(*) filter (where d.gigabytes <> coalesce(u.gigabytes, 0))::int as different
        from data_usage_day as d
        left join u on u.customer_id = d.customer_id and u.used_on = d.used_on`,
    ),
  )
  expect(sums).toMatchObject({ days: 3 * 385, different: 0 })
})

test('[OPS-01] every customer has thirteen calendar months, the current one last, two agreements or more, and fees in each month', async () => {
  const found = await inEveryReseller((db) =>
    queryRows(
      db,
      sql<{ periods: number; first: string; last: string; agreements: number; posted: number }>`
        select count(*)::int as periods, min(p.starts_on) as first, max(p.ends_on) as last,
               (select count(*)::int from agreement as a where a.customer_id = p.customer_id) as agreements,
               (select count(distinct t.period_id)::int from billing_transaction as t where t.customer_id = p.customer_id) as posted
        from billing_period as p group by p.customer_id`,
    ),
  )
  for (const { agreements, ...months } of found) {
    expect(months).toEqual({ periods: 13, first: '2025-11-01', last: '2026-11-30', posted: 13 })
    expect(agreements).toBeGreaterThanOrEqual(2)
  }
})

test('[OPS-01] every brand, and brand 0 on every installation, has a logo and a banner of its own, and every brand an icon', async () => {
  const pictures = await context.store.transact({ role: 'counterfoil_system' }, (db) =>
    queryRows(
      db,
      sql<{
        brand_id: number
        digest: string
        text: string
      }>`select brand_id, encode(sha256(bytes), 'hex') as digest, convert_from(bytes, 'UTF8') as text from brand_image`,
    ),
  )
  expect(pictures).toHaveLength(38)
  expect(new Set(pictures.map(({ digest }) => digest)).size).toBe(38)
  expect(pictures.filter(({ brand_id }) => brand_id === 0)).toHaveLength(2)
  for (const { text } of pictures) expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+".*<\/svg>$/)
})

test('[OPS-01] a role that works for one reseller sees the customers of no other', async () => {
  const seen = await asReseller(3001, (db) => db.selectFrom('customer').select('id').orderBy('id').execute())
  expect(seen.map(({ id }) => id)).toEqual([300_101, 300_102])
  const records = await context.store.transact({ role: 'counterfoil_app', customerId: 300_102, resellerId: 3001 }, (db) =>
    queryRows(db, sql<{ customer_id: number }>`select distinct customer_id from usage_record`),
  )
  expect(records).toEqual([{ customer_id: 300_102 }])
})

test('[OPS-01] records made later get ids that are still free', async () => {
  const [made] = await asReseller(NIMBUS, (db) =>
    db.insertInto('agreement').values({ customer_id: 220_401, name: 'Added later' }).returning('id').execute(),
  )
  expect(made?.id).toBeGreaterThan(3_011_021)
  await asReseller(NIMBUS, (db) => db.deleteFrom('agreement').where('name', '=', 'Added later').execute())
})
