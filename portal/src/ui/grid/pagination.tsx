import { Icon } from '../icon.tsx'
import styles from './pagination.module.css'
import { pageSlots } from './pagination-model.ts'

export interface PaginationProps {
  /** What is paged, such as "Invoices": part of the landmark's accessible name. */
  label: string
  page: number
  count: number
  onPage: (page: number) => void
}

/** Page buttons and arrows. A disabled arrow keeps the focus. */
export const Pagination = ({ label, page, count, onPage }: PaginationProps) => (
  <nav className={styles.pages} aria-label={`${label}: pages`}>
    <button
      type="button"
      className={styles.page}
      aria-label="Previous page"
      aria-disabled={page <= 1}
      onClick={() => page > 1 && onPage(page - 1)}
    >
      <Icon name="left" />
    </button>
    {pageSlots(page, count).map((slot, i, slots) =>
      slot === 'gap' ? (
        <span key={`gap after ${slots[i - 1]}`} className={styles.gap} aria-hidden="true">
          …
        </span>
      ) : (
        <button
          key={slot}
          type="button"
          className={styles.page}
          aria-label={`Page ${slot}`}
          aria-current={slot === page ? 'page' : undefined}
          onClick={() => onPage(slot)}
        >
          {slot}
        </button>
      ),
    )}
    <button
      type="button"
      className={styles.page}
      aria-label="Next page"
      aria-disabled={page >= count}
      onClick={() => page < count && onPage(page + 1)}
    >
      <Icon name="right" />
    </button>
  </nav>
)
