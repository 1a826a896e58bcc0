import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  label: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the end of their column, in figures of one width. */
  align?: 'end'
  /** What the column is sorted by; a column without it cannot be sorted. */
  sortBy?: (row: Row) => string | number
  /** On a phone's card it stands in the corner, without its label: a tag that speaks for itself. */
  isCorner?: boolean
  /** The row's buttons and links: last in the row, without a label on a phone's card. */
  isActions?: boolean
}

export interface Sort {
  key: string
  direction: 'ascending' | 'descending'
}

/** The sort after a press on a column: ascending first, then the other way round. */
export const nextSort = (sort: Sort | null, key: string): Sort => ({
  key,
  direction: sort?.key === key && sort.direction === 'ascending' ? 'descending' : 'ascending',
})

/** The rows in the order of a sort; equal ones keep the order in which they came. Texts compare as people count: INV-9 before INV-10. */
export const sortedRows = <Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | null): readonly Row[] => {
  const sortBy = columns.find((column) => column.key === sort?.key)?.sortBy
  if (sort === null || sortBy === undefined) return rows
  const { compare } = new Intl.Collator(undefined, { numeric: true })
  const sign = sort.direction === 'ascending' ? 1 : -1
  const order = (a: string | number, b: string | number): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b))
  return rows.toSorted((a, b) => sign * order(sortBy(a), sortBy(b)))
}

/** The rows of one page, counted from 1. */
export const rowsOfPage = <Row>(rows: readonly Row[], page: number, pageSize: number): readonly Row[] =>
  rows.slice((page - 1) * pageSize, page * pageSize)

/** Longer than any word that people write. */
const LONG_WORD = /\S{24}/

/** Has the text a word that ends nowhere, as the path of a cloud resource has? It must break somewhere, lest it push all others aside. */
export const hasLongWord = (text: string): boolean => LONG_WORD.test(text)
