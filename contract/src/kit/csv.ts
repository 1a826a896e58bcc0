/** One column of a CSV file: its heading, and what a row shows in it. */
export interface CsvColumn<Row> {
  readonly label: string
  readonly cell: (row: Row) => string | null
  /** Figures are written as they are; texts are defused where a spreadsheet would run them. */
  readonly isFigure?: boolean
}

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r|]/

/** A text that a spreadsheet would run begins with an apostrophe instead, and shows as it is. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

const quoteCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** One line of cells, without its end. */
export const csvLine = (cells: readonly (string | null)[]): string => cells.map((cell) => quoteCell(cell ?? '')).join(',')

/** A whole file: the headings, then a line a row, each ended by a line feed (RFC 4180 in all but the carriage return). */
export const toCsv = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  [columns.map(({ label }) => label), ...rows.map((row) => csvCells(columns, row))].map((cells) => `${csvLine(cells)}\n`).join('')

/** The cells of a row: figures as they are, texts defused. */
export const csvCells = <Row>(columns: readonly CsvColumn<Row>[], row: Row): (string | null)[] =>
  columns.map(({ cell, isFigure }) => {
    const text = cell(row)
    return text === null || isFigure === true ? text : escapeFormula(text)
  })
