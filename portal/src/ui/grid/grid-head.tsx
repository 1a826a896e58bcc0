import type { ReactNode } from 'react'
import { TABLE_ROLES } from '../aria-roles.ts'
import styles from './data-grid.module.css'
import type { GridColumn, Sort } from './grid-model.ts'
import { SelectAll, type GridSelection } from './grid-selection.tsx'
import type { ColumnStack } from './stacked-columns.ts'
import { Icon } from '../icon.tsx'
import { VisuallyHidden } from '../visually-hidden.tsx'

interface GridHeadProps<Row> {
  columns: readonly ColumnStack<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  sort: Sort | null
  onSort: (key: string) => void
  selection: GridSelection<Row> | undefined
}

/** The header row: sortable columns are buttons. */
export const GridHead = <Row,>({ columns, rows, rowKey, sort, onSort, selection }: GridHeadProps<Row>) => (
  <thead {...TABLE_ROLES.group} className={styles.head}>
    <tr {...TABLE_ROLES.row}>
      {selection && (
        <th {...TABLE_ROLES.columnHeader} scope="col" className={styles.choice}>
          <SelectAll rows={rows} rowKey={rowKey} selection={selection} />
        </th>
      )}
      {columns.map(({ top, secondLines }) => (
        <th
          key={top.key}
          {...TABLE_ROLES.columnHeader}
          scope="col"
          className={headClass(top)}
          aria-sort={[top, ...secondLines].some(({ key }) => key === sort?.key) ? sort?.direction : undefined}
        >
          {[top, ...secondLines].map((column) => (
            <HeadCell key={column.key} column={column} isStacked={secondLines.length > 0} sort={sort} onSort={onSort} />
          ))}
        </th>
      ))}
    </tr>
  </thead>
)

/** The CSS class of a heading: of actions, of numbers, or empty. */
const headClass = <Row,>({ align, isActions }: GridColumn<Row>): string => {
  if (isActions) return styles.actions ?? ''
  return align === 'end' ? (styles.end ?? '') : ''
}

/** Longer than the portal's own headings: a label that a reseller chose, which wraps to several lines. */
const MAX_SHORT_LABEL_LENGTH = 28

/** A word of a label that may break anywhere, so that its column stays narrow. */
const LONG_WORD = /\S{24}/

/** The icon of a sorted column. */
const ARROWS = { ascending: 'up', descending: 'descending' } as const

interface HeadCellProps<Row> {
  column: GridColumn<Row>
  /** Whether another label stands in the same cell. One of two words then stays on one line on a tablet. */
  isStacked: boolean
  sort: Sort | null
  onSort: (key: string) => void
}

/** A column's label; a button that sorts by the column, where that is possible. */
const HeadCell = <Row,>({ column, isStacked, sort, onSort }: HeadCellProps<Row>) => {
  const { key, label, isActions, sortBy, align } = column
  const isLong = label.length > MAX_SHORT_LABEL_LENGTH
  if (isActions) return <VisuallyHidden>{label}</VisuallyHidden>
  if (sortBy === undefined) return <span className={styles.fixed}>{isLong ? <LongLabel label={label} /> : label}</span>
  const direction = sort?.key === key ? sort.direction : null
  const arrow = (
    <span className={direction === null ? styles.ghost : styles.arrow}>
      <Icon name={direction === null ? 'sort' : ARROWS[direction]} />
    </span>
  )
  return (
    <button type="button" className={`${styles.sort} ${isStacked && isTwoWords(label) ? styles.oneLine : ''}`} onClick={() => onSort(key)}>
      {isLong ? <LongLabel label={label} /> : <ShortLabel label={label} arrow={arrow} isBefore={align === 'end'} />}
      {isLong && arrow}
    </button>
  )
}

const isTwoWords = (label: string): boolean => label.split(' ').length === 2

/** A label with its arrow, which stands beside a word of it on every line break: before the first, or after the last. */
const ShortLabel = ({ label, arrow, isBefore }: { label: string; arrow: ReactNode; isBefore: boolean }) => {
  const words = label.split(' ')
  const marked = isBefore ? words.shift() : words.pop()
  const others = words.join(' ')
  return (
    <span>
      {!isBefore && others !== '' && `${others} `}
      <span className={styles.marked}>
        {isBefore && arrow}
        {marked}
        {!isBefore && arrow}
      </span>
      {isBefore && others !== '' && ` ${others}`}
    </span>
  )
}

/** A label that wraps to several lines, also within a very long word. */
const LongLabel = ({ label }: { label: string }) => (
  <span className={styles.long} data-long-word={LONG_WORD.test(label) || undefined}>
    {label}
  </span>
)
