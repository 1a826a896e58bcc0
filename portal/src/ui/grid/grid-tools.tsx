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
  /** The number of others for which the window has no room. */
  crowdedCount: number
  showsAll: boolean
  onShowAll: (shows: boolean) => void
}

/** Fewer columns than this leave nothing to choose. */
const MIN_CHOICE = 5

/** The line above a grid: what it holds, which columns it leaves out, and the choice of columns. */
export const GridTools = <Row,>(props: GridToolsProps<Row>) => {
  const { label, summary, columns, hidden, onHidden, emptyCount, crowdedCount, showsAll, onShowAll } = props
  const hasChoice = columns.length >= MIN_CHOICE
  const isSteppingBack = emptyCount + crowdedCount > 0
  if (!hasChoice && summary === undefined && !isSteppingBack) return null
  return (
    <div className={styles.tools}>
      {summary !== undefined && <div className={styles.summary}>{summary}</div>}
      {isSteppingBack && (
        <span>
          {countText(emptyCount, crowdedCount, showsAll)}{' '}
          <button type="button" className={styles.show} onClick={() => onShowAll(!showsAll)}>
            {showsAll ? 'Hide' : 'Show'}
          </button>
        </span>
      )}
      {hasChoice && <ColumnChoice label={label} columns={columns} hidden={hidden} onHidden={onHidden} />}
    </div>
  )
}

/** "2 columns without values are hidden"; where some have values, "3 columns are hidden". */
const countText = (emptyCount: number, crowdedCount: number, areShown: boolean): string => {
  const count = emptyCount + crowdedCount
  const columns = `${count} ${count === 1 ? 'column' : 'columns'}${crowdedCount === 0 ? ' without values' : ''}`
  return `${columns} ${count === 1 ? 'is' : 'are'} ${areShown ? 'shown' : 'hidden'}`
}
