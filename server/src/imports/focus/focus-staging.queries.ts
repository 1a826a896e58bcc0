import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FocusRow } from './focus.rules.ts'

/** An import without a heartbeat for this long counts as dead. Each batch is a heartbeat, several times a second. */
const MAX_SILENCE = '1 minute'

/** A row with its line in the file. */
export interface StagedRow extends FocusRow {
  readonly line: number
}

/** Stores that an import has begun, and deletes the staged rows of dead ones. As counterfoil_system. */
export const openImport = async (db: Db, importId: string): Promise<void> => {
  await sql`
    delete from focus_import where id in
      (select id from focus_import where alive_at < now() - ${MAX_SILENCE}::interval for update skip locked)`.execute(db)
  await sql`insert into focus_import (id) values (${importId})`.execute(db)
}

/**
 * Inserts a batch of rows into the staging table, and notes that the import is alive.
 * @returns false, with nothing inserted, when another import took this one for dead and deleted its rows
 */
export const stageRows = async (db: Db, importId: string, rows: readonly StagedRow[]): Promise<boolean> => {
  const { numAffectedRows } = await sql`update focus_import set alive_at = now() where id = ${importId}`.execute(db)
  if (numAffectedRows !== 1n) return false
  await sql`
    insert into focus_row (import_id, line, key, customer, service, record_type, category, sku, description, resource, resource_name,
      site, cost_centre, used_at, starts_on, ends_on, units, price, invoice_number, extras)
    select ${importId}::uuid, r.line, r.key, r.customer, r.service, json_build_array(r.service, r.category, r.sku)::text, r.category, r.sku,
      r.description, r.resource, r."resourceName", r.site, r."costCentre", r."usedAt", r."startsOn", r."endsOn", r.units, r.price, r."invoiceNumber", r.extras
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(line bigint, key text, customer text, service text, category text, sku text,
      description text, resource text, "resourceName" text, site text, "costCentre" text, "usedAt" timestamptz, "startsOn" date,
      "endsOn" date, units numeric, price numeric, "invoiceNumber" text, extras jsonb)`.execute(db)
  return true
}

/** Deletes an import's staged rows, whether it succeeded or not. */
export const closeImport = async (db: Db, importId: string): Promise<void> => {
  await sql`delete from focus_import where id = ${importId}`.execute(db)
}

/**
 * Waits until no other import creates billing, holds that right until the transaction ends, and locks the import so that no other takes it
 * for dead.
 * @returns the number of staged rows
 */
export const lockImport = async (db: Db, importId: string): Promise<number> => {
  await sql`set local lock_timeout = '14min'`.execute(db)
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local work_mem = '64MB'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil import focus'))`.execute(db)
  await sql`select from focus_import where id = ${importId} for update`.execute(db)
  const { rows } = await sql<{ staged: number }>`select count(*) as staged from focus_row where import_id = ${importId}`.execute(db)
  return rows[0]?.staged ?? 0
}

/** Makes the keys of equal staged rows of one import distinct: the second gets ".2" after its key. */
export const numberDuplicateRows = async (db: Db, importId: string): Promise<void> => {
  await sql`
    update focus_row r set key = r.key || '.' || d.ordinal
    from (select line, row_number() over (partition by key order by line) as ordinal from focus_row where import_id = ${importId}) d
    where r.import_id = ${importId} and r.line = d.line and d.ordinal > 1`.execute(db)
}

/**
 * Lets the planner use nested-loop joins for the rest of this transaction, or forbids them. The planner has no statistics of freshly staged
 * rows and would choose nested loops for them.
 */
export const setNestedLoopsAllowed = async (db: Db, isAllowed: boolean): Promise<void> => {
  await sql.raw(`set local enable_nestloop = ${isAllowed ? 'on' : 'off'}`).execute(db)
}
