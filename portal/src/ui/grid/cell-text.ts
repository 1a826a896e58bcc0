import type { ReactNode } from 'react'
import type { GridColumn } from './grid-model.ts'

/** Longer than any code that a person reads as one: longer texts break, whatever they are. */
const MAX_CODE_LENGTH = 40
/** Matches a text with a word that is too long for a code, such as the path of a cloud resource. */
const ENDLESS_WORD = new RegExp(`\\S{${MAX_CODE_LENGTH + 1}}`)
/** A single word, or a number in groups such as "0491 570 156". */
const CODE = /^(?:\S+|[\d\s()+./:-]+)$/
/** Two short words, such as the name of a place, stand on one line. */
const MAX_SHORT_LENGTH = 16

/** How a cell wraps: never, between words where the window is small, between words, or anywhere. */
type Wrapping = 'never' | 'tight' | 'words' | 'anywhere'

/** How a cell of this column wraps. */
export const wrappingOf = <Row>(column: GridColumn<Row>, row: Row, content: ReactNode): Wrapping => {
  if (column.align === 'end') return 'never'
  const text = typeof content === 'string' ? content : String(column.sortBy?.(row) ?? '')
  const isShort = text.length <= MAX_SHORT_LENGTH || (text.length <= MAX_CODE_LENGTH && (column.nowrap || CODE.test(text)))
  if (isShort) return column.wrapWhenNarrow ? 'tight' : 'never'
  return ENDLESS_WORD.test(text) ? 'anywhere' : 'words'
}

/** Whether the row's value is a code or a day that fits on one line even of a card. */
export const isShortCode = <Row>({ nowrap, sortBy }: GridColumn<Row>, row: Row): boolean =>
  nowrap === true && String(sortBy?.(row) ?? '').length <= MAX_SHORT_LENGTH

/** Whether the row has no value in the column: its sort value is an empty text. A column without sort values is never empty. */
export const isEmptyCell = <Row>({ sortBy }: GridColumn<Row>, row: Row): boolean => sortBy?.(row) === ''
