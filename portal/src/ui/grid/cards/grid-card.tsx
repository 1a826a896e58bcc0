import { type MouseEvent, type ReactNode, useId } from 'react'
import { TABLE_ROLES } from '../../aria-roles.ts'
import { Icon } from '../../icon.tsx'
import { isShortCode } from '../cell-text.ts'
import { type CardPlan, filledColumns } from './card-plan.ts'
import styles from './grid-card.module.css'
import type { CardSlot, GridColumn } from '../grid-model.ts'
import { SelectRow, type GridSelection } from '../grid-selection.tsx'
import { openOnClick } from '../open-on-click.ts'

interface GridCardProps<Row> {
  row: Row
  id: string
  plan: CardPlan<Row>
  selection: GridSelection<Row> | undefined
  onOpen: ((row: Row) => void) | undefined
  /** The columns without a slot are shown. */
  isOpen: boolean
  onToggle: (id: string) => void
  /** Content below the card; null while it is closed. */
  details: ReactNode
}

/** One row as a card of two lines, with a button that opens what does not fit there. */
export const GridCard = <Row,>(props: GridCardProps<Row>) => {
  const { row, id, plan, selection, onOpen, isOpen, onToggle, details } = props
  const htmlId = useId()
  const rest = filledColumns(plan.rest, row)
  const hasPress = plan.hasPress && rest.length + plan.actions.length > 0
  return (
    <>
      <tr
        {...TABLE_ROLES.row}
        className={styles.card}
        data-selected={selection?.selected.has(id) || undefined}
        data-clickable={onOpen !== undefined || undefined}
        onClick={openOnClick(row, onOpen)}
      >
        {selection && (
          <td {...TABLE_ROLES.cell} className={styles.choice}>
            <SelectRow row={row} id={id} selection={selection} />
          </td>
        )}
        <th {...TABLE_ROLES.rowHeader} scope="row" id={`${htmlId}-title`} className={styles.title}>
          <Slot slot="title" plan={plan} row={row} />
        </th>
        {(['amount', 'date', 'status'] as const).map((slot) => (
          <td key={slot} {...TABLE_ROLES.cell} className={styles[slot]}>
            <Slot slot={slot} plan={plan} row={row} />
          </td>
        ))}
        {hasPress && (
          <td {...TABLE_ROLES.cell} className={styles.press} onClick={stopClick}>
            <button
              type="button"
              id={`${htmlId}-press`}
              className={styles.opener}
              aria-expanded={isOpen}
              aria-label="Details of"
              aria-labelledby={`${htmlId}-press ${htmlId}-title`}
              // A card that opens something else leaves only this button to its details.
              data-whole={onOpen === undefined || undefined}
              onClick={() => onToggle(id)}
            >
              <Icon name="down" />
            </button>
          </td>
        )}
      </tr>
      {(hasPress ? isOpen : rest.length + plan.actions.length > 0) && <Rest row={row} columns={rest} actions={plan.actions} />}
      {details !== null && (
        <tr {...TABLE_ROLES.row} className={styles.below}>
          <td {...TABLE_ROLES.cell}>{details}</td>
        </tr>
      )}
    </>
  )
}

/** The content of one slot of the card. Columns in which the row has no value are left out. */
const Slot = <Row,>({ slot, plan, row }: { slot: CardSlot; plan: CardPlan<Row>; row: Row }) =>
  filledColumns(plan.slots[slot], row).map((column) => (
    <span key={column.key} className={styles.part} data-code={isShortCode(column, row) || undefined}>
      {(column.cardCell ?? column.cell)(row)}
    </span>
  ))

/** The columns without a slot, with their labels, and the row's buttons. */
const Rest = <Row,>({ row, columns, actions }: { row: Row; columns: readonly GridColumn<Row>[]; actions: readonly GridColumn<Row>[] }) => (
  <tr {...TABLE_ROLES.row} className={styles.below}>
    <td {...TABLE_ROLES.cell}>
      {columns.length > 0 && (
        <dl className={styles.rest}>
          {columns.map(({ key, label, cell }) => (
            <div key={key}>
              <dt>{label}</dt>
              <dd>{cell(row)}</dd>
            </div>
          ))}
        </dl>
      )}
      {actions.length > 0 && (
        <div className={styles.actions}>
          {actions.map(({ key, cell }) => (
            <span key={key}>{cell(row)}</span>
          ))}
        </div>
      )}
    </td>
  </tr>
)

/** Keeps a click from opening the card. */
const stopClick = (event: MouseEvent): void => event.stopPropagation()
