import { useRef, useState } from 'react'
import { useLocale } from 'react-aria-components/I18nProvider'
import styles from './data-grid.module.css'
import { CompactSort } from './cards/compact-sort.tsx'
import { GridCards } from './cards/grid-cards.tsx'
import type { GridFrameProps } from './grid-props.ts'
import { CompactSelectAll } from './grid-selection.tsx'
import { GridTable } from './grid-table.tsx'
import { GridTools } from './grid-tools.tsx'
import { useHiddenColumns } from './hidden-columns.ts'
import { Pagination } from './pagination.tsx'
import { pageCount } from './pagination-model.ts'
import { visibleColumns } from './visible-columns.ts'
import { SpinnerOverlay } from '../feedback/spinner.tsx'
import { useMediaQuery } from '../use-media-query.ts'

/** Grids with more columns than this use the window's width, and are dense: they have small type and low rows. */
const MAX_WIDE_COLUMNS = 8
/** On paper a grid of more columns than this needs landscape. */
const MAX_PORTRAIT_COLUMNS = 10
/** Where rows are cards. Paper has tables. */
export const NARROW = 'screen and (max-width: 767.98px)'

/** So few cards need no sort controls. */
const MAX_UNSORTED = 5

/** In narrower windows the columns of a wide table stand closer together. */
const TIGHT = 'screen and (max-width: 1099.98px)'

/** In narrower windows every table is dense. */
const CROWDED = 'screen and (max-width: 899.98px)'

/** A grid whose rows, sort and page come from its owner: a table on a wide screen, cards on a narrow one. */
export const GridFrame = <Row,>(props: GridFrameProps<Row>) => {
  const { label, columns, rows, rowKey, sort, onSort, page, pageSize, total, onPage, busy, empty, summary } = props
  const gridRef = useRef<HTMLDivElement>(null)
  const { locale } = useLocale()
  const isNarrow = useMediaQuery(NARROW)
  const isCrowded = useMediaQuery(CROWDED)
  const isTight = useMediaQuery(TIGHT)
  const [hidden, setHidden] = useHiddenColumns(label)
  const [showsAll, setShowsAll] = useState(false)
  const { shown, emptyCount } = visibleColumns(columns, rows, { hidden, sortKey: sort?.key, showsAll })
  const isWide = columns.length > MAX_WIDE_COLUMNS
  const isEmpty = rows.length === 0
  // Cards leave no room for boxes where none can be chosen.
  const { selection, ...unselected } = props
  const cardProps = selection && rows.some(selection.canSelect) ? props : unselected

  const changePage = (next: number): void => {
    onPage(next)
    if ((gridRef.current?.getBoundingClientRect().top ?? 0) < 0) gridRef.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <>
      <GridTools
        label={label}
        summary={summary}
        columns={isNarrow ? [] : columns}
        hidden={hidden}
        onHidden={setHidden}
        emptyCount={isNarrow ? 0 : emptyCount}
        showsAll={showsAll}
        onShowAll={setShowsAll}
      />
      <div
        className={styles.grid}
        ref={gridRef}
        aria-busy={busy}
        data-wide={isWide || undefined}
        data-dense={isWide || isCrowded || undefined}
        data-landscape={shown.length > MAX_PORTRAIT_COLUMNS || undefined}
        data-tight={(isWide && isTight) || shown.length > MAX_PORTRAIT_COLUMNS || undefined}
      >
        {isNarrow && total > MAX_UNSORTED && <CompactSort columns={columns} sort={sort} onSort={onSort} />}
        {isNarrow && selection && <CompactSelectAll rows={rows} rowKey={rowKey} selection={selection} />}
        {!isEmpty &&
          (isNarrow ? (
            <GridCards {...cardProps} key={`${page} ${sort?.key} ${sort?.direction}`} />
          ) : (
            <GridTable {...props} columns={shown} isWide={isWide} />
          ))}
        {isEmpty && <div className={styles.empty}>{!busy && empty}</div>}
        {total > pageSize && (
          <>
            <Pagination label={label} page={page} count={pageCount(total, pageSize)} onPage={changePage} />
            <output className={styles.range}>{rangeText(locale, page, pageSize, total)}</output>
          </>
        )}
        {busy && <SpinnerOverlay label={`Loading ${label}`} isDimmed={!isEmpty} />}
      </div>
    </>
  )
}

/** Such as "26 – 50 of 77". */
const rangeText = (locale: string, page: number, pageSize: number, total: number): string => {
  const formatter = new Intl.NumberFormat(locale)
  const first = (page - 1) * pageSize + 1
  return `${formatter.format(first)} – ${formatter.format(Math.min(total, first + pageSize - 1))} of ${formatter.format(total)}`
}
