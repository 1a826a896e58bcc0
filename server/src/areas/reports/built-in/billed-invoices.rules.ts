import type { Day } from '@counterfoil/contract/kit/day'
import { INVOICE_STATUS, type InvoiceStatus } from '@counterfoil/contract/kit/payments/invoice-status'
import { statusOn } from '../../invoices/invoices.service.ts'
import type { BilledInvoice } from './billed-invoices.queries.ts'

const STATUS_LABELS: Readonly<Record<InvoiceStatus, string>> = {
  [INVOICE_STATUS.open]: 'Open',
  [INVOICE_STATUS.overdue]: 'Overdue',
  [INVOICE_STATUS.inCollection]: 'Debit on its way',
  [INVOICE_STATUS.credited]: 'Credited',
  [INVOICE_STATUS.paid]: 'Paid',
}

/** Whether an invoice is in the customer's favour: then it has no due day, and what it gives is credit. */
export const isCreditNote = ({ amountMinor }: BilledInvoice): boolean => amountMinor < 0

/** The status of an invoice on a day, as text. */
export const statusLabel = (invoice: BilledInvoice, today: Day): string => {
  const { status, dueOn, dueMinor } = invoice
  return isCreditNote(invoice) ? 'Credit note' : STATUS_LABELS[statusOn(today, { status, dueOn, amountDueMinor: dueMinor })]
}
