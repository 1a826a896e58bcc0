import type { ReactNode } from 'react'

export interface GridColumn<Row> {
  key: string
  label: string
  cell: (row: Row) => ReactNode
  /** For numbers: aligns them to the end, with digits of equal width. */
  align?: 'end'
  /** The text stays on one line: for dates and codes. Numbers, single words and texts of digits always stay on one line. */
  nowrap?: true
  /** A short text, or a day with a time, may take two lines in a small window. Elsewhere it stays on one. */
  wrapWhenNarrow?: true
  /** The sort value; a column without it cannot be sorted. A row whose sort value is an empty text has no value in this column. */
  sortBy?: (row: Row) => string | number
  /**
   * The column's slot on a narrow screen's card: title and amount on the first line, date and status on the second. Columns without a
   * slot are shown when the card is opened. Several columns in one slot stand side by side.
   */
  cardSlot?: CardSlot
  /** A shorter content for the card's slot. The full cell is then shown when the card is opened. */
  cardCell?: (row: Row) => ReactNode
  /** In a grid without slots: the column stands in the corner of a card, without its label. */
  unlabeledInCard?: boolean
  /** The key of another column. In a small window this column is a further line of that column's cells. */
  stackedBelow?: string
  /** The label stands before the stacked value, which could otherwise be read as a part of the value above it. */
  repeatsLabelWhenStacked?: true
  /** The column has the row's buttons and links. It is the last of the row; on a narrow screen's card it has no label. */
  isActions?: boolean
}

export type CardSlot = 'title' | 'amount' | 'date' | 'status'

/** The row of sums below the columns. The sums are of all rows of the filter, not only of this page. */
export interface GridSums {
  /** Such as "Sum of 77 transactions"; stands under the first column. */
  label: string
  /** By the key of a column. */
  cells: Readonly<Record<string, ReactNode>>
}

export interface Sort {
  key: string
  direction: 'ascending' | 'descending'
}

/** The sort after a click on a column: ascending, or descending where the column was sorted ascending. */
export const nextSort = (sort: Sort | null, key: string): Sort => ({
  key,
  direction: sort?.key === key && sort.direction === 'ascending' ? 'descending' : 'ascending',
})

/** The rows sorted; as they are without a sort. The sort is stable, and numbers inside texts compare as numbers: INV-9 before INV-10. */
export const sortedRows = <Row>(rows: readonly Row[], columns: readonly GridColumn<Row>[], sort: Sort | null): readonly Row[] => {
  const sortBy = columns.find((column) => column.key === sort?.key)?.sortBy
  if (sort === null || sortBy === undefined) return rows
  const { compare } = new Intl.Collator(undefined, { numeric: true })
  const sign = sort.direction === 'ascending' ? 1 : -1
  const order = (a: string | number, b: string | number): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b))
  return rows.toSorted((a, b) => sign * order(sortBy(a), sortBy(b)))
}

/** The rows of one page; pages are 1-based. */
export const rowsOfPage = <Row>(rows: readonly Row[], page: number, pageSize: number): readonly Row[] =>
  rows.slice((page - 1) * pageSize, page * pageSize)
