import type { ReactNode } from 'react'
import { TABLE_ROLES } from '../aria-roles.ts'
import { wrappingOf } from './cell-text.ts'
import styles from './data-grid.module.css'
import type { Column } from './grid-model.ts'
import { SelectRow, type GridSelection } from './grid-selection.tsx'
import { openOnClick } from './open-on-click.ts'

interface GridRowProps<Row> {
  row: Row
  id: string
  columns: readonly Column<Row>[]
  selection: GridSelection<Row> | undefined
  onOpen: ((row: Row) => void) | undefined
  /** Content below the row over its whole width; null while it is closed. */
  details: ReactNode
}

/** One row; its first column is the row header. */
export const GridRow = <Row,>({ row, id, columns, selection, onOpen, details }: GridRowProps<Row>) => (
  <>
    <tr
      {...TABLE_ROLES.row}
      className={styles.row}
      data-selected={selection?.selected.has(id) || undefined}
      data-clickable={onOpen !== undefined || undefined}
      data-open={details !== null || undefined}
      onClick={openOnClick(row, onOpen)}
    >
      {selection && (
        <td {...TABLE_ROLES.cell} className={styles.choice}>
          <SelectRow row={row} id={id} selection={selection} />
        </td>
      )}
      {columns.map((column, i) => (
        <Cell key={column.key} column={column} row={row} isFirst={i === 0} />
      ))}
    </tr>
    {details !== null && (
      <tr {...TABLE_ROLES.row} className={styles.details}>
        <td {...TABLE_ROLES.cell} colSpan={columns.length + (selection ? 1 : 0)}>
          {details}
        </td>
      </tr>
    )}
  </>
)

const Cell = <Row,>({ column, row, isFirst }: { column: Column<Row>; row: Row; isFirst: boolean }) => {
  const content = column.cell(row)
  const wrapping = column.isActions ? undefined : wrappingOf(column, row, content)
  return isFirst ? (
    <th {...TABLE_ROLES.rowHeader} scope="row" className={styles.name} data-wrap={wrapping}>
      {content}
    </th>
  ) : (
    <td {...TABLE_ROLES.cell} className={cellClass(column)} data-wrap={wrapping} data-actions={column.isActions}>
      {content}
    </td>
  )
}

const cellClass = <Row,>({ align, isActions }: Column<Row>): string | undefined => {
  if (isActions) return styles.actions
  return align === 'end' ? styles.end : undefined
}
