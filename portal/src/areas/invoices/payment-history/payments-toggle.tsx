import { Icon } from '../../../ui/icon.tsx'
import styles from './payment-history.module.css'

interface PaymentsToggleProps {
  readonly number: string
  /** The id of the element that the button opens. */
  readonly controlledId: string
  readonly isOpen: boolean
  readonly onToggle: () => void
  /** With the word beside the arrow. */
  readonly hasText: boolean
}

/** Opens and closes the payments of an invoice. */
export const PaymentsToggle = ({ number, controlledId, isOpen, onToggle, hasText }: PaymentsToggleProps) => (
  <button
    type="button"
    className={styles.toggle}
    aria-label={`Payments of ${number}`}
    title={hasText ? undefined : 'Payments'}
    data-text={hasText || undefined}
    aria-expanded={isOpen}
    aria-controls={isOpen ? controlledId : undefined}
    onClick={onToggle}
  >
    {hasText && 'Payments'}
    <span className={styles.arrow}>
      <Icon name="down" />
    </span>
  </button>
)
