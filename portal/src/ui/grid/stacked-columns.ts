import type { Column } from './grid-model.ts'

/** A column of a table with the columns that stand under it, each on a line of its own. */
export interface Stack<Row> {
  readonly top: Column<Row>
  readonly below: readonly Column<Row>[]
}

/** The columns side by side; or, in a small window, those that may stand under another one under it, as far as that one is shown. */
export const stackedColumns = <Row>(columns: readonly Column<Row>[], isSmall: boolean): readonly Stack<Row>[] => {
  const isBelow = ({ under }: Column<Row>): boolean => isSmall && columns.some(({ key }) => key === under)
  return columns
    .filter((column) => !isBelow(column))
    .map((top) => ({ top, below: columns.filter((column) => isBelow(column) && column.under === top.key) }))
}
