import type { PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { SupportText } from '../../ui/feedback/support-text.tsx'
import { Icon } from '../../ui/icon.tsx'
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

/** Loaded when there are facts. Where they cannot be loaded, the words alone say what became of the payment. */
const PaymentFacts = lazy(async (): Promise<{ default: ComponentType<{ payment: PaymentSummary }> }> => {
  try {
    return { default: (await import('./payment-facts.tsx')).PaymentFacts }
  } catch {
    return { default: () => null }
  }
})

const MARKS = { good: 'check', bad: 'close', pending: 'bank' } as const

/** The sentence that says to which email the receipt goes; empty without an address. */
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
          {/* A debit takes days, so nothing turns while it is on its way. */}
          {tone === 'pending' && payment?.isDebit !== true ? <Spinner size="small" /> : <Icon name={MARKS[tone]} />}
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
      <Suspense fallback={null}>{payment !== null && <PaymentFacts payment={payment} />}</Suspense>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
