import type { Adjustment } from '@counterfoil/contract/kit/payments/adjustment'
import type { PaymentFee } from '@counterfoil/contract/kit/payments/payment-summary'
import { FEE_LINES } from '@counterfoil/contract/kit/payments/payment-status'
import type { ReactNode } from 'react'
import { formatMoney } from '../../format/format.ts'
import { withKeys } from '../../ui/with-keys.ts'
import { adjustmentsNote } from './adjustments-note.ts'
import { feeRule } from './fee-text.ts'
import styles from './checkout.module.css'

interface PaymentLinesProps {
  readonly invoices: readonly {
    readonly invoiceNumber: string
    readonly invoiceAmount: number
    readonly note?: ReactNode
    /** The page that pays it alone. */
    readonly href?: string
  }[]
  readonly adjustmentsTotal?: number
  /** What the adjustments are for. */
  readonly adjustments?: readonly Adjustment[]
  /** The fee of the chosen way to pay; undefined without a choice. */
  readonly fee: PaymentFee | undefined
  readonly total: number
  readonly currencySymbol: string
}

/** What is paid: the invoices, the adjustments, the fee with its rule, and the total. */
export const PaymentLines = ({ invoices, adjustmentsTotal = 0, adjustments, fee, total, currencySymbol }: PaymentLinesProps) => {
  const money = (amount: number): string => formatMoney(amount, currencySymbol)
  return (
    <dl className={styles.lines}>
      {withKeys(invoices, ({ invoiceNumber }) => invoiceNumber).map(({ key, item }) => (
        <Line
          key={key}
          name={item.href === undefined ? item.invoiceNumber : <a href={item.href}>{item.invoiceNumber}</a>}
          value={money(item.invoiceAmount)}
          note={item.note}
        />
      ))}
      {adjustmentsTotal > 0 && (
        <Line name="Adjustments" value={money(adjustmentsTotal)} note={adjustmentsNote(adjustments ?? [], currencySymbol)} />
      )}
      {fee !== undefined && fee.amount > 0 && (
        <Line
          name={FEE_LINES[fee.kind === 'bank' ? 'DIRECT_DEBIT_FEE' : 'CREDIT_CARD_FEE']}
          value={money(fee.amount)}
          note={feeRule(fee, currencySymbol)}
        />
      )}
      <Line name="Total" value={money(total)} className={styles.total} />
    </dl>
  )
}

interface LineProps {
  readonly name: ReactNode
  readonly value: ReactNode
  /** Small, below the name. */
  readonly note?: ReactNode
  readonly className?: string | undefined
}

/** A name and its value, at both ends of a line. */
export const Line = ({ name, value, note, className = '' }: LineProps) => (
  <div className={`${styles.line} ${className}`}>
    <dt>{name}</dt>
    <dd>{value}</dd>
    {note !== undefined && note !== '' && <dd className={styles.note}>{note}</dd>}
  </div>
)
