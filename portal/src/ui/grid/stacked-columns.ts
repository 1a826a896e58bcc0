import type { GridColumn } from './grid-model.ts'

/** A column of a table with the columns that stand under it, each on a line of its own. */
export interface ColumnStack<Row> {
  readonly top: GridColumn<Row>
  readonly secondLines: readonly GridColumn<Row>[]
}

/** The columns side by side; or, in a small window, those that may stand under another one under it, as far as that one is shown. */
export const stackedColumns = <Row>(columns: readonly GridColumn<Row>[], isSmall: boolean): readonly ColumnStack<Row>[] => {
  const isStacked = ({ stackedBelow }: GridColumn<Row>): boolean => isSmall && columns.some(({ key }) => key === stackedBelow)
  return columns
    .filter((column) => !isStacked(column))
    .map((top) => ({ top, secondLines: columns.filter((column) => isStacked(column) && column.stackedBelow === top.key) }))
}
