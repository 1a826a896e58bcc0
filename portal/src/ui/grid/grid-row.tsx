import type { ReactNode } from 'react'
import { TABLE_ROLES } from '../aria-roles.ts'
import { isEmptyCell, wrappingOf } from './cell-text.ts'
import styles from './data-grid.module.css'
import type { GridColumn } from './grid-model.ts'
import { SelectRow, type GridSelection } from './grid-selection.tsx'
import { openOnClick } from './open-on-click.ts'
import type { ColumnStack } from './stacked-columns.ts'

interface GridRowProps<Row> {
  row: Row
  id: string
  columns: readonly ColumnStack<Row>[]
  selection: GridSelection<Row> | undefined
  onOpen: ((row: Row) => void) | undefined
  /** Content below the row over its whole width; null while it is closed. */
  details: ReactNode
}

/** One row of a table, and its details below while it is open; its first column is the row header. */
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
      {columns.map((stack, i) => (
        <Cell key={stack.top.key} stack={stack} row={row} isFirst={i === 0} />
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

/** A cell with the values of the columns that are stacked in it; in the first column a row header. */
const Cell = <Row,>({ stack: { top: column, secondLines }, row, isFirst }: { stack: ColumnStack<Row>; row: Row; isFirst: boolean }) => {
  const content = column.cell(row)
  const wrapping = column.isActions ? undefined : wrappingOf(column, row, content)
  const lines = secondLines.filter((one) => !isEmptyCell(one, row)).map((one) => <Line key={one.key} column={one} row={row} />)
  return isFirst ? (
    <th {...TABLE_ROLES.rowHeader} scope="row" className={styles.name} data-wrap={wrapping}>
      {content}
      {lines}
    </th>
  ) : (
    <td {...TABLE_ROLES.cell} className={cellClass(column)} data-wrap={wrapping} data-actions={column.isActions}>
      {content}
      {lines}
    </td>
  )
}

/** A further line of a cell: the value of a column that is stacked below it. */
const Line = <Row,>({ column, row }: { column: GridColumn<Row>; row: Row }) => {
  const content = column.cell(row)
  return (
    <span className={styles.secondLine} data-wrap={wrappingOf(column, row, content)}>
      {column.repeatsLabelWhenStacked && `${column.label} `}
      {content}
    </span>
  )
}

/** The CSS class of a cell: of actions, of numbers, or none. */
const cellClass = <Row,>({ align, isActions, cardSlot }: GridColumn<Row>): string | undefined => {
  if (isActions) return styles.actions
  if (align !== 'end') return undefined
  return cardSlot === 'amount' ? `${styles.end} ${styles.amount}` : styles.end
}
