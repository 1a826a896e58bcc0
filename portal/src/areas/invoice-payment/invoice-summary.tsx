import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { FEE_LINES } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'
import type { ReactNode } from 'react'
import { feeOf, feeRule } from '../../payments/checkout/fee-text.ts'
import { formatDay, formatMoney, formatShortPeriod } from '../../format/format.ts'
import styles from './pay-page.module.css'

interface InvoiceSummaryProps {
  readonly invoice: InvoicePayment
  /** Below its lines. */
  readonly children?: ReactNode
}

/** What is to pay by card and when, the fee on a line of its own, and which invoice it is (SP-02). */
export const InvoiceSummary = ({ invoice, children }: InvoiceSummaryProps) => {
  const { symbol } = invoice.currencySymbol
  const money = (amount: number): string => formatMoney(amount, symbol)
  const period = periodText(invoice)
  const cardFee = feeOf(invoice.fees, 'card')
  const isOverdue = invoice.invoiceStatus === INVOICE_STATUS.overdue
  const isCredit = invoice.invoiceAmount < 0
  // Of a paid invoice nothing is left to pay, and that is no amount.
  const hasAmount = !isCredit && (invoice.invoiceStatus !== INVOICE_STATUS.paid || invoice.invoiceAmount !== 0)
  return (
    <div>
      <dl className={styles.summary}>
        {isCredit && <Line name="Credit" value={money(-invoice.invoiceAmount)} className={styles.total} />}
        {hasAmount && <Line name={invoice.fee > 0 ? 'Total' : 'Amount'} value={cardTotalText(invoice)} className={styles.total} />}
        {!isCredit && (
          <Line
            name={isOverdue ? 'Overdue since' : 'Due'}
            value={formatDay(invoice.invoiceDueDate)}
            className={isOverdue ? styles.overdue : ''}
          />
        )}
        {invoice.fee > 0 && (
          <>
            <Line name="Amount" value={money(invoice.invoiceAmount)} />
            <Line name={FEE_LINES.CREDIT_CARD_FEE} value={money(invoice.fee)} note={cardFee && feeRule(cardFee, symbol)} />
          </>
        )}
        <Line name={isCredit ? 'Credit note' : 'Invoice'} value={invoice.InvoiceNumber} />
        {period !== null && <Line name="Period" value={period} />}
        <Line name="Issued" value={formatDay(invoice.invoiceDate)} />
      </dl>
      {children}
    </div>
  )
}

/** The billing period, as in "Nov 2026"; null where the invoice has none. */
export const periodText = ({ periodStart: from, periodEnd: to }: InvoicePayment): string | null =>
  from === null || to === null ? null : formatShortPeriod({ from, to })

/** The total of a payment that was made, as text with its currency symbol. */
export const paidTotalText = ({ total, currencySymbol }: PaymentSummary): string => formatMoney(total, currencySymbol)

/** The total to pay by card, as text with the currency symbol: with the card's fee where there is one, else the amount due. */
export const cardTotalText = ({ invoiceAmount, fees, currencySymbol }: InvoicePayment): string =>
  formatMoney(feeOf(fees, 'card')?.total ?? invoiceAmount, currencySymbol.symbol)

interface LineProps {
  readonly name: string
  readonly value: string
  /** Small, below the name. */
  readonly note?: string | undefined
  readonly className?: string | undefined
}

/** A name and its value in the summary's list. */
const Line = ({ name, value, note, className = '' }: LineProps) => (
  <div className={className}>
    <dt>{name}</dt>
    <dd>{value}</dd>
    {note && <dd className={styles.rule}>{note}</dd>}
  </div>
)
