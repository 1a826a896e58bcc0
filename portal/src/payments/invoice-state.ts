import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { TagTone } from '../ui/feedback/tag.tsx'

/** What the status of an invoice is called on the screen, and in which tone. */
export interface InvoiceState {
  readonly word: string
  readonly tone: TagTone
}

const CREDITED: InvoiceState = { word: 'Credited', tone: 'plain' }

const STATES: Readonly<Record<number, InvoiceState>> = {
  [INVOICE_STATUS.open]: { word: 'Open', tone: 'plain' },
  [INVOICE_STATUS.overdue]: { word: 'Overdue', tone: 'bad' },
  [INVOICE_STATUS.inCollection]: { word: 'In collection', tone: 'warn' },
  [INVOICE_STATUS.credited]: CREDITED,
  [INVOICE_STATUS.paid]: { word: 'Paid', tone: 'good' },
}

/** The state of an invoice in words; a status that is not known counts as open unless the invoice says that it is paid. */
export const invoiceState = ({ invoiceStatus, isCredited, paid }: Pick<Invoice, 'invoiceStatus' | 'isCredited' | 'paid'>): InvoiceState => {
  if (isCredited) return CREDITED
  const otherwise = paid ? INVOICE_STATUS.paid : INVOICE_STATUS.open
  return STATES[invoiceStatus] ?? STATES[otherwise] ?? CREDITED
}
