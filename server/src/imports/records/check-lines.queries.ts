import { currenciesWithOtherDigits } from '@counterfoil/contract/kit/money'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { NAMES_SEPARATOR } from '../staging/row-report.ts'
import { filledColumns, type ImportKind, type ReferenceName, fieldText } from './kind.rules.ts'

/** The SQL condition that a staged line `r` of the import has no fault so far. */
const goodLines = (importId: string): RawBuilder<unknown> => sql`r.import_id = ${importId}::uuid and r.reason is null and r.fault is null`

/** SQL: the best match of each key, by external id before name. `n` counts equally good matches, so that ambiguity is detected. */
const uniqueMatches = (keys: RawBuilder<unknown>, candidates: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${keys}, min(id) as id, count(*) as n
  from (select *, rank() over (partition by ${keys} order by rank) as place from (${candidates}) found) ranked where place = 1 group by ${keys}`

/** SQL: the keys and ids of a table's records, which belong to the reseller; by external id, else by `others`. */
const resellerLookup = (table: string, others: string): RawBuilder<unknown> =>
  uniqueMatches(
    sql`k`,
    sql`select external_id as k, id, 1 as rank from ${sql.table(table)} where external_id is not null
      union all select ${sql.raw(others)}, id, 2 from ${sql.table(table)}`,
  )
/** SQL: the keys and ids of a table's records, each under its customer; by external id, else by `others`. */
const customerLookup = (table: string, others: string): RawBuilder<unknown> =>
  uniqueMatches(
    sql`customer_id, k`,
    sql`select customer_id, external_id as k, id, 1 as rank from ${sql.table(table)} where external_id is not null
      union all select customer_id, ${sql.raw(others)}, id, 2 from ${sql.table(table)}`,
  )

/** The keys by which a record can be referenced, besides its external id. */
const LOOKUPS: Readonly<Record<ReferenceName, RawBuilder<unknown>>> = {
  customer: resellerLookup('customer', 'id::text'),
  brand: uniqueMatches(sql`k`, sql`select id::text as k, id, 1 as rank from brand union all select lower(name), id, 2 from brand`),
  service: resellerLookup('service', 'name'),
  agreement: customerLookup('agreement', 'name'),
  period: customerLookup('billing_period', 'starts_on::text'),
  invoice: customerLookup('invoice', 'number'),
  bundle: customerLookup('bundle', 'name'),
}
const RESELLER_REFERENCES: ReadonlySet<ReferenceName> = new Set<ReferenceName>(['customer', 'brand', 'service'])

/** SQL: what a line writes to name another record. */
const referenceText = (name: ReferenceName): RawBuilder<unknown> => (name === 'brand' ? sql`lower(${fieldText(name)})` : fieldText(name))

/**
 * Looks up the records that all staged lines refer to and stores their ids in the lines. An unknown or ambiguous reference becomes the
 * fault of its line.
 */
export const resolveReferences = async (db: Db, kind: ImportKind, importId: string): Promise<void> => {
  if (kind.refs.length === 0) return
  const names = kind.refs.map(({ name }) => name)
  const tables = sql.join(names.map((name) => sql`${sql.id(`${name}_key`)} as materialized (${LOOKUPS[name]})`))
  const joins = sql.join(
    names.map((name) => {
      const key = sql.id(`${name}_key`)
      const scope = RESELLER_REFERENCES.has(name) ? sql`true` : sql`${key}.customer_id = customer_key.id`
      return sql`left join ${key} on ${scope} and ${key}.k = ${referenceText(name)}`
    }),
    sql` `,
  )
  /** A reference of an unknown customer is no mistake of its own. */
  const faults = names.map((name) => {
    const key = sql.id(`${name}_key`)
    const isKnown = RESELLER_REFERENCES.has(name) ? sql`true` : sql`customer_key.n = 1`
    return sql`case when ${isKnown} and ${fieldText(name)} is not null and ${key}.id is null then ${sql.lit(name)} when ${key}.n > 1 then ${sql.lit(`${name}s`)} end`
  })
  const named = names.map((name, at) => sql`case when ${faults[at]} is not null then ${fieldText(name)} end`)
  await sql`
    with ${tables}, judged as (
      select r.line, array[${sql.join(names.map((name) => sql`${sql.id(`${name}_key`)}.id`))}]::bigint[] as ids,
        nullif(concat_ws(',', ${sql.join(faults)}), '') as fault, concat_ws(${NAMES_SEPARATOR}, ${sql.join(named)}) as named
      from record_import_row r ${joins} where ${goodLines(importId)}
    )
    update record_import_row r set ids = j.ids, fault = j.fault, named = case when j.fault is not null then j.named end
    from judged j where r.import_id = ${importId}::uuid and r.line = j.line`.execute(db)
}

/** Stores the brand's id in the staged lines of new rows for which the file names none. */
export const setDefaultBrand = async (db: Db, kind: ImportKind, importId: string, brandId: number): Promise<void> => {
  await sql`
    update record_import_row r set ids = array[${brandId}::bigint]
    where ${goodLines(importId)} and r.ids[1] is null
      and not exists (select from ${sql.table(kind.table)} t where t.reseller_id = app_reseller_id() and t.external_id = ${fieldText('externalId')})`.execute(
    db,
  )
}

/** The key columns of a kind with the SQL of their values in the staged line `r`. */
const keyValues = (kind: ImportKind): { column: string; value: RawBuilder<unknown> }[] => {
  const [owner, ...others] = kind.key
  const filled = filledColumns(kind)
  const ownerValue = owner === 'reseller_id' ? sql`app_reseller_id()` : sql`r.ids[1]`
  return [
    { column: owner, value: ownerValue },
    ...others.map((column) => ({ column, value: filled.find((one) => one.column === column)?.value ?? sql`null` })),
  ]
}

/** The SQL condition that the stored row `t` has the key of the staged row `r`. */
export const matchesRow = (kind: ImportKind): RawBuilder<unknown> =>
  sql.join(
    keyValues(kind).map(({ column, value }) => sql`t.${sql.id(column)} = ${value}`),
    sql` and `,
  )

/** Compares the staged lines with the same key: those that differ from the first become faulty, equal ones are marked as repeats. */
export const rejectContradictions = async (db: Db, kind: ImportKind, importId: string): Promise<void> => {
  const key = sql.join(keyValues(kind).map(({ value }) => value))
  await sql`
    with placed as (
      select r.line, first_value(r.line) over (partition by ${key} order by r.line) as first from record_import_row r where ${goodLines(importId)}
    )
    update record_import_row r set repeats = r.v = o.v, fault = case when r.v <> o.v then 'twin' end, named = o.line::text
    from placed p join record_import_row o on o.import_id = ${importId}::uuid and o.line = p.first
    where r.import_id = ${importId}::uuid and r.line = p.line and p.first < p.line`.execute(db)
}

/** Stores in each staged line how many decimals its currency has, and marks amounts with more as faults. */
export const checkCurrencyDigits = async (db: Db, kind: ImportKind, importId: string): Promise<void> => {
  if (kind.currency === undefined) return
  const cases = sql.join(
    [...new Set(currenciesWithOtherDigits().map(([, digits]) => digits))].map((digits) => {
      const codes = currenciesWithOtherDigits().flatMap(([code, own]) => (own === digits ? [sql.lit(code)] : []))
      return sql`when currency in (${sql.join(codes)}) then ${sql.lit(digits)}`
    }),
    sql` `,
  )
  await sql`
    update record_import_row r
    set digits = (select case ${cases} else 2 end from (select ${kind.currency} as currency) c where currency is not null)
    where r.import_id = ${importId}::uuid and r.reason is null`.execute(db)
  for (const { name } of kind.fields.filter(({ type }) => type === 'money'))
    await markFault(db, kind, importId, {
      fault: `digits:${name}`,
      field: name,
      named: fieldText(name),
      when: sql`scale(${fieldText(name)}::numeric) > r.digits`,
    })
}

/** A mistake in a field. */
interface FieldFault {
  readonly fault: string
  readonly field: string
  /** What the message is given. */
  readonly named: RawBuilder<unknown>
  readonly when: RawBuilder<unknown>
}

/** Adds a fault to the staged lines for which the condition holds, unless a fault of the same field is known. */
export const markFault = async (db: Db, kind: ImportKind, importId: string, { fault, field, named, when }: FieldFault): Promise<void> => {
  const known = [
    field,
    `${field}s`,
    `digits:${field}`,
    'twin',
    ...kind.checks.flatMap((check, at) => (check.field === field ? [`check:${at}`] : [])),
  ]
  await sql`
    update record_import_row r set fault = concat_ws(',', r.fault, ${fault}::text),
      named = concat_ws(${NAMES_SEPARATOR}, r.named, coalesce((${named})::text, ''))
    where r.import_id = ${importId}::uuid and r.reason is null and not r.repeats and ${when}
      and not coalesce(string_to_array(r.fault, ',') && ${known}::text[], false)`.execute(db)
}
