import { type ReactNode, useId, useState } from 'react'
import styles from './disclosure.module.css'
import { Icon } from '../icon.tsx'

export interface DisclosureProps {
  /** What the row is, and all that is seen of it while it is closed. */
  readonly title: ReactNode
  /** Stands at the end of the row's line and is no part of what opens it: a tag. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A row of a list that opens to show more of itself. */
export const Disclosure = ({ title, aside, children }: DisclosureProps) => {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.row}>
      <div className={styles.line}>
        <h3 className={styles.heading}>
          <button type="button" className={styles.opener} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            <span className={styles.arrow} data-open={isOpen || undefined}>
              <Icon name="down" />
            </span>
            {title}
          </button>
        </h3>
        {aside}
      </div>
      <div id={id} className={styles.more} hidden={!isOpen}>
        {children}
      </div>
    </div>
  )
}
