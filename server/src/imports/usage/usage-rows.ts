import { BadRow } from '../bad-row.ts'
import { OperatorError } from '../../kit/refusal.ts'
import type { LoadRow } from '../../kit/load-rows.ts'
import { type CsvRecord, csvLines } from './csv-lines.ts'
import { jsonRecord } from './json-lines.ts'
import { type TextLine, textLines } from './text-lines.ts'
import { type UsageColumns, usageColumns } from './usage-fields.rules.ts'
import { usageRow } from './usage.rules.ts'

/** A record of the file, or the reason why it is not one. */
export type UsageLine = { readonly line: number; readonly row: LoadRow } | { readonly line: number; readonly reason: string }

/**
 * The records of a file of usage, in batches: CSV with a header, or JSON objects a line, told apart by the first character that is no space.
 * @throws OperatorError when the header of a CSV file is not usable
 */
export async function* usageRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<readonly UsageLine[]> {
  let reader: Reader | undefined
  for await (const lines of textLines(source)) {
    reader ??= readerFor(lines)
    if (reader !== undefined) yield reader.read(lines)
  }
  if (reader !== undefined) yield reader.rest()
}

interface Reader {
  read(lines: readonly TextLine[]): UsageLine[]
  rest(): UsageLine[]
}

const readerFor = (lines: readonly TextLine[]): Reader | undefined => {
  const first = lines.find((line) => 'reason' in line || line.text.trim() !== '')
  if (first === undefined) return undefined
  if ('reason' in first) throw new OperatorError(`line ${first.line}: ${first.reason}; this is neither CSV with a header nor JSON lines`)
  return /^\s*[[{]/.test(first.text) ? jsonReader : csvReader()
}

const jsonReader: Reader = {
  read: (lines) =>
    lines
      .filter((line) => 'reason' in line || line.text.trim() !== '')
      .map((line) => ('reason' in line ? line : judged(line.line, () => usageRow(jsonRecord(line.text))))),
  rest: () => [],
}

const csvReader = (): Reader => {
  const csv = csvLines()
  let columns: UsageColumns | undefined
  const rows = ([first, ...others]: readonly CsvRecord[]): UsageLine[] => {
    if (first === undefined) return []
    if (columns !== undefined) return [first, ...others].map(rowOf(columns))
    if ('reason' in first) throw new OperatorError(`line ${first.line}: ${first.reason}`)
    columns = usageColumns(first.line, first.fields)
    return others.map(rowOf(columns))
  }
  return { read: (lines) => rows(csv.read(lines)), rest: () => rows(csv.rest()) }
}

const rowOf =
  ({ width, at }: UsageColumns) =>
  (record: CsvRecord): UsageLine => {
    if ('reason' in record) return record
    const { line, fields } = record
    return judged(line, () => {
      if (fields.length !== width) throw new BadRow(`it has ${fields.length} columns; the header has ${width}`)
      return usageRow(at.map((position) => fields[position] ?? null))
    })
  }

const judged = (line: number, read: () => LoadRow): UsageLine => {
  try {
    return { line, row: read() }
  } catch (error) {
    if (error instanceof BadRow) return { line, reason: error.message }
    throw error
  }
}
