import { type PassThrough, Readable } from 'node:stream'
import { daysBetween } from '@counterfoil/contract/kit/day'
import { ZipFile } from 'yazl'
import type { Workbook, WorkbookCell, WorkbookColumn } from '../report-document.ts'

/** Excel's limit, including the heading row. */
export const MAX_WORKBOOK_ROWS = 1_048_576
/** Excel's limit; a longer text makes the file unreadable. */
const MAX_TEXT_LENGTH = 32_767
/** Characters that XML 1.0 does not allow. */
const INVALID_XML_CHARACTERS = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu
/** Dates are stored as the number of days since this day. */
const DAY_ZERO = '1899-12-30'
const DAY_FORMAT = 'yyyy-mm-dd'
const ROWS_PER_CHUNK = 500

/**
 * Streams an .xlsx file with one sheet, a frozen heading row, and typed numbers and dates (ECMA-376, SpreadsheetML).
 * Rows are not kept in memory; compression runs outside this thread.
 */
export async function* workbookChunks(workbook: Workbook): AsyncGenerator<Uint8Array> {
  const styles = stylesOf(workbook.columns)
  const zip = new ZipFile()
  for (const [path, xml] of Object.entries(packageFiles(workbook.sheet, styles.formats)))
    zip.addBuffer(Buffer.from(XML_DECLARATION + xml), path)
  const sheet = Readable.from(sheetXml(workbook, styles.of), { objectMode: false })
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml')
  zip.end()
  const output = zip.outputStream as PassThrough
  for (const part of [sheet, zip]) part.on('error', (error: Error) => output.destroy(error))
  try {
    for await (const chunk of output) yield chunk as Buffer
  } finally {
    sheet.destroy()
  }
}

type StyleOf = (column: WorkbookColumn | undefined) => number

/** The XML of the sheet, some rows at a time. @throws RangeError above MAX_WORKBOOK_ROWS */
async function* sheetXml({ columns, rows }: Workbook, styleOf: StyleOf): AsyncGenerator<string> {
  const widths = columns.map(({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('')
  const head = columns.map(({ heading, format }) => textCell(heading, format === undefined ? HEADING_STYLE : NUMBER_HEADING_STYLE))
  yield `${XML_DECLARATION}<worksheet xmlns="${MAIN_NAMESPACE}">${FROZEN_HEAD}<cols>${widths}</cols><sheetData>`
  let buffered = rowXml(1, head)
  let count = 1
  for await (const row of rows) {
    count += 1
    if (count > MAX_WORKBOOK_ROWS) throw new RangeError(`an Excel sheet has ${MAX_WORKBOOK_ROWS} rows at most`)
    buffered += rowXml(
      count,
      row.map((cell, at) => cellXml(cell, columns[at], styleOf)),
    )
    if (count % ROWS_PER_CHUNK !== 0) continue
    yield buffered
    buffered = ''
  }
  yield `${buffered}</sheetData></worksheet>`
}

const FROZEN_HEAD =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'

/** Column letters; our sheets have at most 26 columns. */
const COLUMN_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The XML of a row; an empty cell is left out. */
const rowXml = (rowNumber: number, cells: readonly string[]): string =>
  `<row r="${rowNumber}">${cells.map((cell, at) => (cell === '' ? '' : `<c r="${COLUMN_LETTERS[at]}${rowNumber}"${cell}</c>`)).join('')}</row>`

/** A cell without its reference: the rest of the opening tag, and the content. */
const cellXml = (cell: WorkbookCell, column: WorkbookColumn | undefined, styleOf: StyleOf): string => {
  if (cell === null) return ''
  if (typeof cell === 'number') return ` s="${styleOf(column)}"><v>${cell}</v>`
  if (column?.isDay === true) return ` s="${styleOf(column)}"><v>${daysBetween(DAY_ZERO, cell)}</v>`
  return textCell(cell, 0)
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Escapes a text for XML, and drops characters that XML does not allow. */
const escapeXml = (value: string): string =>
  value.replace(INVALID_XML_CHARACTERS, '').replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter)

/** A cell with a text, cut at MAX_TEXT_LENGTH, which no spreadsheet evaluates; without its reference. */
const textCell = (value: string, style: number): string =>
  ` t="inlineStr"${style === 0 ? '' : ` s="${style}"`}><is><t xml:space="preserve">${escapeXml(value.slice(0, MAX_TEXT_LENGTH))}</t></is>`

/** Style indexes of the two kinds of heading; the styles of the columns follow. */
const HEADING_STYLE = 1
const NUMBER_HEADING_STYLE = 2
const FIRST_FORMAT_STYLE = 3
/** Number formats below this id are built into Excel. */
const FIRST_CUSTOM_FORMAT_ID = 164

/** The number formats of the columns, each once, and the style index of a column's cells. */
const stylesOf = (columns: readonly WorkbookColumn[]) => {
  const formats = [
    ...new Set(columns.flatMap(({ format, isDay }) => (isDay === true ? [DAY_FORMAT] : format === undefined ? [] : [format]))),
  ]
  const of = (column: WorkbookColumn | undefined): number => {
    const format = column?.isDay === true ? DAY_FORMAT : column?.format
    return format === undefined ? 0 : FIRST_FORMAT_STYLE + formats.indexOf(format)
  }
  return { formats, of }
}

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONSHIPS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT_TYPE_PREFIX = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The files of the package besides the sheet. */
const packageFiles = (sheet: string, formats: readonly string[]): Readonly<Record<string, string>> => ({
  '[Content_Types].xml': `<Types xmlns="${PACKAGE_NAMESPACE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT_TYPE_PREFIX}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT_TYPE_PREFIX}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${CONTENT_TYPE_PREFIX}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS_NAMESPACE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN_NAMESPACE}" xmlns:r="${RELATIONSHIPS_NAMESPACE}"><sheets><sheet name="${escapeXml(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS_NAMESPACE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONSHIPS_NAMESPACE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${MAIN_NAMESPACE}">${numberFormats(formats)}<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${FIRST_FORMAT_STYLE + formats.length}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment horizontal="right"/></xf>${formats.map((_, at) => `<xf numFmtId="${FIRST_CUSTOM_FORMAT_ID + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
})

/** The XML of the number formats; empty without any. */
const numberFormats = (formats: readonly string[]): string =>
  formats.length === 0
    ? ''
    : `<numFmts count="${formats.length}">${formats.map((format, at) => `<numFmt numFmtId="${FIRST_CUSTOM_FORMAT_ID + at}" formatCode="${escapeXml(format)}"/>`).join('')}</numFmts>`
