import { useState } from 'react'
import { GridFrame, type GridFrameProps } from './grid-frame.tsx'
import { nextSort, rowsOfPage, type Sort, sortedRows } from './grid-model.ts'
import { pageCount } from './pagination-model.ts'

/** Rows on a page that the browser pages itself (portal.md §9). */
const GRID_PAGE_SIZE = 25

export interface DataGridProps<Row> extends Omit<GridFrameProps<Row>, 'sort' | 'onSort' | 'page' | 'pageSize' | 'total' | 'onPage'> {
  /** All rows, in the order that they stand in before anybody sorts. */
  rows: readonly Row[]
  initialSort?: Sort
}

/** A grid that has all its rows: sorts and pages them itself, 25 a page. A server-paged one uses the frame directly. */
export const DataGrid = <Row,>({ rows, columns, initialSort, ...frame }: DataGridProps<Row>) => {
  const [sort, setSort] = useState<Sort | null>(initialSort ?? null)
  const [askedPage, setPage] = useState(1)
  const page = Math.min(askedPage, pageCount(rows.length, GRID_PAGE_SIZE))

  const sortBy = (key: string): void => {
    setSort(nextSort(sort, key))
    setPage(1)
  }

  return (
    <GridFrame
      {...frame}
      columns={columns}
      rows={rowsOfPage(sortedRows(rows, columns, sort), page, GRID_PAGE_SIZE)}
      total={rows.length}
      sort={sort}
      onSort={sortBy}
      page={page}
      pageSize={GRID_PAGE_SIZE}
      onPage={setPage}
    />
  )
}
