import { csvLine } from '@counterfoil/contract/kit/csv'
import { firstOfMonth, lastOfMonth } from '@counterfoil/contract/kit/day'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { compileWithLiterals, type ExportPlan } from '../../db/copy-out.ts'
import { USAGE_TEXTS } from '../../db/tables/usage-columns.data.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { totalOf } from './usage-counters.queries.ts'
import { filterCondition, type SqlFragment } from './usage-filter.queries.ts'
import { itemsWith, recordTypesWith } from './usage-names.queries.ts'

/** Records of one statement of an export on the embedded database, which serves nobody else meanwhile. */
const EXPORT_BATCH_SIZE = 500

/**
 * The SQL that puts an apostrophe before a text which a spreadsheet would evaluate, as contract/kit/csv does; an empty text becomes null.
 */
const escapeFormula = (column: string): string =>
  `case when ${column} ~ '^([\\t\\r\\n]|[ \\u00a0\\u3000]*[-=+@|\\uff1d\\uff0b\\uff0d\\uff20])' then '''' || ${column} else nullif(${column}, '') end`

/** A column of the download: its heading, and the SQL of its text in the record `u`, its `item` and its `kind`. */
interface ExportColumn {
  readonly label: string
  readonly cell: string
}

/** The columns beside the plain texts. */
const OTHER_COLUMNS: readonly ExportColumn[] = [
  { label: 'Service Item', cell: 'item.name' },
  { label: 'Record Type', cell: 'kind.name' },
  { label: 'Units', cell: 'round(u.units, 2)::text' },
  { label: 'Service Item Description', cell: 'item.description' },
  { label: 'Date', cell: "(u.usage_at at time zone 'UTC')::date::text" },
  { label: 'Price', cell: 'round(u.price, 4)::text' },
]
const COST_CENTRE: ExportColumn = { label: 'Cost Centre', cell: escapeFormula('u.cost_centre') }

/** The columns of the usage download (USG-07), which are those of the grid: units with 2 and prices with 4 digits, dates as UTC days. */
export const exportColumns = (withCostCentre: boolean): readonly ExportColumn[] => {
  const columns = OTHER_COLUMNS.flatMap((other): ExportColumn[] => {
    const texts = USAGE_TEXTS.filter(({ before }) => before === other.label)
    return [...texts.map(({ label, column }) => ({ label, cell: escapeFormula(`u.${column}`) })), other]
  })
  return withCostCentre ? [...columns, COST_CENTRE] : columns
}

/** Counts a filter's records and makes the statements that export them as CSV, newest first. Nothing is exported yet. */
export const planUsageExport = async (db: Db, scope: CustomerScope, filter: UsageFilter, withCostCentre: boolean): Promise<ExportPlan> => {
  const { rows } = await sql<{ total: number }>`${totalOf(scope, filter)}`.execute(db)
  const maxRecordId = await readMaxRecordId(db)
  const cells = sql.raw(
    exportColumns(withCostCentre)
      .map(({ cell }) => cell)
      .join(', '),
  )
  return {
    rows: rows[0]?.total ?? 0,
    query: compileWithLiterals(copyQuery(scope, filter, cells)),
    slices: (transact) => batches(transact, scope, filter, cells, maxRecordId),
  }
}

/** The last id that was drawn for a usage record. An export leaves out the records whose ids are drawn after it began. */
const readMaxRecordId = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ maxRecordId: number }>`select last_value as "maxRecordId" from usage_record_id`.execute(db)
  return rows[0]?.maxRecordId ?? 0
}

/** SQL: the names of service items and record types as a spreadsheet may see them; made once for each, not for each record. */
const ITEM_TEXTS = `${escapeFormula('i.service_item')} as name, ${escapeFormula('i.description')} as description`
const TYPE_TEXT = `${escapeFormula('t.description')} as name`

/** SQL: joins the names of the record `u`. */
const NAMES_JOIN = sql`left join item on item.id = u.service_item_id join kind on kind.id = u.record_type_id`

/** SQL: the order of an export, newest first. */
const NEWEST_FIRST = sql`u.usage_at desc, u.id desc`

/** The query whose rows COPY writes. */
const copyQuery = (scope: CustomerScope, filter: UsageFilter, cells: SqlFragment): SqlFragment => sql`
  with ${itemsWith(scope, ITEM_TEXTS)}, ${recordTypesWith(scope, TYPE_TEXT)}
  select ${cells} from usage_record u ${NAMES_JOIN} where ${filterCondition(scope, filter)} order by ${NEWEST_FIRST}`

type TransactExport = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** A record's texts, and its key; the instant is text because a Date has no microseconds. */
interface ExportedRecord {
  readonly id: number
  readonly instant: string
  readonly cells: readonly (string | null)[]
}

/**
 * The CSV lines of a filter's records in parts of at most `EXPORT_BATCH_SIZE`, each read by a short statement, because the embedded database
 * has a single session.
 */
const batches = async function* (
  transact: TransactExport,
  scope: CustomerScope,
  filter: UsageFilter,
  cells: SqlFragment,
  maxRecordId: number,
): AsyncGenerator<string> {
  for (const month of await transact((db) => monthsOf(db, scope, filter))) {
    let after: ExportedRecord | null = null
    for (;;) {
      const query = nextBatch(scope, month, cells, maxRecordId, after)
      const { rows }: { rows: ExportedRecord[] } = await transact((db) => query.execute(db))
      if (rows.length > 0) yield rows.map((row) => `${csvLine(row.cells)}\n`).join('')
      if (rows.length < EXPORT_BATCH_SIZE) break
      after = rows.at(-1) ?? null
    }
  }
}

/** Splits the filter into filters of a month each, newest first, where the customer has usage, so that each statement reads one partition. */
const monthsOf = async (db: Db, scope: CustomerScope, filter: UsageFilter): Promise<UsageFilter[]> => {
  const months = await db
    .selectFrom('usage_month_kind as k')
    .select('k.month')
    .distinct()
    .where(scope.owns('k'))
    .where('k.month', '>=', firstOfMonth(filter.dateFrom))
    .where('k.month', '<=', filter.dateTo)
    .orderBy('k.month', 'desc')
    .execute()
  return months.map(({ month }) => ({
    ...filter,
    dateFrom: month > filter.dateFrom ? month : filter.dateFrom,
    dateTo: lastOfMonth(month) < filter.dateTo ? lastOfMonth(month) : filter.dateTo,
  }))
}

/** The statement that reads the next records, newest first and at most `EXPORT_BATCH_SIZE`, after the last that was read, with the names of these alone. */
const nextBatch = (scope: CustomerScope, filter: UsageFilter, cells: SqlFragment, maxRecordId: number, after: ExportedRecord | null) =>
  sql<ExportedRecord>`
    with record as materialized (
        select u.* from usage_record u
        where ${filterCondition(scope, filter)} and u.id <= ${maxRecordId}
          and ${after === null ? sql`true` : sql`(u.usage_at, u.id) < (${after.instant}::timestamptz, ${after.id})`}
        order by ${NEWEST_FIRST} limit ${EXPORT_BATCH_SIZE}),
      ${itemsWith(scope, ITEM_TEXTS, sql`i.id in (select service_item_id from record)`)}, ${recordTypesWith(scope, TYPE_TEXT)}
    select u.id, u.usage_at::text as instant, array[${cells}] as cells from record u ${NAMES_JOIN} order by ${NEWEST_FIRST}`
