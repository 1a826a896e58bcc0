import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { ReactNode } from 'react'
import { formatMoney } from '../../format/format.ts'
import { bankSaving } from '../../payments/checkout/bank-saving.ts'
import { feeNote } from '../../payments/checkout/fee-text.ts'
import { MethodMark } from '../../payments/checkout/method-mark.tsx'
import checkout from '../../payments/checkout/checkout.module.css'
import { feeFor } from '../../payments/checkout/fee-lines.ts'
import { PAYMENT_TYPES_PATH } from '../../shell/navigation/paths.ts'
import { RouterLinkButton } from '../../shell/navigation/router-link-button.tsx'
import styles from './bulk-payment.module.css'
import { symbolOf } from './pay-summary.tsx'

interface FirstMethodProps {
  readonly intent: PaymentIntent
  readonly takesAccounts: boolean
  /** The button that leads to the form of a new card. */
  readonly children: ReactNode
}

/** What can pay while nothing is saved: a new card, or a bank account that is added first; each with what it comes to. */
export const FirstMethod = ({ intent, takesAccounts, children }: FirstMethodProps) => {
  const saving = bankSaving(intent.fees, symbolOf(intent))
  return (
    <>
      <p className={styles.small}>No saved payment methods yet</p>
      <Way intent={intent} kind="card" name="New card">
        {children}
      </Way>
      {takesAccounts && (
        <Way intent={intent} kind="bank" name="Bank account" note={saving && `${saving} less than by card`}>
          <RouterLinkButton kind="quiet" href={PAYMENT_TYPES_PATH} state={{ id: intent.id }}>
            Add bank account
          </RouterLinkButton>
        </Way>
      )}
    </>
  )
}

interface WayProps {
  readonly intent: PaymentIntent
  readonly kind: 'card' | 'bank'
  readonly name: string
  readonly note?: string
  /** The button of this way. */
  readonly children: ReactNode
}

/** One way to pay: name and fee, the total with this way's fee, and below them the given button. */
const Way = ({ intent, kind, name, note = '', children }: WayProps) => {
  const symbol = symbolOf(intent)
  const notes = [feeNote(intent.fees, kind, symbol), note].filter((part) => part !== '')
  return (
    <div className={styles.way}>
      <div className={checkout.method}>
        <MethodMark kind={kind} title={name} />
        <span className={checkout.words}>
          <span className={checkout.name}>{name}</span> {notes.length > 0 && <span className={checkout.small}>{notes.join(' · ')}</span>}
        </span>
        <strong className={styles.sum}>{formatMoney(feeFor(intent, kind)?.total ?? intent.total, symbol)}</strong>
      </div>
      {children}
    </div>
  )
}
