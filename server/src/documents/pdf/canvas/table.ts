import {
  BODY,
  furnish,
  HEADING,
  INK,
  makeRoom,
  openTag,
  print,
  room,
  rule,
  set,
  tag,
  turnPage,
  type TagOptions,
  type Paper,
  type Place,
  type Style,
} from './canvas.ts'

export interface Column {
  readonly heading: string
  readonly width: number
  readonly align: 'left' | 'right'
}

interface Cell {
  readonly text: string
  /** How many columns it takes; 1 where it is missing. */
  readonly span?: number
  /** A cell that names its row, for readers that speak. */
  readonly isRowHeader?: boolean
}

export interface Row {
  readonly cells: readonly Cell[]
  readonly style?: Style
  /** Space above and below the text; the rule stands under both. */
  readonly padding?: { readonly above: number; readonly below: number }
  readonly rule?: { readonly colour: string; readonly thickness: number } | null
  /** Does the page never turn between this row and the next? */
  readonly isTiedToNext?: boolean
  /** Printed again where the page turned before this row, e.g. "Internet (continued)". */
  readonly afterTurn?: string | null
}

export interface Table {
  readonly left: number
  /** Stands over the head, never alone at the end of a page; a table without one has no head either. */
  readonly title: string | null
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** Under the columns' headings, which are printed at the top and again on each page. */
  readonly headRule: { readonly colour: string; readonly thickness: number }
}

const GAP = 12
const PADDING = { above: 5, below: 5 }
const HAIRLINE = { colour: INK.hairline, thickness: 0.5 }
const HEAD: Style = { weight: 'semibold', size: 8, colour: INK.muted, leading: 12 }
const TITLE_HEIGHT = HEADING.leading + 4
const HEAD_PADDING = { above: 4, below: 6 }

/** Rows tied to one another that are higher than this may be parted anywhere, after at least so much of them. */
const HIGHEST = 300
const LEAST_OF_HIGH = 96

/** The width that columns of these text widths need, gaps included. */
export const tableWidth = (columns: readonly { readonly width: number }[]): number =>
  columns.reduce((sum, { width }) => sum + width, 0) + GAP * (columns.length - 1)

/**
 * Draws a table at the paper's place and moves the place below it.
 *
 * The page turns between rows, and inside a row only where that row alone is higher than a page. Cells wrap; nothing is clipped.
 */
export const drawTable = (paper: Paper, table: Table): void => {
  const rows = table.rows.map((row) => measured(table, row))
  const head = measured(table, headRow(table))
  if (table.title !== null) drawTitle(paper, table.title, head, heightOfTied(rows, 0))
  const element = openTag(paper, paper.root, 'Table')
  if (table.title !== null) drawHead(paper, element, head)
  const body = openTag(paper, element, 'TBody')
  for (const [index, row] of rows.entries()) {
    if (room(paper) < heightOfTied(rows, index)) turnTo(paper, table, head, row)
    drawRow(paper, body, row, () => turnTo(paper, table, head, row))
  }
  body.end()
  element.end()
}

interface MeasuredCell {
  readonly cell: Cell
  readonly lines: readonly string[]
  readonly place: Place
}

interface MeasuredRow {
  readonly row: Row
  readonly cells: readonly MeasuredCell[]
  readonly style: Style
  readonly padding: { readonly above: number; readonly below: number }
  readonly lineCount: number
  readonly height: number
  readonly across: Place
}

const headRow = ({ columns, headRule }: Table): Row => ({
  cells: columns.map(({ heading }) => ({ text: heading })),
  style: HEAD,
  padding: HEAD_PADDING,
  rule: headRule,
})

const measured = (table: Table, row: Row): MeasuredRow => {
  const { style = BODY, padding = PADDING } = row
  const cells: MeasuredCell[] = []
  let at = 0
  for (const cell of row.cells) {
    const place = placeOf(table, at, cell.span ?? 1)
    cells.push({ cell, place, lines: set(cell.text, style, place.width) })
    at += cell.span ?? 1
  }
  const lineCount = Math.max(...cells.map(({ lines }) => lines.length))
  const across = { left: table.left, width: tableWidth(table.columns) }
  return { row, cells, style, padding, lineCount, across, height: padding.above + lineCount * style.leading + padding.below }
}

const placeOf = ({ left, columns }: Table, first: number, span: number): Place => ({
  left: left + columns.slice(0, first).reduce((sum, { width }) => sum + width + GAP, 0),
  width: tableWidth(columns.slice(first, first + span)),
  align: span === 1 ? (columns[first]?.align ?? 'left') : 'left',
})

/** The height that a row needs on this page: its own and that of the rows tied to it; less where no page could hold them. */
const heightOfTied = (rows: readonly MeasuredRow[], first: number): number => {
  let height = 0
  for (const { row, height: own } of rows.slice(first)) {
    height += own
    if (height > HIGHEST) return LEAST_OF_HIGH
    if (row.isTiedToNext !== true) break
  }
  return height
}

const drawTitle = (paper: Paper, title: string, { height, across }: MeasuredRow, firstRows: number): void => {
  makeRoom(paper, TITLE_HEIGHT + height + firstRows)
  const top = paper.y
  tag(paper, paper.root, 'H2', () => print(paper, set(title, HEADING, across.width), HEADING, across, top))
  paper.y += TITLE_HEIGHT
}

const drawHead = (paper: Paper, table: PDFKit.PDFStructureElement, head: MeasuredRow): void => {
  const group = openTag(paper, table, 'THead')
  const line = openTag(paper, group, 'TR')
  for (const cell of head.cells) {
    openTag(paper, line, 'TH', { scope: 'Column' }).add(() => printCell(paper, head, cell, 0, head.lineCount))
  }
  group.end()
  finishRow(paper, head)
}

/** Turns the page and repeats the head there, as furniture: a reader that speaks has heard it once. */
const turnTo = (paper: Paper, { title }: Table, head: MeasuredRow, { row, across }: MeasuredRow): void => {
  turnPage(paper)
  if (title === null) return
  furnish(paper, 'Pagination', () => {
    for (const cell of head.cells) printCell(paper, head, cell, 0, head.lineCount)
  })
  finishRow(paper, head)
  if (row.afterTurn === undefined || row.afterTurn === null) return
  const lines = set(row.afterTurn, HEAD, across.width)
  furnish(paper, 'Pagination', () => print(paper, lines, HEAD, across, paper.y + PADDING.above))
  paper.y += PADDING.above + lines.length * HEAD.leading
}

const drawRow = (paper: Paper, body: PDFKit.PDFStructureElement, row: MeasuredRow, turn: () => void): void => {
  const line = openTag(paper, body, 'TR')
  const elements = row.cells.map((cell) => openCell(paper, line, cell.cell))
  let first = 0
  let count = linesThatFit(paper, row, first)
  while (first + count < row.lineCount) {
    printLines(paper, row, elements, first, count)
    first += count
    turn()
    count = linesThatFit(paper, row, first)
  }
  printLines(paper, row, elements, first, count)
  line.end()
  paper.y += (count - row.lineCount) * row.style.leading
  finishRow(paper, row)
}

/** At least one, so that a row always comes to its end. */
const linesThatFit = (paper: Paper, { padding, style, lineCount }: MeasuredRow, first: number): number => {
  const fitting = Math.floor((room(paper) - padding.above - padding.below) / style.leading)
  return Math.max(1, Math.min(fitting, lineCount - first))
}

const openCell = (paper: Paper, line: PDFKit.PDFStructureElement, { isRowHeader, span = 1 }: Cell): PDFKit.PDFStructureElement => {
  const options: TagOptions = isRowHeader === true ? { scope: 'Row' } : {}
  const element = paper.pdf.struct(isRowHeader === true ? 'TH' : 'TD', options)
  if (span > 1) spanColumns(element, span)
  line.add(element)
  return element
}

/** pdfkit has no option for ColSpan, so it joins the attributes that pdfkit has made (ISO 32000-1, 14.8.5.7). */
const spanColumns = (element: PDFKit.PDFStructureElement, span: number): void => {
  const { dictionary } = element as unknown as { readonly dictionary: { readonly data: { A?: Record<string, unknown> } } }
  dictionary.data.A = { ...dictionary.data.A, O: 'Table', ColSpan: span }
}

const printLines = (
  paper: Paper,
  row: MeasuredRow,
  elements: readonly PDFKit.PDFStructureElement[],
  first: number,
  count: number,
): void => {
  for (const [index, cell] of row.cells.entries()) {
    if (cell.lines.slice(first, first + count).some((line) => line.trim() !== ''))
      elements[index]?.add(() => printCell(paper, row, cell, first, count))
  }
}

const printCell = (paper: Paper, { style, padding }: MeasuredRow, { lines, place }: MeasuredCell, first: number, count: number): void =>
  print(paper, lines.slice(first, first + count), style, place, paper.y + padding.above)

/** Moves below a row that was drawn at the paper's place, and rules it off. */
const finishRow = (paper: Paper, { row, height, across }: MeasuredRow): void => {
  paper.y += height
  const line = row.rule === undefined ? HAIRLINE : row.rule
  if (line !== null) rule(paper, across, paper.y, line.colour, line.thickness)
}
