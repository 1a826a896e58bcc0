import type { Day } from '@counterfoil/contract/kit/day'
import { INVOICE_STATUS, type InvoiceStatus } from '@counterfoil/contract/kit/payments/invoice-status'
import { toDecimalText } from '@counterfoil/contract/kit/money'
import type { InvoiceDocument, InvoiceLine } from '../../documents/invoice-document.ts'
import type { Keys } from '../../kit/keys.ts'
import { payToken } from '../../payments/pay-token.ts'
import { toParties } from '../../documents/pdf/letterhead.ts'
import type { InvoiceHead, InvoiceLineRow, InvoiceTaxRow } from './invoices.queries.ts'
import { invoiceAdjustments } from './invoice-adjustments.rules.ts'
import { canBePaid, periodText, statusOn } from './invoices.rules.ts'

const DOCUMENT_STATUS: Readonly<Record<InvoiceStatus, InvoiceDocument['status']>> = {
  [INVOICE_STATUS.open]: 'open',
  [INVOICE_STATUS.overdue]: 'overdue',
  [INVOICE_STATUS.inCollection]: 'in-collection',
  [INVOICE_STATUS.credited]: 'credited',
  [INVOICE_STATUS.paid]: 'paid',
}

/** Brands have a word of their own for invoices, and none for these. */
const CREDIT_NOTE_TITLE = 'Credit note'

/** The content of an invoice's PDF, from its rows. A payment link is in it where the invoice can be paid now. */
export const toInvoiceDocument = (
  head: InvoiceHead,
  lines: readonly InvoiceLineRow[],
  taxes: readonly InvoiceTaxRow[],
  { keys, today, origin }: { keys: Keys; today: Day; origin: string },
): InvoiceDocument => {
  const text = (minor: number): string => toDecimalText({ minor: BigInt(minor), currency: head.currency })
  const { balanceMinor } = head
  const isCreditNote = head.amount_minor < 0
  const status = statusOn(today, { status: head.status, dueOn: head.due_on, amountDueMinor: balanceMinor })
  const documentStatus = isCreditNote ? 'credit-note' : DOCUMENT_STATUS[status]
  const isPayable = canBePaid(status, balanceMinor, head) && head.pay_token_hash !== null
  return {
    title: isCreditNote ? CREDIT_NOTE_TITLE : head.title,
    number: head.number,
    issuedOn: head.issued_on,
    dueOn: isCreditNote ? null : head.due_on,
    periodLabel: periodText(head.periodStartsOn, head.periodEndsOn) || null,
    currency: head.currency,
    currencySymbol: head.currencySymbol,
    ...toParties(head),
    status: documentStatus,
    lines: lines.map((line) => toDocumentLine(line, text)),
    netTotal: text(head.net_minor),
    taxes: taxes.map((tax) => ({
      name: tax.name,
      ratePercent: tax.ratePercent,
      base: tax.base_minor === null ? null : text(tax.base_minor),
      amount: text(tax.amount_minor),
    })),
    total: text(head.amount_minor),
    amountDue: text(balanceMinor),
    adjustments: invoiceAdjustments(
      {
        lines: lines.map((line) => line.amount_minor),
        net: head.net_minor,
        taxes: taxes.map((tax) => tax.amount_minor),
        total: head.amount_minor,
        balance: balanceMinor,
      },
      documentStatus,
      text,
    ),
    corrects: isCreditNote ? head.corrects : null,
    credit: isCreditNote ? text(Math.max(0, -balanceMinor)) : null,
    paymentUrl: isPayable ? `${origin}/pay/${payToken(keys, head.customer_id, head.id)}` : null,
    terms: head.terms,
    language: 'en',
  }
}

/** A line of an invoice as its PDF prints it. */
const toDocumentLine = (line: InvoiceLineRow, text: (minor: number) => string): InvoiceLine => ({
  service: line.service_name,
  description: line.description,
  serviceItem: line.service_item,
  fromDay: line.from_on,
  toDay: line.to_on,
  quantity: line.quantity,
  unit: line.unit,
  unitPrice: line.unit_price,
  amount: text(line.amount_minor),
})
