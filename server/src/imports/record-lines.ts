import { OperatorError } from '../kit/api-error.ts'
import { BadRow } from './bad-row.ts'
import { type CsvRecord, csvLines } from './csv-lines.ts'
import { jsonRecord } from './json-lines.ts'
import { type RecordColumns, parseHeader, type RecordShape } from './record-shape.rules.ts'
import { type TextLine, textLines } from './text-lines.ts'

/** A record of a file, or the reason why it is rejected. */
export type RecordLine<T> = { readonly line: number; readonly row: T } | { readonly line: number; readonly reason: string }

/**
 * The records of a file in batches: CSV with a header, or one JSON object a line, distinguished by the first non-space character.
 * @throws OperatorError when the header of a CSV file is not usable
 */
export async function* recordLines<T>(source: AsyncIterable<Uint8Array>, shape: RecordShape<T>): AsyncGenerator<readonly RecordLine<T>[]> {
  let reader: Reader<T> | undefined
  for await (const lines of textLines(source)) {
    reader ??= createReader(lines, shape)
    if (reader !== undefined) yield reader.read(lines)
  }
  if (reader !== undefined) yield reader.rest()
}

interface Reader<T> {
  read(lines: readonly TextLine[]): RecordLine<T>[]
  rest(): RecordLine<T>[]
}

const createReader = <T>(lines: readonly TextLine[], shape: RecordShape<T>): Reader<T> | undefined => {
  const first = lines.find(({ text, reason }) => reason !== undefined || text.trim() !== '')
  if (first === undefined) return undefined
  if (first.reason !== undefined)
    throw new OperatorError(`line ${first.line}: ${first.reason}; this is neither CSV with a header nor JSON lines`)
  return /^\s*[[{]/.test(first.text) ? createJsonReader(shape) : createCsvReader(shape)
}

const createJsonReader = <T>(shape: RecordShape<T>): Reader<T> => ({
  read: (lines) =>
    lines
      .filter(({ text, reason }) => reason !== undefined || text.trim() !== '')
      .map(({ line, text, reason }) =>
        reason === undefined ? readRow(line, () => shape.read(jsonRecord(text, shape))) : { line, reason },
      ),
  rest: () => [],
})

const createCsvReader = <T>(shape: RecordShape<T>): Reader<T> => {
  const csv = csvLines('next line')
  let columns: RecordColumns | undefined
  const rows = ([first, ...others]: readonly CsvRecord[]): RecordLine<T>[] => {
    if (first === undefined) return []
    if (columns !== undefined) return [first, ...others].map(rowOf(shape, columns))
    if ('reason' in first) throw new OperatorError(`line ${first.line}: ${first.reason}`)
    columns = parseHeader(shape, first.line, first.fields)
    return others.map(rowOf(shape, columns))
  }
  return { read: (lines) => rows(csv.read(lines)), rest: () => rows(csv.rest()) }
}

const rowOf =
  <T>(shape: RecordShape<T>, { width, positions }: RecordColumns) =>
  (record: CsvRecord): RecordLine<T> => {
    if ('reason' in record) return record
    const { line, fields } = record
    return readRow(line, () => {
      if (fields.length !== width) throw new BadRow(`it has ${fields.length} columns; the header has ${width}`)
      return shape.read(positions.map((position) => (position < 0 ? undefined : (fields[position] ?? null))))
    })
  }

const readRow = <T>(line: number, read: () => T): RecordLine<T> => {
  try {
    return { line, row: read() }
  } catch (error) {
    if (error instanceof BadRow) return { line, reason: error.message }
    throw error
  }
}
