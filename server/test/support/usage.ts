import type { UsageSort } from '@counterfoil/contract/usage'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import { expect } from 'vitest'
import { USAGE_TEXTS, type UsageText } from '../../src/db/tables/usage-columns.data.ts'
import type { AppContext } from '../../src/context.ts'
import { DISTRIBUTED_TABLES } from '../../src/usage-store/distributed-tables.data.ts'
import type { UsageRecordTable } from '../../src/db/tables/billing.ts'
import { takeRecordId } from '../../src/imports/undo/note-import.queries.ts'
import { countUsage, recordsInRange, spanOf } from '../../src/usage-store/count-usage.queries.ts'
import { ensureMonths } from '../../src/usage-store/usage-months.queries.ts'
import type { clientFor } from './http-client.ts'
import { insertRow, insertRows, addTenant } from './people.ts'

/** A usage record as the tests know it, independent of the database. */
export interface TestUsageRecord {
  readonly id: number
  readonly at: string
  readonly service: number
  readonly recordType: number
  readonly agreement: number | null
  readonly serviceItem: number | null
  readonly shown: Readonly<Record<Exclude<UsageSort, 'date'>, string | number | null>>
}

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

/** The plain texts of a record, of which two in three are there. */
const textsOf = (at: number) =>
  Object.fromEntries(USAGE_TEXTS.map(({ field }) => [field, at % 3 === 0 ? null : `${field} ${at % 5}`])) as Record<
    UsageText['field'],
    string | null
  >

/** A deterministic random number generator. */
const randomNumbers = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(state / 1_024) // the low digits of such a generator repeat soon
  }
}

/**
 * Inserts a customer with this many usage records over five months: two services, six record types, two agreements, some items without a
 * name.
 */
export const addUsage = async (context: AppContext, rows: number, seed = 7) => {
  const tenant = await addTenant(context)
  const { resellerId, customerId } = tenant
  const next = randomNumbers(seed)
  const own = { customer_id: customerId }
  const agreements = [
    await insertRow(context, resellerId, 'agreement', { ...own, name: 'Fleet' }),
    await insertRow(context, resellerId, 'agreement', { ...own, name: 'Office' }),
  ]
  const recordTypes: { service: number; type: number; description: string }[] = []
  for (const name of ['4G Data', 'SMS']) {
    const service = await insertRow(context, resellerId, 'service', { reseller_id: resellerId, name })
    for (const kind of ['national', 'Roaming', 'abroad']) {
      const description = `${name} ${kind}`
      recordTypes.push({
        service,
        type: await insertRow(context, resellerId, 'record_type', { reseller_id: resellerId, service_id: service, description }),
        description,
      })
    }
  }
  const named = Array.from({ length: 24 }, (_, at) => ({
    service: pick(recordTypes, at).service,
    name: `0491 57${at % 7} ${100 + at}`,
    description: at % 5 === 0 ? null : `Truck ${at % 9}`,
  }))
  const ids = await insertRows(
    context,
    resellerId,
    'service_item',
    named.map(({ service, name, description }) => ({ ...own, service_id: service, service_item: name, description })),
  )
  const items = named.map((item, at) => ({ ...item, id: ids[at] as number }))
  const records: TestUsageRecord[] = []
  for (let at = 0; at < rows; at += 1) {
    const kind = pick(recordTypes, next() % recordTypes.length)
    const item =
      next() % 9 === 0
        ? null
        : pick(
            items.filter(({ service }) => service === kind.service),
            next(),
          )
    const minute = next() % (150 * 24 * 60)
    records.push({
      id: 1_000 + at,
      at: new Date(Date.UTC(2026, 5, 20) + minute * 60_000).toISOString(),
      service: kind.service,
      recordType: kind.type,
      agreement: next() % 5 === 0 ? null : pick(agreements, next()),
      serviceItem: item?.id ?? null,
      shown: {
        ...textsOf(at),
        serviceItemName: item?.name ?? null,
        serviceItemDescription: item?.description ?? null,
        serviceItem2: next() % 3 === 0 ? `imsi ${next() % 40}` : null,
        serviceItem3: next() % 4 === 0 ? `${['=', '＝', '＋', '－', '＠'][next() % 5]}cell ${next() % 6}` : null,
        recordType: kind.description,
        siteName: pick(['Fremantle', 'Perth', 'Kewdale, "North"', null], next()),
        costCentre: pick(['Fleet', '+Ops', null], next()),
        units: (next() % 5_000) / 8, // exact in binary
        price: Number(((next() % 90_000) / 10_000 - 1).toFixed(4)),
      },
    })
  }
  await insertUsageRecords(context, resellerId, customerId, records)
  return { ...tenant, agreements, kinds: recordTypes, items, records }
}

/** Inserts records as an import does, but with ids that the test knows. */
export const insertUsageRecords = async (
  context: AppContext,
  resellerId: number,
  customerId: number,
  records: readonly TestUsageRecord[],
): Promise<void> => {
  await context.store.transact({ role: 'owner' }, (db) =>
    sql`select setval('usage_record_id', greatest(last_value, ${Math.max(...records.map(({ id }) => id))})) from usage_record_id`.execute(
      db,
    ),
  )
  const rows = records.map(({ at, id, serviceItem, service, recordType, agreement, shown }) => ({
    id,
    usage_at: at,
    service_item_id: serviceItem,
    service_id: service,
    record_type_id: recordType,
    agreement_id: agreement,
    ...Object.fromEntries(USAGE_TEXTS.map(({ field, column }) => [column, shown[field] as string | null])),
    cost_centre: shown.costCentre as string | null,
    units: String(shown.units),
    price: String(shown.price),
  }))
  await insertUsage(context, resellerId, customerId, rows)
}

/** A record's columns; its instant is text, because a Date has no microseconds. */
type UsageRow = Partial<Omit<Insertable<UsageRecordTable>, 'usage_at'>> & {
  readonly usage_at: string
  readonly service_id: number
  readonly record_type_id: number
  readonly units: string
  readonly price: string
}

/** Inserts usage records and counts them, as a load does. @returns their ids */
export const insertUsage = async (
  context: AppContext,
  resellerId: number,
  customerId: number,
  rows: readonly UsageRow[],
): Promise<number[]> => {
  const months = [...new Set(rows.map(({ usage_at: at }) => `${at.slice(0, 7)}-01`))]
  await context.store.transact({ role: 'owner' }, (db) => ensureMonths(db, months))
  return context.store.transact({ role: 'counterfoil_loader', resellerId }, async (db) => {
    const full = rows.map((row) => ({ ...row, reseller_id: resellerId, customer_id: customerId }))
    const columns = sql.join(Object.keys(full[0] ?? {}).map((name) => sql.ref(name)))
    const added = await sql<{ id: number }>`
      insert into usage_record (${columns})
      select ${columns} from jsonb_populate_recordset(null::usage_record, ${JSON.stringify(full)}::jsonb)
      on conflict do nothing returning id`.execute(db)
    const ids = added.rows.map(({ id }) => id)
    await countUsage(db, resellerId, { with: sql``, where: sql`u.customer_id = ${customerId} and u.id = any(${ids})` }, 1)
    return ids
  })
}

/** Deletes all usage of a reseller, with its counters. */
export const deleteAllUsage = (context: AppContext, resellerId: number): Promise<void> =>
  context.store.transact({ role: 'counterfoil_loader', resellerId }, async (db) => {
    for (const table of DISTRIBUTED_TABLES) await sql`delete from ${sql.table(table)}`.execute(db)
  })

/**
 * Runs a statement that inserts usage records, and counts them, as a load does.
 * @param months the first days of their months
 */
export const runUsageInsert = async (
  context: AppContext,
  resellerId: number,
  months: readonly string[],
  insert: RawBuilder<unknown>,
): Promise<void> => {
  await context.store.transact({ role: 'owner' }, (db) => ensureMonths(db, months))
  await context.store.transact(
    { role: 'counterfoil_loader', resellerId },
    async (db) => {
      const firstId = await takeRecordId(db)
      await insert.execute(db)
      const range = { firstId, lastId: await takeRecordId(db), ...spanOf(months) }
      await countUsage(db, resellerId, recordsInRange(resellerId, range), 1)
    },
    { pool: 'background' },
  )
}

const DAYS = 'dateFrom=2026-06-01&dateTo=2026-12-31'
const SORTS = ['date', 'price', 'units', 'recordType', 'serviceItemName', 'serviceItemDescription', 'siteName', 'costCentre']

/** What the portal shows of a customer's usage, in every order. */
export const readUsagePages = async (
  call: ReturnType<typeof clientFor>,
  { kinds, items }: Awaited<ReturnType<typeof addUsage>>,
): Promise<string[]> => {
  const paths = [
    ...SORTS.flatMap((sort) => ['asc', 'desc'].map((order) => `?${DAYS}&sort=${sort}&order=${order}&pageSize=50&pageNumber=2`)),
    `?${DAYS}&pageSize=1000`,
    ...kinds.map(({ type }) => `?${DAYS}&recordType=${type}`),
    ...items.slice(0, 3).map(({ id }) => `?${DAYS}&serviceItem=${id}`),
    `/summary?${DAYS}`,
    '/filters',
  ]
  const found: string[] = []
  for (const path of paths) {
    const answer = await call.get(`/v1/ec/usage${path}`)
    expect(answer.statusCode, answer.body).toBe(200)
    found.push(answer.body)
  }
  return found
}
