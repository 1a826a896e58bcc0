import type { MouseEvent, ReactNode } from 'react'
import { TABLE_ROLES } from '../aria-roles.ts'
import styles from './data-grid.module.css'
import { type Column, hasLongWord } from './grid-model.ts'
import { SelectRow, type GridSelection } from './grid-selection.tsx'

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
      onClick={onOpen && ((event) => !isSelectingText(event) && openRow(event.currentTarget, () => onOpen(row)))}
    >
      {selection && (
        <td {...TABLE_ROLES.cell} className={styles.choice}>
          <SelectRow row={row} id={id} selection={selection} />
        </td>
      )}
      {columns.map((column, i) =>
        i === 0 ? (
          <th key={column.key} {...TABLE_ROLES.rowHeader} scope="row" className={styles.name}>
            {column.cell(row)}
          </th>
        ) : (
          <Cell key={column.key} column={column} content={column.cell(row)} />
        ),
      )}
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

const Cell = <Row,>({ column, content }: { column: Column<Row>; content: ReactNode }) => (
  <td
    {...TABLE_ROLES.cell}
    className={cellClass(column)}
    data-long-word={(typeof content === 'string' && hasLongWord(content)) || undefined}
  >
    {!column.isActions && !column.isCorner && (
      <span className={styles.label} aria-hidden="true">
        {column.label}
      </span>
    )}
    {content}
  </td>
)

/** Is the user selecting text with the mouse? That click must not open the row. `detail` is 0 for a click by keyboard. */
const isSelectingText = ({ detail }: MouseEvent): boolean => detail > 0 && getSelection()?.isCollapsed === false

const openRow = (row: HTMLElement, onOpen: () => void): void => {
  row.querySelector('button')?.focus()
  onOpen()
}

const cellClass = <Row,>({ align, isActions, isCorner }: Column<Row>): string => {
  if (isCorner) return styles.corner ?? ''
  if (isActions) return styles.actions ?? ''
  return (align === 'end' ? styles.end : styles.plain) ?? ''
}
