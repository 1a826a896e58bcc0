import {
  BODY,
  drawArtifact,
  HEADING,
  COLOURS,
  ensureHeight,
  openElement,
  drawText,
  remainingHeight,
  drawRule,
  wrapText,
  addElement,
  addPage,
  type ElementOptions,
  type Canvas,
  type TextBox,
  type Style,
} from './canvas.ts'

export interface Column {
  readonly heading: string
  readonly width: number
  readonly align: 'left' | 'right'
}

interface Cell {
  readonly text: string
  /** Number of columns; 1 by default. */
  readonly span?: number
  /** True for a cell that names its row, for screen readers. */
  readonly isRowHeader?: boolean
}

export interface Row {
  readonly cells: readonly Cell[]
  readonly style?: Style
  /** Space above and below the text; the rule is drawn below it. */
  readonly padding?: { readonly above: number; readonly below: number }
  readonly rule?: { readonly colour: string; readonly thickness: number } | null
  /** True when no page break may separate this row from the next. */
  readonly isKeptWithNext?: boolean
  /** Printed after a page break before this row, e.g. "Internet (continued)". */
  readonly continuationText?: string | null
}

export interface Table {
  readonly left: number
  /** Printed above the column headings; a table without a title has no headings either. */
  readonly title: string | null
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** Below the column headings, which are repeated on each page. */
  readonly headRule: { readonly colour: string; readonly thickness: number }
  /** The height that the page of the last row must have below it, for what may not stand alone on the next page. */
  readonly heightBelow?: number
}

const GAP = 12
const PADDING = { above: 5, below: 5 }
const HAIRLINE = { colour: COLOURS.hairline, thickness: 0.5 }
const HEAD: Style = { weight: 'semibold', size: 8, colour: COLOURS.muted, leading: 12 }
const TITLE_GAP = 4
const HEAD_PADDING = { above: 4, below: 6 }

/** A group of kept rows that is higher than this may be split, after at least this much of it. */
const MAX_GROUP_HEIGHT = 300
const MIN_SPLIT_HEIGHT = 96

/** The total width of columns, including gaps. */
export const tableWidth = (columns: readonly { readonly width: number }[]): number =>
  columns.reduce((sum, { width }) => sum + width, 0) + GAP * (columns.length - 1)

/** The height that must be free on a page for a table without a title to begin there. */
export const firstRowsHeight = (table: Table): number =>
  groupHeight(
    table.rows.map((row) => measureRow(table, row)),
    0,
  )

/**
 * Draws a table at the canvas's position and moves the position below it.
 *
 * Pages break between rows, and inside a row only when it is higher than a page. Cells wrap; nothing is clipped.
 */
export const drawTable = (canvas: Canvas, table: Table): void => {
  const rows = table.rows.map((row) => measureRow(table, row))
  const head = measureRow(table, headRow(table))
  const neededHeight = (index: number) => groupHeight(rows, index, table.heightBelow)
  if (table.title !== null) drawTitle(canvas, table.title, head, neededHeight(0))
  const element = openElement(canvas, canvas.root, 'Table')
  if (table.title !== null) drawColumnHeadings(canvas, element, head)
  const body = openElement(canvas, element, 'TBody')
  for (const [index, row] of rows.entries()) {
    if (remainingHeight(canvas) < neededHeight(index)) startNewPage(canvas, table, head, row)
    drawRow(canvas, body, row, () => startNewPage(canvas, table, head, row))
  }
  body.end()
  element.end()
}

interface MeasuredCell {
  readonly cell: Cell
  readonly lines: readonly string[]
  readonly box: TextBox
}

interface MeasuredRow {
  readonly row: Row
  readonly cells: readonly MeasuredCell[]
  readonly style: Style
  readonly padding: { readonly above: number; readonly below: number }
  readonly lineCount: number
  readonly height: number
  readonly rowBox: TextBox
}

/** The row of the column headings. */
const headRow = ({ columns, headRule }: Table): Row => ({
  cells: columns.map(({ heading }) => ({ text: heading })),
  style: HEAD,
  padding: HEAD_PADDING,
  rule: headRule,
})

/** A row with its texts wrapped into the columns, and its height. Draws nothing. */
const measureRow = (table: Table, row: Row): MeasuredRow => {
  const { style = BODY, padding = PADDING } = row
  const cells: MeasuredCell[] = []
  let at = 0
  for (const cell of row.cells) {
    const box = cellBox(table, at, cell.span ?? 1)
    cells.push({ cell, box, lines: wrapText(cell.text, style, box.width) })
    at += cell.span ?? 1
  }
  const lineCount = Math.max(...cells.map(({ lines }) => lines.length))
  const rowBox = { left: table.left, width: tableWidth(table.columns) }
  return { row, cells, style, padding, lineCount, rowBox, height: padding.above + lineCount * style.leading + padding.below }
}

/** The left edge and width of a cell that spans columns. Only a cell of one column has that column's alignment. */
const cellBox = ({ left, columns }: Table, first: number, span: number): TextBox => ({
  left: left + columns.slice(0, first).reduce((sum, { width }) => sum + width + GAP, 0),
  width: tableWidth(columns.slice(first, first + span)),
  align: span === 1 ? (columns[first]?.align ?? 'left') : 'left',
})

/**
 * The height that a row needs on this page together with the rows kept with it; less when they are so many that they may be split.
 * @param heightBelow  what must fit below the last row
 */
const groupHeight = (rows: readonly MeasuredRow[], first: number, heightBelow = 0): number => {
  let height = 0
  for (const { height: rowHeight, row } of rows.slice(first)) {
    height += rowHeight
    if (height > MAX_GROUP_HEIGHT) return MIN_SPLIT_HEIGHT
    if (row.isKeptWithNext !== true && row !== rows.at(-1)?.row) return height
  }
  return height + heightBelow
}

/** Draws the table's title, on a new page unless title, headings and first rows fit on this one. */
const drawTitle = (canvas: Canvas, title: string, { height, rowBox }: MeasuredRow, firstRows: number): void => {
  const lines = wrapText(title, HEADING, rowBox.width)
  const titleHeight = lines.length * HEADING.leading + TITLE_GAP
  ensureHeight(canvas, titleHeight + height + firstRows)
  const top = canvas.y
  addElement(canvas, canvas.root, 'H2', () => drawText(canvas, lines, HEADING, rowBox, top))
  canvas.y += titleHeight
}

/** Draws the column headings as the table's head, which screen readers read. */
const drawColumnHeadings = (canvas: Canvas, table: PDFKit.PDFStructureElement, head: MeasuredRow): void => {
  const group = openElement(canvas, table, 'THead')
  const rowElement = openElement(canvas, group, 'TR')
  for (const cell of head.cells) {
    openElement(canvas, rowElement, 'TH', { scope: 'Column' }).add(() => printCell(canvas, head, cell, 0, head.lineCount))
  }
  group.end()
  finishRow(canvas, head)
}

/** Starts a page and repeats the headings as an artifact, so that screen readers read them only once. */
const startNewPage = (canvas: Canvas, { title }: Table, head: MeasuredRow, { row, rowBox }: MeasuredRow): void => {
  addPage(canvas)
  if (title === null) return
  drawArtifact(canvas, 'Pagination', () => {
    for (const cell of head.cells) printCell(canvas, head, cell, 0, head.lineCount)
  })
  finishRow(canvas, head)
  if (row.continuationText === undefined || row.continuationText === null) return
  const lines = wrapText(row.continuationText, HEAD, rowBox.width)
  drawArtifact(canvas, 'Pagination', () => drawText(canvas, lines, HEAD, rowBox, canvas.y + PADDING.above))
  canvas.y += PADDING.above + lines.length * HEAD.leading
}

/** Draws a row, over several pages where it is higher than one. */
const drawRow = (canvas: Canvas, body: PDFKit.PDFStructureElement, row: MeasuredRow, startPage: () => void): void => {
  const rowElement = openElement(canvas, body, 'TR')
  const elements = row.cells.map((cell) => openCell(canvas, rowElement, cell.cell))
  let first = 0
  let count = linesThatFit(canvas, row, first)
  while (first + count < row.lineCount) {
    printLines(canvas, row, elements, first, count)
    first += count
    startPage()
    count = linesThatFit(canvas, row, first)
  }
  printLines(canvas, row, elements, first, count)
  rowElement.end()
  canvas.y += (count - row.lineCount) * row.style.leading
  finishRow(canvas, row)
}

/** How many lines of a row fit on this page, from `first` on: at least one, so that every row ends. */
const linesThatFit = (canvas: Canvas, { padding, style, lineCount }: MeasuredRow, first: number): number => {
  const fittingLines = Math.floor((remainingHeight(canvas) - padding.above - padding.below) / style.leading)
  return Math.max(1, Math.min(fittingLines, lineCount - first))
}

/** Adds the structure element of a cell, which is still empty. */
const openCell = (canvas: Canvas, rowElement: PDFKit.PDFStructureElement, { isRowHeader, span = 1 }: Cell): PDFKit.PDFStructureElement => {
  const options: ElementOptions = isRowHeader === true ? { scope: 'Row' } : {}
  const element = canvas.pdf.struct(isRowHeader === true ? 'TH' : 'TD', options)
  if (span > 1) setColumnSpan(element, span)
  rowElement.add(element)
  return element
}

/**
 * Says in a cell's structure element how many columns it spans, for screen readers.
 * pdfkit has no option for ColSpan, so it is added to the attributes that pdfkit created (ISO 32000-1, 14.8.5.7).
 */
const setColumnSpan = (element: PDFKit.PDFStructureElement, span: number): void => {
  const { dictionary } = element as unknown as { readonly dictionary: { readonly data: { A?: Record<string, unknown> } } }
  dictionary.data.A = { ...dictionary.data.A, O: 'Table', ColSpan: span }
}

/**
 * Draws `count` lines of every cell of a row, from the line `first` on (0 is the first). The lines of a cell go into the structure element
 * of the same index. Cells in which these lines are blank get nothing.
 */
const printLines = (
  canvas: Canvas,
  row: MeasuredRow,
  elements: readonly PDFKit.PDFStructureElement[],
  first: number,
  count: number,
): void => {
  for (const [index, cell] of row.cells.entries()) {
    if (cell.lines.slice(first, first + count).some((line) => line.trim() !== ''))
      elements[index]?.add(() => printCell(canvas, row, cell, first, count))
  }
}

/** Draws these lines of one cell at the canvas's position, which stays. */
const printCell = (canvas: Canvas, { style, padding }: MeasuredRow, { lines, box }: MeasuredCell, first: number, count: number): void =>
  drawText(canvas, lines.slice(first, first + count), style, box, canvas.y + padding.above)

/** Moves below the row just drawn and draws its rule. */
const finishRow = (canvas: Canvas, { row, height, rowBox }: MeasuredRow): void => {
  canvas.y += height
  const ruleStyle = row.rule === undefined ? HAIRLINE : row.rule
  if (ruleStyle !== null) drawRule(canvas, rowBox, canvas.y, ruleStyle.colour, ruleStyle.thickness)
}
