import { formatDay } from '../../format/format.ts'
import styles from './checkout.module.css'

/** "Due" with the day, or "Overdue since" the day. */
export const DueNote = ({ day, isOverdue }: { readonly day: string; readonly isOverdue: boolean }) =>
  isOverdue ? <span className={styles.overdue}>Overdue since {formatDay(day)}</span> : `Due ${formatDay(day)}`
