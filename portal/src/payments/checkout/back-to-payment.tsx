import { Link, useLocation } from 'react-router'
import { BULK_PAY_PATH } from '../../shell/navigation/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from '../../ui/layout/back-link.module.css'

/** The link back to a payment that was left to add a method, by the intent's id in the navigation state; nothing without one. */
export const BackToPayment = () => {
  const id = intentIdOf(useLocation().state)
  if (id === null) return null
  return (
    <Link className={styles.back} to={BULK_PAY_PATH} state={{ id }}>
      <Icon name="left" />
      Back to your payment
    </Link>
  )
}

/** The intent's id in the navigation state `{ id }`; null for any other state. */
export const intentIdOf = (state: unknown): string | null => {
  if (typeof state !== 'object' || state === null || !('id' in state)) return null
  return typeof state.id === 'string' && state.id !== '' ? state.id : null
}
