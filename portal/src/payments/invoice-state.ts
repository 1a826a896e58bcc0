import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { TagTone } from '../ui/feedback/tag.tsx'

/** The label and tone of an invoice's status. */
export interface InvoiceState {
  readonly label: string
  readonly tone: TagTone
}

const CREDITED: InvoiceState = { label: 'Credited', tone: 'plain' }

const STATES: Readonly<Record<number, InvoiceState>> = {
  [INVOICE_STATUS.open]: { label: 'Open', tone: 'plain' },
  [INVOICE_STATUS.overdue]: { label: 'Overdue', tone: 'bad' },
  [INVOICE_STATUS.inCollection]: { label: 'Debit on its way', tone: 'warn' },
  [INVOICE_STATUS.credited]: CREDITED,
  [INVOICE_STATUS.paid]: { label: 'Paid', tone: 'good' },
}

/** The label of an invoice's status. An unknown status counts as open unless the invoice is marked as paid. */
export const invoiceState = ({ invoiceStatus, isCredited, paid }: Pick<Invoice, 'invoiceStatus' | 'isCredited' | 'paid'>): InvoiceState => {
  if (isCredited) return CREDITED
  const fallback = paid ? INVOICE_STATUS.paid : INVOICE_STATUS.open
  return STATES[invoiceStatus] ?? STATES[fallback] ?? CREDITED
}
