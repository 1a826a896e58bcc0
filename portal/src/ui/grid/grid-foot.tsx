import { TABLE_ROLES } from '../aria-roles.ts'
import styles from './data-grid.module.css'
import type { Column, GridSums } from './grid-model.ts'

interface GridFootProps<Row> {
  columns: readonly Column<Row>[]
  sums: GridSums
  hasSelection: boolean
}

/** The row of sums under the grid. */
export const GridFoot = <Row,>({ columns, sums, hasSelection }: GridFootProps<Row>) => (
  <tfoot {...TABLE_ROLES.group} className={styles.foot}>
    <tr {...TABLE_ROLES.row}>
      {hasSelection && <td {...TABLE_ROLES.cell} />}
      {columns.map(({ key, align }, i) =>
        i === 0 ? (
          <th key={key} {...TABLE_ROLES.rowHeader} scope="row">
            {sums.label}
          </th>
        ) : (
          <td key={key} {...TABLE_ROLES.cell} className={align === 'end' ? styles.end : undefined}>
            {sums.cells[key]}
          </td>
        ),
      )}
    </tr>
  </tfoot>
)
