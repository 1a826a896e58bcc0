import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { UsageRange } from '../../usage-store/count-usage.queries.ts'
import type { UndoLoggedTable } from './undo-logged-tables.data.ts'

/** Where an import comes from, for those who look for it later. */
export interface ImportOrigin {
  /** The name of its file. */
  readonly file: string
  /** The operator who imported it. */
  readonly by: string
}

interface NewImport {
  readonly resellerId: number
  readonly kind: string
  readonly now: Date
  readonly origin: ImportOrigin | undefined
  /** The rows of its file. */
  readonly rows: number
}

/**
 * Stores an import, so that it can be undone: what the transaction adds, changes and deletes from here to its end is noted by the
 * database's triggers.
 * @returns the import's id
 */
export const beginImport = async (db: Db, { resellerId, kind, now, origin, rows: fileRows }: NewImport): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into import (reseller_id, kind, imported_at, file, imported_by, file_rows)
    values (${resellerId}, ${kind}, ${now}, ${origin?.file ?? null}, ${origin?.by ?? null}, ${fileRows}) returning id`.execute(db)
  const id = rows[0]?.id ?? 0
  await sql`select set_config('app.import_id', ${String(id)}, true)`.execute(db)
  return id
}

/**
 * Takes the next id of a usage record, which no record gets. Under the lock of a reseller's usage, its records between two of these are of
 * one load.
 */
export const takeRecordId = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ id: number }>`select nextval('usage_record_id') as id`.execute(db)
  return rows[0]?.id ?? 0
}

/** Stores which usage records an import has added, so that they can be deleted by an undo. */
export const noteUsage = async (db: Db, id: number, records: number, { firstId, lastId, from, to }: UsageRange): Promise<void> => {
  await sql`
    update import set usage_records = ${records}, first_record_id = ${firstId}, last_record_id = ${lastId},
      usage_from = ${from}::timestamptz, usage_to = ${to}::timestamptz where id = ${id}`.execute(db)
}

/** A digest of the row `t`, to see later whether it was changed since. */
export const ROW_DIGEST = sql`import_digest(import_row(to_jsonb(t)))`

/** SQL: the noted changes `c` of all imports to a table, with their primary keys `k`. */
export const changesTo = ({ table }: UndoLoggedTable): RawBuilder<unknown> =>
  sql`import_change c cross join lateral jsonb_populate_record(null::${sql.table(table)}, c.key) k`

/** SQL: whether a noted change `c` is one of this import to this table. */
export const isOfImport = (importId: number, { table }: UndoLoggedTable): RawBuilder<unknown> =>
  sql`c.import_id = ${importId} and c.table_name = ${table}`

/** SQL: whether the row `t` has the primary key of the row `other`. */
export const hasKeyOf = (other: string, { key }: UndoLoggedTable): RawBuilder<unknown> =>
  sql.join(
    key.map((column) => sql`t.${sql.id(column)} = ${sql.id(other, column)}`),
    sql` and `,
  )

/**
 * Ends the notes of an import, without those of rows that are as before.
 * @returns false when the import changed nothing; then its entry is deleted
 */
export const finishImport = async (db: Db, id: number): Promise<boolean> => {
  await sql`select set_config('app.import_id', '', true)`.execute(db)
  await sql`delete from import_change where import_id = ${id} and import_digest(before) is not distinct from after`.execute(db)
  const { numAffectedRows } = await sql`
    delete from import where id = ${id} and usage_records = 0 and not exists (select from import_change where import_id = ${id})`.execute(
    db,
  )
  return numAffectedRows !== 1n
}
