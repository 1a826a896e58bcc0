import styles from './chart-legend.module.css'

export interface ChartLegendProps {
  /** What the lighter bars are, where there are any. */
  readonly before?: string
  /** What the full bars are, where that is not plain. */
  readonly now?: string
  /** What the hatched bar is. */
  readonly running: string
}

/** What the looks of a chart's bars mean. Screen readers have it in the chart's table. */
export const ChartLegend = ({ before, now, running }: ChartLegendProps) => (
  <p className={styles.legend} aria-hidden="true">
    {before !== undefined && <span className={styles.before}>{before}</span>}
    {now !== undefined && <span className={styles.now}>{now}</span>}
    <span className={styles.running}>{running}</span>
  </p>
)
