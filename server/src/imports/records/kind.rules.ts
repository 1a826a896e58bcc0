import { type RawBuilder, sql } from 'kysely'

/** What a field's text is in the database. */
export type FieldType = 'text' | 'date' | 'numeric' | 'integer' | 'instant' | 'money' | 'lines' | 'apart'

export interface ImportField {
  readonly name: string
  /** Where it is kept; a field of type `apart` is dealt with by the kind itself. */
  readonly column: string
  readonly type: FieldType
  readonly isNeeded: boolean
  /** Reads it as the database takes it. @throws BadRow */
  readonly read: (name: string, raw: string) => string | null
  /** What a new row has where the file says nothing. */
  readonly fallback?: RawBuilder<unknown>
}

/** What a record may refer to. */
export type ReferenceName = 'customer' | 'brand' | 'service' | 'agreement' | 'period' | 'invoice' | 'bundle'

export interface ImportRef {
  readonly name: ReferenceName
  readonly column: string
  readonly isNeeded: boolean
}

/** Another reason to refuse a line, as a condition on its row `r`; what the field says is told beside it. */
interface ImportCheck {
  readonly field: string
  readonly message: (named: string) => string
  readonly when: RawBuilder<unknown>
  /** Who may look at what the condition needs; else counterfoil_reseller. */
  readonly as?: 'system'
}

/** A kind of record that can be imported. */
export interface ImportKind {
  /** As it is typed: `service-items`. */
  readonly name: string
  readonly about: string
  readonly table: string
  /** In the order of a CSV file's header. */
  readonly fields: readonly ImportField[]
  readonly refs: readonly ImportRef[]
  /** The columns by which a record is known again; the first is whose it is. */
  readonly key: readonly ['customer_id' | 'reseller_id', ...string[]]
  readonly checks: readonly ImportCheck[]
  /** The currency of a line's amounts, where it has any. */
  readonly currency?: RawBuilder<unknown>
  /** Columns that stay as they are where this holds of the row `t` that is there and the line `r`. */
  readonly preserved?: { readonly columns: readonly string[]; readonly when: RawBuilder<unknown> }
  /** What a value must fit together with, in its line. @throws BadRow */
  readonly checkRow?: (value: (name: string) => string | null) => void
}

/** What the line says of a field, as text. */
export const fieldText = (name: string): RawBuilder<unknown> => sql`(r.v ->> ${sql.lit(name)})`

/** Does the line speak of the field at all? */
export const hasField = (name: string): RawBuilder<unknown> => sql`(r.v ? ${sql.lit(name)})`

/** What the line refers to, by its place among the kind's references. */
const referenceId = (kind: ImportKind, name: ReferenceName): RawBuilder<unknown> =>
  sql`r.ids[${sql.lit(kind.refs.findIndex((ref) => ref.name === name) + 1)}]`

const SQL_CASTS: Readonly<Record<FieldType, (text: RawBuilder<unknown>) => RawBuilder<unknown>>> = {
  text: (text) => text,
  apart: (text) => text,
  date: (text) => sql`${text}::date`,
  numeric: (text) => sql`${text}::numeric`,
  integer: (text) => sql`${text}::integer`,
  instant: (text) => sql`${text}::timestamptz`,
  money: (text) => sql`round(${text}::numeric * 10::numeric ^ r.digits)::bigint`,
  lines: (text) => sql`array_remove(regexp_split_to_array(coalesce(${text}, ''), '\\s*;\\s*'), '')`,
}

/** What a field fills its column with. */
const columnValue = ({ name, type, fallback }: ImportField): RawBuilder<unknown> => {
  const value = SQL_CASTS[type](fieldText(name))
  return fallback === undefined ? value : sql`coalesce(${value}, ${fallback})`
}

/** The columns that a line fills, with what it fills them with and the field that says so. */
export const filledColumns = (kind: ImportKind): { column: string; value: RawBuilder<unknown>; name: string }[] => [
  ...kind.refs.map(({ name, column }) => ({ name, column, value: referenceId(kind, name) })),
  ...kind.fields
    .filter(({ type }) => type !== 'apart')
    .map((field) => ({ name: field.name, column: field.column, value: columnValue(field) })),
]
