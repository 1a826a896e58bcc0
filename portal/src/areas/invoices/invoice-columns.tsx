import type { Invoice } from '@counterfoil/contract/invoices'
import type { ReactNode } from 'react'
import { formatDay, formatMoney, formatPeriod } from '../../format/format.ts'
import { DownloadInvoice, PayInvoice } from '../../payments/invoice-actions.tsx'
import { invoiceState } from '../../payments/invoice-state.ts'
import type { Column } from '../../ui/grid/grid-model.ts'
import { Tag } from '../../ui/feedback/tag.tsx'
import styles from './invoices.module.css'

/**
 * The columns of the invoice list (INV-01).
 * @param paymentsToggle the button before an invoice's number that opens its payments
 */
export const invoiceColumns = (label: string, paymentsToggle: (invoice: Invoice) => ReactNode): readonly Column<Invoice>[] => [
  {
    key: 'number',
    label,
    cell: (invoice) => (
      <span className={styles.invoice}>
        {paymentsToggle(invoice)}
        <span className={styles.number}>{invoice.number}</span>
      </span>
    ),
    sortBy: ({ number }) => number,
  },
  { key: 'period', label: 'Period', cell: (invoice) => periodText(invoice), sortBy: periodSortKey },
  { key: 'issued', label: 'Issued', cell: ({ dateInvoice }) => <Day day={dateInvoice} />, sortBy: ({ dateInvoice }) => dateInvoice },
  { key: 'due', label: 'Due', cell: ({ dateDue }) => <Day day={dateDue} />, sortBy: ({ dateDue }) => dateDue },
  { key: 'amount', label: 'Amount', align: 'end', cell: (i) => formatMoney(i.amount, i.currencySymbol), sortBy: ({ amount }) => amount },
  {
    key: 'amountDue',
    label: 'Amount due',
    align: 'end',
    cell: (i) => formatMoney(i.amountDue, i.currencySymbol),
    sortBy: ({ amountDue }) => amountDue,
  },
  {
    key: 'status',
    label: 'Status',
    isCorner: true,
    cell: (invoice) => <StatusTag invoice={invoice} />,
    sortBy: (invoice) => invoiceState(invoice).label,
  },
  { key: 'actions', label: 'Actions', isActions: true, cell: (invoice) => <InvoiceActions invoice={invoice} /> },
]

/** Sorts periods by invoice date, because their labels would sort alphabetically. */
const periodSortKey = ({ dateInvoice, periodStart }: Invoice): string => (periodStart === null ? '' : dateInvoice)

const periodText = ({ periodStart, periodEnd }: Invoice): string =>
  periodStart === null || periodEnd === null ? '–' : formatPeriod({ from: periodStart, to: periodEnd })

const Day = ({ day }: { day: string }) => <span className={styles.day}>{formatDay(day)}</span>

const StatusTag = ({ invoice }: { invoice: Invoice }) => {
  const { label: word, tone } = invoiceState(invoice)
  return <Tag tone={tone}>{word}</Tag>
}

const InvoiceActions = ({ invoice }: { invoice: Invoice }) => (
  <>
    <PayInvoice invoice={invoice} />
    <DownloadInvoice invoice={invoice} />
  </>
)
