import { BODY, textWidth } from '../canvas/canvas.ts'
import { toPrintableText } from '../canvas/printable-text.ts'
import { tableWidth, type Column, type Row } from '../canvas/table.ts'

interface ColumnBounds {
  readonly heading: string
  readonly align: 'left' | 'right'
  readonly minWidth: number
  readonly maxWidth: number
}

/** Left to right after the description, which takes the rest. In points; a heading would wrap below `minWidth`. */
const COLUMN_BOUNDS: readonly ColumnBounds[] = [
  { heading: 'Service item', align: 'left', minWidth: 50, maxWidth: 96 },
  { heading: 'Period', align: 'left', minWidth: 50, maxWidth: 100 },
  { heading: 'Quantity', align: 'right', minWidth: 36, maxWidth: 84 },
  { heading: 'Unit price', align: 'right', minWidth: 42, maxWidth: 84 },
  { heading: 'Amount', align: 'right', minWidth: 48, maxWidth: 140 },
]
const MIN_DESCRIPTION_WIDTH = 120

/** Columns of the charges, as wide as their texts while the description keeps its minimum width. */
export const chargeColumns = (rows: readonly Row[], width: number): readonly Column[] => {
  const desiredWidths = COLUMN_BOUNDS.map(({ minWidth, maxWidth }, index) =>
    Math.min(maxWidth, Math.max(minWidth, widestText(rows, index + 1))),
  )
  const freeWidth = width - tableWidth([{ width: 0 }, ...desiredWidths.map((width) => ({ width }))]) - MIN_DESCRIPTION_WIDTH
  const widths = freeWidth >= 0 ? desiredWidths : shrinkWidths(desiredWidths, -freeWidth)
  const others = COLUMN_BOUNDS.map(({ heading, align }, index) => ({ heading, align, width: widths[index] ?? 0 }))
  const descriptionWidth = width - tableWidth([{ width: 0 }, ...others])
  return [{ heading: 'Description', align: 'left', width: descriptionWidth }, ...others]
}

/** The width of the widest text in a column. */
const widestText = (rows: readonly Row[], column: number): number =>
  Math.ceil(rows.reduce((widest, row) => Math.max(widest, textWidthAt(row, column)), 0))

/** The width of a row's text in one column; 0 for a cell that spans several. */
const textWidthAt = ({ cells, style = BODY }: Row, column: number): number => {
  let at = 0
  for (const { text, span = 1 } of cells) {
    if (at === column && span === 1) return textWidth(toPrintableText(text, style.weight), style)
    at += span
  }
  return 0
}

/** Shrinks the columns by `excess`, in proportion to what each has above its minimum. */
const shrinkWidths = (widths: readonly number[], excess: number): readonly number[] => {
  const spare = widths.map((width, index) => width - (COLUMN_BOUNDS[index]?.minWidth ?? 0))
  const total = spare.reduce((sum, each) => sum + each, 0)
  return widths.map((width, index) => width - (excess * (spare[index] ?? 0)) / total)
}
