import styles from './data-grid.module.css'

/** Sums that are not added together, such as those of several currencies: one under the other. */
export const SumLines = ({ texts }: { texts: readonly string[] }) =>
  texts.length === 1
    ? texts[0]
    : texts.map((text) => (
        <span key={text} className={styles.sumLine}>
          {text}
        </span>
      ))
