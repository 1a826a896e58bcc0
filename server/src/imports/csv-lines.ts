import { OperatorError } from '../kit/api-error.ts'
import type { TextLine } from './text-lines.ts'

/** One row of a CSV file by the line it begins on: its fields, or why there are none. */
export type CsvRecord = { readonly line: number; readonly fields: readonly string[] } | { readonly line: number; readonly reason: string }

/**
 * Where reading goes on after a damaged row. On its next line, so that a forgotten quote costs one row: for rows that hardly ever have
 * several lines. Or behind its closing quote, so that no line of a quoted text is taken for a row.
 */
export type AfterDamage = 'next line' | 'closing quote'

/** What stands between two fields. */
export type Separator = ',' | ';' | '\t'

/** Reads the lines of a CSV file as they come. */
export interface CsvLines {
  /** What the first line has between its fields. */
  readonly separator: Separator
  /**
   * The rows that these lines complete, in the order of the file.
   * @throws OperatorError when a row never ends, unless its lines are read again
   */
  read(lines: readonly TextLine[]): CsvRecord[]
  /** What is left when no more lines come. */
  rest(): CsvRecord[]
}

/** A row as far as its lines have come. */
interface Row {
  readonly line: number
  readonly separator: Separator
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
 * separators. The quotes of any other are looked at once, however many lines one stays open. As spreadsheets save files, the separator is
 * that of the first line, rows without a value are left out, and so is the header where it comes again; rows have the width of the header
 * where they differ from it in empty fields at their end alone.
 */
export const csvLines = (afterDamage: AfterDamage): CsvLines => {
  const isReadAgain = afterDamage === 'next line'
  let row: Row | undefined // its quote is open
  let separator: Separator | undefined
  let header: readonly string[] | undefined
  let headerText: string | undefined

  const isUnfinished = ({ open, damage, following, bytes }: Row): boolean => {
    if (open === undefined || !isReadAgain) return open !== undefined
    return damage === undefined && following.length + 1 < MAX_OPEN_LINES && bytes <= MAX_OPEN_BYTES
  }

  const finishRow = ({ line, fields, following, open, damage }: Row, records: CsvRecord[]): void => {
    row = undefined
    const unclosed = { line, reason: UNCLOSED_QUOTE }
    const isCut = open !== undefined || (following.length > 0 && header !== undefined && fitWidth(fields, header) === null)
    if (damage === undefined && !isCut) return void addRow(line, fields, records)
    records.push(damage === undefined || following.length > 0 ? unclosed : damage)
    for (const next of following) readLine(next, records)
  }

  const addRow = (line: number, fields: readonly string[], records: CsvRecord[]): void => {
    if (fields.every(isBlank) || (header !== undefined && isSame(header, fields))) return
    header ??= fields
    records.push({ line, fields })
  }

  const readLine = (line: TextLine, records: CsvRecord[]): void => {
    const { text } = line
    if (row !== undefined || text.includes('"')) {
      separator ??= separatorOf(text)
      if (row !== undefined && isReadAgain) row.following.push(line)
      row ??= { line: line.line, separator, fields: [], following: [], open: undefined, damage: undefined, bytes: 0 }
      addLine(row, line)
      if (!isReadAgain) assertRowLength(row)
      if (!isUnfinished(row)) finishRow(row, records)
    } else if (line.reason !== undefined) records.push({ line: line.line, reason: line.reason })
    else if (header !== undefined && separator !== undefined && isOrdinary(text) && text !== headerText)
      records.push({ line: line.line, fields: text.split(separator) })
    else if (text.trim() !== '') {
      separator ??= separatorOf(text)
      addRow(line.line, text.split(separator), records)
      if (header !== undefined) headerText ??= text
    }
  }

  return {
    get separator() {
      return separator ?? ','
    },
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

const BYTE_ORDER_MARK = '\uFEFF'
/** How the first line of a file begins that was joined to another one. */
const MARKED_QUOTE = `${BYTE_ORDER_MARK}"`

/** The separator that stands most often in the line, outside quotes; a comma where none does. */
const separatorOf = (line: string): Separator => {
  const plain = line.replaceAll(/"[^"]*("|$)/g, '')
  const times = (separator: Separator): number => plain.split(separator).length
  return ([',', ';', '\t'] as const).reduce((found, other) => (times(other) > times(found) ? other : found))
}

const isBlank = (field: string): boolean => field.trim() === ''

const [BEFORE_DIGITS, SEMICOLON, MARK] = ['/', ';', BYTE_ORDER_MARK].map((character) => character.charCodeAt(0)) as [number, number, number]

/** Whether the first character, a letter or a digit in nearly every line, shows that the line is neither without a value nor marked. */
const isOrdinary = (text: string): boolean => {
  const first = text.charCodeAt(0)
  return first > BEFORE_DIGITS && first !== SEMICOLON && first < MARK
}

/** Whether a row repeats the header. */
const isSame = (header: readonly string[], fields: readonly string[]): boolean =>
  fields.length === header.length && header.every((name, at) => name.trim() === fields[at]?.trim())

/**
 * The fields of a row in the width of its header, from which it may differ in empty fields at its end and in columns without a name; null
 * where it has other columns. A row that ends before a named column has others, because nothing distinguishes it from a row that was cut.
 */
export const fitWidth = (fields: readonly string[], header: readonly string[]): readonly string[] | null => {
  const { length } = header
  const isFitting = fields.length < length ? header.slice(fields.length).every(isBlank) : fields.slice(length).every(isBlank)
  return isFitting ? header.map((_, at) => fields[at] ?? '') : null
}

/** @throws OperatorError when a row has more than `MAX_ROW_BYTES` */
const assertRowLength = ({ line, bytes }: Row): void => {
  if (bytes > MAX_ROW_BYTES)
    throw new OperatorError(`line ${line}: a row is longer than 4 MiB; a quote may have been opened and never closed`)
}

/** Adds the fields of a line to its row, which it may leave with an open quote; notes damage in the row instead of throwing. */
const addLine = (row: Row, { line, text, end, reason }: TextLine): void => {
  row.bytes += Buffer.byteLength(text) + end.length
  if (reason !== undefined) row.damage ??= { line, reason }
  for (let at = row.open === undefined && text.startsWith(MARKED_QUOTE) ? 1 : 0; at <= text.length; )
    at = row.open === undefined && text[at] !== '"' ? addPlainField(row, text, at) : addQuotedText(row, text, at, end)
}

/** Adds a field without quotes to the row. @returns where the next field begins; beyond the line when there is none */
const addPlainField = (row: Row, text: string, at: number): number => {
  const end = text.indexOf(row.separator, at)
  const field = end < 0 ? text.slice(at) : text.slice(at, end)
  if (field.includes('"')) row.damage ??= { line: row.line, reason: 'a quote stands inside a field that is not quoted' }
  row.fields.push(field)
  return end < 0 ? text.length + 1 : end + 1
}

/**
 * Adds a quoted field to the row, or what the line has of the field.
 * @returns where the next field begins; beyond the line when there is none
 */
const addQuotedText = (row: Row, text: string, at: number, end: string): number => {
  const from = row.open === undefined ? at + 1 : at
  const parts = (row.open ??= [])
  let quote = text.indexOf('"', from)
  while (quote >= 0 && !isClosing(row, text, quote)) {
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
  return text[quote + 1] === row.separator ? quote + 2 : text.length + 1
}

/** Whether a quote ends its field: a separator or the line's end follows. Some programs leave a CR too many before the line end. */
const isClosing = ({ separator }: Row, text: string, quote: number): boolean => {
  const next = text[quote + 1]
  return next === undefined || next === separator || (next === '\r' && quote + 2 === text.length)
}
