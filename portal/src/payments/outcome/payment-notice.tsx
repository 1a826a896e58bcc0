import { Spinner } from '../../ui/feedback/spinner.tsx'
import styles from './payment-notice.module.css'
import type { PaymentOutcome } from './use-payment-outcome.ts'

/**
 * What is known of a payment that has no answer, below the button. It is always there, so that screen readers announce the words once, and
 * nothing that was there before moves.
 */
export const PaymentNotice = ({ isUnanswered, notice }: Pick<PaymentOutcome, 'isUnanswered' | 'notice'>) => (
  <output className={`${styles.notice} ${isUnanswered ? styles.unanswered : ''}`}>
    {isUnanswered && <Spinner size="small" />}
    {notice}
  </output>
)
