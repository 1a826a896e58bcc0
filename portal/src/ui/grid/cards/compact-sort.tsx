import { useId } from 'react'
import styles from './grid-card.module.css'
import type { GridColumn, Sort } from '../grid-model.ts'
import { Icon } from '../../icon.tsx'

interface CompactSortProps<Row> {
  columns: readonly GridColumn<Row>[]
  sort: Sort | null
  onSort: (key: string) => void
}

/** Sort controls for narrow screens, where rows are cards without a header. */
export const CompactSort = <Row,>({ columns, sort, onSort }: CompactSortProps<Row>) => {
  const id = useId()
  const sortable = columns.filter((column) => column.sortBy !== undefined)
  if (sortable.length === 0) return null
  return (
    <div className={styles.sort}>
      <label htmlFor={id}>Sort by</label>
      <span className={styles.chosen}>
        <select id={id} value={sort?.key ?? ''} onChange={(event) => onSort(event.target.value)}>
          {sort === null && <option value="">Default order</option>}
          {sortable.map((column) => (
            <option key={column.key} value={column.key}>
              {column.label}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
      {sort && (
        <button type="button" aria-label={sort.direction === 'ascending' ? 'Ascending' : 'Descending'} onClick={() => onSort(sort.key)}>
          <Icon name={sort.direction === 'ascending' ? 'up' : 'descending'} />
        </button>
      )}
    </div>
  )
}
