import { OperatorError } from '../kit/api-error.ts'
import type { TextLine } from './text-lines.ts'

/** One row of a CSV file by the line it begins on: its fields, or why there are none. */
export type CsvRecord = { readonly line: number; readonly fields: readonly string[] } | { readonly line: number; readonly reason: string }

/**
 * Where reading goes on after a damaged row. On its next line, so that a forgotten quote costs one row: for rows that hardly ever have
 * several lines. Or behind its closing quote, so that no line of a quoted text is taken for a row.
 */
export type AfterDamage = 'next line' | 'closing quote'

/** Reads the lines of a CSV file as they come. */
export interface CsvLines {
  /** The rows that these lines complete, in the order of the file. @throws OperatorError when a row never ends, unless its lines are read again */
  read(lines: readonly TextLine[]): CsvRecord[]
  /** What is left when no more lines come. */
  rest(): CsvRecord[]
}

/** A row as far as its lines have come. */
interface Row {
  readonly line: number
  readonly fields: string[]
  /** The lines after the first, where they may be read again. */
  readonly following: TextLine[]
  /** The parts of the field whose quote is open. */
  open: string[] | undefined
  damage: { readonly line: number; readonly reason: string } | undefined
  bytes: number
}

/** How far a row that may be read again runs over lines before its quote counts as forgotten. */
const MAX_OPEN_LINES = 100
const MAX_OPEN_BYTES = 1_048_576
/** How long any other row may be. */
const MAX_ROW_BYTES = 4_194_304

const UNCLOSED_QUOTE = 'a quote is opened and never closed; the file may have been cut'

/**
 * Makes rows (RFC 4180) of lines; line ends in quotes stay as they are. Lines without a quote, which nearly all are, are only cut at their
 * commas. The quotes of any other are looked at once, however many lines one stays open.
 */
export const csvLines = (afterDamage: AfterDamage): CsvLines => {
  const isReadAgain = afterDamage === 'next line'
  let row: Row | undefined // its quote is open
  let width: number | undefined

  const isUnfinished = ({ open, damage, following, bytes }: Row): boolean => {
    if (open === undefined || !isReadAgain) return open !== undefined
    return damage === undefined && following.length + 1 < MAX_OPEN_LINES && bytes <= MAX_OPEN_BYTES
  }

  const finishRow = ({ line, fields, following, open, damage }: Row, records: CsvRecord[]): void => {
    row = undefined
    const unclosed = { line, reason: UNCLOSED_QUOTE }
    const isCut = open !== undefined || (following.length > 0 && width !== undefined && fields.length !== width)
    if (damage === undefined && !isCut) return void records.push({ line, fields })
    records.push(damage === undefined || following.length > 0 ? unclosed : damage)
    for (const next of following) readLine(next, records)
  }

  const readLine = (line: TextLine, records: CsvRecord[]): void => {
    if (row !== undefined || line.text.includes('"')) {
      if (row !== undefined && isReadAgain) row.following.push(line)
      row ??= { line: line.line, fields: [], following: [], open: undefined, damage: undefined, bytes: 0 }
      addLine(row, line)
      if (!isReadAgain) assertLength(row)
      if (!isUnfinished(row)) finishRow(row, records)
    } else if (line.reason !== undefined) records.push({ line: line.line, reason: line.reason })
    else if (line.text.trim() !== '') records.push({ line: line.line, fields: line.text.split(',') })
    const [first] = records
    if (width === undefined && first !== undefined && 'fields' in first) width = first.fields.length
  }

  return {
    read: (lines) => {
      const records: CsvRecord[] = []
      for (const line of lines) readLine(line, records)
      return records
    },
    rest: () => {
      const records: CsvRecord[] = []
      for (let open = row; open !== undefined; open = row) finishRow(open, records)
      return records
    },
  }
}

const assertLength = ({ line, bytes }: Row): void => {
  if (bytes > MAX_ROW_BYTES)
    throw new OperatorError(`line ${line}: a row is longer than 4 MiB; a quote may have been opened and never closed`)
}

const addLine = (row: Row, { line, text, end, reason }: TextLine): void => {
  row.bytes += Buffer.byteLength(text) + end.length
  if (reason !== undefined) row.damage ??= { line, reason }
  for (let at = 0; at <= text.length; )
    at = row.open === undefined && text[at] !== '"' ? addPlainField(row, text, at) : addQuotedText(row, text, at, end)
}

/** @returns where the next field begins; beyond the line when there is none */
const addPlainField = (row: Row, text: string, at: number): number => {
  const comma = text.indexOf(',', at)
  const field = comma < 0 ? text.slice(at) : text.slice(at, comma)
  if (field.includes('"')) row.damage ??= { line: row.line, reason: 'a quote stands inside a field that is not quoted' }
  row.fields.push(field)
  return comma < 0 ? text.length + 1 : comma + 1
}

/** Adds a quoted field, or what the line has of it. @returns where the next field begins; beyond the line when there is none */
const addQuotedText = (row: Row, text: string, at: number, end: string): number => {
  const from = row.open === undefined ? at + 1 : at
  const parts = (row.open ??= [])
  let quote = text.indexOf('"', from)
  while (quote >= 0 && !isClosing(text, quote)) {
    const isPair = text[quote + 1] === '"'
    if (!isPair) row.damage ??= { line: row.line, reason: 'text follows a closing quote; a quote may be missing' }
    quote = text.indexOf('"', quote + (isPair ? 2 : 1))
  }
  if (quote < 0) {
    parts.push(text.slice(from) + end)
    return text.length + 1
  }
  parts.push(text.slice(from, quote))
  row.fields.push(parts.join('').replaceAll('""', '"'))
  row.open = undefined
  return text[quote + 1] === ',' ? quote + 2 : text.length + 1
}

/** Some programs leave a CR too many before the line end. */
const isClosing = (text: string, quote: number): boolean => {
  const next = text[quote + 1]
  return next === undefined || next === ',' || (next === '\r' && quote + 2 === text.length)
}
