import styles from './meter.module.css'
import hidden from '../visually-hidden.module.css'

export interface MeterProps {
  /** The accessible name, such as "4G data". */
  label: string
  value: number
  max: number
  /** The value as text, such as "412 of 500 GB". */
  valueText: string
}

/** A bar that shows how much of something is used; full and in the warning colour above the limit. */
export const Meter = ({ label, value, max, valueText }: MeterProps) => {
  const isOver = value > max
  const share = isOver ? 100 : max > 0 ? Math.max(0, (value / max) * 100) : 0
  return (
    <div className={styles.track}>
      <meter
        className={hidden.hidden}
        aria-label={label}
        aria-valuetext={valueText}
        min={0}
        max={Math.max(max, 1)}
        value={Math.max(value, 0)}
      />
      <div className={isOver ? styles.over : styles.used} style={{ width: `${share}%` }} />
    </div>
  )
}
