import { Readable } from 'node:stream'
import { type CsvError, type Info, parse } from 'csv-parse'
import { OperatorError } from '../../kit/api-error.ts'
import { csvErrorReason } from '../csv-damage.ts'
import { type ScannedLines, scannedLines } from './scanned-lines.ts'

/** One record of a CSV file by the line it begins on: its fields, or why there are none. */
export type CsvRecord = { readonly line: number; readonly fields: readonly string[] } | { readonly line: number; readonly reason: string }

interface Parsed {
  readonly record: string[]
  readonly info: Info
}

const RECORD_BYTES = 4_194_304

/**
 * The records of a CSV file (RFC 4180, UTF-8 with or without a byte order mark), one after another in bounded memory.
 * Damage stays with its own record: the ones after it are read on.
 * @throws OperatorError where reading on makes no sense: a line or a record without end, a broken header
 */
export async function* csvRecords(source: AsyncIterable<Uint8Array>, lines: ScannedLines = scannedLines()): AsyncGenerator<CsvRecord> {
  const damaged: { line: number; reason: string }[] = []
  const parser = parse({
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => void damaged.push(damageOf(error, lines)),
  })
  const input = Readable.from(guardPieces(lines.pass(source), lines, () => parser.info.bytes))
  input.on('error', (error) => parser.destroy(error))
  try {
    let isHeader = true
    for await (const { record, info } of input.pipe(parser) as AsyncIterable<Parsed>) {
      const last = lines.lineAt(info.bytes - 1)
      const line = last - lineEndsIn(record)
      const fault = lines.fault(isHeader ? 1 : line, last)
      const found = fault ?? { line, fields: record }
      if (isHeader) assertUndamaged([...damaged.filter((damage) => damage.line < line), found])
      isHeader = false
      yield found
      yield* damaged.splice(0)
      lines.forget(line)
    }
    yield* damaged
  } finally {
    input.destroy()
  }
}

/** A quote that is never closed would otherwise take the rest of the file into memory. */
async function* guardPieces(pieces: AsyncIterable<Buffer>, lines: ScannedLines, parsed: () => number): AsyncGenerator<Buffer> {
  let read = 0
  for await (const piece of pieces) {
    read += piece.length
    if (read - parsed() > RECORD_BYTES)
      throw new OperatorError(`line ${lines.lineAt(parsed())}: a row is longer than 4 MiB; a quote may have been opened and never closed`)
    yield piece
  }
}

const damageOf = (error: CsvError | undefined, lines: ScannedLines): { line: number; reason: string } => ({
  line: lines.lineAt(Number(error?.['bytes'] ?? 0)),
  reason: csvErrorReason(error?.code),
})

const lineEndsIn = (record: readonly string[]): number => {
  let ends = 0
  for (const field of record) {
    for (let at = field.indexOf('\n'); at >= 0; at = field.indexOf('\n', at + 1)) ends += 1
  }
  return ends
}

const assertUndamaged = (records: readonly CsvRecord[]): void => {
  for (const record of records) if ('reason' in record) throw new OperatorError(`line ${record.line}: ${record.reason}`)
}
