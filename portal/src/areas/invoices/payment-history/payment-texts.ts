import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { Invoice } from '@counterfoil/contract/invoices'
import type { InvoicePaymentEntry, Outcome } from '@counterfoil/contract/payment-history'
import type { PendingPayment } from '@counterfoil/contract/kit/payments/payment-summary'
import { formatDay, formatMoney } from '../../../format/format.ts'
import { processingText } from '../../../payments/checkout/processing-text.ts'
import type { TagTone } from '../../../ui/feedback/tag.tsx'

/** The label and the colour of a payment's outcome. */
export const OUTCOME_TAGS: Readonly<Record<Outcome, { readonly label: string; readonly tone: TagTone }>> = {
  paid: { label: 'Paid', tone: 'good' },
  processing: { label: 'Processing', tone: 'warn' },
  checking: { label: 'Pending', tone: 'warn' },
  confirming: { label: 'Action required', tone: 'warn' },
  declined: { label: 'Declined', tone: 'bad' },
  failed: { label: 'Not completed', tone: 'bad' },
  refunded: { label: 'Refunded', tone: 'plain' },
  'part-refunded': { label: 'Partly refunded', tone: 'plain' },
  returned: { label: 'Returned', tone: 'bad' },
}

type PaymentAmounts = Pick<
  InvoicePaymentEntry,
  'amount' | 'fee' | 'total' | 'cameBack' | 'overpaid' | 'invoiceCount' | 'outcome' | 'currencySymbol'
>

/** Short notes on the amount of a payment: this invoice's share, the fee, what was refunded, and what was more than due. */
export const amountNotes = (entry: PaymentAmounts, invoiceLabelPlural: string): string[] => {
  const format = (amount: number): string => formatMoney(amount, entry.currencySymbol)
  const notes: string[] = []
  if (entry.invoiceCount > 1) notes.push(`${format(entry.amount)} of a payment for ${entry.invoiceCount} ${invoiceLabelPlural}`)
  if (entry.fee > 0) notes.push(`includes a fee of ${format(entry.fee)}`)
  if (entry.cameBack > 0) notes.push(`${format(entry.cameBack)} ${entry.outcome === 'returned' ? 'returned' : 'refunded'}`)
  if (entry.overpaid > 0) notes.push(`${format(entry.overpaid)} more than was due: credit on your account`)
  return notes
}

/** The note under an outcome: what happens next while the payment is pending, else the server's reason; null without one. */
export const outcomeNote = (entry: PendingPayment & Pick<InvoicePaymentEntry, 'outcome' | 'reason' | 'expectedOn'>): string | null => {
  const { outcome, reason, expectedOn } = entry
  switch (outcome) {
    case 'processing':
      return `Your bank is processing this payment. Please do not pay again.${expectedText(expectedOn)}`
    case 'checking':
      return processingText(entry)
    case 'confirming':
      return 'Your bank needs you to confirm this payment.'
    default:
      return reason
  }
}

/** When the money of a bank debit is expected, as a sentence behind another; the day does not wrap. Empty without a day. */
const expectedText = (day: string | null): string =>
  day === null ? '' : ` We expect the money on ${formatDay(day).replaceAll(' ', '\u00a0')}.`

/** The text where no payment through the portal is known: the invoice's status may still tell of a payment made elsewhere. */
export const noPaymentsText = ({
  paid,
  invoiceStatus,
  amountDue,
  currencySymbol,
}: Pick<Invoice, 'paid' | 'invoiceStatus' | 'amountDue' | 'currencySymbol'>): string => {
  if (paid) return 'This invoice was not paid through the portal'
  return invoiceStatus === INVOICE_STATUS.inCollection
    ? `${formatMoney(amountDue, currencySymbol)} is on its way by bank debit. There is nothing to do.`
    : 'There are no payments yet'
}
