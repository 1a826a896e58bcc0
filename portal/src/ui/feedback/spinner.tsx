import styles from './spinner.module.css'

export interface SpinnerProps {
  /** What is loading, such as "Loading invoices"; without it the ring is decoration beside text. */
  label?: string
  size?: 'small' | 'large'
}

/** A spinner. It appears after a moment, so that a quick response does not make it flash; later its label says what it waits for. */
export const Spinner = ({ label, size = 'large' }: SpinnerProps) => {
  const ring = <span className={`${styles.ring} ${styles[size]}`} aria-hidden="true" />
  if (label === undefined) return ring
  return (
    <output className={styles.labelled}>
      {ring}
      <span className={styles.words}>{label}…</span>
    </output>
  )
}

/** A spinner over content that is being replaced; the parent needs `position: relative`. `isDimmed` fades the old content. */
export const SpinnerOverlay = ({ label, isDimmed = false }: { label: string; isDimmed?: boolean }) => (
  <div className={`${styles.overlay} ${isDimmed ? styles.veil : ''}`}>
    <Spinner label={label} />
  </div>
)
