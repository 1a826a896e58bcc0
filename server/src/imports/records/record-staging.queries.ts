import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { LoadTarget } from '../../db/copy-in.ts'

/** The staging table. */
export const STAGING: LoadTarget = { table: 'record_import_row', columns: ['import_id', 'line', 'reason', 'v'] }

/** Up to this number nested-loop lookups are cheap. */
const MAX_NESTED_LOOP_ROWS = 5_000

/**
 * Forbids nested-loop joins for the rest of the transaction where there are many lines: the planner overestimates the number of distinct
 * references and would choose them.
 */
export const preferHashJoins = async (db: Db, lines: number): Promise<void> => {
  if (lines > MAX_NESTED_LOOP_ROWS) await sql`set local enable_nestloop = off`.execute(db)
}

/** Updates the planner's statistics of the staging table. */
export const analyzeStaging = async (db: Db): Promise<void> => {
  await sql`select measure_record_import()`.execute(db)
}

export interface StagedCounts {
  readonly rows: number
  readonly rejected: number
  readonly repeated: number
}

/** Counts the staged lines: all, faulty ones, and repeats of an earlier line. */
export const stagedCounts = async (db: Db, importId: string): Promise<StagedCounts> => {
  const { rows } = await sql<StagedCounts>`
    select count(*) as rows, count(*) filter (where reason is not null or fault is not null) as rejected, count(*) filter (where repeats) as repeated
    from record_import_row where import_id = ${importId}::uuid`.execute(db)
  return rows[0] ?? { rows: 0, rejected: 0, repeated: 0 }
}

export interface StagedFault {
  readonly line: number
  /** The reason why a line could not be parsed; then `fault` is null. */
  readonly reason: string | null
  /** One fault or several, separated by commas. */
  readonly fault: string | null
  /** What each of them is about, with NAMES_SEPARATOR between them. */
  readonly named: string | null
}

/** The next faulty lines after a line, in order. */
export const stagedFaults = async (db: Db, importId: string, after: number, limit: number): Promise<StagedFault[]> => {
  const { rows } = await sql<StagedFault>`
    select line, reason, fault, named from record_import_row
    where import_id = ${importId}::uuid and line > ${after} and (reason is not null or fault is not null) order by line limit ${limit}`.execute(
    db,
  )
  return rows
}

/** A line that names a file. */
export interface NamedFile {
  readonly line: number
  readonly file: string
}

/** The next good lines after a line that name a file, in order. */
export const namedFiles = async (db: Db, importId: string, after: number, limit: number): Promise<NamedFile[]> => {
  const { rows } = await sql<NamedFile>`
    select line, v ->> 'file' as file from record_import_row
    where import_id = ${importId}::uuid and line > ${after} and reason is null and fault is null and not repeats and v ->> 'file' is not null
    order by line limit ${limit}`.execute(db)
  return rows
}

/** Marks staged lines as bad, with the reason. */
export const rejectLines = async (db: Db, importId: string, lines: readonly { line: number; reason: string }[]): Promise<void> => {
  await sql`
    update record_import_row r set reason = n.reason from json_to_recordset(${JSON.stringify(lines)}::json) as n(line bigint, reason text)
    where r.import_id = ${importId}::uuid and r.line = n.line`.execute(db)
}
