import { sql } from 'kysely'
import type { LoadRow, LoadTarget } from '../../db/copy-in.ts'
import type { Db } from '../../db/database.ts'
import type { FocusRow } from './focus.rules.ts'

/** The columns of the staging table, each with its value of a row in the text that COPY reads. */
const COLUMNS: Readonly<Record<string, (row: FocusRow) => string | null>> = {
  key: ({ key }) => key,
  customer: ({ customer }) => customer,
  service: ({ service }) => service,
  // As json_build_array writes it: the external ids of earlier imports have spaces.
  record_type: ({ service, category, sku }) => `[${[service, category, sku].map((part) => JSON.stringify(part)).join(', ')}]`,
  category: ({ category }) => category,
  sku: ({ sku }) => sku,
  description: ({ description }) => description,
  resource: ({ resource }) => resource,
  resource_name: ({ resourceName }) => resourceName,
  site: ({ site }) => site,
  cost_centre: ({ costCentre }) => costCentre,
  used_at: ({ usedAt }) => usedAt,
  starts_on: ({ startsOn }) => startsOn,
  ends_on: ({ endsOn }) => endsOn,
  units: ({ units }) => units,
  price: ({ price }) => price,
  invoice_number: ({ invoiceNumber }) => invoiceNumber,
  extras: ({ extras }) => (extras === null ? null : JSON.stringify(extras)),
}
const VALUES = Object.values(COLUMNS)

/** The staging table. */
export const STAGING: LoadTarget = { table: 'focus_row', columns: ['import_id', 'line', ...Object.keys(COLUMNS)] }

/** A row of the staging table. @param line the row's line, counted through all files of the import */
export const toStagingRow = (importId: string, line: number, row: FocusRow): LoadRow => [
  importId,
  String(line),
  ...VALUES.map((valueOf) => valueOf(row)),
]

/** The number of rows that an import has staged. */
export const countStagedRows = async (db: Db, importId: string): Promise<number> => {
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
