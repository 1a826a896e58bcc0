import { type Options, toTyped } from '../command.ts'
import { addressLines, type ParseField } from './fields.rules.ts'

/** A column that an option of the command line fills. */
interface TextField {
  readonly kind: 'text'
  readonly value: string
  readonly about: string
  readonly column: string
  readonly parse: ParseField
}

interface LinesField {
  readonly kind: 'list'
  readonly value: string
  readonly about: string
  readonly column: string
}

/** The fields of a record, by the keys of their options. */
export type Fields = Readonly<Record<string, TextField | LinesField>>

/** Describes an option with one value that fills a column. */
export const field = (column: string, value: string, about: string, parse: ParseField): TextField => ({
  kind: 'text',
  column,
  value,
  about,
  parse,
})

/** The lines of a postal address, an option each. */
export const ADDRESS_LINE: LinesField = { kind: 'list', column: 'address_lines', value: 'text', about: 'a line of its address' }

/** The note of commands that change fields. */
export const CLEARS = 'An empty value takes away what was there, or brings back the default: --email ""'

export type Columns = Readonly<Record<string, string | null | string[]>>

/**
 * The columns that the given options fill, with parsed values by the column's name. Fields that are not given are left out.
 * @throws OperatorError for the first malformed value
 */
export const parseFields = (fields: Fields, options: Options): Columns => {
  const columns: Record<string, Columns[string]> = {}
  for (const [key, one] of Object.entries(fields)) {
    const value = options[key]
    if (one.kind === 'list' && typeof value === 'object') columns[one.column] = addressLines(toTyped(key), value)
    if (one.kind === 'text' && typeof value === 'string') columns[one.column] = one.parse(toTyped(key), value)
  }
  return columns
}
