import { TABLE_ROLES } from '../../aria-roles.ts'
import type { CardPlan } from './card-plan.ts'
import styles from './grid-card.module.css'
import type { GridColumn, GridSums } from '../grid-model.ts'

interface SumsCardProps<Row> {
  columns: readonly GridColumn<Row>[]
  sums: GridSums
  plan: CardPlan<Row>
}

/** The sums as the last card. The sum of the amount stands beside the card's label; each other sum stands below with its column's label. */
export const SumsCard = <Row,>({ columns, sums, plan }: SumsCardProps<Row>) => {
  const summed = columns.filter(({ key }) => sums.cells[key] !== undefined)
  const amount = plan.slots.amount.find((column) => summed.includes(column))
  const others = summed.filter((column) => column !== amount)
  return (
    <tfoot {...TABLE_ROLES.group} className={styles.body}>
      <tr {...TABLE_ROLES.row} className={styles.card} data-sums="" data-press={plan.hasPress || undefined}>
        <th {...TABLE_ROLES.rowHeader} scope="row" className={styles.title}>
          {sums.label}
        </th>
        {amount && (
          <td {...TABLE_ROLES.cell} className={styles.amount}>
            {sums.cells[amount.key]}
          </td>
        )}
        {others.map(({ key, label }) => (
          <td key={key} {...TABLE_ROLES.cell} className={styles.otherSum}>
            <span>{label}</span> {sums.cells[key]}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}
