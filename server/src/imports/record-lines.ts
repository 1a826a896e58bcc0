import { OperatorError } from '../kit/api-error.ts'
import { BadRow, doAll } from './bad-row.ts'
import { assertNoValues, inColumns } from './columns.rules.ts'
import { type CsvRecord, csvLines, type Separator } from './csv-lines.ts'
import { jsonRecord } from './json-lines.ts'
import { assertOneMeaning } from './plain-decimal.rules.ts'
import { type RecordColumns, parseHeader, type RecordShape } from './record-shape.rules.ts'
import { type TextLine, textLines } from './text-lines.ts'

/** A record of a file, or the reason why it is rejected. */
export type RecordLine<T> = { readonly line: number; readonly row: T } | { readonly line: number; readonly reason: string }

/** What was found in a file besides its records. */
export interface FileNotes {
  /** The numbers that had more digits than are kept. */
  rounded: number
}

/**
 * Reads the records of a file in batches: CSV with a header, or one JSON object a line, distinguished by the first non-space character. Bad
 * records are yielded with their reason.
 * @throws OperatorError when the header of a CSV file is not usable
 */
export async function* recordLines<T>(
  source: AsyncIterable<Uint8Array>,
  shape: RecordShape<T>,
  notes: FileNotes,
): AsyncGenerator<readonly RecordLine<T>[]> {
  let reader: Reader<T> | undefined
  const counting: CountingShape<T> = { ...shape, notes }
  for await (const lines of textLines(source)) {
    reader ??= createReader(lines, counting)
    if (reader !== undefined) yield reader.read(lines)
  }
  if (reader !== undefined) yield reader.rest()
}

interface CountingShape<T> extends RecordShape<T> {
  readonly notes: FileNotes
}

/** Converts the raw values of a record, and counts its rounded numbers in the notes unless the record is refused. @throws BadRow */
const readValues = <T>({ read, notes }: CountingShape<T>, values: readonly (string | null | undefined)[]): T => {
  let rounded = 0
  const row = read(values, () => {
    rounded += 1
  })
  notes.rounded += rounded
  return row
}

interface Reader<T> {
  read(lines: readonly TextLine[]): RecordLine<T>[]
  rest(): RecordLine<T>[]
}

/**
 * The reader for the file's form, CSV or JSON, by its first line with text; undefined while no such line has come.
 * @throws OperatorError for an unreadable first line
 */
const createReader = <T>(lines: readonly TextLine[], shape: CountingShape<T>): Reader<T> | undefined => {
  const first = lines.find(({ text, reason }) => reason !== undefined || text.trim() !== '')
  if (first === undefined) return undefined
  if (first.reason !== undefined)
    throw new OperatorError(`line ${first.line}: ${first.reason}; this is neither CSV with a header nor JSON lines`)
  return /^\s*[[{]/.test(first.text) ? createJsonReader(shape) : createCsvReader(shape)
}

const createJsonReader = <T>(shape: CountingShape<T>): Reader<T> => ({
  read: (lines) =>
    lines
      .filter(({ text, reason }) => reason !== undefined || text.trim() !== '')
      .map(({ line, text, reason }) =>
        reason === undefined ? readRow(line, () => readValues(shape, jsonRecord(text, shape))) : { line, reason },
      ),
  rest: () => [],
})

/** The reader of CSV, which takes the first row for the header. Reading throws OperatorError for a header that is not usable. */
const createCsvReader = <T>(shape: CountingShape<T>): Reader<T> => {
  const csv = csvLines('next line')
  let columns: RecordColumns | undefined
  const rows = ([first, ...others]: readonly CsvRecord[]): RecordLine<T>[] => {
    if (first === undefined) return []
    if (columns !== undefined) return [first, ...others].map(rowOf(shape, columns, csv.separator))
    if ('reason' in first) throw new OperatorError(`line ${first.line}: ${first.reason}`)
    columns = parseHeader(shape, first.line, first.fields)
    return others.map(rowOf(shape, columns, csv.separator))
  }
  return { read: (lines) => rows(csv.read(lines)), rest: () => rows(csv.rest()) }
}

/** The function that makes a record of a CSV row with these columns. */
const rowOf = <T>(shape: CountingShape<T>, columns: RecordColumns, separator: Separator): ((record: CsvRecord) => RecordLine<T>) => {
  const { header, positions, unnamed } = columns
  const decimals = separator === ',' ? [] : shape.fields.flatMap((field, at) => (shape.decimals.has(field) ? [at] : []))
  return (record) => {
    if ('reason' in record) return record
    return readRow(record.line, () => {
      const fields = record.fields.length === header.length ? record.fields : inColumns(record.fields, header)
      if (unnamed.length > 0) assertNoValues(fields, unnamed)
      const values = positions.map((position) => (position < 0 ? undefined : (fields[position] ?? null)))
      if (decimals.length > 0) assertAllClear(shape, decimals, values)
      return readValues(shape, values)
    })
  }
}

/** @throws BadRow where a number may be two, and then with all mistakes of the row */
const assertAllClear = <T>(shape: CountingShape<T>, decimals: readonly number[], values: readonly (string | null | undefined)[]): void => {
  const areClear = decimals.map((at) => () => assertOneMeaning(shape.fields[at] ?? '', values[at] ?? ''))
  try {
    doAll(areClear)
  } catch {
    doAll([...areClear, () => shape.read(values, () => undefined)])
  }
}

/** The record that `read` makes, or the reason of the BadRow that it throws. */
const readRow = <T>(line: number, read: () => T): RecordLine<T> => {
  try {
    return { line, row: read() }
  } catch (error) {
    if (error instanceof BadRow) return { line, reason: error.message }
    throw error
  }
}
