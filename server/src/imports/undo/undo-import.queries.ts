import { type RawBuilder, sql } from 'kysely'
import { isReferenced } from '../../db/references.queries.ts'
import type { Db } from '../../db/database.ts'
import type { UsageRange, UsageRecords } from '../../usage-store/count-usage.queries.ts'
import { changesTo, hasKeyOf, isOfImport, ROW_DIGEST } from './note-import.queries.ts'
import { type UndoLoggedTable, USAGE_RECORDS } from './undo-logged-tables.data.ts'

export interface StoredImport {
  readonly id: number
  readonly resellerId: number
  readonly kind: string
  readonly importedAt: Date
  readonly undoneAt: Date | null
  readonly usageRecords: number
  /** The name of its file, who imported it, and the rows of the file; null for imports of earlier versions. */
  readonly file: string | null
  readonly by: string | null
  readonly rows: number | null
}

/** The query of stored imports, undone ones too. */
const selectImports = (db: Db) =>
  db
    .selectFrom('import')
    .select([
      'id',
      'reseller_id as resellerId',
      'kind',
      'imported_at as importedAt',
      'undone_at as undoneAt',
      'usage_records as usageRecords',
      'file',
      'imported_by as by',
      'file_rows as rows',
    ])

/** The newest imports first, of all resellers or of one. As counterfoil_system. */
export const listImports = (db: Db, resellerId: number | undefined, limit: number): Promise<StoredImport[]> =>
  selectImports(db)
    .$if(resellerId !== undefined, (query) => query.where('reseller_id', '=', resellerId ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Finds an import by its id; undefined without one. As counterfoil_system. */
export const findImport = (db: Db, id: number): Promise<StoredImport | undefined> =>
  selectImports(db).where('id', '=', id).executeTakeFirst()

/**
 * Waits for every other import of the reseller and keeps them away until the transaction ends, and locks this one.
 * @returns the import as it stands; undefined when it is gone
 */
export const lockImports = async (db: Db, { id, resellerId }: StoredImport): Promise<StoredImport | undefined> => {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local lock_timeout = '14min'`.execute(db)
  await sql`set local timezone = 'UTC'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil import focus'), 0)`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil import records'), ${resellerId})`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil import usage'), ${resellerId})`.execute(db)
  await sql`select analyze_import_changes()`.execute(db)
  return selectImports(db).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The usage records that an import added; null when none. */
export const findAddedUsage = async (db: Db, id: number): Promise<UsageRange | null> => {
  const { rows } = await sql<UsageRange>`
    select first_record_id as "firstId", last_record_id as "lastId", usage_from::text as "from", usage_to::text as "to"
    from import where id = ${id} and first_record_id is not null`.execute(db)
  return rows[0] ?? null
}

/** The first later import that corrected records which this one added; null when none did. */
export const findCorrectingImport = async (db: Db, id: number): Promise<number | null> => {
  const { rows } = await sql<{ id: number | null }>`
    select min(c.import_id) as id from import i join import_change c on c.import_id > i.id and c.table_name = ${USAGE_RECORDS.table}
      and (c.key ->> 'id')::bigint between i.first_record_id and i.last_record_id where i.id = ${id}`.execute(db)
  return rows[0]?.id ?? null
}

/**
 * Inserts again, as they were, the usage records that an import removed to correct them, but for those that stand there again. They are not
 * counted here.
 * @returns how many there are
 */
export const restoreCorrectedUsage = async (db: Db, id: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${formerRows(id, USAGE_RECORDS)} where r.after is null`.execute(db)
  await restoreDeleted(db, id, USAGE_RECORDS, sql`on conflict do nothing`)
  return rows[0]?.n ?? 0
}

/** How many finished reports of the import's customers were asked for after it. @param added null where it added no usage */
export const countReportsSince = async (db: Db, { id, importedAt }: StoredImport, added: UsageRecords | null): Promise<number> => {
  const { rows: later } = await sql<{ customer: number; reports: number; isChanged: boolean }>`
    select j.customer_id as customer, count(*) as reports, exists (select from import_change c where c.import_id = ${id}
        and case c.table_name when 'customer' then c.key ->> 'id' else c.key ->> 'customer_id' end = j.customer_id::text) as "isChanged"
    from report_job j where j.status = 30 and j.requested_at > ${importedAt} group by j.customer_id`.execute(db)
  const others = later.filter(({ isChanged }) => !isChanged).map(({ customer }) => customer)
  const withUsage = added === null || others.length === 0 ? new Set() : await customersWithUsage(db, added, others)
  return later.reduce((sum, { customer, reports, isChanged }) => (isChanged || withUsage.has(customer) ? sum + reports : sum), 0)
}

/** Those of these customers whose usage an import added. */
const customersWithUsage = async (db: Db, added: UsageRecords, customers: readonly number[]): Promise<ReadonlySet<number>> => {
  const { rows } = await sql<{ id: number }>`
    select distinct u.customer_id as id from usage_record u where u.customer_id = any(${[...customers]}::bigint[]) and ${added.where}`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Counts the invoices that an import added, or that it changed and somebody began to pay later, which are in a payment, whatever became of
 * it.
 */
export const countPaidInvoices = async (db: Db, id: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(distinct (p.customer_id, p.invoice_id)) as n
    from import_change c cross join lateral jsonb_populate_record(null::invoice, c.key) k
    join payment_attempt_item p on p.customer_id = k.customer_id and p.invoice_id = k.id
    join payment_attempt a on a.customer_id = p.customer_id and a.id = p.attempt_id
    where c.import_id = ${id} and c.table_name = 'invoice' and (c.before is null or a.created_at > (select imported_at from import where id = ${id}))`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** Counts the rows of a table that are no longer as the import left them, with the key of one; count 0 and key null when there are none. */
export const findEdited = async (db: Db, id: number, logged: UndoLoggedTable): Promise<{ count: number; key: string | null }> => {
  const { rows } = await sql<{ count: number; key: string | null }>`
    select count(*) as count, min(c.key::text) as key
    from ${changesTo(logged)} left join ${sql.table(logged.table)} t on ${hasKeyOf('k', logged)}
    where ${isOfImport(id, logged)} and case when t.${sql.id(logged.key[0] ?? '')} is not null then ${ROW_DIGEST} end is distinct from c.after`.execute(
    db,
  )
  return rows[0] ?? { count: 0, key: null }
}

/** The first import after this one that changed the row with this key; null when none did. */
export const findLaterImport = async (db: Db, id: number, { table }: UndoLoggedTable, key: string): Promise<number | null> => {
  const { rows } = await sql<{ id: number | null }>`
    select min(import_id) as id from import_change where import_id > ${id} and table_name = ${table} and key = ${key}::jsonb`.execute(db)
  return rows[0]?.id ?? null
}

/** SQL: the rows of a table that an import added and that are still there. */
export const addedRows = (id: number, logged: UndoLoggedTable) => sql`
  select t.* from ${changesTo(logged)} join ${sql.table(logged.table)} t on ${hasKeyOf('k', logged)} where ${isOfImport(id, logged)} and c.before is null`

/** Deletes the rows of a table that an import added; in a shared table only those that nothing refers to. @returns how many were left */
export const deleteAdded = async (db: Db, id: number, logged: UndoLoggedTable, isDistributed: boolean): Promise<number> => {
  const rowsAdded = addedRows(id, logged)
  const isKept = logged.isShared === true ? await isReferenced(db, logged, rowsAdded, isDistributed) : sql`false`
  const { rows } = await sql<{ kept: number }>`
    with added as materialized (${rowsAdded}),
    gone as (
      delete from ${sql.table(logged.table)} t using added r where ${hasKeyOf('r', logged)} and not ${isKept} returning 1
    )
    select (select count(*) from added) - (select count(*) from gone) as kept`.execute(db)
  return rows[0]?.kept ?? 0
}

/** SQL: the former rows `r` of a table that an import changed or deleted. */
const formerRows = (id: number, logged: UndoLoggedTable) => sql`
  (select c.after, b.* from import_change c cross join lateral jsonb_populate_record(null::${sql.table(logged.table)}, c.before) b
    where ${isOfImport(id, logged)} and c.before is not null) r`

/** Inserts the rows again that an import deleted, with their former values. @returns the columns that were logged */
const restoreDeleted = async (
  db: Db,
  id: number,
  logged: UndoLoggedTable,
  onConflict: RawBuilder<unknown> = sql``,
): Promise<readonly string[]> => {
  const { rows } = await sql<{ name: string }>`
    select a.attname as name from pg_attribute a
    where a.attrelid = ${logged.table}::regclass and a.attnum > 0 and not a.attisdropped
      and exists (select from import_change c where c.import_id = ${id} and c.table_name = ${logged.table} and c.before ? a.attname)`.execute(
    db,
  )
  const columns = rows.map(({ name }) => name)
  if (columns.length === 0) return columns
  const names = sql.join(columns.map((name) => sql.id(name)))
  await sql`
    insert into ${sql.table(logged.table)} (${names}) select ${names} from ${formerRows(id, logged)} where r.after is null ${onConflict}`.execute(
    db,
  )
  return columns
}

/** Gives the rows of a table that an import changed their former values, and inserts those that it deleted again. */
export const restoreChanged = async (db: Db, id: number, logged: UndoLoggedTable): Promise<void> => {
  const columns = await restoreDeleted(db, id, logged)
  const values = columns.filter((name) => !logged.key.includes(name))
  if (values.length === 0) return
  await sql`
    update ${sql.table(logged.table)} t set ${sql.join(values.map((name) => sql`${sql.id(name)} = r.${sql.id(name)}`))}
    from ${formerRows(id, logged)} where r.after is not null and ${hasKeyOf('r', logged)}`.execute(db)
}

/** Deletes the payment intents without an attempt, which people began and never submitted, of the invoices that an import added. */
export const deleteUnsubmittedIntents = async (db: Db, id: number): Promise<void> => {
  await sql`
    delete from payment_intent p using payment_intent_item item, import_change c cross join lateral jsonb_populate_record(null::invoice, c.key) k
    where c.import_id = ${id} and c.table_name = 'invoice' and c.before is null
      and item.customer_id = k.customer_id and item.invoice_id = k.id and p.customer_id = item.customer_id and p.id = item.intent_id
      and not exists (select from payment_attempt a where a.customer_id = p.customer_id and a.intent_id = p.id)`.execute(db)
}

/** Stores that an import was undone, and deletes the notes of its changes. Nothing is undone here. */
export const markUndone = async (db: Db, id: number, now: Date): Promise<void> => {
  await sql`update import set undone_at = ${now} where id = ${id}`.execute(db)
  await sql`delete from import_change where import_id = ${id}`.execute(db)
}

/** How many days an import can be undone. */
export const UNDO_DAYS = 90

/** Deletes the notes of imports that can no longer be undone, because they are older than `UNDO_DAYS`. As counterfoil_system. */
export const deleteOldNotes = async (db: Db, now: Date): Promise<void> => {
  await sql`
    delete from import_change where import_id in
      (select id from import where imported_at < ${now}::timestamptz - make_interval(days => ${UNDO_DAYS}) and undone_at is null)`.execute(
    db,
  )
}
