import type { ReactNode } from 'react'
import type { Column } from './grid-model.ts'

/** Longer than ordinary words. */
const LONG_WORD = /\S{24}/

/** Does the text contain a very long word, such as a cloud resource path? It may break anywhere, so that its column stays narrow. */
export const hasLongWord = (text: string): boolean => LONG_WORD.test(text)

/** Longer than any code that a person reads as one: longer texts break, whatever they are. */
const MAX_CODE_LENGTH = 40
/** A single word, or a number in groups such as "0491 570 156". */
const CODE = /^(?:\S+|[\d\s()+./:-]+)$/
/** Texts from this length on are sentences, which need some width to be read. */
const MIN_SENTENCE_LENGTH = 25

/** How a cell wraps: never; between words; or between words in a column that is not too narrow for it. */
export type Wrapping = 'never' | 'words' | 'sentence' | 'anywhere'

/** How a cell of this column wraps. */
export const wrappingOf = <Row>(column: Column<Row>, row: Row, content: ReactNode): Wrapping => {
  if (column.align === 'end') return 'never'
  const text = typeof content === 'string' ? content : String(column.sortBy?.(row) ?? '')
  if (text.length <= MAX_CODE_LENGTH && (column.noBreak || CODE.test(text))) return 'never'
  if (hasLongWord(text)) return 'anywhere'
  return text.length < MIN_SENTENCE_LENGTH ? 'words' : 'sentence'
}

/** Has the row no value in this column? */
export const isEmptyCell = <Row>({ sortBy }: Column<Row>, row: Row): boolean => sortBy?.(row) === ''
