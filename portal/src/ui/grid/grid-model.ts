import type { ReactNode } from 'react'

export interface GridColumn<Row> {
  key: string
  label: string
  cell: (row: Row) => ReactNode
  /** For numbers: aligns them to the end, with digits of equal width. */
  align?: 'end'
  /** For dates and codes: never breaks. Numbers, single words and texts of digits never break anyway. */
  nowrap?: true
  /** Its short texts and its days with a time, which never break elsewhere, stand on two lines where a window is small. */
  wrapWhenNarrow?: true
  /** The sort value; a column without it cannot be sorted. A row whose sort value is an empty text has no value in this column. */
  sortBy?: (row: Row) => string | number
  /**
   * Where it stands on the two lines of a narrow screen's card: what and how much, below it when and in which state. Columns
   * without it stand behind a press. Several columns in one place stand side by side.
   */
  cardSlot?: CardSlot
  /** What stands there in place of the cell; the whole cell then stands behind the press as well. */
  cardCell?: (row: Row) => ReactNode
  /** On a narrow screen's card it stands in the corner without a label. */
  unlabeledInCard?: boolean
  /** The key of the column under which it stands as a second line in a table of a small window. */
  stackedBelow?: string
  /** There its label stands before it, because it could be read as a part of what it stands under. */
  repeatsLabelWhenStacked?: true
  /** The row's buttons and links: last in the row, without a label on a narrow screen's card, where they may have a place too. */
  isActions?: boolean
}

export type CardSlot = 'title' | 'amount' | 'date' | 'status'

/** What stands under the columns, for all rows of the filter and not only for this page. */
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

/** The sort after a click on a column: ascending first, then descending. */
export const nextSort = (sort: Sort | null, key: string): Sort => ({
  key,
  direction: sort?.key === key && sort.direction === 'ascending' ? 'descending' : 'ascending',
})

/** The sorted rows. The sort is stable, and numbers inside texts compare as numbers: INV-9 before INV-10. */
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
