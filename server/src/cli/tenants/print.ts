import type { Io } from '../command.ts'

export type Shown = Readonly<Record<string, unknown>>

const worded = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.map(String).join(', ') || '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number)
}

/** One record: a line for each field; with --json an object. */
export const tellRecord = (io: Io, record: Shown, words?: string): number => {
  if (io.json) io.out(JSON.stringify(record))
  else if (words === undefined) {
    const width = Math.max(...Object.keys(record).map((name) => name.length))
    for (const [name, value] of Object.entries(record)) io.out(`${name.padEnd(width)}  ${worded(value)}`)
  } else io.out(words)
  return 0
}

/** Records as a table with a column for each field; with --json an object with a list. */
export const tellList = (io: Io, name: string, records: readonly Shown[]): number => {
  if (io.json) io.out(JSON.stringify({ [name]: records }))
  else if (records.length === 0) io.out(`There are no ${name}.`)
  else {
    const columns = Object.keys(records[0] ?? {})
    const rows = [columns, ...records.map((record) => columns.map((column) => worded(record[column])))]
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
