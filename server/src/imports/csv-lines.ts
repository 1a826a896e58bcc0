import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { csvErrorReason, UNCLOSED_QUOTE } from './csv-damage.ts'
import type { TextLine } from './text-lines.ts'

/** One record of a CSV file by the line it begins on: its fields, or why there are none. */
export type CsvRecord = { readonly line: number; readonly fields: readonly string[] } | { readonly line: number; readonly reason: string }

/** How far a quoted field may run over lines before its quote counts as forgotten. */
const RECORD_LINES = 100
const RECORD_LENGTH = 1_048_576

/** Reads the lines of a CSV file as they come. */
export interface CsvLines {
  /** The records that these lines complete, in the order of their lines. */
  read(lines: readonly TextLine[]): CsvRecord[]
  /** What is left when no more lines come. */
  rest(): CsvRecord[]
}

/**
 * Makes records (RFC 4180) of lines. Lines without a quote, which nearly all are, are cut at their commas; only the others need a reader
 * of quotes, which costs several times as much. Damage stays with its own line: the ones after it are read on.
 */
export const csvLines = (): CsvLines => {
  let waiting: readonly TextLine[] = [] // lines of a record whose quote is still open
  let width: number | undefined

  const readAll = (lines: readonly TextLine[], isEnd: boolean): CsvRecord[] => {
    const records: CsvRecord[] = []
    const quoted: { line: number; text: string }[] = []
    let at = 0
    for (let line = lines[0]; line !== undefined; line = lines[at]) {
      if ('reason' in line) records.push(line)
      else if (!line.text.includes('"')) {
        if (line.text.trim() !== '') records.push({ line: line.line, fields: line.text.split(',') })
      } else {
        const found = recordAt(lines, at)
        if (found === undefined && !isEnd) break
        if (found === undefined || found === 'endless') records.push({ line: line.line, reason: UNCLOSED_QUOTE })
        else if (found.lines === 1 && width !== undefined) quoted.push({ line: line.line, text: found.text })
        else {
          const record = parseRecord({ line: line.line, text: found.text })
          const isWhole = 'fields' in record && (found.lines === 1 || width === undefined || record.fields.length === width)
          records.push(isWhole || 'reason' in record ? record : { line: line.line, reason: UNCLOSED_QUOTE })
          if (isWhole) at += found.lines - 1
        }
      }
      const [first] = records
      if (width === undefined && first !== undefined && 'fields' in first) width = first.fields.length
      at += 1
    }
    waiting = lines.slice(at)
    return quoted.length === 0 ? records : [...records, ...parsedTogether(quoted)].toSorted((a, b) => a.line - b.line)
  }

  return { read: (lines) => readAll([...waiting, ...lines], false), rest: () => readAll(waiting, true) }
}

/** The text of the record that begins there: to the line in which its last quote closes. Nothing while that line has not come. */
const recordAt = (lines: readonly TextLine[], at: number): { text: string; lines: number } | 'endless' | undefined => {
  let text = ''
  let isOpen = false
  for (let count = 1; at + count <= lines.length; count += 1) {
    const line = lines[at + count - 1]
    if (line === undefined || 'reason' in line) return 'endless'
    text += count === 1 ? line.text : `\n${line.text}`
    if (hasOddQuotes(line.text)) isOpen = !isOpen
    if (!isOpen) return { text, lines: count }
    if (count === RECORD_LINES || text.length > RECORD_LENGTH) return 'endless'
  }
  return undefined
}

const hasOddQuotes = (text: string): boolean => {
  let isOdd = false
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOdd = !isOdd
  return isOdd
}

/** Records of one line each: read at once, and one by one only where that fails. */
const parsedTogether = (records: readonly { readonly line: number; readonly text: string }[]): CsvRecord[] => {
  try {
    const all = fieldsOf(records.map(({ text }) => text).join('\n'))
    if (all.length === records.length) return all.map((fields, at) => ({ line: records[at]?.line ?? 0, fields }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
  }
  return records.map(parseRecord)
}

const parseRecord = ({ line, text }: { readonly line: number; readonly text: string }): CsvRecord => {
  try {
    return { line, fields: fieldsOf(text)[0] ?? [] }
  } catch (error) {
    if (error instanceof CsvError) return { line, reason: csvErrorReason(error.code) }
    throw error
  }
}

const fieldsOf = (text: string): string[][] => parse(text, { relax_column_count: true, record_delimiter: '\n' })
