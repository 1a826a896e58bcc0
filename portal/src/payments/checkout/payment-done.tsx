import type { PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'
import { type ReactNode, useEffect, useRef } from 'react'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { SupportText } from '../../ui/feedback/support-text.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PaymentFacts } from './payment-facts.tsx'
import styles from './checkout.module.css'

interface PaymentDoneProps {
  readonly tone: 'good' | 'bad' | 'pending'
  /** One line each; empty ones are skipped. */
  readonly texts: readonly string[]
  /** What was paid; null where it is not known or did not succeed. */
  readonly payment: PaymentSummary | null
  /** Buttons and links. */
  readonly children?: ReactNode
}

/** Where the receipt goes; empty without an address. */
export const receiptText = (email: string | null): string => (email ? `Receipt will be delivered to ${email}` : '')

/** What became of a payment: in words, with its facts, and the way on (EASE-03). */
export const PaymentDone = ({ tone, texts, payment, children }: PaymentDoneProps) => {
  const status = useRef<HTMLDivElement>(null)
  // The button that had the focus is no longer there.
  useEffect(() => status.current?.focus({ preventScroll: true }), [])
  return (
    <div className={styles.done}>
      <div ref={status} className={styles.outcome} role={tone === 'bad' ? 'alert' : 'status'} tabIndex={-1}>
        <span className={`${styles.tick} ${styles[tone]}`}>
          <Mark tone={tone} isDebit={payment?.isDebit ?? false} />
        </span>
        <div className={styles.words}>
          {texts
            .filter((text) => text !== '')
            .map((text) => (
              <p key={text}>
                <SupportText>{text}</SupportText>
              </p>
            ))}
        </div>
      </div>
      {payment !== null && <PaymentFacts payment={payment} />}
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  )
}

/** A debit takes days, so nothing turns while it is on its way. */
const Mark = ({ tone, isDebit }: { tone: PaymentDoneProps['tone']; isDebit: boolean }) => {
  if (tone !== 'pending') return <Icon name={tone === 'good' ? 'check' : 'close'} />
  return isDebit ? <Icon name="bank" /> : <Spinner size="small" />
}
