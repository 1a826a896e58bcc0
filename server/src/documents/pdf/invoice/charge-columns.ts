import { BODY, faceOf } from '../canvas/canvas.ts'
import { printable } from '../canvas/printable-text.ts'
import { tableWidth, type Column, type Row } from '../canvas/table.ts'

interface Wish {
  readonly heading: string
  readonly align: 'left' | 'right'
  readonly least: number
  readonly most: number
}

/** Left to right after the description, which takes the rest. Bounds in points: below `least` a heading would break. */
const WISHES: readonly Wish[] = [
  { heading: 'Service item', align: 'left', least: 50, most: 96 },
  { heading: 'Period', align: 'left', least: 50, most: 100 },
  { heading: 'Quantity', align: 'right', least: 36, most: 84 },
  { heading: 'Unit price', align: 'right', least: 42, most: 84 },
  { heading: 'Amount', align: 'right', least: 48, most: 140 },
]
const DESCRIPTION_LEAST = 120

/** The columns of the charges, as wide as their texts wish while the description keeps room to be read. */
export const chargeColumns = (rows: readonly Row[], width: number): readonly Column[] => {
  const wished = WISHES.map(({ least, most }, index) => Math.min(most, Math.max(least, widest(rows, index + 1))))
  const free = width - tableWidth([{ width: 0 }, ...wished.map((width) => ({ width }))]) - DESCRIPTION_LEAST
  const given = free >= 0 ? wished : narrowed(wished, -free)
  const others = WISHES.map(({ heading, align }, index) => ({ heading, align, width: given[index] ?? 0 }))
  const rest = width - tableWidth([{ width: 0 }, ...others])
  return [{ heading: 'Description', align: 'left', width: rest }, ...others]
}

const widest = (rows: readonly Row[], column: number): number =>
  Math.ceil(rows.reduce((most, row) => Math.max(most, widthAt(row, column)), 0))

/** The width of a row's text in one column; nothing where the text belongs to several. */
const widthAt = ({ cells, style = BODY }: Row, column: number): number => {
  const face = faceOf(style)
  let at = 0
  for (const { text, span = 1 } of cells) {
    if (at === column && span === 1) return face.width(printable(text, face), style.size)
    at += span
  }
  return 0
}

/** Takes what is too much from the columns in proportion to what each has above its least. */
const narrowed = (widths: readonly number[], excess: number): readonly number[] => {
  const spare = widths.map((width, index) => width - (WISHES[index]?.least ?? 0))
  const total = spare.reduce((sum, each) => sum + each, 0)
  return widths.map((width, index) => width - (excess * (spare[index] ?? 0)) / total)
}
