import { useId } from 'react'
import styles from './data-grid.module.css'

/** The optional checkbox column. */
export interface GridSelection<Row> {
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
  /** Rows that cannot be selected have no checkbox. */
  canSelect: (row: Row) => boolean
  /** The row's name for screen readers, such as "Invoice INV-20588". */
  nameOf: (row: Row) => string
}

interface SelectAllProps<Row> {
  rows: readonly Row[]
  rowKey: (row: Row) => string
  selection: GridSelection<Row>
  id?: string
}

/** The checkbox that selects or deselects all selectable rows of the page; those of other pages stay. */
export const SelectAll = <Row,>({ rows, rowKey, selection, id }: SelectAllProps<Row>) => {
  const keys = rows.filter(selection.canSelect).map(rowKey)
  const selectedHere = keys.filter((key) => selection.selected.has(key))
  const isAllSelected = keys.length > 0 && selectedHere.length === keys.length

  const toggle = (): void => {
    const others = [...selection.selected].filter((key) => !keys.includes(key))
    selection.onChange(new Set(isAllSelected ? others : [...others, ...keys]))
  }

  return (
    <input
      type="checkbox"
      id={id}
      className={styles.box}
      aria-label="Select all on this page"
      checked={isAllSelected}
      disabled={keys.length === 0}
      ref={(box) => {
        if (box) box.indeterminate = selectedHere.length > 0 && !isAllSelected
      }}
      onChange={toggle}
    />
  )
}

/** The checkbox that selects all rows of the page on narrow screens, where rows are cards without a header. */
export const CompactSelectAll = <Row,>(props: SelectAllProps<Row>) => {
  const id = useId()
  if (!props.rows.some(props.selection.canSelect)) return null
  return (
    <div className={styles.compactSelectAll}>
      <label htmlFor={id}>Select all on this page</label>
      <SelectAll {...props} id={id} />
    </div>
  )
}

/** The checkbox that selects one row; nothing for a row that cannot be selected. */
export const SelectRow = <Row,>({ row, id, selection }: { row: Row; id: string; selection: GridSelection<Row> }) => {
  if (!selection.canSelect(row)) return null
  const isSelected = selection.selected.has(id)
  const toggle = (): void => {
    const others = [...selection.selected].filter((key) => key !== id)
    selection.onChange(new Set(isSelected ? others : [...others, id]))
  }
  return (
    <input type="checkbox" className={styles.box} aria-label={`Select ${selection.nameOf(row)}`} checked={isSelected} onChange={toggle} />
  )
}
