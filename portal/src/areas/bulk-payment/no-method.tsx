import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { inSentence } from '../../payments/checkout/back-link.tsx'
import { useAccount } from '../../shell/account/account.tsx'
import { usePaymentTypesOffered } from '../../shell/header/settings-entries.ts'
import { invoiceLabels } from '../../shell/account/invoice-labels.ts'
import { PAYMENT_TYPES_PATH } from '../../shell/navigation/paths.ts'
import { RouterLinkButton } from '../../shell/navigation/router-link-button.tsx'
import styles from './bulk-payment.module.css'

const NO_METHOD_TEXT =
  'You cannot pay invoices because no default payment method is configured. To configure a payment method, go to Settings → Payment Methods'

interface NoMethodProps {
  readonly intent: PaymentIntent
  /** Whether the invoices in the summary lead to pages that take a new card. */
  readonly paysSingly: boolean
}

/** Shown where nothing can be paid with on this page. Says where a method is added, and which page takes a new card (BP-02). */
export const NoMethod = ({ intent, paysSingly }: NoMethodProps) => {
  const { settings } = useAccount()
  const isOffered = usePaymentTypesOffered()
  const invoice = inSentence(invoiceLabels(settings).singular)
  return (
    <div className={styles.form}>
      <p>{NO_METHOD_TEXT}</p>
      {isOffered && (
        <div className={styles.actions}>
          <RouterLinkButton href={PAYMENT_TYPES_PATH} state={{ id: intent.id }}>
            Go to Payment Types
          </RouterLinkButton>
        </div>
      )}
      {paysSingly && (
        <p className={styles.small}>
          {isOffered ? 'Or pay' : 'You can pay'} one {invoice} at a time with a new card: press its number in the payment summary.
        </p>
      )}
    </div>
  )
}
