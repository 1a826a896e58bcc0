/** One column of a CSV file: its heading, and a row's cell. */
export interface CsvColumn<Row> {
  readonly label: string
  readonly cell: (row: Row) => string | null
  /** Figures are written unchanged; texts that a spreadsheet would run as a formula are escaped. */
  readonly isFigure?: boolean
}

/** The beginning of a text that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r|]/

/** Prefixes a text that a spreadsheet would run with an apostrophe, so that it is shown as text. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

const quoteCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** One line of cells, without the line feed. */
export const csvLine = (cells: readonly (string | null)[]): string => cells.map((cell) => quoteCell(cell ?? '')).join(',')

/** A whole file: the headings, then one line for each row, each ended by a line feed (RFC 4180 without the carriage return). */
export const toCsv = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  [columns.map(({ label }) => label), ...rows.map((row) => csvCells(columns, row))].map((cells) => `${csvLine(cells)}\n`).join('')

/** The cells of a row: figures unchanged, formulas escaped. */
export const csvCells = <Row>(columns: readonly CsvColumn<Row>[], row: Row): (string | null)[] =>
  columns.map(({ cell, isFigure }) => {
    const text = cell(row)
    return text === null || isFigure === true ? text : escapeFormula(text)
  })
