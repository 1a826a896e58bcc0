/** One column of a CSV file: its heading, and a row's cell. */
export interface CsvColumn<Row> {
  readonly label: string
  readonly cell: (row: Row) => string | null
  /** Figures are written unchanged; texts that a spreadsheet would run as a formula are escaped. */
  readonly isFigure?: boolean
}

/**
 * The beginning of a text that some spreadsheet would run as a formula: a sign, plain or of full width, also behind blanks or a line end.
 * The download of usage from PostgreSQL has the same pattern (usage-export.queries.ts).
 */
const FORMULA = /^(?:[\t\r\n]|[ \u00a0\u3000]*[=+\-@|\uff1d\uff0b\uff0d\uff20])/

/** Tells Excel on Windows that a file is UTF-8; without it, it reads "KÃ¶ln". Our own imports skip it. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Puts an apostrophe before a text that a spreadsheet would run as a formula, so that it is shown; any other text as it is. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The cell in quotes, where it has a comma, a quote or a line end. Formulas are not escaped. */
const quoteCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** One line of cells, quoted where needed, without the line feed. Formulas are not escaped. */
export const csvLine = (cells: readonly (string | null)[]): string => cells.map((cell) => quoteCell(cell ?? '')).join(',')

/** The beginning of a file: the byte order mark and the line of headings, whose formulas are escaped, for resellers choose some of them. */
export const csvHead = (columns: readonly Pick<CsvColumn<never>, 'label'>[]): string =>
  `${BYTE_ORDER_MARK}${csvLine(columns.map(({ label }) => escapeFormula(label)))}\n`

/** A whole file: its head, then one line for each row, each ended by a line feed (RFC 4180 without the carriage return). */
export const toCsv = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  [csvHead(columns), ...rows.map((row) => `${csvLine(csvCells(columns, row))}\n`)].join('')

/** The cells of a row: figures unchanged, formulas escaped. */
export const csvCells = <Row>(columns: readonly CsvColumn<Row>[], row: Row): (string | null)[] =>
  columns.map(({ cell, isFigure }) => {
    const text = cell(row)
    return text === null || isFigure === true ? text : escapeFormula(text)
  })
