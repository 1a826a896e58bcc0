import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { faultTable, linesWithReferences, preferHashJoins } from './usage-staging.queries.ts'

/** The lines of a load, and the months in which their records are. */
export interface LoadedLines {
  readonly loadId: string
  /** The first days of the months. */
  readonly months: readonly string[]
  /** Approximately how many lines there are. */
  readonly lines: number
}

/** The values of a record `u` besides its customer, instant and external id, with those of its line. */
const VALUES = [
  ['service', sql`u.service_id`, sql`i.service_id`],
  ['recordType', sql`u.record_type_id`, sql`t.record_type_id`],
  ['agreement', sql`u.agreement_id`, sql`a.agreement_id`],
  ['serviceItem', sql`u.service_item_id`, sql`i.service_item_id`],
  ['serviceItem2', sql`u.service_item2`, sql`l.service_item2`],
  ['serviceItem3', sql`u.service_item3`, sql`l.service_item3`],
  ['site', sql`u.site`, sql`l.site`],
  ['costCentre', sql`u.cost_centre`, sql`l.cost_centre`],
  ['units', sql`u.units`, sql`l.units`],
  ['price', sql`u.price`, sql`l.price`],
] as const

const isDifferent = sql`row(${sql.join(VALUES.map(([, stored]) => stored))}) is distinct from row(${sql.join(VALUES.map(([, , line]) => line))})`

/** The SQL condition that the good line `l` has the customer, instant and external id of the stored record `u`, but other values. */
const repeatsWithOtherValues = ({ loadId, months }: LoadedLines): RawBuilder<boolean> => sql`
  u.customer_id = i.customer_id and u.external_id = l.external_id and u.usage_at = l.used_at and ${isDifferent}
  and u.usage_at >= (select min(m)::timestamp at time zone 'UTC' from unnest(${months}::text[]::date[]) m)
  and u.usage_at < (select (max(m) + interval '1 month') at time zone 'UTC' from unnest(${months}::text[]::date[]) m)
  and i.fault is null and t.fault is null and a.fault is null and not exists (select from ${faultTable(loadId)} f where f.line = l.line)`

/** Which values differ; numbers with the stored one and the line's. */
const difference = sql`concat_ws(', ', ${sql.join(
  VALUES.map(([name, stored, line]) => {
    const isNumber = name === 'units' || name === 'price'
    const words = isNumber ? sql`${sql.lit(`${name} `)} || trim_scale(${stored}) || ' → ' || trim_scale(${line})` : sql.lit(name)
    return sql`case when ${stored} is distinct from ${line} then ${words} end`
  }),
)})`

/** Marks the good lines as faulty that repeat a stored record with other values; the records stay. @returns how many */
export const rejectChangedRecords = async (db: Db, load: LoadedLines): Promise<number> => {
  await preferHashJoins(db, load.lines)
  const { numAffectedRows } = await sql`
    insert into ${faultTable(load.loadId)} (line, fault, named)
    select l.line, 'otherValues', ${difference} from ${linesWithReferences(load.loadId)} join usage_record u on ${repeatsWithOtherValues(load)}`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/**
 * Deletes the stored records that good lines repeat with other values, noting each as it was for an undo. The lines are not inserted here.
 * @returns how many
 */
export const removeChangedRecords = async (db: Db, load: LoadedLines, importId: number): Promise<number> => {
  await preferHashJoins(db, load.lines)
  const { numAffectedRows } = await sql`
    with gone as (delete from usage_record u using ${linesWithReferences(load.loadId)} where ${repeatsWithOtherValues(load)} returning u.*)
    insert into import_change (import_id, reseller_id, table_name, key, before)
    select ${importId}, app_reseller_id(), 'usage_record', jsonb_build_object('customer_id', g.customer_id, 'id', g.id), to_jsonb(g) from gone g`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
