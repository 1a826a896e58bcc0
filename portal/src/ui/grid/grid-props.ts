import type { ReactNode } from 'react'
import type { GridColumn, GridSums, Sort } from './grid-model.ts'
import type { GridSelection } from './grid-selection.tsx'

export interface GridFrameProps<Row> {
  /** What the rows are, such as "Invoices": the table's accessible name, under which the choice of columns is remembered. */
  label: string
  columns: readonly GridColumn<Row>[]
  /** The rows of this page. */
  rows: readonly Row[]
  rowKey: (row: Row) => string
  sort: Sort | null
  onSort: (key: string) => void
  /** 1-based. */
  page: number
  pageSize: number
  /** The number of rows on all pages. */
  total: number
  onPage: (page: number) => void
  /** Rows are loading: the old ones stay under a spinner. */
  busy: boolean
  /** Shown when there are no rows. */
  empty: ReactNode
  /** Above the grid, such as "77 transactions". */
  summary?: ReactNode
  selection?: GridSelection<Row>
  sums?: GridSums
  /**
   * Called when a row is clicked anywhere. The row's first button does the same for keyboards and screen readers: it gets the
   * focus and needs no handler of its own.
   */
  onOpen?: (row: Row) => void
  /** Content below an open row. A button in the row opens it. */
  details?: GridDetails<Row>
}

interface GridDetails<Row> {
  isOpen: (row: Row) => boolean
  render: (row: Row) => ReactNode
}
