import { unprintableNote } from '../../documents/unprintable-names.ts'
import type { CommandIo } from '../command.ts'

export type Printable = Readonly<Record<string, unknown>>

/** A value as people read it: `-` for nothing, on or off for a boolean, a list with commas. */
const toCell = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.map(String).join(', ') || '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number)
}

/**
 * Prints one record: a line for each field, or `text` in their place; with --json an object. @returns 0, the exit code
 * With `text`, a record with names that documents cannot show gets a note on standard error.
 */
export const printRecord = (io: CommandIo, record: Printable, text?: string): number => {
  if (io.json) io.out(JSON.stringify(record))
  else if (text === undefined) {
    const width = Math.max(...Object.keys(record).map((name) => name.length))
    for (const [name, value] of Object.entries(record)) io.out(`${name.padEnd(width)}  ${toCell(value)}`)
  } else io.out(text)
  const names = Object.values(record)
    .flat()
    .filter((value) => typeof value === 'string')
  const note = text === undefined ? null : unprintableNote(names)
  if (note !== null) io.err(`Note: ${note}`)
  return 0
}

/**
 * Prints records as a table with a column for each field; with --json an object with a list.
 * @param hidden the fields that only --json has
 */
export const printList = (io: CommandIo, name: string, records: readonly Printable[], hidden: readonly string[] = []): number => {
  if (io.json) io.out(JSON.stringify({ [name]: records }))
  else if (records.length === 0) io.out(`There are no ${name}.`)
  else {
    const columns = Object.keys(records[0] ?? {}).filter((column) => !hidden.includes(column))
    const rows = [columns, ...records.map((record) => columns.map((column) => toCell(record[column])))]
    const widths = columns.map((_column, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
    for (const row of rows)
      io.out(
        row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd(),
      )
  }
  return 0
}
