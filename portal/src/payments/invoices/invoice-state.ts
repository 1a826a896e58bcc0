import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { TagTone } from '../../ui/feedback/tag.tsx'

/** The label and tone of an invoice's status. */
export interface InvoiceState {
  readonly label: string
  readonly tone: TagTone
}

const CREDIT_NOTE: InvoiceState = { label: 'Credit note', tone: 'plain' }
const CREDITED: InvoiceState = { label: 'Credited', tone: 'plain' }

const STATES: Readonly<Record<number, InvoiceState>> = {
  [INVOICE_STATUS.open]: { label: 'Open', tone: 'plain' },
  [INVOICE_STATUS.overdue]: { label: 'Overdue', tone: 'bad' },
  [INVOICE_STATUS.inCollection]: { label: 'Debit on its way', tone: 'warn' },
  [INVOICE_STATUS.credited]: CREDITED,
  [INVOICE_STATUS.paid]: { label: 'Paid', tone: 'good' },
}

type StatedInvoice = Pick<Invoice, 'invoiceStatus' | 'isCredited' | 'paid' | 'amount'>

/** The label and the colour of an invoice's status. An unknown status counts as open unless the invoice is marked as paid. */
export const invoiceState = ({ invoiceStatus, isCredited, paid, amount }: StatedInvoice): InvoiceState => {
  if (isCreditNote({ amount })) return CREDIT_NOTE
  if (isCredited) return CREDITED
  const fallback = paid ? INVOICE_STATUS.paid : INVOICE_STATUS.open
  return STATES[invoiceStatus] ?? STATES[fallback] ?? CREDITED
}

/** Whether the invoice's amount is below zero, in the customer's favour. Such an invoice is a credit note and never due. */
export const isCreditNote = ({ amount }: Pick<Invoice, 'amount'>): boolean => amount < 0

type Owed = Pick<Invoice, 'amountDue'>

/** The amount that is owed of an invoice; 0 of a credit note. */
export const amountOwed = ({ amountDue }: Owed): number => Math.max(amountDue, 0)

/** The credit that a credit note still gives. The portal never takes it off other invoices: only the billing engine does. */
export const creditOf = ({ amountDue }: Owed): number => Math.max(-amountDue, 0)
