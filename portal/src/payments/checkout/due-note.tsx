import { formatDay } from '../../format/format.ts'
import styles from './checkout.module.css'

/** When an invoice is due, or since when it should have been paid. */
export const DueNote = ({ day, isOverdue }: { readonly day: string; readonly isOverdue: boolean }) =>
  isOverdue ? <span className={styles.overdue}>Overdue since {formatDay(day)}</span> : `Due ${formatDay(day)}`
