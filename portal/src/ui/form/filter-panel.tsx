import { type ReactNode, useId, useState } from 'react'
import styles from './filter-panel.module.css'
import { Icon } from '../icon.tsx'

export interface FilterPanelProps {
  /** Stands beside the button on a phone, such as the field of a search. */
  readonly search?: ReactNode
  /** How many filters are set; the button says so, because they are out of sight on a phone. */
  readonly activeCount: number
  /** The filters. */
  readonly children: ReactNode
}

/** A line of filters; on a phone they stand behind one button. */
export const FilterPanel = ({ search, activeCount, children }: FilterPanelProps) => {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.panel}>
      {search !== undefined && <div className={styles.search}>{search}</div>}
      <button type="button" className={styles.opener} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        Filters
        {activeCount > 0 && <span className={styles.count}>{activeCount} set</span>}
        <span className={styles.arrow}>
          <Icon name="down" />
        </span>
      </button>
      <div id={id} className={styles.filters} data-open={isOpen || undefined}>
        {children}
      </div>
    </div>
  )
}
