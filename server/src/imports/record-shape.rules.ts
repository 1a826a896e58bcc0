import { OperatorError } from '../kit/api-error.ts'

/** The fields of a kind of record, in CSV as well as in JSON. */
export interface RecordShape<T> {
  /** The noun for messages such as "no field of usage". */
  readonly what: string
  /** The column names in CSV and the keys in JSON, in the order of a raw record. */
  readonly fields: readonly string[]
  readonly required: ReadonlySet<string>
  /** The fields that are numbers with decimals. */
  readonly decimals: ReadonlySet<string>
  /**
   * Converts raw values: null for an empty one, undefined when the file does not have the field.
   * @param onRounded called for each number that is rounded
   * @throws BadRow
   */
  read(values: readonly (string | null | undefined)[], onRounded: () => void): T
}

/** Where a CSV file keeps what. */
export interface RecordColumns {
  readonly header: readonly string[]
  /** The position of each field in the order of the shape; -1 where the file does not have it. */
  readonly positions: readonly number[]
  /** The positions of columns without a name, which must be empty. */
  readonly unnamed: readonly number[]
}

/**
 * Finds the fields of the shape in the header of a CSV file; columns may stand in any order.
 * @throws OperatorError that names what is unknown, there twice or missing
 */
export const parseHeader = ({ what, fields, required }: RecordShape<unknown>, line: number, header: readonly string[]): RecordColumns => {
  const names = header.map((name) => name.trim())
  const unknown = names.filter((name) => name !== '' && !fields.includes(name)).map((name) => name.slice(0, 60))
  if (unknown.length > 0)
    throw new OperatorError(
      `line ${line}: the header has ${unknown.slice(0, 20).join(', ')}, which is no field of ${what}; the fields are ${fields.join(', ')}`,
    )
  const duplicate = names.find((name, position) => name !== '' && names.indexOf(name) !== position)
  if (duplicate !== undefined) throw new OperatorError(`line ${line}: the header names the column ${duplicate} twice`)
  const missing = fields.filter((field) => required.has(field) && !names.includes(field))
  if (missing.length > 0) throw new OperatorError(`line ${line}: the header lacks ${missing.join(', ')}`)
  return {
    header: names,
    positions: fields.map((field) => names.indexOf(field)),
    unnamed: names.flatMap((name, position) => (name === '' ? [position] : [])),
  }
}
