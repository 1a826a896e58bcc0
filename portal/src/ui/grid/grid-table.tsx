import { TABLE_ROLES } from '../aria-roles.ts'
import styles from './data-grid.module.css'
import { GridFoot } from './grid-foot.tsx'
import type { GridFrameProps } from './grid-props.ts'
import { GridHead } from './grid-head.tsx'
import { GridRow } from './grid-row.tsx'
import { ScrollRegion } from './scroll-region.tsx'
import { stackedColumns } from './stacked-columns.ts'
import { useMediaQuery } from '../use-media-query.ts'

/** In narrower windows columns are stacked. */
const SMALL = 'screen and (max-width: 999.98px)'
/** In narrower windows the columns of a wide table are stacked. */
const SMALL_FOR_WIDE = 'screen and (max-width: 1279.98px)'

interface GridTableProps<Row> extends GridFrameProps<Row> {
  /** The grid has many columns, whether or not all are shown. */
  isWide: boolean
}

/** The rows as a table. Where it does not fit, it scrolls sideways in its frame. */
export const GridTable = <Row,>(props: GridTableProps<Row>) => {
  const { label, rows, rowKey, sort, onSort, selection, sums, onOpen, details, isWide } = props
  const columns = stackedColumns(props.columns, useMediaQuery(isWide ? SMALL_FOR_WIDE : SMALL))
  return (
    <ScrollRegion label={label}>
      <table className={styles.table} {...TABLE_ROLES.table} aria-label={label}>
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
    </ScrollRegion>
  )
}
