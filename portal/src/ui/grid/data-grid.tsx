import { useMemo, useState } from 'react'
import { GridFrame } from './grid-frame.tsx'
import { nextSort, rowsOfPage, type Sort, sortedRows } from './grid-model.ts'
import type { GridFrameProps } from './grid-props.ts'
import { pageCount } from './pagination-model.ts'

/** Rows on a page of a grid that the browser pages itself. */
const GRID_PAGE_SIZE = 25

export interface DataGridProps<Row> extends Omit<GridFrameProps<Row>, 'sort' | 'onSort' | 'page' | 'pageSize' | 'total' | 'onPage'> {
  /** All rows in their initial order. */
  rows: readonly Row[]
  initialSort?: Sort
  /** The filters of these rows: when it changes, the grid goes back to its first page and keeps its sort. */
  resetKey?: string
}

/** A grid that sorts and pages all its rows itself. Grids that the server pages use GridFrame directly. */
export const DataGrid = <Row,>({ rows, columns, initialSort, resetKey, ...frame }: DataGridProps<Row>) => {
  const [sort, setSort] = useState<Sort | null>(initialSort ?? null)
  const [requested, setRequested] = useState({ page: 1, resetKey })
  if (requested.resetKey !== resetKey) setRequested({ page: 1, resetKey })
  const sorted = useMemo(() => sortedRows(rows, columns, sort), [rows, columns, sort])
  const page = Math.min(requested.page, pageCount(rows.length, GRID_PAGE_SIZE))

  const setPage = (to: number): void => setRequested({ page: to, resetKey })
  const sortBy = (key: string): void => {
    setSort(nextSort(sort, key))
    setPage(1)
  }

  return (
    <GridFrame
      {...frame}
      columns={columns}
      rows={rowsOfPage(sorted, page, GRID_PAGE_SIZE)}
      total={rows.length}
      sort={sort}
      onSort={sortBy}
      page={page}
      pageSize={GRID_PAGE_SIZE}
      onPage={setPage}
    />
  )
}
