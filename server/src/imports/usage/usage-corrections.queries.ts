import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { USAGE_TEXTS } from '../../db/tables/usage-columns.data.ts'
import { isInSpan, spanOf, type UsageRange, type UsageRecords } from '../../usage-store/count-usage.queries.ts'
import { faultTable, goodLines, lineTexts, preferHashJoins } from './usage-staging.queries.ts'

/** The lines of a load, and the months in which their records are. */
export interface LoadedLines {
  readonly loadId: string
  /** The first days of the months. */
  readonly months: readonly string[]
  /** Approximately how many lines there are. */
  readonly lines: number
}

/** The values of a record besides its customer, instant and external id: their names in a file, and their columns. */
const VALUES = [
  ['service', 'service_id'],
  ['recordType', 'record_type_id'],
  ['agreement', 'agreement_id'],
  ['serviceItem', 'service_item_id'],
  ...USAGE_TEXTS.map(({ importField, column }) => [importField, column] as const),
  ['costCentre', 'cost_centre'],
  ['units', 'units'],
  ['price', 'price'],
] as const

const valuesOf = (row: 'u' | 'l'): RawBuilder<unknown> => sql`row(${sql.join(VALUES.map(([, column]) => sql.ref(`${row}.${column}`)))})`

/** SQL (the beginning of a statement): the good lines `line` with the values that their records have. */
const withLines = (loadId: string): RawBuilder<unknown> => sql`
  with line as materialized (
    select l.line, l.external_id, l.used_at, i.customer_id, i.service_id, t.record_type_id, a.agreement_id, i.service_item_id,
      ${lineTexts}, l.cost_centre, l.units, l.price
    from ${goodLines(loadId)})`

/** SQL: the stored records `u` that a good line `l` repeats with other values. */
const changedRecords = ({ months }: LoadedLines): RawBuilder<unknown> => sql`
  usage_record u join line l on u.customer_id = l.customer_id and u.external_id = l.external_id and u.usage_at = l.used_at
    and ${valuesOf('u')} is distinct from ${valuesOf('l')}
  where ${isInSpan(spanOf(months))}`

/** Which values differ; numbers with the stored one and the line's. */
const difference = sql`concat_ws(', ', ${sql.join(
  VALUES.map(([name, column]) => {
    const [stored, line] = [sql.ref(`u.${column}`), sql.ref(`l.${column}`)]
    const isNumber = name === 'units' || name === 'price'
    const words = isNumber ? sql`${sql.lit(`${name} `)} || trim_scale(${stored}) || ' → ' || trim_scale(${line})` : sql.lit(name)
    return sql`case when ${stored} is distinct from ${line} then ${words} end`
  }),
)})`

/** Marks the good lines as faulty that repeat a stored record with other values; the records stay. @returns how many */
export const rejectChangedRecords = async (db: Db, load: LoadedLines): Promise<number> => {
  if (load.months.length === 0) return 0
  await preferHashJoins(db, load.lines)
  const { numAffectedRows } = await sql`
    ${withLines(load.loadId)} insert into ${faultTable(load.loadId)} (line, fault, named)
    select l.line, 'otherValues', ${difference} from ${changedRecords(load)}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Notes for an undo, as they are, the stored records that good lines repeat with other values. @returns how many */
export const noteChangedRecords = async (db: Db, load: LoadedLines, importId: number): Promise<number> => {
  await preferHashJoins(db, load.lines)
  const { numAffectedRows } = await sql`
    ${withLines(load.loadId)} insert into import_change (import_id, reseller_id, table_name, key, before)
    select ${importId}, u.reseller_id, 'usage_record', jsonb_build_object('customer_id', u.customer_id, 'id', u.id), to_jsonb(u)
    from ${changedRecords(load)} on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The records that a load noted because it corrects them. @param span that of the load's months */
export const notedRecords = (importId: number, span: Pick<UsageRange, 'from' | 'to'>): UsageRecords => ({
  with: sql`
    with noted as materialized (
      select (c.key ->> 'customer_id')::bigint as customer_id, (c.before ->> 'usage_at')::timestamptz as usage_at, (c.key ->> 'id')::bigint as id
      from import_change c where c.import_id = ${importId} and c.table_name = 'usage_record')`,
  where: sql<boolean>`${isInSpan(span)}
    and exists (select from noted n where n.customer_id = u.customer_id and n.usage_at = u.usage_at and n.id = u.id)`,
})
