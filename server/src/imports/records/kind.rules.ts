import { type RawBuilder, sql } from 'kysely'

/** How a field is stored. */
export type FieldType = 'text' | 'date' | 'numeric' | 'integer' | 'instant' | 'money' | 'lines' | 'custom'

export interface ImportField {
  readonly name: string
  /** The column; a field of type `custom` is handled by the kind itself. */
  readonly column: string
  readonly type: FieldType
  readonly isNeeded: boolean
  /** Parses the raw text for the database. @param onRounded called for a number that is rounded @throws BadRow */
  readonly read: (name: string, raw: string, onRounded: () => void) => string | null
  /** The value of a new row when the file has none. */
  readonly fallback?: RawBuilder<unknown>
}

/** What a record may refer to. */
export type ReferenceName = 'customer' | 'brand' | 'service' | 'agreement' | 'period' | 'invoice' | 'bundle'

export interface ImportRef {
  readonly name: ReferenceName
  readonly column: string
  readonly isNeeded: boolean
}

/** An additional check: a condition on the staged row `r` that makes it faulty. The message is given the value of `field`. */
interface ImportCheck {
  readonly field: string
  readonly message: (named: string) => string
  readonly when: RawBuilder<unknown>
  /** What the message is given in place of the field's value. */
  readonly named?: RawBuilder<unknown>
  /** The role that can read what the condition needs, when counterfoil_reseller cannot. */
  readonly as?: 'system'
}

/** A kind of record that can be imported. */
export interface ImportKind {
  /** As typed on the command line: `service-items`. */
  readonly name: string
  readonly about: string
  readonly table: string
  /** In the order of a CSV file's header. */
  readonly fields: readonly ImportField[]
  readonly refs: readonly ImportRef[]
  /** The columns that identify a record; the first is its owner. */
  readonly key: readonly ['customer_id' | 'reseller_id', ...string[]]
  readonly checks: readonly ImportCheck[]
  /** The currency of the amounts of a line. */
  readonly currency?: RawBuilder<unknown>
  /** Columns that keep their stored value when the condition on the stored row `t` and the staged row `r` holds. */
  readonly preserved?: { readonly columns: readonly string[]; readonly when: RawBuilder<unknown> }
  /** Checks the values of a row against each other. @throws BadRow */
  readonly checkRow?: (value: (name: string) => string | null) => void
  /** Fields whose values follow from others of the row; those that the row has are null or absent where the file says nothing. */
  readonly derive?: (value: (name: string) => string | null) => Readonly<Record<string, string>>
}

/** SQL: the text of a field in the staged row `r`; null where the row has none. */
export const fieldText = (name: string): RawBuilder<unknown> => sql`(r.v ->> ${sql.lit(name)})`

/** SQL: whether the file has the field, though perhaps empty in the staged row `r`. */
const hasField = (name: string): RawBuilder<unknown> => sql`(r.v ? ${sql.lit(name)})`

/** SQL: the id of the record that the staged row `r` refers to, as it was resolved. */
const referenceId = (kind: ImportKind, name: ReferenceName): RawBuilder<unknown> =>
  sql`r.ids[${sql.lit(kind.refs.findIndex((ref) => ref.name === name) + 1)}]`

const SQL_CASTS: Readonly<Record<FieldType, (text: RawBuilder<unknown>) => RawBuilder<unknown>>> = {
  text: (text) => text,
  custom: (text) => text,
  date: (text) => sql`${text}::date`,
  numeric: (text) => sql`${text}::numeric`,
  integer: (text) => sql`${text}::integer`,
  instant: (text) => sql`${text}::timestamptz`,
  money: (text) => sql`round(${text}::numeric * 10::numeric ^ r.digits)::bigint`,
  lines: (text) => sql`array_remove(regexp_split_to_array(coalesce(${text}, ''), '\\s*;\\s*'), '')`,
}

/** SQL: the value that a field of the staged row `r` gives its column, else the field's fallback. */
export const columnValue = ({ name, type, fallback }: ImportField): RawBuilder<unknown> => {
  const value = SQL_CASTS[type](fieldText(name))
  return fallback === undefined ? value : sql`coalesce(${value}, ${fallback})`
}

/** The columns that a kind's lines fill, with the SQL of their values and their fields. */
export const filledColumns = (kind: ImportKind): { column: string; value: RawBuilder<unknown>; name: string }[] => [
  ...kind.refs.map(({ name, column }) => ({ name, column, value: referenceId(kind, name) })),
  ...kind.fields
    .filter(({ type }) => type !== 'custom')
    .map((field) => ({ name: field.name, column: field.column, value: columnValue(field) })),
]

type FilledColumn = ReturnType<typeof filledColumns>[number]

/**
 * SQL: the value that a column of the stored row `t` has after the import of the staged row `r`: a field that the file lacks keeps its own.
 */
export const nextValue = ({ preserved }: Pick<ImportKind, 'preserved'>, { column, name, value }: FilledColumn): RawBuilder<unknown> => {
  const old = sql`t.${sql.id(column)}`
  const preservedCase = preserved?.columns.includes(column) === true ? sql`when ${preserved.when} then ${old}` : sql``
  return sql`case ${preservedCase} when ${hasField(name)} then ${value} else ${old} end`
}
