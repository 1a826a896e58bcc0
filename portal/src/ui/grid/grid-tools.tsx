import type { ReactNode } from 'react'
import { ColumnChoice } from './column-choice.tsx'
import styles from './grid-tools.module.css'
import type { GridColumn } from './grid-model.ts'

interface GridToolsProps<Row> {
  label: string
  summary: ReactNode
  /** All that can be chosen from; none where there is no choice. */
  columns: readonly GridColumn<Row>[]
  hidden: ReadonlySet<string>
  onHidden: (keys: ReadonlySet<string>) => void
  /** The number of columns without values on this page. */
  emptyCount: number
  showsAll: boolean
  onShowAll: (shows: boolean) => void
}

/** Fewer columns than this leave nothing to choose. */
const MIN_CHOICE = 5

/**
 * The line above a grid: `summary`, how many columns are without values, with a button that shows or hides them, and the choice of columns
 * where there are at least MIN_CHOICE. Nothing is rendered where all three are missing.
 */
export const GridTools = <Row,>(props: GridToolsProps<Row>) => {
  const { label, summary, columns, hidden, onHidden, emptyCount, showsAll, onShowAll } = props
  const hasChoice = columns.length >= MIN_CHOICE
  if (!hasChoice && summary === undefined && emptyCount === 0) return null
  return (
    <div className={styles.tools}>
      {summary !== undefined && <div className={styles.summary}>{summary}</div>}
      {emptyCount > 0 && (
        <span>
          {countText(emptyCount, showsAll)}{' '}
          <button type="button" className={styles.show} onClick={() => onShowAll(!showsAll)}>
            {showsAll ? 'Hide' : 'Show'}
          </button>
        </span>
      )}
      {hasChoice && <ColumnChoice label={label} columns={columns} hidden={hidden} onHidden={onHidden} />}
    </div>
  )
}

/** Such as "2 columns without values are hidden". */
const countText = (count: number, areShown: boolean): string =>
  `${count} ${count === 1 ? 'column' : 'columns'} without values ${count === 1 ? 'is' : 'are'} ${areShown ? 'shown' : 'hidden'}`
