import { Link } from 'react-router'
import { usePaymentTypesOffered } from '../../shell/header/settings-entries.ts'
import { PAYMENT_TYPES_PATH } from '../../shell/paths.ts'
import styles from './bulk-payment.module.css'

/** Where a bank account is added for whoever would rather pay from one; nothing where the menu does not offer that screen. */
export const AddAccountLink = ({ intentId }: { readonly intentId: string }) => {
  if (!usePaymentTypesOffered()) return null
  return (
    <p className={styles.small}>
      To pay from a bank account, add it in{' '}
      <Link to={PAYMENT_TYPES_PATH} state={{ id: intentId }}>
        Payment Types
      </Link>
      .
    </p>
  )
}
