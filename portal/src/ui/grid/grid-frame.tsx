import { type ReactNode, useRef } from 'react'
import { TABLE_ROLES } from '../aria-roles.ts'
import { useLocale } from 'react-aria-components/I18nProvider'
import styles from './data-grid.module.css'
import { GridHead } from './grid-head.tsx'
import type { Column, GridSums, Sort } from './grid-model.ts'
import { GridFoot } from './grid-foot.tsx'
import { GridRow } from './grid-row.tsx'
import { CompactSelectAll, type GridSelection } from './grid-selection.tsx'
import { CompactSort } from './compact-sort.tsx'
import { Pagination } from './pagination.tsx'
import { pageCount } from './pagination-model.ts'
import { SpinnerOverlay } from '../feedback/spinner.tsx'

export interface GridFrameProps<Row> {
  /** What the rows are, such as "Invoices": the table's accessible name. */
  label: string
  columns: readonly Column<Row>[]
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

/** Grids with more columns than this use small type and less space. */
const MAX_WIDE_COLUMNS = 10

/** The grid without state: a table on a wide screen, labelled cards on a narrow one. */
export const GridFrame = <Row,>(props: GridFrameProps<Row>) => {
  const { label, columns, rows, rowKey, sort, onSort, page, pageSize, total, onPage, busy, empty, selection, sums, onOpen, details } = props
  const gridRef = useRef<HTMLDivElement>(null)
  const { locale } = useLocale()
  const isEmpty = rows.length === 0
  const isDense = columns.length > MAX_WIDE_COLUMNS

  const changePage = (next: number): void => {
    onPage(next)
    if ((gridRef.current?.getBoundingClientRect().top ?? 0) < 0) gridRef.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <div className={styles.grid} ref={gridRef} aria-busy={busy}>
      {!isEmpty && <CompactSort columns={columns} sort={sort} onSort={onSort} />}
      {selection && <CompactSelectAll rows={rows} rowKey={rowKey} selection={selection} />}
      {!isEmpty && (
        <table className={styles.table} {...TABLE_ROLES.table} aria-label={label} data-dense={isDense || undefined}>
          <GridHead columns={columns} rows={rows} rowKey={rowKey} sort={sort} onSort={onSort} selection={selection} />
          <tbody {...TABLE_ROLES.group} className={styles.body}>
            {rows.map((row) => (
              <GridRow
                key={rowKey(row)}
                row={row}
                id={rowKey(row)}
                columns={columns}
                selection={selection}
                onOpen={onOpen}
                details={details?.isOpen(row) ? details.render(row) : null}
              />
            ))}
          </tbody>
          {sums && <GridFoot columns={columns} sums={sums} hasSelection={selection !== undefined} />}
        </table>
      )}
      {isEmpty && <div className={styles.empty}>{!busy && empty}</div>}
      {total > pageSize && (
        <>
          <Pagination label={label} page={page} count={pageCount(total, pageSize)} onPage={changePage} />
          <output className={styles.range}>{rangeText(locale, page, pageSize, total)}</output>
        </>
      )}
      {busy && <SpinnerOverlay label={`Loading ${label}`} isDimmed={!isEmpty} />}
    </div>
  )
}

const rangeText = (locale: string, page: number, pageSize: number, total: number): string => {
  const formatter = new Intl.NumberFormat(locale)
  const first = (page - 1) * pageSize + 1
  return `${formatter.format(first)} – ${formatter.format(Math.min(total, first + pageSize - 1))} of ${formatter.format(total)}`
}
