import { isEmptyCell } from '../cell-text.ts'
import type { CardPlace, Column } from '../grid-model.ts'

/** Which columns stand where on a card. */
export interface CardPlan<Row> {
  readonly places: Readonly<Record<CardPlace, readonly Column<Row>[]>>
  /** With their labels below the two lines. */
  readonly rest: readonly Column<Row>[]
  readonly actions: readonly Column<Row>[]
  /** The rest and the actions stand behind a press; else they are always there. */
  readonly hasPress: boolean
}

/** The plan of a grid's cards. A grid without any places has cards of its first column, with all others below it. */
export const cardPlan = <Row>(columns: readonly Column<Row>[]): CardPlan<Row> => {
  const hasPlaces = columns.some(({ card }) => card !== undefined)
  const placeOf = (column: Column<Row>): CardPlace | undefined => (hasPlaces ? column.card : placeWithoutPlan(column, columns))
  const at = (place: CardPlace): Column<Row>[] => columns.filter((column) => placeOf(column) === place)
  const rest = columns.filter((column) => !column.isActions && (placeOf(column) === undefined || column.cardCell !== undefined))
  const actions = columns.filter((column) => column.isActions && placeOf(column) === undefined)
  return {
    places: { what: at('what'), amount: at('amount'), when: at('when'), state: at('state') },
    rest,
    actions,
    hasPress: hasPlaces && rest.length + actions.length > 0,
  }
}

/** The columns of the rest in which this row has a value. */
export const filledColumns = <Row>(columns: readonly Column<Row>[], row: Row): readonly Column<Row>[] =>
  columns.filter((column) => !isEmptyCell(column, row))

const placeWithoutPlan = <Row>(column: Column<Row>, columns: readonly Column<Row>[]): CardPlace | undefined => {
  if (column === columns[0]) return 'what'
  return column.isCorner ? 'amount' : undefined
}
