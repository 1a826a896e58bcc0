import { type ReactNode, useId, useState } from 'react'
import styles from './filter-panel.module.css'
import { Icon } from '../icon.tsx'

export interface FilterPanelProps {
  /** How many filters are set to something else than they are at first. */
  readonly activeCount: number
  readonly children: ReactNode
}

/** The filters of a screen. On a phone they stand behind one button, which says how many are set. */
export const FilterPanel = ({ activeCount, children }: FilterPanelProps) => {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.panel}>
      <button type="button" className={styles.opener} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        Filters
        {activeCount > 0 && <span className={styles.count}>{activeCount} set</span>}
        <span className={styles.arrow} data-open={isOpen || undefined}>
          <Icon name="down" />
        </span>
      </button>
      <div id={id} className={styles.filters} data-open={isOpen || undefined}>
        {children}
      </div>
    </div>
  )
}
