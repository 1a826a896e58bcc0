import { isEmptyCell } from './cell-text.ts'
import type { GridColumn } from './grid-model.ts'

/** The columns of a grid as its table shows them. */
interface VisibleColumns<Row> {
  readonly shown: readonly GridColumn<Row>[]
  /** How many of the chosen columns have no value in any row of the page. */
  readonly emptyCount: number
}

interface Choice {
  /** The keys of the columns that somebody has switched off. */
  readonly hidden: ReadonlySet<string>
  /** The sorted column stays, even without values. */
  readonly sortKey: string | undefined
  /** Columns without values are shown too. */
  readonly showsAll: boolean
}

/** Whether a person may switch the column off: not the first, which names the row, and not the row's actions. */
export const isOptional = <Row>(column: GridColumn<Row>, columns: readonly GridColumn<Row>[]): boolean =>
  column !== columns[0] && !column.isActions

/** The columns that a table shows: those that are chosen, without those that are empty on this page, unless `showsAll`. */
export const visibleColumns = <Row>(columns: readonly GridColumn<Row>[], rows: readonly Row[], choice: Choice): VisibleColumns<Row> => {
  const chosen = columns.filter((column) => !isOptional(column, columns) || !choice.hidden.has(column.key))
  const optional = chosen.filter((column) => isOptional(column, columns) && column.key !== choice.sortKey && rows.length > 0)
  const empty = optional.filter((column) => rows.every((row) => isEmptyCell(column, row)))
  return {
    shown: choice.showsAll ? chosen : chosen.filter((column) => !empty.includes(column)),
    emptyCount: empty.length,
  }
}
