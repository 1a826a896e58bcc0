import type { GridColumn } from './grid-model.ts'

/** A column of a table. In a small window its cells have further lines, one for each column that is stacked below it. */
export interface ColumnStack<Row> {
  readonly top: GridColumn<Row>
  readonly secondLines: readonly GridColumn<Row>[]
}

/** The columns of a table. In a small window a column with `stackedBelow` goes into the stack of that column, if that column is shown. */
export const stackedColumns = <Row>(columns: readonly GridColumn<Row>[], isSmall: boolean): readonly ColumnStack<Row>[] => {
  const isStacked = ({ stackedBelow }: GridColumn<Row>): boolean => isSmall && columns.some(({ key }) => key === stackedBelow)
  return columns
    .filter((column) => !isStacked(column))
    .map((top) => ({ top, secondLines: columns.filter((column) => isStacked(column) && column.stackedBelow === top.key) }))
}
