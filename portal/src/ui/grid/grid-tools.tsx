import type { ReactNode } from 'react'
import { ColumnChoice } from './column-choice.tsx'
import styles from './grid-tools.module.css'
import type { Column } from './grid-model.ts'

interface GridToolsProps<Row> {
  label: string
  summary: ReactNode
  /** All that can be chosen from; none where there is no choice. */
  columns: readonly Column<Row>[]
  hidden: ReadonlySet<string>
  onHidden: (keys: ReadonlySet<string>) => void
  /** The number of columns without values on this page. */
  emptyCount: number
  showsEmpty: boolean
  onShowEmpty: (shows: boolean) => void
}

/** Fewer columns than this leave nothing to choose. */
const MIN_CHOICE = 5

/** The line above a grid: what it holds, which columns it leaves out, and the choice of columns. */
export const GridTools = <Row,>(props: GridToolsProps<Row>) => {
  const { label, summary, columns, hidden, onHidden, emptyCount, showsEmpty, onShowEmpty } = props
  const hasChoice = columns.length >= MIN_CHOICE
  if (!hasChoice && summary === undefined && emptyCount === 0) return null
  return (
    <div className={styles.tools}>
      {summary !== undefined && <div className={styles.summary}>{summary}</div>}
      {emptyCount > 0 && (
        <span>
          {emptyText(emptyCount, showsEmpty)}{' '}
          <button type="button" className={styles.show} onClick={() => onShowEmpty(!showsEmpty)}>
            {showsEmpty ? 'Hide' : 'Show'}
          </button>
        </span>
      )}
      {hasChoice && <ColumnChoice label={label} columns={columns} hidden={hidden} onHidden={onHidden} />}
    </div>
  )
}

const emptyText = (count: number, areShown: boolean): string => {
  const state = areShown ? 'shown' : 'hidden'
  return count === 1 ? `1 column without values is ${state}` : `${count} columns without values are ${state}`
}
