import { csvLine } from '@counterfoil/contract/kit/csv'
import { type Day, firstOfMonth } from '@counterfoil/contract/kit/day'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { USAGE_TEXTS } from '../../db/tables/usage-columns.data.ts'
import type { ExportPlan } from '../../db/copy-out.ts'
import { COUNTERS, lockDeltas } from '../../usage-store/merge-usage.queries.ts'
import { USAGE_FIELDS, type UsageField } from './usage-fields.rules.ts'

/** A reseller's records in a month. A different count, or number of loads and undos of them, means that the month has changed. */
export interface MonthUsage {
  readonly resellerId: number
  readonly records: number
  readonly changes: number
}

/** The first days of the months before a day that have a partition, oldest first. As the schema's owner. */
export const monthsBefore = async (db: Db, before: Day): Promise<Day[]> => {
  const { rows } = await sql<{ name: string }>`
    select c.relname::text as name from pg_inherits h join pg_class c on c.oid = h.inhrelid
    where h.inhparent = 'usage_record'::regclass order by 1`.execute(db)
  // Not in SQL: PostgreSQL may read a date out of every table's name before it looks which are partitions, and fail.
  return rows.map(({ name }) => `${name.slice(-7).replace('_', '-')}-01`).filter((month) => month < before)
}

/** SQL: whether a column's instant lies in the month (UTC), without parameters. */
const inMonth = (column: string, month: Day): RawBuilder<boolean> =>
  sql.raw(
    `${column} >= timestamptz '${assertDay(month)} 00:00:00+00' and ${column} < timestamptz '${assertDay(firstOfMonth(month, 1))} 00:00:00+00'`,
  )

/**
 * @returns the day itself, checked, since COPY takes no parameters and the day is interpolated
 * @throws RangeError for anything but a day
 */
const assertDay = (day: Day): Day => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new RangeError('a day is not a day')
  return day
}

/** Counts the records in the month by their counters: the reseller's as counterfoil_reseller, everybody's as the owner who archives. */
export const countRecordsOf = async (db: Db, month: Day): Promise<number> => {
  const { rows } = await sql<{ records: number }>`
    select coalesce(sum(k.records), 0)::bigint as records from usage_month_kind_part k where k.month = ${month}::date`.execute(db)
  return rows[0]?.records ?? 0
}

/** Counts the loads and undos that may have changed the reseller's records in the month. As counterfoil_reseller. */
export const countChangesOf = async (db: Db, resellerId: number, month: Day): Promise<number> => {
  const { rows } = await sql<{ changes: number }>`
    select count(*) + count(undone_at) as changes from import
    where reseller_id = ${resellerId} and usage_from < ${firstOfMonth(month, 1)}::timestamptz and usage_to > ${month}::timestamptz`.execute(
    db,
  )
  return rows[0]?.changes ?? 0
}

/** Counts this reseller's records in the month, and what may have changed them. As counterfoil_reseller. */
export const countMonth = async (db: Db, resellerId: number, month: Day): Promise<MonthUsage> => ({
  resellerId,
  records: await countRecordsOf(db, month),
  changes: await countChangesOf(db, resellerId, month),
})

/** The words by which `import usage` finds what records refer to. */
const WORDS = `with customer_word as materialized (select id, coalesce(external_id, id::text) as word from customer),
  service_word as materialized (select id, coalesce(external_id, name) as word from service),
  type_word as materialized (select id, coalesce(external_id, description) as word from record_type),
  agreement_word as materialized (select customer_id, id, coalesce(external_id, name) as word from agreement),
  item_word as materialized (select customer_id, id, coalesce(external_id, service_item) as word from service_item)`
/** A record in the form that `import usage` reads. A record without an external id gets one, so that importing it twice is detected. */
const RECORD = `coalesce(u.external_id, 'record ' || u.id) as "externalId", c.word as customer,
  to_char(u.usage_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as date, s.word as service, t.word as "recordType",
  a.word as agreement, i.word as "serviceItem", ${USAGE_TEXTS.map(({ importField, column }) => `u.${column} as "${importField}"`).join(', ')},
  u.cost_centre as "costCentre", u.units::text as units, u.price::text as price`
const JOINS = `join customer_word c on c.id = u.customer_id join service_word s on s.id = u.service_id join type_word t on t.id = u.record_type_id
  left join agreement_word a on a.customer_id = u.customer_id and a.id = u.agreement_id
  left join item_word i on i.customer_id = u.customer_id and i.id = u.service_item_id`

/** The position after a page. The instant is text because a Date has no microseconds. */
interface Cursor {
  readonly id: number
  readonly customerId: number
  readonly instant: string
}
type ArchivedRecord = Readonly<Record<UsageField, string | null>> & Cursor

const SLICE_ROWS = 5_000

/**
 * Makes the plan of a CSV file with all records of the reseller in the month, and counts them. Nothing is exported yet. As
 * counterfoil_reseller.
 */
export const archivePlan = async (db: Db, resellerId: number, month: Day): Promise<ExportPlan & { readonly usage: MonthUsage }> => {
  const usage = await countMonth(db, resellerId, month)
  return {
    usage,
    rows: usage.records,
    query: `${WORDS} select ${RECORD} from usage_record u ${JOINS} where ${inMonth('u.usage_at', month).compile(db).sql}
      order by u.customer_id, u.usage_at, u.id`,
    slices: (transact) => slices(transact, month),
  }
}

/** The CSV lines of the month's records in parts of at most `SLICE_ROWS`, each read in a short transaction. */
const slices = async function* (transact: <T>(work: (db: Db) => Promise<T>) => Promise<T>, month: Day): AsyncGenerator<string> {
  let after: Cursor = { customerId: 0, instant: '-infinity', id: 0 }
  for (;;) {
    const cursor = after
    const rows: ArchivedRecord[] = await transact((db) => slice(db, month, cursor))
    yield rows.map((row) => `${csvLine(USAGE_FIELDS.map((field) => row[field] ?? ''))}\n`).join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < SLICE_ROWS) return
    after = last
  }
}

/** Reads the next records of the month after the cursor, at most `SLICE_ROWS`. */
const slice = async (db: Db, month: Day, after: Cursor): Promise<ArchivedRecord[]> => {
  const { rows } = await sql<ArchivedRecord>`
    ${sql.raw(WORDS)} select u.id, u.customer_id as "customerId", u.usage_at::text as instant, ${sql.raw(RECORD)}
    from (
      select u.* from usage_record u
      where ${inMonth('u.usage_at', month)} and (u.customer_id, u.usage_at, u.id) > (${after.customerId}, ${after.instant}::timestamptz, ${after.id})
      order by u.customer_id, u.usage_at, u.id limit ${SLICE_ROWS}) u ${sql.raw(JOINS)}
    order by u.customer_id, u.usage_at, u.id`.execute(db)
  return rows
}

/** SQL: the name of the month's partition. */
const partition = (month: Day): RawBuilder<unknown> => sql.id(`usage_record_${assertDay(month).slice(0, 7).replace('-', '_')}`)

/** Keeps loads, undos and merges of the reseller's usage away until the transaction ends. @throws code 55P03 while a load or undo runs */
export const lockUsage = async (db: Db, resellerId: number): Promise<void> => {
  await sql`set local lock_timeout = '2s'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil import usage'), ${resellerId})`.execute(db)
  await lockDeltas(db, resellerId)
}

/**
 * Deletes the month from the counters and invalidates sorted pages, of the reseller's customers as counterfoil_reseller. The owner deletes
 * it of all customers, after `openCounters`.
 */
export const deleteMonthCounters = async (db: Db, month: Day): Promise<void> => {
  await sql`
    update usage_version v set version = v.version + 1
    where v.customer_id in (select k.customer_id from usage_month_kind_part k where k.month = ${month}::date)`.execute(db)
  for (const [table, time] of [['usage_delta', 'month'], ...COUNTERS] as const)
    await sql`
      delete from ${sql.table(table)} where ${sql.id(time)} between ${month}::date and (${firstOfMonth(month, 1)}::date - 1)`.execute(db)
}

/**
 * Lets the schema's owner see and delete the counters of all customers until the transaction ends, over one connection to each machine: it
 * drops the month in the same transaction.
 */
export const openCounters = async (db: Db): Promise<void> => {
  await sql`set local app.archiving = 'on'`.execute(db)
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(db)
}

/**
 * Detaches and drops the month's partition, with all its records. Waits for the lock only briefly, because other queries queue behind it.
 * As the schema's owner.
 * @returns false when a reader holds a lock on usage; then nothing is changed
 */
export const dropMonth = async (db: Db, month: Day): Promise<boolean> => {
  await sql`savepoint dropping`.execute(db)
  try {
    await sql`set local lock_timeout = '300ms'`.execute(db)
    await sql`alter table usage_record detach partition ${partition(month)}`.execute(db)
    await sql`drop table ${partition(month)}`.execute(db)
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error
    await sql`rollback to savepoint dropping`.execute(db)
    return false
  }
}
