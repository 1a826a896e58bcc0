import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db/database.ts'
import { deriveKeys } from '../kit/keys.ts'
import type { Tables } from '../db/tables/tables.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { seedDemoData } from './demo-data.ts'
import { RESELLERS } from './resellers/resellers.ts'

const TENANT_TABLES = [
  'agreement',
  'billing_period',
  'service_item',
  'usage_record',
  'invoice',
  'invoice_line',
  'invoice_tax',
  'billing_transaction',
  'bundle',
  'bundle_product',
  'opening_balance',
  'data_usage_day',
  'service',
  'record_type',
  'extra_field_label',
  'reseller',
  'brand',
  'brand_image',
  'customer',
  'app_user',
  'user_customer',
] as const satisfies readonly (keyof Tables)[]

const SMALL = { usageRows: 2000 }
let context: TestContext
let made: boolean[]

beforeAll(async () => {
  context = await testContext()
  made = (await Promise.all([seedDemoData(context, SMALL), seedDemoData(context, SMALL)])).map((demoData) => demoData.made)
})
afterAll(() => context.close())

/** A digest of each table as each reseller's role sees it, but for what is salted or comes from this installation's keys. */
const dumpTables = async (at: TestContext): Promise<Record<string, string>> => {
  const dump: Record<string, string> = {}
  for (const { id } of RESELLERS)
    await at.store.transact({ role: 'counterfoil_reseller', resellerId: id }, async (db) => {
      for (const table of TENANT_TABLES) dump[`${table} of ${id}`] = await digestTable(db, table)
    })
  return dump
}

const digestTable = async (db: Db, table: keyof Tables): Promise<string> => {
  const { rows } = await sql<{ digest: string | null }>`
    select md5(string_agg(line, chr(10) order by line)) as digest
    from (select (to_jsonb(t) - 'password_hash' - 'pay_token_hash' - 'changed_at')::text as line from ${sql.table(table)} as t) as l`.execute(
    db,
  )
  return rows[0]?.digest ?? 'empty'
}

/** The rows of the demo data that lie after the context's clock. */
const futureRows = async (at: TestContext): Promise<string[]> => {
  const now = at.clock()
  const ahead: string[] = []
  for (const { id } of RESELLERS)
    await at.store.transact({ role: 'counterfoil_reseller', resellerId: id }, async (db) => {
      const { rows } = await sql<{ what: string }>`
        select 'usage ' || id as what from usage_record where usage_at > ${now}
        union all select 'invoice ' || number from invoice where generated_at > ${now} or issued_on > ${now}::timestamptz at time zone 'UTC'
        union all select 'data of ' || used_on from data_usage_day where used_on > ${now}::timestamptz at time zone 'UTC'`.execute(db)
      ahead.push(...rows.map(({ what }) => `${what} of ${id}`))
    })
  return ahead
}

test('[OPS-01] two servers that start together make one world', () => {
  expect(made.toSorted()).toEqual([false, true])
})

test('[OPS-01] a second start changes nothing', async () => {
  const before = await dumpTables(context)
  expect(Object.values(before).filter((digest) => digest !== 'empty').length).toBeGreaterThan(200)
  expect((await seedDemoData(context, SMALL)).made).toBe(false)
  expect(await dumpTables(context)).toEqual(before)
})

const failAtMesa = (words: string): void => {
  if (words.includes('Mesa Networks')) throw new Error('the power went out')
}

test('[OPS-01] a making that fails half way leaves nothing; the next one makes the world of that day, at whatever hour and with whatever keys, and nothing in it lies ahead of the clock', async () => {
  const other = await testContext()
  try {
    other.advance(-12 * 3_600_000) // midnight, when all of the day is still to come
    const fresh = { ...other, keys: deriveKeys(Buffer.alloc(32, 1)) }
    await expect(seedDemoData(fresh, { ...SMALL, progress: failAtMesa })).rejects.toThrow('the power went out')
    const remaining = await fresh.store.transact({ role: 'counterfoil_system' }, (db) => db.selectFrom('reseller').select('id').execute())
    expect(remaining).toEqual([])
    expect((await seedDemoData(fresh, SMALL)).made).toBe(true)
    expect(await dumpTables(other)).toEqual(await dumpTables(context))
    expect(await futureRows(other)).toEqual([])
  } finally {
    await other.close()
  }
})
