import { SupportText } from '../../ui/feedback/support-text.tsx'
import styles from './pay-page.module.css'

/** Why a payment failed. @param why may be empty */
export const PaymentFailed = ({ why }: { why: string }) => (
  <div className={`${styles.status} ${styles.bad} ${styles.lines}`} role="alert">
    <p>Payment Failed</p>
    {why !== '' && (
      <p>
        <SupportText>{why}</SupportText>
      </p>
    )}
  </div>
)
