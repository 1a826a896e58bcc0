import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { feeFor, feeName, splitLines, totalOf } from '../../payments/fee-lines.ts'
import { formatMoney } from '../../format/format.ts'
import { withKeys } from '../../ui/with-keys.ts'
import { Tile } from '../../ui/layout/tile.tsx'
import styles from './bulk-payment.module.css'

const DEFAULT_SYMBOL = '$'

interface PaySummaryProps {
  readonly intent: PaymentIntent
  /** The kind of the selected method; null while none is selected. */
  readonly kind: 'card' | 'bank' | null
}

/** The invoices, the adjustments, the fee and the total (BP-01). */
export const PaySummary = ({ intent, kind }: PaySummaryProps) => {
  const money = (amount: number): string => formatMoney(amount, intent.currencySymbol.symbol || DEFAULT_SYMBOL)
  const fee = feeFor(intent, kind)
  return (
    <Tile title="Payment summary">
      <dl className={styles.lines}>
        {withKeys(splitLines(intent).invoices, ({ invoiceNumber }) => invoiceNumber).map(({ key, item }) => (
          <Line key={key} name={item.invoiceNumber} amount={money(item.invoiceAmount)} />
        ))}
        {intent.adjustmentsTotal > 0 && <Line name="Adjustments" amount={money(intent.adjustmentsTotal)} className={styles.surcharge} />}
        {fee && <Line name={feeName(fee) ?? ''} amount={money(fee.invoiceAmount)} className={styles.surcharge} />}
        <Line name="Total" amount={money(totalOf(intent, kind))} className={styles.total} />
      </dl>
    </Tile>
  )
}

const Line = ({ name, amount, className = '' }: { name: string; amount: string; className?: string | undefined }) => (
  <div className={`${styles.line} ${className}`}>
    <dt>{name}</dt>
    <dd>{amount}</dd>
  </div>
)
