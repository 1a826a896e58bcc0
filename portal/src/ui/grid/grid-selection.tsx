import { useId } from 'react'
import styles from './data-grid.module.css'

/** The optional checkbox column. */
export interface GridSelection<Row> {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  /** A row that may not be chosen has no box. */
  canChoose: (row: Row) => boolean
  /** The row's name for a screen reader, as in "Invoice INV-20588". */
  nameOf: (row: Row) => string
}

interface ChooseAllProps<Row> {
  rows: readonly Row[]
  rowKey: (row: Row) => string
  selection: GridSelection<Row>
  id?: string
}

/** Chooses, or lets go of, all rows of the page that may be chosen. */
export const ChooseAll = <Row,>({ rows, rowKey, selection, id }: ChooseAllProps<Row>) => {
  const keys = rows.filter(selection.canChoose).map(rowKey)
  const chosenHere = keys.filter((key) => selection.chosen.has(key))
  const isAll = keys.length > 0 && chosenHere.length === keys.length

  const toggle = (): void => {
    const others = [...selection.chosen].filter((key) => !keys.includes(key))
    selection.onChange(new Set(isAll ? others : [...others, ...keys]))
  }

  return (
    <input
      type="checkbox"
      id={id}
      className={styles.box}
      aria-label="Choose all on this page"
      checked={isAll}
      disabled={keys.length === 0}
      ref={(box) => {
        if (box) box.indeterminate = chosenHere.length > 0 && !isAll
      }}
      onChange={toggle}
    />
  )
}

/** The same above the cards of a narrow screen, which have no header row. */
export const ChooseAllAbove = <Row,>(props: ChooseAllProps<Row>) => {
  const id = useId()
  if (!props.rows.some(props.selection.canChoose)) return null
  return (
    <div className={styles.phoneChoice}>
      <label htmlFor={id}>Choose all on this page</label>
      <ChooseAll {...props} id={id} />
    </div>
  )
}

/** Chooses one row. */
export const ChooseRow = <Row,>({ row, id, selection }: { row: Row; id: string; selection: GridSelection<Row> }) => {
  if (!selection.canChoose(row)) return null
  const isChosen = selection.chosen.has(id)
  const toggle = (): void => {
    const others = [...selection.chosen].filter((key) => key !== id)
    selection.onChange(new Set(isChosen ? others : [...others, id]))
  }
  return (
    <input type="checkbox" className={styles.box} aria-label={`Choose ${selection.nameOf(row)}`} checked={isChosen} onChange={toggle} />
  )
}
