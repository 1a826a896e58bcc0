import { type ReactNode, useId, useState } from 'react'
import styles from './disclosure.module.css'
import { Icon } from '../icon.tsx'

export interface DisclosureProps {
  /** The content of the row's button, visible while the row is closed. */
  readonly title: ReactNode
  /** Content at the end of the row's line, outside the button. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A row with a button that shows and hides the content below it; closed at first. */
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
