import { isEmptyCell } from '../cell-text.ts'
import type { CardSlot, GridColumn } from '../grid-model.ts'

/** The columns of each slot of a card, those below the slots, and those with buttons. */
export interface CardPlan<Row> {
  readonly slots: Readonly<Record<CardSlot, readonly GridColumn<Row>[]>>
  /** Columns that stand with their labels below the two lines. */
  readonly rest: readonly GridColumn<Row>[]
  readonly actions: readonly GridColumn<Row>[]
  /** A press on the card shows the rest and the actions. Without it they are always shown. */
  readonly hasPress: boolean
}

/**
 * Which column stands where on the cards that a grid becomes in a narrow window: in the slot title, amount, date or status, or below. Where
 * no column names a slot, the first one is the title, one that is `unlabeledInCard` the amount, and all others stand below.
 */
export const cardPlan = <Row>(columns: readonly GridColumn<Row>[]): CardPlan<Row> => {
  const hasSlots = columns.some(({ cardSlot }) => cardSlot !== undefined)
  const slotOf = (column: GridColumn<Row>): CardSlot | undefined => (hasSlots ? column.cardSlot : slotWithoutPlan(column, columns))
  const at = (slot: CardSlot): GridColumn<Row>[] => columns.filter((column) => slotOf(column) === slot)
  const rest = columns.filter((column) => !column.isActions && (slotOf(column) === undefined || column.cardCell !== undefined))
  const actions = columns.filter((column) => column.isActions && slotOf(column) === undefined)
  return {
    slots: { title: at('title'), amount: at('amount'), date: at('date'), status: at('status') },
    rest,
    actions,
    hasPress: hasSlots && rest.length + actions.length > 0,
  }
}

/** The columns in which this row has a value. */
export const filledColumns = <Row>(columns: readonly GridColumn<Row>[], row: Row): readonly GridColumn<Row>[] =>
  columns.filter((column) => !isEmptyCell(column, row))

/** The slot of a column in a grid whose columns name none; undefined for those that stand below. */
const slotWithoutPlan = <Row>(column: GridColumn<Row>, columns: readonly GridColumn<Row>[]): CardSlot | undefined => {
  if (column === columns[0]) return 'title'
  return column.unlabeledInCard ? 'amount' : undefined
}
