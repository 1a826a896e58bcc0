import { type PassThrough, Readable } from 'node:stream'
import { daysBetween } from '@counterfoil/contract/kit/day'
import { ZipFile } from 'yazl'
import type { Workbook, WorkbookCell, WorkbookColumn } from '../report-document.ts'

/** Excel's own limit, the head row among them. */
export const MOST_WORKBOOK_ROWS = 1_048_576
/** Excel's own limit; a longer text makes the file unreadable. */
const LONGEST_TEXT = 32_767
/** What XML 1.0 cannot carry. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu
/** A date in a sheet is a number of days since this one, shown as a date. */
const DAY_ZERO = '1899-12-30'
const DAY_FORMAT = 'yyyy-mm-dd'
const ROWS_A_PIECE = 500

/**
 * An .xlsx file, piece by piece: one sheet, a head row that stays in view, numbers and dates as such (ECMA-376, SpreadsheetML). Nothing is kept
 * of a row once it is written; packing is done off this thread.
 */
export async function* workbookPieces(workbook: Workbook): AsyncGenerator<Uint8Array> {
  const styles = stylesOf(workbook.columns)
  const zip = new ZipFile()
  for (const [path, xml] of Object.entries(frame(workbook.sheet, styles.formats))) zip.addBuffer(Buffer.from(DECLARED + xml), path)
  const sheet = Readable.from(sheetXml(workbook, styles.of), { objectMode: false })
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml')
  zip.end()
  const output = zip.outputStream as PassThrough
  for (const part of [sheet, zip]) part.on('error', (error: Error) => output.destroy(error))
  try {
    for await (const piece of output) yield piece as Buffer
  } finally {
    sheet.destroy()
  }
}

type StyleOf = (column: WorkbookColumn | undefined) => number

async function* sheetXml({ columns, rows }: Workbook, styleOf: StyleOf): AsyncGenerator<string> {
  const widths = columns.map(({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('')
  const head = columns.map(({ heading, format }) => text(heading, format === undefined ? HEAD : HEAD_OF_FIGURES))
  yield `${DECLARED}<worksheet xmlns="${MAIN}">${FROZEN_HEAD}<cols>${widths}</cols><sheetData>`
  let held = rowOf(1, head)
  let count = 1
  for await (const row of rows) {
    count += 1
    if (count > MOST_WORKBOOK_ROWS) throw new RangeError(`an Excel sheet has ${MOST_WORKBOOK_ROWS} rows at most`)
    held += rowOf(
      count,
      row.map((cell, at) => cellOf(cell, columns[at], styleOf)),
    )
    if (count % ROWS_A_PIECE !== 0) continue
    yield held
    held = ''
  }
  yield `${held}</sheetData></worksheet>`
}

const FROZEN_HEAD =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'

/** The letters of the columns; a sheet of ours has fewer. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

const rowOf = (nth: number, cells: readonly string[]): string =>
  `<row r="${nth}">${cells.map((cell, at) => (cell === '' ? '' : `<c r="${LETTERS[at]}${nth}"${cell}</c>`)).join('')}</row>`

/** A cell without its place: the rest of its opening, and what stands in it. */
const cellOf = (cell: WorkbookCell, column: WorkbookColumn | undefined, styleOf: StyleOf): string => {
  if (cell === null) return ''
  if (typeof cell === 'number') return ` s="${styleOf(column)}"><v>${cell}</v>`
  if (column?.isDay === true) return ` s="${styleOf(column)}"><v>${daysBetween(DAY_ZERO, cell)}</v>`
  return text(cell, 0)
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (value: string): string => value.replace(UNWRITABLE, '').replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter)

const text = (value: string, style: number): string =>
  ` t="inlineStr"${style === 0 ? '' : ` s="${style}"`}><is><t xml:space="preserve">${escaped(value.slice(0, LONGEST_TEXT))}</t></is>`

/** The styles of the two kinds of heading; those of the columns come after them. */
const HEAD = 1
const HEAD_OF_FIGURES = 2
const FIRST_FORMAT = 3
/** Formats below this number are Excel's own. */
const FIRST_OWN = 164

const stylesOf = (columns: readonly WorkbookColumn[]) => {
  const formats = [
    ...new Set(columns.flatMap(({ format, isDay }) => (isDay === true ? [DAY_FORMAT] : format === undefined ? [] : [format]))),
  ]
  const of = (column: WorkbookColumn | undefined): number => {
    const format = column?.isDay === true ? DAY_FORMAT : column?.format
    return format === undefined ? 0 : FIRST_FORMAT + formats.indexOf(format)
  }
  return { formats, of }
}

const DECLARED = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const KIND = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The files around the sheet. */
const frame = (sheet: string, formats: readonly string[]): Readonly<Record<string, string>> => ({
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${KIND}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${KIND}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${KIND}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${ownFormats(formats)}<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${FIRST_FORMAT + formats.length}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment horizontal="right"/></xf>${formats.map((_, at) => `<xf numFmtId="${FIRST_OWN + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
})

const ownFormats = (formats: readonly string[]): string =>
  formats.length === 0
    ? ''
    : `<numFmts count="${formats.length}">${formats.map((format, at) => `<numFmt numFmtId="${FIRST_OWN + at}" formatCode="${escaped(format)}"/>`).join('')}</numFmts>`
