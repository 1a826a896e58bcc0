import { TABLE_ROLES } from '../aria-roles.ts'
import styles from './data-grid.module.css'
import type { GridSums } from './grid-model.ts'
import type { ColumnStack } from './stacked-columns.ts'

interface GridFootProps<Row> {
  columns: readonly ColumnStack<Row>[]
  sums: GridSums
  hasSelection: boolean
}

/** The row of sums under the grid. Its label stands under all columns before the first sum. */
export const GridFoot = <Row,>({ columns, sums, hasSelection }: GridFootProps<Row>) => {
  const firstSum = columns.findIndex(
    ({ top, secondLines }, i) => i > 0 && [top, ...secondLines].some(({ key }) => sums.cells[key] !== undefined),
  )
  const labelled = firstSum === -1 ? columns.length : firstSum
  return (
    <tfoot {...TABLE_ROLES.group} className={styles.foot}>
      <tr {...TABLE_ROLES.row}>
        {hasSelection && <td {...TABLE_ROLES.cell} />}
        <th {...TABLE_ROLES.rowHeader} scope="row" colSpan={labelled}>
          <span className={styles.sumsLabel}>{sums.label}</span>
        </th>
        {columns.slice(labelled).map(({ top: { key, align }, secondLines }) => (
          <td key={key} {...TABLE_ROLES.cell} className={align === 'end' ? styles.end : undefined}>
            {sums.cells[key]}
            {secondLines.map(
              (one) =>
                sums.cells[one.key] !== undefined && (
                  <span key={one.key} className={styles.secondLine}>
                    {one.repeatsLabelWhenStacked && `${one.label} `}
                    {sums.cells[one.key]}
                  </span>
                ),
            )}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}
