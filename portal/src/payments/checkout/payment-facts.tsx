import type { PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'
import { formatDay, formatMoney, formatTime } from '../../format/format.ts'
import { adjustmentsNote } from './adjustments-note.ts'
import { Line } from './payment-lines.tsx'
import styles from './checkout.module.css'

/** More invoices than these are summed up. */
const MAX_INVOICES_SHOWN = 8

/** What was paid, with what, when, and under which reference; for a debit, what happens next (EASE-03). */
export const PaymentFacts = ({ payment }: { payment: PaymentSummary }) => {
  const money = (amount: number): string => formatMoney(amount, payment.currencySymbol)
  const { invoices, adjustmentsTotal, adjustments, fee, total, method, date, reference } = payment
  const rest = invoices.slice(MAX_INVOICES_SHOWN)
  return (
    <>
      {nextText(payment) !== null && <p className={styles.next}>{nextText(payment)}</p>}
      <dl className={styles.lines}>
        <Line name="Paid with" value={method} />
        <Line name="When" value={`${formatDay(date)}, ${formatTime(date)} UTC`} />
        <Line name="Reference" value={<span className={styles.reference}>{reference}</span>} />
      </dl>
      <dl className={`${styles.lines} ${styles.paid}`}>
        {invoices.slice(0, MAX_INVOICES_SHOWN).map(({ invoiceNumber, invoiceAmount }) => (
          <Line key={invoiceNumber} name={invoiceNumber} value={money(invoiceAmount)} />
        ))}
        {rest.length > 0 && (
          <Line name={`and ${rest.length} more`} value={money(rest.reduce((sum, { invoiceAmount }) => sum + invoiceAmount, 0))} />
        )}
        {adjustmentsTotal > 0 && (
          <Line name="Adjustments" value={money(adjustmentsTotal)} note={adjustmentsNote(adjustments, payment.currencySymbol)} />
        )}
        {fee !== null && <Line name={fee.name} value={money(fee.amount)} />}
        <Line name="Total" value={money(total)} className={styles.total} />
      </dl>
    </>
  )
}

/** What happens next with a debit on its way; null for a payment that has arrived. */
const nextText = ({ isDebit, hasReceipt, expectedOn }: PaymentSummary): string | null => {
  if (!isDebit || hasReceipt) return null
  return expectedOn === null
    ? 'The debit is on its way; we do not know on which day the money arrives.'
    : `We expect the money on ${formatDay(expectedOn)}.`
}
