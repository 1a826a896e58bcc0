import { daysBetween } from '@counterfoil/contract/kit/day'
import writeExcelFile, { type Cell } from 'write-excel-file/node'
import type { WorkbookCell, WorkbookColumn, WorkbookDocument } from './report-document.ts'

/** Excel's own limit; a longer text makes the file unreadable. */
const LONGEST_TEXT = 32_767
/** What XML 1.0 cannot carry. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/**
 * An .xlsx file: one sheet, a head row that stays in view, numbers and dates as such.
 *
 * Occupies its thread (a fifth of a second a thousand rows): `documentRenderer` is the door for callers.
 */
export const workbookFile = async ({ sheet, columns, rows }: WorkbookDocument): Promise<Uint8Array<ArrayBuffer>> => {
  const head = columns.map(({ heading, format }): Cell => ({ value: heading, fontWeight: 'bold', ...(format === undefined ? {} : END) }))
  const cells = rows.map((row) => row.map((cell, at) => cellOf(cell, columns[at])))
  const file = await writeExcelFile([head, ...cells], {
    sheet,
    stickyRowsCount: 1,
    columns: columns.map(({ width }) => ({ width })),
  }).toBuffer()
  return Uint8Array.from(file)
}

/** A date in a sheet is a number of days since this one, shown as a date. */
const DAY_ZERO = '1899-12-30'
const END = { align: 'right' } as const

const cellOf = (cell: WorkbookCell, column: WorkbookColumn | undefined): Cell => {
  if (cell === null) return null
  if (typeof cell === 'number') return { value: cell, type: Number, format: column?.format ?? 'General' }
  if (column?.isDay === true) return { value: daysBetween(DAY_ZERO, cell), type: Number, format: 'yyyy-mm-dd' }
  return { value: cell.replace(UNWRITABLE, '').slice(0, LONGEST_TEXT), type: String }
}
