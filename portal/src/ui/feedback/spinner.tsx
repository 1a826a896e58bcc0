import styles from './spinner.module.css'
import { VisuallyHidden } from '../visually-hidden.tsx'

export interface SpinnerProps {
  /** What is being waited for, as in "Loading invoices"; without it the ring is decoration beside words. */
  label?: string
  size?: 'small' | 'large'
}

/** A turning ring. It appears only after 150 ms, so that a quick answer never flashes. */
export const Spinner = ({ label, size = 'large' }: SpinnerProps) => {
  const ring = <span className={`${styles.ring} ${styles[size]}`} aria-hidden="true" />
  if (label === undefined) return ring
  return (
    <output className={styles.labelled}>
      {ring}
      <VisuallyHidden>{label}</VisuallyHidden>
    </output>
  )
}

/** A spinner over what is being replaced; its parent keeps its place and is `position: relative`. A veil covers what is out of date. */
export const SpinnerOverlay = ({ label, isDimmed = false }: { label: string; isDimmed?: boolean }) => (
  <div className={`${styles.overlay} ${isDimmed ? styles.veil : ''}`}>
    <Spinner label={label} />
  </div>
)
